"""Saving what people annotate: how long it takes in a large project, and how much memory.

Begins a project with copies of a treebank. Each person has a process of their own, and all work on
random sentences at the same time, first with new journals, then again with the longer ones.

    python tools/bench_project.py nltk:treebank [--sentences 20000] [--people 10] [--json FILE]
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from measuring import Report, benchmark, peak_memory

from plcfrs import Tree, read_trees
from plcfrs.project import Project, create


class Work(NamedTuple):
    """What a person did: seconds and memory for opening the project, seconds for each action."""

    opening: float
    memory: str
    actions: list[float]


@benchmark("Projects")
@click.argument("treebank")
@click.option("--sentences", default=20_000, show_default=True)
@click.option("--people", default=10, show_default=True)
@click.option("--actions", default=200, show_default=True, help="Of each person, each time.")
def main(report: Report, treebank: str, sentences: int, people: int, actions: int) -> None:
    """Run the benchmark."""
    report.about = (
        f"A project of {sentences:,} sentences, with trees of {people} people. Each of them works "
        f"in an own process, all at once: labels and notes of random sentences, {actions:,} "
        "actions each time, with up to half a second between them. An action is saved when its "
        "line of the journal and the file of its document are on the disk."
    )
    names = [f"person{number}" for number in range(people)]
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        project = Path(folder, "project")
        start = time.perf_counter()
        create(project, _sentences(treebank, sentences), names[0], "", trees=True)
        report.fact("beginning the project", f"{time.perf_counter() - start:.1f} s")
        for name in names[1:]:
            shutil.copytree(project / "trees" / names[0], project / "trees" / name)
        report.table("Work", "opening, s", "MB", "median ms of an action", "p95", "p99", "longest")
        works = [_work(project, names[0], actions, seed=0)]
        _row(report, "one person", works)
        for title in ("all people, new journals", "all people, again"):
            context = get_context("spawn")
            with ProcessPoolExecutor(people, mp_context=context) as pool:
                runs = [
                    pool.submit(_work, project, name, actions, seed)
                    for seed, name in enumerate(names, start=1)
                ]
                works = [run.result() for run in runs]
            _row(report, title, works)
        sizes = {
            kind: sum(file.stat().st_size for file in (project / kind).rglob("*.jsonl"))
            for kind in ("text", "trees", "journal")
        }
        for kind, size in sizes.items():
            report.fact(f"MB of {kind}", f"{size / 1e6:.0f}")


def _sentences(treebank: str, number: int) -> Iterator[tuple[str, Tree]]:
    trees = [("text", tree) for tree in read_trees(treebank)]
    return islice(cycle(trees), number)


def _work(folder: Path, name: str, actions: int, seed: int) -> Work:
    rng = Random(seed)
    start = time.perf_counter()
    with Project(folder, name) as project:
        opening, seconds = time.perf_counter() - start, []
        memory = peak_memory()
        ids = project.ids()
        for number in range(actions):
            operation = {"do": "relabel", "parts": ["n1"], "label": f"X{number}"}
            if rng.random() < 0.3:
                operation = {"do": "note", "note": f"note {number}"}
            sentence = rng.choice(ids)
            time.sleep(rng.uniform(0, 0.5))
            start = time.perf_counter()
            project.act(sentence, operation)
            seconds.append(time.perf_counter() - start)
    return Work(opening, memory, seconds)


def _row(report: Report, title: str, works: list[Work]) -> None:
    times = [1000 * second for work in works for second in work.actions]
    shares = quantiles(times, n=100)
    memory = max(int(work.memory.split()[0]) for work in works)
    opening = max(work.opening for work in works)
    figures = [median(times), shares[94], shares[98], max(times)]
    report.row(title, f"{opening:.1f}", str(memory), *(f"{figure:.1f}" for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
