"""Parsing with a clock, and Markdown tables, for the benchmarks."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Iterable
from statistics import median, quantiles
from typing import NamedTuple

from plcfrs.chart import Objective, Strategy
from plcfrs.extraction import Recipe
from plcfrs.pipeline import GrammarModel, Parse
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree


class Run(NamedTuple):
    """The parse of a sentence, and the CPU time that it took."""

    length: int
    milliseconds: float
    parse: Parse

    @property
    def is_finished(self) -> bool:
        """Whether the search came to its end."""
        return not self.parse.status.startswith("out of")


def timed_parse(model: GrammarModel, tree: Tree, objective: Objective = "mpd") -> Run:
    """Parse the tokens of a tree with their tags."""
    start = time.process_time()
    parse = model.parse(tree, objective=objective)
    return Run(len(tree.tokens), 1000 * (time.process_time() - start), parse)


def warm_up() -> float:
    """Load or compile all kernels by parsing another treebank, and return the CPU seconds."""
    start = time.process_time()
    trees = list(transform_all(read_trees("plcfrs:demo")))
    strategies: tuple[Strategy, ...] = ("astar", "knuth")
    for strategy in strategies:
        model = GrammarModel(Recipe().grammar(trees), strategy)
        for tree in trees:
            timed_parse(model, tree)
    elapsed = time.process_time() - start
    # The garbage collector would walk over the treebank in the middle of some sentence.
    gc.collect()
    gc.freeze()
    return elapsed


def seconds(runs: Iterable[Run]) -> str:
    """Return the CPU time of some runs."""
    return f"{sum(run.milliseconds for run in runs) / 1000:.2f}"


def spread(runs: Iterable[Run]) -> str:
    """Return the median, the 95th percentile and the maximum of the CPU times, in milliseconds."""
    return spread_of([run.milliseconds for run in runs])


def spread_of(times: list[float]) -> str:
    """Return the median, the 95th percentile and the maximum of some times."""
    return f"{median(times):.1f} / {quantiles(times, n=20)[-1]:.1f} / {max(times):.1f}"


def peak_memory() -> str:
    """Return how much memory the process has used at the most."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


def header(*names: str) -> None:
    """Begin a table."""
    print()
    row(*names)
    row(*["---"] * len(names))


def row(*cells: str) -> None:
    """Print a line of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)
