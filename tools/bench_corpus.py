"""Many sentences and trees: `plcfrs parse` and `extract` with one or two processes, and scoring.

Trees and sentences are those of NLTK's sample of the Penn Treebank, repeated; the grammar is from
files 0001-0159.

    python tools/bench_corpus.py parse [--number 10000] [--json FILE]
    python tools/bench_corpus.py extract [--number 80000]
    python tools/bench_corpus.py eval [--number 50000]
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
from measuring import PLCFRS, TRAINING, Report, benchmark, measured, peak_memory, timed, warm_up

from plcfrs import PRESETS, Tree, read_trees, score, write_trees
from plcfrs.transformation import remove_null_elements, transform_all

_SAMPLE = "nltk:treebank"
_LONGEST = 20  # tokens of a sentence that is parsed
_JOBS = (1, 2)
_PARSED_WITH, _EXTRACTED = "kallmeyer-maier", "interpolated-v2h2"


def parse(report: Report, number: int, folder: Path) -> None:
    """Parse sentences without tags."""
    report.about = (
        f"plcfrs parse of {number:,} sentences of at most {_LONGEST} tokens, without tags, with "
        f"the grammar {_PARSED_WITH}: sentences of NLTK's sample of the Penn Treebank, repeated. "
        "CPU and memory are of the first process."
    )
    grammar, text, output = folder / "wsj.plcfrs", folder / "in.tokens", folder / "out.export"
    PRESETS[_PARSED_WITH].grammar(read_trees(TRAINING)).save(grammar)
    trees = [remove_null_elements(tree) for tree in read_trees(_SAMPLE)]
    short = [tree for tree in trees if 0 < len(tree.tokens) <= _LONGEST]
    write_trees(islice(cycle(short), number), text)
    warm_up()
    _report_jobs(report, "sentences", number, [grammar, text, "-o", output], "parse", output)


def extract(report: Report, number: int, folder: Path) -> None:
    """Extract a grammar."""
    report.about = (
        f"plcfrs extract --preset {_EXTRACTED} on {number:,} trees: NLTK's sample of the Penn "
        "Treebank, repeated. CPU and memory are of the process that merges the counts."
    )
    treebank, grammar = folder / "treebank.mrg", folder / "grammar.plcfrs"
    write_trees(islice(cycle(list(read_trees(_SAMPLE))), number), treebank)
    options = [treebank, "--preset", _EXTRACTED, "-o", grammar]
    _report_jobs(report, "trees", number, options, "extract", grammar)


def _report_jobs(
    report: Report, what: str, number: int, options: list[object], command: str, output: Path
) -> None:
    """Run a command with each number of processes; the output must be the same."""
    report.table("By number of processes", "wall s", f"{what}/s", "CPU s", "peak MB", "SHA-256")
    for jobs in _JOBS:
        used = measured(*PLCFRS, command, *options, "--jobs", jobs)
        digest = hashlib.sha256(output.read_bytes()).hexdigest()[:8]
        report.row(
            f"--jobs {jobs}",
            f"{used.wall:.1f}",
            f"{number / used.wall:,.0f}",
            f"{used.cpu:.1f}",
            f"{used.megabytes:.0f}",
            digest,
        )


def evaluate(report: Report, number: int, folder: Path) -> None:
    """Score trees in memory and in files."""
    report.about = (
        "NLTK's sample of the Penn Treebank, repeated, against a copy with errors in three tenths "
        "of its constituents."
    )
    gold = list(transform_all(read_trees(_SAMPLE)))
    random = Random(1)
    parses = [damaged(tree, random) for tree in gold]
    report.table("Scoring trees", "CPU", "peak memory of the process", "labelled F1")
    for trees in (number // 10, number):
        pair = (islice(cycle(repeated), trees) for repeated in (gold, parses))
        _report_score(report, f"{trees:,} trees", *pair)
    names = [folder / "gold.discbracket", folder / "parses.discbracket"]
    for name, trees_of in zip(names, (gold, parses), strict=True):
        write_trees(islice(cycle(trees_of), number), name)
    _report_score(report, f"{number:,} trees from two files", *map(read_trees, names))


def _report_score(report: Report, what: str, gold: Iterable[Tree], parses: Iterable[Tree]) -> None:
    scores, seconds = timed(lambda: score(gold, parses))
    report.row(what, f"{seconds:.1f} s", peak_memory(), f"{scores.labelled.f1:.2f}")


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


PARTS: dict[str, tuple[Callable[[Report, int, Path], None], int]] = {
    "parse": (parse, 10_000),
    "extract": (extract, 80_000),
    "eval": (evaluate, 50_000),
}


@benchmark("Many sentences")
@click.argument("part", type=click.Choice([*PARTS]))
@click.option("--number", type=int, help="Number of sentences or trees.")
def main(report: Report, part: str, number: int | None) -> None:
    """Run a part of the benchmark."""
    measure, usual = PARTS[part]
    with TemporaryDirectory() as folder:
        measure(report, number or usual, Path(folder))


if __name__ == "__main__":
    main()
