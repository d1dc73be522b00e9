"""What the benchmarks share: their trees, clocks, and tables that are printed and written."""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple, TypeVar

import click

import plcfrs
from plcfrs import GrammarModel, Recipe, Sentence, SentenceParser, Tree
from plcfrs.evaluation.report import Cell, Table
from plcfrs.experiment.report import results
from plcfrs.jit import interpreter
from plcfrs.parsing.parse import Parse
from plcfrs.storage.files import write_files
from plcfrs.transformation import Options, transform_all

Result = TypeVar("Result")
Decorator = Callable[[Callable[..., None]], click.Command]

# Files of NLTK's sample of the Penn Treebank.
TRAINING = [f"nltk:treebank/wsj_{block:03d}*" for block in range(16)]
TEST = ["nltk:treebank/wsj_018*", "nltk:treebank/wsj_019*"]

LENGTHS = {"<= 25": 25, "<= 40": 40, "all": None}

PLCFRS = (sys.executable, "-m", "plcfrs")


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
        """Whether the search ended by itself."""
        return not self.parse.optimality_gap and not self.parse.status.startswith("out of")


class Usage(NamedTuple):
    """Wall time and CPU time of a process in seconds, and its peak memory in MB."""

    wall: float
    cpu: float
    megabytes: float


class Report:
    """The figures of a benchmark, printed line by line and written for the docs.

    Attributes
    ----------
    about : str
        What is measured on what data, in a sentence or two.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.about = ""
        self.tables: list[Table] = []
        self._facts: dict[str, list[Cell]] = {}

    def table(self, title: str, *columns: str) -> None:
        """Begin a table."""
        self.tables.append(Table(title, list(columns), {}))
        print(f"\n{title}: {' | '.join(columns)}", flush=True)

    def row(self, name: str, *cells: Cell) -> None:
        """Add a row to the last table, with its own name and a cell for each column."""
        rows, columns = self.tables[-1].rows, self.tables[-1].columns
        if name in rows or len(cells) != len(columns):
            raise ValueError(
                f"row {name}: a second one, or {len(cells)} cells for {len(columns)} columns"
            )
        rows[name] = list(cells)
        print(f"{name}: {' | '.join(map(str, cells))}", flush=True)

    def fact(self, name: str, value: Cell) -> None:
        """Add a single figure; all single figures become one table at the end."""
        self._facts[name] = [value]
        print(f"\n{name}: {value}", flush=True)

    def save(self, path: Path) -> None:
        """Write a file of results."""
        facts = [Table("The run", ["value"], self._facts)] if self._facts else []
        contents = {"command": command(sys.argv)}
        contents |= results(self.title, self.about, [*self.tables, *facts])
        text = json.dumps(contents, indent=1, ensure_ascii=False) + "\n"
        write_files({path: text.encode()})


def benchmark(title: str) -> Decorator:
    """Make a command of a function, which gets a report; ``--json`` writes the report."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @click.command()
        @click.option(
            "--json",
            "path",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Also write the tables to this file.",
        )
        @functools.wraps(function)
        def run(*, path: Path | None, **options: Any) -> None:  # noqa: ANN401 (of any benchmark)
            report = Report(title)
            function(report=report, **options)
            if path:
                report.save(path)

        return run

    return decorate


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


def read(names: Iterable[str], options: Options) -> list[Tree]:
    """Read trees, and transform them."""
    return list(transform_all(plcfrs.read_trees(names), options))


def timed(step: Callable[[], Result]) -> tuple[Result, float]:
    """Return a result and the CPU time that it took."""
    start = time.process_time()
    return step(), time.process_time() - start


def measured(*command: object, environment: Mapping[str, str] = os.environ) -> Usage:
    """Run a process, and return its time and memory."""
    start = time.perf_counter()
    words, nothing = [*map(str, command)], subprocess.DEVNULL
    process = subprocess.Popen(words, stdout=nothing, stderr=nothing, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise click.ClickException(f"{shlex.join(words)} failed")
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def timed_parse(model: SentenceParser, tree: Tree) -> Run:
    """Parse the tokens of a tree with their tags."""
    parse, seconds = timed(lambda: model.parse(Sentence.of(tree)))
    return Run(tree, 1000 * seconds, parse)


def parsed(runs: Iterable[Run]) -> int:
    """Return how many sentences have a parse."""
    return sum(run.parse.status == "parsed" for run in runs)


def warm_up() -> None:
    """Load or compile the kernels of grammars, with another treebank."""
    interpreter.stop()
    trees = read(["plcfrs:demo"], Options())
    grammar = Recipe().grammar(trees)
    models = [GrammarModel(grammar), GrammarModel(grammar, "knuth")]
    for model in models:
        for tree in trees:
            timed_parse(model, tree)
    # Several sentences in one are hard to parse, and need all kernels of the search.
    tokens = [token for tree in trees[:6] for token in tree.tokens]
    models[0].parse(Sentence(tokens, [{token.tag: 0.0} for token in tokens]))
    leave_out_of_collection()


def leave_out_of_collection() -> None:
    """Keep the garbage collector from searching treebanks while a sentence is parsed."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def seconds(runs: Iterable[Run]) -> str:
    """Return the CPU time of all runs, in seconds."""
    return f"{sum(run.milliseconds for run in runs) / 1000:.2f}"


def spread(runs: Iterable[Run]) -> str:
    """Return the median, the 95th percentile and the maximum of the CPU times, in milliseconds."""
    times = [run.milliseconds for run in runs]
    return f"{median(times):.1f} / {quantiles(times, n=20)[-1]:.1f} / {max(times):.1f}"


def peak_memory() -> str:
    """Return the peak memory of this process."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
