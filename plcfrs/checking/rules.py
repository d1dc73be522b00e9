"""Checks by rules: queries for what a treebank must not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from plcfrs.checking.finding import Finding
from plcfrs.errors import InputError
from plcfrs.query import Treebank, parse_query
from plcfrs.storage.files import read_utf8


class Rule(NamedTuple):
    """A query for what a treebank must not have, and what to tell people about it."""

    query: str
    message: str


def read_rules(path: str | Path) -> list[Rule]:
    """Read rules from a file: on each line a query, a tab, and a message.

    Empty lines and lines that begin with # are skipped.

    Raises
    ------
    InputError
        If a line is not a rule; the error names the file and the line.
    """
    rules = []
    for number, line in enumerate(read_utf8(path, "rules").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        query, tab, message = line.partition("\t")
        try:
            if not tab or not message.strip():
                raise InputError("expected a query, a tab, and a message")
            parse_query(query)
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from None
        rules.append(Rule(query.strip(), message.strip()))
    return rules


def check_rules(treebank: Treebank, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Yield what breaks a rule.

    >>> from plcfrs.trees import Tree
    >>> treebank = Treebank([Tree.from_string("(S (NP-SBJ (NN A)) (NP-SBJ (NN B)) (VP (VB c)))")])
    >>> for finding in check_rules(treebank, [Rule("NP-SBJ $.. NP-SBJ", "two subjects")]):
    ...     print(finding.words, finding.message, sep=": ")
    A: two subjects
    """
    for rule in rules:
        for hit in treebank.find(rule.query):
            tree, part = hit.marked_tree()
            yield Finding.at(tree, part, "rules", rule.message, 0.9)
