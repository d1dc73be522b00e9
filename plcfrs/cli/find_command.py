"""``plcfrs find``."""

from __future__ import annotations

import os
import shlex
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from inspect import cleandoc

import click

from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.options import (
    Selection,
    as_sentences,
    format_setting,
    output_setting,
    progress,
    saved,
    treebanks_argument,
)
from plcfrs.drawing import draw
from plcfrs.drawing.terminal import has_boxes
from plcfrs.errors import InputError
from plcfrs.grammar.formats import check_is_model
from plcfrs.parsing.registry import load_model
from plcfrs.query import Query, find, parse_query
from plcfrs.query.help import help_text
from plcfrs.query.hits import KEYS, Found, count_hits, hits_of
from plcfrs.query.relations import View
from plcfrs.settings import setting
from plcfrs.transformation import transform_all
from plcfrs.treebank import TreeWriter
from plcfrs.treebank.files import DEMO, NLTK
from plcfrs.trees import Tree


class Search:
    """Searches trees one by one, and counts trees and matches."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.trees = self.matching_trees = self.matches = 0
        self.has_traces = False
        self.absent = {str(label): label for label in query.labels}

    def run(self, trees: Iterable[Tree]) -> Iterator[Found]:
        """Yield the trees with matches."""
        for tree in trees:
            self.trees += 1
            self.has_traces = self.has_traces or any(token.is_null for token in tree.tokens)
            if self.absent:
                view = View(tree)
                self.absent = {k: each for k, each in self.absent.items() if not view.having(each)}
            matches = find(tree, self.query)
            if matches:
                self.matching_trees += 1
                self.matches += len(matches)
                yield tree, matches

    def __str__(self) -> str:
        return f"matches: {self.matches}, in {self.matching_trees} of {self.trees} trees"


@dataclass(frozen=True)
class Find:
    """The options of ``plcfrs find``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    query: str = argument()
    output: str = output_setting()
    to: str | None = format_setting()
    draw: bool = setting(False, "Draw the trees, with the matches in [ ].")
    count: bool = setting(False, "Print only the number of matches.")
    count_by: str | None = setting(
        None,
        "Print the number of matches for each category, label (with functions, but without index), "
        "sequence of words or tags, and so on.",
        choices=tuple(KEYS),
    )
    transform: bool = setting(
        False, "First turn traces into crossing branches, like plcfrs transform."
    )
    parse: str | None = setting(
        None,
        "Search the parses of a text by this model, or of the sentences of trees, whose tags it "
        "uses; the input is that of plcfrs parse.",
        metavar="MODEL",
    )
    selection: Selection = group(Selection)

    @property
    def are_trees_wanted(self) -> bool:
        """Whether trees are written."""
        return self.to is not None or self.output != "-"

    def check(self) -> None:
        """Raise if options exclude each other."""
        given = {
            "-o or --to": self.are_trees_wanted,
            "--draw": self.draw,
            "--count": self.count,
            "--count-by": self.count_by is not None,
        }
        names = [name for name, is_given in given.items() if is_given]
        if len(names) > 1:
            raise InputError(f"{' and '.join(names)} exclude each other: give only one of them")


@command_of("find", Find())
def command(chosen: Find) -> None:
    """Find the trees that match a query.

    Prints a line for each match: the sentence, the label (or tag) and the words, with dots for
    gaps. With -o or --to, writes the trees instead.

    The operators come from tgrep2. Every condition after the first node is about this node:
    S < NP < VP is an S with both. Parentheses hold conditions on another node: S < (NP < DT).
    Null elements are tokens.

    LANGUAGE

    A query that starts with - needs a blank before it.

    \b
    Examples: wh-phrases out of the complement clause of a verb; VPs with a finite verb in a gap;
    these verbs; NPs with an extraposed relative clause; trees with a VP of three parts.
      plcfrs find nltk:treebank --transform '/^WH/[moved=*T*] >>, (S[discontinuous] > VP)'
      plcfrs find nltk:treebank --transform 'VP[discontinuous] <~ MD|VBD|VBP|VBZ'
      plcfrs find nltk:treebank --transform 'MD|VBD|VBP|VBZ >~ VP' --count-by words
      plcfrs find nltk:treebank --transform 'NP < S[moved=*ICH* & split=WH]' --draw
      plcfrs find negra.export tiger.export 'VP[fanout>=3]' -o three.export
      plcfrs find article.txt 'VP[discontinuous]' --parse plcfrs:english
    """  # noqa: D301
    chosen.check()
    _check_order(chosen.treebanks, chosen.query)
    search = Search(parse_query(chosen.query))
    trees = _trees_of(chosen)
    found = search.run(transform_all(trees) if chosen.transform else trees)
    if chosen.transform:
        found = ((tree.forget_splits(), matches) for tree, matches in found)
    if chosen.count:
        deque(progress(found, "find"), maxlen=0)
        click.echo(search.matches)
    elif chosen.count_by is not None:
        for value, count in count_hits(hits_of(progress(found, "find")), chosen.count_by).items():
            click.echo(f"{count}\t{value}")
    elif chosen.are_trees_wanted:
        with saved(TreeWriter(chosen.output, chosen.to), chosen.output) as writer:
            for tree, _ in found:
                chosen.selection.write(tree, writer)
    elif chosen.draw:
        boxes = has_boxes(sys.stdout.encoding)
        for tree, matches in found:
            click.echo(f"{tree.id}\n{draw(tree, unicode=boxes, marked=matches)}\n")
    else:
        for hit in hits_of(found):
            click.echo(f"{hit.tree.id}\t{hit.printed}\t{hit.words}")
    chosen.selection.report()
    click.echo(search, err=True)
    for label in search.absent if search.trees else ():
        click.echo(f"{label} occurs in no tree: no category, tag or word is called so", err=True)
    if search.has_traces and not search.matches:
        click.echo("the trees have traces: --transform turns them into crossing branches", err=True)


def _trees_of(chosen: Find) -> Iterator[Tree]:
    """Yield the trees to search: those that are read, or the parses of their sentences."""
    selection, model = chosen.selection, chosen.parse
    if model is None:
        yield from selection.read(chosen.treebanks)
        return
    # Here, so that a search of trees starts without the parsers.
    from plcfrs.corpus import parse_all
    from plcfrs.parsing.parse import NOTHING_MORE

    check_is_model(model, ": plcfrs find TEXT QUERY --parse MODEL")
    sources = selection.sentences_of(chosen.treebanks, None, model)
    parser = load_model(model)
    sentences = as_sentences(selection.read_for(parser, sources), own_tags=False)
    for outcome in parse_all(parser, sentences, NOTHING_MORE):
        yield from (parse.tree for parse in outcome.parses)


command.help = cleandoc(str(command.help)).replace("LANGUAGE", help_text())


def _check_order(treebanks: tuple[str, ...], query: str) -> None:
    """Raise if the query stands before its files."""
    if not _is_source(query):
        return
    if treebanks == ("-",):
        raise InputError(f"{query} is a file: expected a query after it")
    first, *others = treebanks
    if not _is_source(first) and _is_query(first):
        command = shlex.join(["plcfrs", "find", *others, query, first])
        raise InputError(f"{query} is a file, but the query comes after the files: {command}")


def _is_source(name: str) -> bool:
    # Path fails on long names.
    return os.path.exists(name) or name.startswith((NLTK, DEMO))  # noqa: PTH110


def _is_query(text: str) -> bool:
    try:
        parse_query(text)
    except InputError:
        return False
    return True
