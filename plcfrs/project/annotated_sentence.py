"""A sentence of a project as one person has it, and its line in a file."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import Any

from plcfrs.errors import TreebankError
from plcfrs.project.named_tree import SENTENCE, Change, NamedTree, Row, Table, changed, parts_of
from plcfrs.treebank.format import Chunk
from plcfrs.treebank.jsonl import parse, render

ACCEPTED = "accepted"
STATUSES = ("", "later", ACCEPTED)
"""Of a sentence: not yet decided, left for later, and accepted."""


@dataclass(frozen=True, eq=False)
class AnnotatedSentence:
    """A sentence with its tree.

    Parameters
    ----------
    id : str
    named : NamedTree or None
        None if the sentence has no tree yet, or was joined with another.
    status : str
        One of `STATUSES`.
    note : str
    behind : str
        For the second part of a divided sentence, the sentence before it.
    revision : int
        The number of actions so far.
    kept : tuple of str
        The names of parts that a parser must not change: their places, labels and functions.
    placed : tuple of str
        The names of constituents that a parser must not change except for their functions.
    forbidden : tuple of str
        What the tree must not have: a category, or ``*`` for any, a tab, and the names of its
        tokens.
    by_hand : bool
        Whether a parser must not change anything.
    """

    id: str
    named: NamedTree | None = None
    status: str = ""
    note: str = ""
    behind: str = ""
    revision: int = 0
    kept: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    by_hand: bool = False

    def table(self) -> Table:
        """Return the rows of all parts, or an empty table without a tree."""
        if self.named is None:
            return {}
        table = self.named.table()
        table[SENTENCE] |= self._own()
        return table

    def after(self, change: Change) -> AnnotatedSentence:
        """Return the next revision; raise an InputError if this is not the one before it."""
        table = changed(self.table(), change)
        if not table:
            return AnnotatedSentence(self.id, revision=self.revision + 1)
        named = NamedTree.from_table(table)
        return replace(self, named=named, revision=self.revision + 1, **_read_own(table[SENTENCE]))

    def _own(self) -> dict[str, Any]:
        """Return what is kept here besides the tree, without what is empty."""
        values = {name: getattr(self, name) for name in _OWN}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value
        }

    def line(self) -> str:
        """Return the line of the sentence: its tree in the format json, and what is kept here."""
        content: dict[str, Any] = {"id": self.id, "revision": self.revision}
        content |= self._own()
        if self.named is not None:
            tree, names = self.named.tree, self.named.names
            content |= json.loads(render(tree, 1))
            del content["constituents"]  # the tree has them
            content["names"] = [names[part] for part in parts_of(tree)]
        return json.dumps(content, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, chunk: Chunk) -> AnnotatedSentence:
        """Return the sentence of a line, or raise a TreebankError."""
        try:
            content = json.loads(chunk.text)
            sentence = cls(content["id"], revision=content.get("revision", 0), **_read_own(content))
            if "tree" not in content:
                return sentence
            tree, names = parse(chunk), content.get("names", [])
            parts = parts_of(tree)
            is_named = len({*names}) == len(parts)
            named = NamedTree(tree, dict(zip(parts, names, strict=True))) if is_named else None
            return replace(sentence, named=named or NamedTree.new(tree))
        except TreebankError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError):
            raise chunk.error("expected the line of a sentence, with its id") from None


_OWN = {
    part.name: part.default
    for part in fields(AnnotatedSentence)
    if part.name not in ("id", "named", "revision")
}


def _read_own(content: Row) -> dict[str, Any]:
    values = {name: content.get(name, default) for name, default in _OWN.items()}
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
