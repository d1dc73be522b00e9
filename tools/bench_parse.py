"""The main job on NLTK's sample of the Penn Treebank: sizes, scores, CPU time, memory.

Trains on files 0001-0159, parses the sentences of files 0180-0199 of at most N tokens
with gold tags.

    python tools/bench_parse.py [--max-length 25] [--strategy knuth] [--no-shared] [--json FILE]
        [OPTIONS OF plcfrs transform]
"""

from __future__ import annotations

import click
import measuring
from measuring import Report
from splits import TEST, described

from plcfrs.chart import Strategy
from plcfrs.chart.budget import UNLIMITED
from plcfrs.cli.options import transform_options
from plcfrs.grammar import Grammar, binarize, extract
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree


@click.command()
@click.option("--max-length", default=25, show_default=True)
@click.option("--strategy", type=click.Choice(["astar", "knuth"]), default="astar")
@click.option("--shared/--no-shared", default=True, show_default=True)
@transform_options
@measuring.reports("The main job")
def main(
    report: Report,
    max_length: int,
    strategy: Strategy,
    shared: bool,
    options: Options,
) -> None:
    """Run the benchmark."""
    report.about = (
        f"{described(None)}, sentences of at most {max_length} tokens, gold tags, "
        f"search {strategy}."
    )
    report.table("The job step by step", "what", "value")
    grammar, binarized = _grammars(report, options, shared=shared)
    model, cpu = measuring.timed(lambda: GrammarModel(binarized, strategy, budget=UNLIMITED))
    report.row("compile the grammar to arrays", f"{cpu:.2f} s CPU")
    test = [
        tree for tree in transform_all(read_trees(TEST), options) if len(tree.tokens) <= max_length
    ]
    report.row("load or compile the kernels", measuring.warm_up())
    report.row("rules, binarized", f"{len(grammar.rules)}, {len(binarized.rules)}")
    _parse(report, model, test)


def _grammars(report: Report, options: Options, *, shared: bool) -> tuple[Grammar, Grammar]:
    trees, reading = measuring.timed(lambda: list(read_trees("nltk:treebank")))
    transformed, transforming = measuring.timed(lambda: list(transform_all(trees, options)))
    training = [tree for tree in transformed if tree.id < "wsj_0160"]
    grammar, extracting = measuring.timed(lambda: extract(training))
    binarized, binarizing = measuring.timed(lambda: binarize(grammar, shared=shared))
    steps = {
        "read 3,914 trees": reading,
        "transform them": transforming,
        f"extract and binarize {len(training)} trees": extracting + binarizing,
    }
    for step, cpu in steps.items():
        report.row(step, f"{cpu:.2f} s CPU")
    return grammar, binarized


def _parse(report: Report, model: GrammarModel, test: list[Tree]) -> None:
    runs = [measuring.timed_parse(model, tree) for tree in test]
    statistics = [run.parse.statistics for run in runs]
    edges = sum(each.edges for each in statistics)
    pair_tests = sum(each.pair_tests for each in statistics)
    scores = measuring.scores_of(runs)
    rows = {
        "sentences, tokens": f"{len(test)}, {sum(len(tree.tokens) for tree in test)}",
        "parsed": str(measuring.parsed(runs)),
        "items": f"{sum(each.items for each in statistics):,}",
        "edges, pair tests an edge": f"{edges:,}, {pair_tests / edges:.2f}",
        "CPU, all sentences, s": measuring.seconds(runs),
        "CPU a sentence: median / p95 / max, ms": measuring.spread(runs),
        "peak memory of the process": measuring.peak_memory(),
        "labelled F1": f"{scores.labelled.f1:.2f}",
        "labelled F1, discontinuous": f"{scores.labelled_discontinuous.f1:.2f}",
        "exact match": f"{scores.exact_match:.2f}",
    }
    for row in rows.items():
        report.row(*row)


if __name__ == "__main__":
    main()
