"""Parsing with a clock, and the tables of the benchmarks: printed, and written as results."""

from __future__ import annotations

import functools
import gc
import json
import os
import platform
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from statistics import mean, median, quantiles, stdev
from typing import Any, NamedTuple, TypeVar

import click
import numba

import plcfrs
from plcfrs.chart import Strategy
from plcfrs.evaluation import Scores, score
from plcfrs.grammar import Recipe
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.parse import Parse
from plcfrs.parsing.registry import train
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.storage.files import write_files
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

Result = TypeVar("Result")


class Run(NamedTuple):
    """The parse of a sentence, the gold tree, and the CPU time that it took."""

    gold: Tree
    milliseconds: float
    parse: Parse

    @property
    def length(self) -> int:
        """The number of tokens."""
        return len(self.gold.tokens)

    @property
    def is_finished(self) -> bool:
        """Whether the search came to its end."""
        return not self.parse.optimality_gap and not self.parse.status.startswith("out of")


class Used(NamedTuple):
    """Seconds of wall time and of CPU time of a process, and its peak memory in MB."""

    wall: float
    cpu: float
    megabytes: float


@dataclass
class Table:
    """A table of results."""

    caption: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)


class Report:
    """What a benchmark has measured: printed as Markdown line by line, and written as JSON.

    Parameters
    ----------
    title : str

    Attributes
    ----------
    about : str
        What is measured on what data, in a sentence or two.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.about = ""
        self.tables: list[Table] = []
        self._facts: list[list[str]] = []
        print(f"# {title}\n\n{machine()}", flush=True)

    def table(self, caption: str, *columns: str) -> None:
        """Begin a table."""
        self.tables.append(Table(caption, list(columns)))
        print(f"\n{caption}\n")
        _print_row(columns)
        _print_row(["---"] * len(columns))

    def row(self, *cells: str) -> None:
        """Add a line to the last table.

        Raises
        ------
        ValueError
            If it has not a cell for each column.
        """
        table = self.tables[-1]
        if len(cells) != len(table.columns):
            raise ValueError(f"{len(cells)} cells for {len(table.columns)} columns")
        table.rows.append(list(cells))
        _print_row(cells)

    def fact(self, name: str, value: str) -> None:
        """Add a single figure: all of them become one table at the end."""
        self._facts.append([name, value])
        print(f"\n{name}: {value}", flush=True)

    def contents(self) -> dict[str, object]:
        """Return everything that a file of results has."""
        facts = [Table("The run", ["what", "value"], self._facts)] if self._facts else []
        return {
            "title": self.title,
            "command": command(sys.argv),
            "machine": machine(),
            "date": date.today().isoformat(),
            "version": plcfrs.__version__,
            "about": self.about,
            "tables": [asdict(table) for table in [*self.tables, *facts]],
        }

    def save(self, path: Path) -> None:
        """Write a file of results."""
        text = json.dumps(self.contents(), indent=1, ensure_ascii=False) + "\n"
        write_files({path: text.encode()})


def reports(title: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a benchmark a report as its first argument, and the option to write it as JSON."""

    def decorate(benchmark: Callable[..., None]) -> Callable[..., None]:
        @click.option(
            "--json",
            "path",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Write the tables to this file, too.",
        )
        @functools.wraps(benchmark)
        def run(*, path: Path | None, **options: Any) -> None:  # noqa: ANN401 (of any benchmark)
            report = Report(title)
            benchmark(report, **options)
            if path:
                report.save(path)

        return run

    return decorate


def on_one_core() -> None:
    """Start this program again such that NumPy takes a single thread, unless it does already."""
    if "OPENBLAS_NUM_THREADS" not in os.environ:  # which is read when NumPy is imported
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.argv])


def command(arguments: Sequence[str]) -> str:
    """Return the command line of a tool without ``--json FILE``."""
    words = iter(arguments[1:])
    kept = []
    for word in words:
        if word == "--json":
            next(words)
        elif not word.startswith("--json="):
            kept.append(word)
    return shlex.join(["python", f"tools/{Path(arguments[0]).name}", *kept])


