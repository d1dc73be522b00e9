"""Compiling treebanks, and searching them from the shell and in Python.

python tools/bench_find.py 'craft/*/*.tree' icepahc [--runs 5] [--json FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from measuring import PLCFRS, Report, benchmark, measured, timed

from plcfrs.query import Treebank
from plcfrs.query.help import SECTIONS
from plcfrs.treebank.compilation import joined
from plcfrs.treebank.compiled import CompiledTrees

_QUERIES = {
    "NP < SBAR": "NP < SBAR|CP-REL",
    "S << (NP < PP)": "S|IP-MAT << (NP < PP)",
    "*": "*",
}
_TIMES = 10  # how often the treebank is repeated, to see growth


@benchmark("Searching treebanks")
@click.argument("treebanks", nargs=-1, required=True)
@click.option("--runs", default=5, show_default=True)
def main(report: Report, treebanks: tuple[str, ...], runs: int) -> None:
    """Run the benchmark."""
    report.about = (
        f"All trees, with their traces; medians of {runs} runs, in Python after a first one. The "
        "examples are all queries of the guide. In IcePaHC, SBAR is CP-REL, and S is IP-MAT."
    )
    with TemporaryDirectory() as folder:
        compiled = []
        report.table(
            "Compiling",
            "trees",
            "tokens",
            "wall s",
            "CPU s of the first process",
            "its MB of memory",
            "MB of file",
            "bytes a token and node",
        )
        for number, treebank in enumerate(treebanks):
            compiled.append(str(Path(folder, f"{number}.treebank")))
            for jobs in (1, 2):
                _index(report, treebank, compiled[-1], jobs)
        report.table("From the shell", "matches", "wall s", "CPU s")
        for treebank, path in zip(treebanks, compiled, strict=True):
            for name, query in _QUERIES.items():
                used = [measured(*PLCFRS, "find", path, query) for _ in range(runs)]
                wall, cpu, _ = (median(column) for column in zip(*used, strict=True))
                matches = len(Treebank(CompiledTrees.load(path)).find(query))
                report.row(f"{_name(treebank)}, {name}", str(matches), f"{wall:.2f}", f"{cpu:.2f}")
        report.table(
            "In Python, ms of CPU time",
            *_QUERIES,
            "counts of all nodes by label and function",
            "slowest example",
            "all examples",
        )
        for treebank, path in zip(treebanks, compiled, strict=True):
            trees = CompiledTrees.load(path)
            _search(report, _name(treebank), trees, runs)
            _search(report, f"{_name(treebank)}, {_TIMES} times", joined([trees] * _TIMES), runs)


def _name(treebank: str) -> str:
    return treebank.partition("/")[0]


def _index(report: Report, treebank: str, path: str, jobs: int) -> None:
    used = measured(*PLCFRS, "index", treebank, "--jobs", str(jobs), "-o", path)
    trees = CompiledTrees.load(path)
    tokens, size = int(trees.tree_numbers[-1]) - len(trees), Path(path).stat().st_size
    figures = (used.wall, used.cpu, used.megabytes, size / 1e6, size / len(trees.kind))
    counts = (str(len(trees)), str(tokens))
    name = f"{_name(treebank)}, {jobs} jobs"
    report.row(name, *counts, *(f"{figure:.1f}" for figure in figures))


def _search(report: Report, name: str, trees: CompiledTrees, runs: int) -> None:
    treebank = Treebank(trees)

    def time_of(query: str) -> float:
        seconds = [timed(lambda: len(treebank.find(query)))[1] for _ in range(runs + 1)]
        return 1000 * median(seconds[1:])

    counted = [timed(lambda: treebank.count_by("*", "label", "function"))[1] for _ in range(runs)]
    examples = [time_of(entry.example) for section in SECTIONS for entry in section.entries]
    figures = [
        *map(time_of, _QUERIES.values()),
        1000 * median(counted),
        max(examples),
        sum(examples),
    ]
    report.row(name, *(f"{figure:.0f}" for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
