"""The main job on NLTK's sample of the Penn Treebank: sizes, scores, CPU time, memory.

Trains on files 0001-0159, parses the sentences of files 0180-0199 of at most N tokens
with gold tags.

    python tools/bench_parse.py [--max-length 25] [--strategy knuth] [--no-shared] [--json FILE]
        [OPTIONS OF plcfrs transform]
"""

from __future__ import annotations

from collections.abc import Iterator

import bench
import click
import measuring
from measuring import Report

from plcfrs import GrammarModel, Tree, binarize, extract, read_trees
from plcfrs.budget import UNLIMITED
from plcfrs.chart import Strategy
from plcfrs.cli.options import transform_options
from plcfrs.transformation import Options, transform_all


@measuring.benchmark("The main job")
@click.option("--max-length", default=25, show_default=True)
@click.option("--strategy", type=click.Choice(["astar", "knuth"]), default="astar")
@click.option("--shared/--no-shared", default=True, show_default=True)
@transform_options
def main(
    report: Report, max_length: int, strategy: Strategy, shared: bool, options: Options
) -> None:
    """Run the benchmark."""
    report.about = (
        f"{bench.ON_SAMPLE}, sentences of at most {max_length} tokens, gold tags, "
        f"search {strategy}."
    )
    trees, reading = measuring.timed(lambda: list(read_trees("nltk:treebank")))
    transformed, transforming = measuring.timed(lambda: list(transform_all(trees, options)))
    training = [tree for tree in transformed if tree.id < "wsj_0160"]
    grammar, extracting = measuring.timed(lambda: extract(training))
    binarized, binarizing = measuring.timed(lambda: binarize(grammar, shared=shared))
    model, compiling = measuring.timed(lambda: GrammarModel(binarized, strategy, budget=UNLIMITED))
    steps = {
        "read 3,914 trees": reading,
        "transform them": transforming,
        f"extract and binarize {len(training)} trees": extracting + binarizing,
        "compile the grammar to arrays": compiling,
    }
    rows = ((step, f"{cpu:.2f} s CPU") for step, cpu in steps.items())
    report.table("The job step by step", "what", "value", rows=rows)
    report.row("load or compile the kernels", measuring.warm_up())
    report.row("rules, binarized", f"{len(grammar.rules)}, {len(binarized.rules)}")
    test = [tree for tree in transformed if tree.id >= "wsj_0180"]
    for row in _parse(model, [tree for tree in test if len(tree.tokens) <= max_length]):
        report.row(*row)


def _parse(model: GrammarModel, test: list[Tree]) -> Iterator[tuple[str, str]]:
    """Parse trees, and yield the figures with their names."""
    runs = [measuring.timed_parse(model, tree) for tree in test]
    statistics = [run.parse.statistics for run in runs]
    edges = sum(each.edges for each in statistics)
    pair_tests = sum(each.pair_tests for each in statistics)
    scores = measuring.scores_of(runs)
    yield "sentences, tokens", f"{len(test)}, {sum(run.length for run in runs)}"
    yield "parsed", str(measuring.parsed(runs))
    yield "items", f"{sum(each.items for each in statistics):,}"
    yield "edges, pair tests an edge", f"{edges:,}, {pair_tests / edges:.2f}"
    yield "CPU, all sentences, s", measuring.seconds(runs)
    yield "CPU a sentence: median / p95 / max, ms", measuring.spread(runs)
    yield "peak memory of the process", measuring.peak_memory()
    yield "labelled F1", f"{scores.labelled.f1:.2f}"
    yield "labelled F1, discontinuous", f"{scores.labelled_discontinuous.f1:.2f}"
    yield "exact match", f"{scores.exact_match:.2f}"


if __name__ == "__main__":
    main()
