"""Refined grammars, one and products: scores over several seeds, time to train and to parse.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags and with tags of its
own.

    python tools/bench_refine.py [--grammars 8] [--jobs 2] [--development] [--json FILE]
    python tools/bench_refine.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from statistics import mean, median

import bench
import click
from measuring import Report, p95, peak_memory, warm_up

from plcfrs import Tree
from plcfrs.budget import UNLIMITED
from plcfrs.parsers.refined.grammar import RefinedGrammar
from plcfrs.parsers.refined.model import RefinedModel
from plcfrs.parsers.refined.training import Schedule

COLUMNS: dict[str, bench.Column] = {
    **bench.BOTH_BY_LENGTH,
    **bench.PARSED,
    "tags right": bench.right_tags(),
    "mean / median / p95 / max, ms of <= 40": lambda outcomes: " / ".join(
        f"{statistic(bench.times(outcomes)):.0f}" for statistic in (mean, median, p95, max)
    ),
}


@bench.on_treebank("Refined grammars", splits=["none"])
@click.option("--grammars", default=8, show_default=True, help="How many seeds.")
@click.option("--cycles", default=Schedule().cycles, show_default=True)
@click.option("--jobs", default=1, show_default=True)
def main(report: Report, source: bench.Source, grammars: int, cycles: int, jobs: int) -> None:
    """Run the benchmark."""
    report.about = (
        f"{source}, tags given or the grammar's own; {cycles} cycles; means over grammars or "
        "products with their standard deviations."
    )
    training, test = source.parts()
    report.fact("load or compile the kernels", warm_up("refined"))
    model, seconds = bench.trained("refined", training, grammars=grammars, cycles=cycles, jobs=jobs)
    _report_sizes(report, training, model.refined, seconds)
    caption = "Labelled F1, all and discontinuous constituents, by length"
    report.compare(caption, ("grammars", "tags"), COLUMNS, _rows(model.refined, test))
    report.fact("peak memory", peak_memory())


def _report_sizes(
    report: Report, trees: list[Tree], refined: RefinedGrammar, seconds: float
) -> None:
    tokens, rules = sum(len(tree.tokens) for tree in trees), len(refined.grammar.rules)
    report.fact("training set", f"{len(trees):,} trees, {tokens:,} tokens, {rules:,} rules")
    substates = mean(refinement.states.sum() for refinement in refined.refinements)
    entries = mean(len(refinement.probability) for refinement in refined.refinements)
    report.fact(
        "a grammar",
        f"{seconds / len(refined.refinements):.1f} s CPU to train, {substates:,.0f} substates of "
        f"{len(refined.symbols):,} symbols, {entries:,.0f} rules with substates",
    )


def _rows(refined: RefinedGrammar, test: list[Tree]) -> Iterator[bench.Row]:
    """Yield single grammars and products, with tags and without."""
    grammars = refined.refinements
    for (tags, tagged), size in product(bench.TAGS.items(), (1, 4, 8)):
        groups = [grammars[first : first + size] for first in range(0, len(grammars), size)]
        if size <= len(grammars):
            products = [replace(refined, refinements=group) for group in groups]
            models = [RefinedModel(each, budget=UNLIMITED) for each in products]
            outcomes = [bench.parse_each(model, test, tagged=tagged) for model in models]
            yield (f"{size} ({len(groups)}x)", tags), outcomes


if __name__ == "__main__":
    main()
