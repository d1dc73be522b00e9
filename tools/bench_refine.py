"""Refined grammars, one and products: scores over several seeds, time to train and to parse.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags and with tags of its
own.

    python tools/bench_refine.py [--grammars 8] [--jobs 2] [--development] [--json FILE]
    python tools/bench_refine.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import mean, median, quantiles

import click
from measuring import (
    Report,
    Run,
    over_seeds,
    parsed,
    peak_memory,
    reports,
    scores_of,
    tags_right,
    timed_parse,
    warm_up,
)
from splits import DEVELOPMENT, LENGTHS, TEST, described, parts

from plcfrs.chart.budget import UNLIMITED
from plcfrs.cli.options import transform_options
from plcfrs.pipeline import RefinedModel
from plcfrs.refinement import RefinedGrammar, Schedule, compile_trees, train_product
from plcfrs.transformation import Options
from plcfrs.trees import Tree


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("treebank", required=False)
@click.option("--grammars", default=8, show_default=True, help="How many seeds.")
@click.option("--cycles", default=Schedule().cycles, show_default=True)
@click.option("--jobs", default=1, show_default=True)
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@transform_options
@reports("Refined grammars")
def main(
    report: Report,
    treebank: str | None,
    grammars: int,
    cycles: int,
    jobs: int,
    development: bool,
    options: Options,
) -> None:
    """Run the benchmark."""
    files = DEVELOPMENT if development else TEST
    report.about = (
        f"{described(treebank, files)}, tags given or the grammar's own; {cycles} cycles; means "
        "over grammars or products with their standard deviations."
    )
    training, test = parts(treebank, options, files)
    report.fact("load or compile the kernels", warm_up("refined", cycles=1))
    refined = _train(report, training, Schedule(cycles), grammars, jobs)
    report.table(
        "Labelled F1, all and discontinuous constituents, by length",
        *("grammars", "tags"),
        *(f"{name}: {what}" for name in LENGTHS for what in ("F1", "disc.")),
        *("parsed", "tags right", "mean / median / p95 / max, ms of <= 40"),
    )
    sizes = [size for size in (1, 4, 8) if size <= grammars]
    for tagged in (True, False):
        for size in sizes:
            groups = [refined.refinements[k : k + size] for k in range(0, grammars, size)]
            products = [replace(refined, refinements=group) for group in groups]
            models = [RefinedModel(product, budget=UNLIMITED) for product in products]
            groups_of_runs = [
                [timed_parse(model, tree, tagged=tagged) for tree in test] for model in models
            ]
            _add_row(report, str(size), groups_of_runs, tagged)
    report.fact("peak memory", peak_memory())


def _train(
    report: Report, trees: list[Tree], schedule: Schedule, grammars: int, jobs: int
) -> RefinedGrammar:
    training = compile_trees(trees)
    grammar = training.refined.grammar
    report.fact(
        "training set",
        f"{len(trees):,} trees, {training.tokens:,} tokens, {len(grammar.rules):,} rules",
    )
    start = time.process_time()
    refined = train_product(training, schedule, range(1, grammars + 1), jobs=jobs)
    seconds = (time.process_time() - start) / grammars
    substates = [refinement.states.sum() for refinement in refined.refinements]
    entries = [len(refinement.probability) for refinement in refined.refinements]
    report.fact(
        "a grammar",
        f"{seconds:.1f} s CPU to train, {mean(substates):,.0f} substates of "
        f"{len(refined.symbols):,} symbols, {mean(entries):,.0f} rules with substates",
    )
    return refined


def _add_row(report: Report, name: str, groups: list[list[Run]], tagged: bool) -> None:
    """Report the means, and standard deviations, over grammars or products of them."""
    cells = []
    for longest in LENGTHS.values():
        scores = [scores_of(runs, longest) for runs in groups]
        cells.append(over_seeds([each.labelled.f1 for each in scores]))
        cells.append(over_seeds([each.labelled_discontinuous.f1 for each in scores]))
    accuracies = [mean(is_right for _, is_right in tags_right(runs)) for runs in groups]
    times = [run.milliseconds for runs in groups for run in runs if run.length <= 40]
    report.row(
        f"{name} ({len(groups)}x)",
        "gold" if tagged else "own",
        *cells,
        f"{mean(map(parsed, groups)):.1f} of {len(groups[0])}",
        over_seeds([100 * accuracy for accuracy in accuracies]),
        f"{mean(times):.0f} / {median(times):.0f} / {quantiles(times, n=20)[-1]:.0f} "
        f"/ {max(times):.0f}",
    )


if __name__ == "__main__":
    main()
