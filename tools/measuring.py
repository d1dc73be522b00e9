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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import mean, median, quantiles, stdev
from typing import Any, NamedTuple, TypeVar

import click
import numba
import sources

import plcfrs
from plcfrs import GrammarModel, Recipe, Sentence, SentenceParser, Tree, read_trees, score, train
from plcfrs.evaluation import Scores
from plcfrs.jit import interpreter
from plcfrs.parsing.parse import Parse
from plcfrs.storage.files import write_files
from plcfrs.transformation import transform_all

Result = TypeVar("Result")
Decorator = Callable[[Callable[..., None]], click.Command]

_FILE = click.Path(path_type=Path, dir_okay=False)

PLCFRS = (sys.executable, "-m", "plcfrs")

# Of a training that is short, and compiles the same kernels as a longer one.
_SHORT: dict[str, dict[str, Any]] = {"grammar": {}, "refined": {"cycles": 1}}


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


class Report:
    """What a benchmark has measured: printed as Markdown line by line, and written as JSON.

    Parameters
    ----------
    title : str

    Attributes
    ----------
    about : str
        What is measured on what data, in a sentence or two.
    is_partial : bool
        Whether a file keeps all but the rows that are measured.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.about = ""
        self.is_partial = False
        self.tables: list[dict[str, Any]] = []
        self._facts: list[list[str]] = []
        self._used: list[str] = []
        print(f"# {title}\n\n{machine()}", flush=True)

    def table(self, caption: str, *columns: str, rows: Iterable[Iterable[str]] = ()) -> None:
        """Begin a table, with rows as far as they are known."""
        self.tables.append({"caption": caption, "columns": list(columns), "rows": []})
        print(f"\n{caption}\n")
        _print_row(columns)
        _print_row(["---"] * len(columns))
        for row in rows:
            self.row(*row)

    def row(self, *cells: str) -> None:
        """Add a line to the last table.

        Raises
        ------
        ValueError
            If it has not a cell for each column.
        """
        table = self.tables[-1]
        if len(cells) != len(table["columns"]):
            raise ValueError(f"{len(cells)} cells for {len(table['columns'])} columns")
        table["rows"].append(list(cells))
        _print_row(cells)

    def compare(
        self,
        caption: str,
        names: Sequence[str],
        columns: Mapping[str, Callable[[Result], str]],
        rows: Iterable[tuple[Sequence[str], Result]],
    ) -> None:
        """Add a table whose rows have names, and the cells that the columns make of a result."""
        cells = ((*of_row, *cells_of(columns, result)) for of_row, result in rows)
        self.table(caption, *names, *columns, rows=cells)

    def fact(self, name: str, value: str) -> None:
        """Add a single figure: all of them become one table at the end."""
        self._facts.append([name, value])
        print(f"\n{name}: {value}", flush=True)

    def uses(self, *names: str) -> None:
        """Say that figures depend on files or folders, too: "plcfrs/cli" where it is a process."""
        self._used += names

    def save(self, path: Path) -> None:
        """Write a file of results, or the rows of one that are measured."""
        tool = f"tools/{Path(sys.argv[0]).name}"
        run = {"caption": "The run", "columns": ["what", "value"], "rows": self._facts}
        contents: dict[str, Any] = {
            "title": self.title,
            "command": command(sys.argv),
            "machine": machine(),
            "date": date.today().isoformat(),
            "version": plcfrs.__version__,
            "about": self.about,
            "sources": sources.hashes({tool, *sources.imported(), *self._used}),
            "tables": [*self.tables, *([run] if self._facts else [])],
        }
        if self.is_partial:
            contents = with_rows(json.loads(path.read_text("utf-8")), self.tables)
            rows = ", ".join(row[0] for table in self.tables for row in table["rows"])
            contents["about"] += f" Measured again on {date.today().isoformat()}: {rows}."
        text = json.dumps(contents, indent=1, ensure_ascii=False) + "\n"
        write_files({path: text.encode()})


def cells_of(columns: Mapping[str, Callable[[Result], str]], result: Result) -> Iterator[str]:
    """Yield what each column makes of a result."""
    return (column(result) for column in columns.values())


def benchmark(title: str, **defaults: object) -> Decorator:
    """Make a function a command that gets a report, and writes it as JSON if that is wanted.

    Options have the defaults that are given by name.
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        @click.command(context_settings={"default_map": defaults})
        @click.option("--json", "path", type=_FILE, help="Write the tables to this file, too.")
        @functools.wraps(function)
        def run(*, path: Path | None, **options: Any) -> None:  # noqa: ANN401 (of any benchmark)
            report = Report(title)
            function(report=report, **options)
            if path:
                report.save(path)

        return run

    return decorate


def with_rows(results: dict[str, Any], tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return results with the rows of other tables instead of their own of the same names."""
    new = {(table["caption"], row[0]): row for table in tables for row in table["rows"]}
    for table in results["tables"]:
        table["rows"] = [new.get((table["caption"], row[0]), row) for row in table["rows"]]
    return results


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


def measured(
    *command: object,
    during: Callable[[int], object] = lambda _: None,
    environment: Mapping[str, str] = os.environ,
) -> Used:
    """Run a process, call a function with its number, and return what it used."""
    start = time.perf_counter()
    words, nothing = [*map(str, command)], subprocess.DEVNULL
    process = subprocess.Popen(words, stdout=nothing, stderr=nothing, env=environment)
    during(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise click.ClickException(f"{shlex.join(words)} has failed")
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
    return sentence if tagged else sentence.untagged()


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


def warm_up(kind: str = "grammar") -> str:
    """Load or compile the kernels of grammars, and of a family, and return the CPU time.

    Another treebank is parsed, and a parser of the family trained on it.
    """
    interpreter.stop()
    start = time.process_time()
    trees = list(transform_all(read_trees("plcfrs:demo")))
    grammar = Recipe().grammar(trees)
    models = [GrammarModel(grammar), GrammarModel(grammar, "knuth")]
    for model in (*models, train(kind, trees, **_SHORT.get(kind, {"epochs": 1}))):
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
    return f"{median(times):.1f} / {p95(times):.1f} / {max(times):.1f}"


def p95(numbers: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(numbers, n=20)[-1]


def over_seeds(numbers: Sequence[float]) -> str:
    """Return the mean, and the standard deviation of several."""
    deviation = f" ({stdev(numbers):.2f})" if len(numbers) > 1 else ""
    return f"{mean(numbers):.2f}{deviation}"


def peak_memory() -> str:
    """Return how much memory the process has used at the most."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


def _cpu_seconds() -> float:
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def _print_row(cells: Iterable[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)
