"""What scoring costs: CPU time and memory, by number of trees.

Scores damaged copies of the trees of NLTK's sample of the Penn Treebank, again and again until
there are N of them: a tenth of the constituents has a wrong label, a tenth is missing, a tenth
hangs too high. Then the same from files.

    python tools/bench_eval.py [--trees 50000] [--json FILE]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
from measuring import Report, benchmark, peak_memory, timed

from plcfrs import Tree, read_trees, score, write_trees
from plcfrs.transformation import transform_all


@benchmark("Scoring")
@click.option("--trees", "number", default=50_000, show_default=True)
def main(report: Report, number: int) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank again and again, against a copy of which three tenths "
        "of the constituents are damaged."
    )
    gold = list(transform_all(read_trees("nltk:treebank")))
    random = Random(1)
    parses = [damaged(tree, random) for tree in gold]
    report.table("Scoring trees", "trees", "CPU", "peak memory of the process", "labelled F1")
    for trees in (number // 10, number):
        _measure(report, f"{trees:,}", islice(cycle(gold), trees), islice(cycle(parses), trees))
    with TemporaryDirectory() as folder:
        names = [Path(folder) / "gold.discbracket", Path(folder) / "parses.discbracket"]
        for name, trees_of in zip(names, (gold, parses), strict=True):
            write_trees(islice(cycle(trees_of), number), name)
        _measure(report, f"{number:,} from two files", *map(read_trees, names))


def _measure(report: Report, what: str, gold: Iterable[Tree], parses: Iterable[Tree]) -> None:
    scores, elapsed = timed(lambda: score(gold, parses))
    report.row(what, f"{elapsed:.1f} s", peak_memory(), f"{scores.labelled.f1:.2f}")


def damaged(tree: Tree, random: Random) -> Tree:
    """Return a copy of a tree with errors in three tenths of its constituents."""
    parse = tree.copy()
    for child in parse.nodes()[1:]:
        mother, chance = parse.parents()[child], random.random()
        if chance < 0.1:
            child.category = "X"
        elif chance < 0.2:
            place = mother.children.index(child)
            mother.children[place : place + 1] = child.children
        elif chance < 0.3 and len(mother.children) > 1:
            mother.children.remove(child)
            parse.root.children.append(child)
    parse.sort_children()
    return parse


if __name__ == "__main__":
    main()
