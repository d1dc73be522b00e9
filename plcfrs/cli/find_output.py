"""The output of ``plcfrs find``: lines, a concordance, tables, counts or trees."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import click
import numpy as np

from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import saved
from plcfrs.drawing import draw
from plcfrs.drawing.terminal import has_boxes
from plcfrs.query import Query, Treebank
from plcfrs.query.hits import KEYS, PRINTED, SIDES, Hits, check_key, sample_of, sorted_counts
from plcfrs.query.segment import Mask
from plcfrs.query.syntax import QueryLabel, check_known
from plcfrs.settings import setting
from plcfrs.stopping import TimeLimit
from plcfrs.treebank import TreeWriter

_NEAR = 8  # words on each side


@dataclass(frozen=True)
class FindLayout:
    """The options for the output of matches."""

    draw: bool = setting(False, "Draw the trees, with the matches in [ ].")
    kwic: bool = setting(
        False,
        "Print a concordance: the words before, the match in [ ] with the words in its gaps, and "
        "the words after.",
    )
    columns: tuple[str, ...] = setting(
        (),
        "Print a table with these values of the match or of named nodes: words,n.function.",
    )
    count: bool = setting(False, "Print only the number of matches.")
    count_by: tuple[str, ...] = setting(
        (),
        "Print the number of matches for each value, or combination of values, of the match or of "
        f"named nodes, for example n.label,length: {', '.join(KEYS)}.",
    )
    per_million: bool = setting(False, "Add the frequency per million tokens.")
    context: int = setting(0, "Print N sentences before and after each match.", least=0)
    random: int | None = setting(None, "Choose N matches at random.", least=1)
    seed: int = setting(1, "Seed of the random choice.")

    @property
    def kinds(self) -> list[str]:
        """The options that exclude each other."""
        kinds = ("draw", "kwic", "columns", "count", "count_by")
        return [f"--{name.replace('_', '-')}" for name in kinds if getattr(self, name)]

    @property
    def names(self) -> list[str]:
        """The named nodes in the values to print."""
        for key in self.count_by:
            check_key(key)
        for key in self.columns:
            check_key(key, KEYS if "." in key else (*KEYS, *SIDES))
        names = (key.rpartition(".")[0] for key in (*self.count_by, *self.columns))
        return [*dict.fromkeys(filter(None, names))]


class TreebankPart(NamedTuple):
    """A treebank or a part of it, and the trees to search; None for all."""

    treebank: Treebank
    selected: Mask | None = None


@dataclass
class QuerySearch:
    """Searches part after part, and counts trees, tokens and matches."""

    query: Query
    names: list[str]
    without_splits: bool
    limit: TimeLimit
    trees: int = 0
    tokens: int = 0
    matching_trees: int = 0
    matches: int = 0
    has_traces: bool = False
    absent: dict[str, QueryLabel] = field(init=False)

    def __post_init__(self) -> None:
        check_known(self.names, self.query.pattern)
        self.absent = {str(label): label for label in self.query.labels}

    def add(self, part: TreebankPart) -> Iterator[Hits]:
        """Yield the matches in a part of the treebank."""
        treebank, selected = part
        chosen = np.ones(len(treebank.trees), bool) if selected is None else selected
        self.trees += int(chosen.sum())
        self.tokens += int(treebank.lengths[chosen].sum())
        self.has_traces = self.has_traces or treebank.has_traces
        shown = treebank.trees.without_splits() if self.without_splits else treebank.trees
        for all_hits in treebank.search(self.query, self.names, self.limit):
            hits = all_hits if selected is None else all_hits[selected[all_hits.trees_of]]
            self.matches += len(hits)
            self.matching_trees += len(hits.matching_trees)
            yield replace(hits, trees=shown)
        absent = {} if self.matches else self.absent  # a match has all labels
        self.absent = {
            name: label for name, label in absent.items() if treebank.lacks(label, self.limit)
        }

    def rate(self, count: int) -> str:
        """Return a count per million tokens."""
        return f"{count * 1e6 / self.tokens:.2f}" if self.tokens else "-"

    def __str__(self) -> str:
        return f"matches: {self.matches}, in {self.matching_trees} of {self.trees} trees"


def write_results(
    search: QuerySearch,
    parts: Iterable[TreebankPart],
    layout: FindLayout,
    output: tuple[str, str | None],
    input: InputOptions,
) -> None:
    """Search all parts, and write the matches as the layout says."""
    matches: Iterator[Hits] = (hits for part in parts for hits in search.add(part))
    if layout.random is not None:
        matches = _sample(list(matches), layout.random, layout.seed)
    name, to = output
    if layout.count:
        total = sum(map(len, matches))
        click.echo("\t".join([str(total), *_rates(search, layout, total)]))
    elif layout.count_by:
        _write_counts(search, matches, layout)
    elif name != "-" or to is not None:
        with saved(TreeWriter(name, to), name, input) as tree_output:
            for hits in matches:
                for number in hits.matching_trees.tolist():
                    tree_output.write(hits.trees[number])
    elif layout.draw:
        _draw(matches)
    else:
        _write_lines(matches, layout)


def write_table(
    searches: list[QuerySearch], parts: Iterable[TreebankPart], layout: FindLayout
) -> None:
    """Search all parts for several queries, and write a table of their matches."""
    for part in parts:
        for search in searches:
            deque(search.add(part), maxlen=0)
    rate = ["per million"] * layout.per_million
    click.echo("\t".join(["matches", *rate, "trees", "query"]))
    for search in searches:
        row = [search.matches, *_rates(search, layout, search.matches), search.matching_trees]
        click.echo("\t".join([*map(str, row), search.query.text]))


def _rates(search: QuerySearch, layout: FindLayout, count: int) -> list[str]:
    return [search.rate(count)] if layout.per_million else []


def _sample(parts: list[Hits], size: int, seed: int) -> Iterator[Hits]:
    """Yield a random sample of the matches of all parts, in order; a seed gives the same one."""
    ends = np.cumsum([0, *map(len, parts)])
    chosen = sample_of(int(ends[-1]), size, seed)
    for part, start, end in zip(parts, ends, ends[1:], strict=False):
        yield part[chosen[(chosen >= start) & (chosen < end)] - start]


def _write_counts(search: QuerySearch, matches: Iterable[Hits], layout: FindLayout) -> None:
    counts: Counter[tuple[str | int, ...]] = Counter()
    for hits in matches:
        counts.update(hits.counts(*layout.count_by))
    for values, count in sorted_counts(counts).items():
        click.echo("\t".join([str(count), *_rates(search, layout, count), *map(str, values)]))


def _draw(matches: Iterable[Hits]) -> None:
    boxes = has_boxes(sys.stdout.encoding)
    for hits in matches:
        for number in hits.matching_trees.tolist():
            tree, marked = hits.marked_tree(number)
            click.echo(f"{tree.id}\n{draw(tree, unicode=boxes, marked=marked)}\n")


def _write_lines(matches: Iterable[Hits], layout: FindLayout) -> None:
    if layout.columns:
        click.echo("\t".join(["sentence", *layout.columns]))
    for hits in matches:
        ids, trees = hits.trees.ids.texts, hits.trees_of.tolist()
        rows = zip(trees, _rows(hits, layout), strict=True)
        lines = ["\t".join([ids[number], *map(str, row)]) for number, row in rows]
        if layout.context:
            lines = [
                _in_context(hits, number, line, layout.context)
                for number, line in zip(trees, lines, strict=True)
            ]
        if lines:
            click.echo("\n".join(lines))


def _rows(hits: Hits, layout: FindLayout) -> Iterable[Iterable[object]]:
    if layout.kwic:
        return (hit.concordance(_NEAR) for hit in hits)
    if layout.columns:
        return zip(*map(hits.values, layout.columns), strict=True)
    return zip(PRINTED(hits.trees, hits.places).values(), hits.values("words"), strict=True)


def _in_context(hits: Hits, number: int, line: str, context: int) -> str:
    """Return a line with the sentences around it and two dashes below, like grep."""
    trees = hits.trees
    around = range(max(0, number - context), min(len(trees), number + context + 1))
    starts = trees.tree_numbers[[*around, around.stop]].tolist()
    lines = [
        line
        if i == number
        else f"{trees.ids.texts[i]}\t\t{' '.join(trees.texts('form', start, stop - 1))}"
        for i, start, stop in zip(around, starts, starts[1:], strict=False)
    ]
    return "\n".join([*lines, "--"])
