"""How many planted errors the checks of treebanks find, and how many findings are planted errors.

Two errors are planted for each hundred nodes, of five kinds in turn: another category, another
function, a node attached to the mother of its mother, a node deleted, a null element deleted. A
finding is right if it is about the words of the changed node or, after an attachment, of its former
mother; if it is about a null element there; or about an index, if a null element with one is gone.
Other findings count as wrong, even if they are errors of the treebank itself.

    python tools/bench_checks.py MASC/test CRAFT/test [--model plcfrs:english] [--json FILE]
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import click
from measuring import Report, benchmark, timed

from plcfrs import Tree, load_model, read_trees
from plcfrs.checking import (
    Finding,
    LabelSets,
    check_indices,
    check_labels,
    find_doubts,
    find_rare_rules,
    find_variation,
    ranked,
)
from plcfrs.parsing import SentenceParser
from plcfrs.trees import Node, render_label
from plcfrs.trees.editing import annotate, attach, delete_nodes, relabel

_SHARE = 0.02  # of nodes
_KINDS = ("category", "function", "attachment", "node", "null element")
_CATEGORIES, _FUNCTIONS = 12, 8  # the most frequent ones, which replace others
_TOP = 100

Words = frozenset[int]
"""Positions among the words of a sentence, without null elements."""


class Error(NamedTuple):
    """A planted error: its tree, and where a finding may be."""

    kind: str
    tree: int
    places: tuple[Words, ...]


@benchmark("Checks of treebanks")
@click.argument("treebanks", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--model", default="plcfrs:english", show_default=True)
@click.option("--most", default=500, show_default=True, help="Trees of a treebank.")
@click.option("--seeds", default=3, show_default=True, help="Different errors.")
def main(report: Report, treebanks: Sequence[Path], model: str, most: int, seeds: int) -> None:
    """Run the benchmark."""
    report.about = (
        f"All checks, with the parser {model}; 2 % of the nodes have planted errors; means of "
        f"{seeds} runs with other errors. Precision: of the first {_TOP} findings. Recall: in as "
        "many findings as there are planted errors, and in twice as many; then that of each kind. "
        f"Of larger treebanks, about {most} trees at equal distances."
    )
    parser = load_model(model)
    columns = ("trees", "errors", "precision", "recall", "in twice as many", *_KINDS)
    report.table("Planted errors", *columns, "CPU s per 100 trees")
    for folder in treebanks:
        trees = list(read_trees(folder, on_error=lambda _: None))
        trees = trees[:: 1 + len(trees) // most]
        runs = [_run(trees, parser, seed) for seed in range(1, seeds + 1)]
        errors, *figures = map(mean, zip(*runs, strict=True))
        *shares, seconds = figures
        name = ", ".join(folder.parts[-2:])
        cells = [f"{100 * share:.0f}" for share in shares]
        report.row(name, len(trees), round(errors), *cells, f"{100 * seconds / len(trees):.1f}")


def _run(gold: Sequence[Tree], parser: SentenceParser, seed: int) -> list[float]:
    """Return the number of errors, precision, recalls, and the CPU time."""
    trees = [tree.copy() for tree in gold]
    errors = _plant(trees, random.Random(seed))
    for number, tree in enumerate(trees):
        tree.id = str(number)
    found, seconds = timed(lambda: ranked(_findings(trees, parser)))
    hits = [_found(finding, trees[int(finding.sentence)], errors) for finding in found]
    number = len(errors)
    recalled = {error for error in hits[: 2 * number] if error}
    by_kind = Counter(error.kind for error in recalled), Counter(error.kind for error in errors)
    return [
        number,
        sum(error is not None for error in hits[:_TOP]) / _TOP,
        len({error for error in hits[:number] if error}) / number,
        len(recalled) / number,
        *(by_kind[0][kind] / by_kind[1][kind] for kind in _KINDS),
        seconds,
    ]


def _findings(trees: Sequence[Tree], parser: SentenceParser) -> Iterator[Finding]:
    sets = LabelSets.of(trees, {})
    for tree in trees:
        yield from check_labels(tree, sets)
        yield from check_indices(tree)
    yield from find_rare_rules(trees)
    yield from find_variation(trees)
    yield from find_doubts(trees, parser)


def _plant(trees: list[Tree], random: random.Random) -> list[Error]:
    """Plant errors into trees, and return them."""
    nodes = [node for tree in trees for node in tree.nodes()[1:]]
    categories = Counter(node.category for node in nodes).most_common(_CATEGORIES)
    functions = Counter(each for node in nodes for each in node.functions).most_common(_FUNCTIONS)
    errors: list[Error] = []
    while len(errors) < _SHARE * len(nodes):
        kind, number = _KINDS[len(errors) % len(_KINDS)], random.randrange(len(trees))
        tree = trees[number]
        node = random.choice(tree.nodes())
        others = functions if kind == "function" else categories
        label = random.choice(others)[0]
        if planted := _changed(tree, node, kind, label):
            trees[number] = planted[0]
            errors.append(Error(kind, number, planted[1]))
    return errors


def _changed(
    tree: Tree, node: Node, kind: str, label: str
) -> tuple[Tree, tuple[Words, ...]] | None:
    """Return a tree with an error, and where findings may be; None if the node cannot have it."""
    words, mothers = _words(tree, node.leaves()), tree.mothers()
    if node is tree.root or not words:
        return None
    mother = mothers[node]
    if kind == "category" and label != node.category:
        changed = render_label(node).replace(node.category, label, 1)
        return relabel(tree, node, changed).tree, (words,)
    if kind == "function" and node.functions and label not in node.functions:
        return annotate(tree, node, function=label).tree, (words,)
    if kind == "attachment" and mother is not tree.root:
        around = _words(tree, mother.leaves())
        is_at_edge = min(words) == min(around) or max(words) == max(around)
        if words != around and is_at_edge:
            places = words, around, around - words
            return attach(tree, [node], mothers[mother]).tree, places
    if kind == "node":
        return delete_nodes(tree, [node]).tree, (words,)
    nulls = [place for place in node.leaves() if tree.tokens[place].is_null]
    if kind == "null element" and nulls:
        before = len(_words(tree, range(nulls[0])))
        return delete_nodes(tree, nulls[:1]).tree, (frozenset([before]), frozenset([before - 1]))
    return None


def _words(tree: Tree, positions: Iterable[int]) -> Words:
    """Return the numbers of words at positions."""
    words = [place for place, token in enumerate(tree.tokens) if not token.is_null]
    return frozenset(words.index(place) for place in positions if place in words)


def _found(finding: Finding, tree: Tree, errors: Sequence[Error]) -> Error | None:
    """Return the planted error that a finding is about."""
    words = _words(tree, finding.positions)
    is_null = not words or re.search("expected (before|after) it", finding.message)
    words = words or frozenset([len(_words(tree, range(finding.positions[0])))])
    for error in errors:
        if error.tree == int(finding.sentence):
            if error.kind == "null element":
                if finding.kind == "indices" or (is_null and words in error.places):
                    return error
            elif not is_null and words in error.places:
                return error
    return None


if __name__ == "__main__":
    main()