def machine() -> str:
    """Return on what a benchmark runs."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, numba {numba.__version__}"
    )


def timed(step: Callable[[], Result]) -> tuple[Result, float]:
    """Return a result and the CPU time that it took, with that of processes that have ended."""
    start = _cpu_seconds()
    return step(), _cpu_seconds() - start


def run_plcfrs(*arguments: object, during: Callable[[int], object] = lambda _: None) -> Used:
    """Run the program, call a function with the number of its process, and return what it used."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "plcfrs", *map(str, arguments)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    during(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise click.ClickException(f"plcfrs {arguments[0]} has failed")
    wall = time.perf_counter() - start
    return Used(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def timed_parse(
    model: SentenceParser, tree: Tree, objective: str | None = None, *, tagged: bool = True
) -> Run:
    """Parse the tokens of a tree, with their tags or without."""
    start = time.process_time()
    parse = model.parse(sentence_of(tree, tagged=tagged), objective=objective)
    return Run(tree, 1000 * (time.process_time() - start), parse)


def sentence_of(tree: Tree, *, tagged: bool = True) -> Sentence:
    """Return the tokens of a tree, with their tags or without."""
    sentence = Sentence.of(tree)
    return sentence if tagged else replace(sentence, tags=None)


def scores_of(runs: Iterable[Run], longest: int | None = None) -> Scores:
    """Return the scores of the sentences of limited length."""
    short = [run for run in runs if longest is None or run.length <= longest]
    return score((run.gold for run in short), (run.parse.tree for run in short))


def tags_right(runs: Iterable[Run]) -> Iterator[tuple[str, bool]]:
    """Yield each word, and whether it has got the tag of the treebank."""
    for run in runs:
        for gold, found in zip(run.gold.tokens, run.parse.tree.tokens, strict=True):
            yield gold.form, gold.tag == found.tag


def parsed(runs: Iterable[Run]) -> int:
    """Return how many sentences have a parse."""
    return sum(run.parse.status == "parsed" for run in runs)


def warm_up(kind: str = "", **settings: Any) -> str:  # noqa: ANN401 (of any family)
    """Load or compile the kernels of grammars, and of a family, and return the CPU time.

    Another treebank is parsed, and a parser of the family trained on it.
    """
    start = time.process_time()
    trees = list(transform_all(read_trees("plcfrs:demo")))
    strategies: tuple[Strategy, ...] = ("astar", "knuth")
    models: list[SentenceParser] = [
        GrammarModel(Recipe().grammar(trees), strategy) for strategy in strategies
    ]
    if kind:
        models.append(train(kind, trees, **settings))
    for model in models:
        for tree in trees:
            timed_parse(model, tree)
    # Several sentences in one are difficult, and need all kernels of the search.
    tokens = [token for tree in trees[:6] for token in tree.tokens]
    models[0].parse(Sentence(tokens, [{token.tag: 0.0} for token in tokens]))
    elapsed = time.process_time() - start
    leave_out_of_collection()
    return f"{elapsed:.2f} s CPU"


def leave_out_of_collection() -> None:
    """Have the garbage collector not walk over treebanks in the middle of some sentence."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def seconds(runs: Iterable[Run]) -> str:
    """Return the CPU time of some runs."""
    return f"{sum(run.milliseconds for run in runs) / 1000:.2f}"


def spread(runs: Iterable[Run]) -> str:
    """Return the median, the 95th percentile and the maximum of the CPU times, in milliseconds."""
    times = [run.milliseconds for run in runs]
    return f"{median(times):.1f} / {quantiles(times, n=20)[-1]:.1f} / {max(times):.1f}"


def over_seeds(numbers: Sequence[float], digits: int = 2) -> str:
    """Return the mean, and the standard deviation of several."""
    deviation = f" ({stdev(numbers):.{digits}f})" if len(numbers) > 1 else ""
    return f"{mean(numbers):.{digits}f}{deviation}"


def peak_memory() -> str:
    """Return how much memory the process has used at the most."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


def _cpu_seconds() -> float:
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def _print_row(cells: Iterable[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)
