"""The main job on NLTK's sample of the Penn Treebank: sizes, scores, CPU time, memory.

Trains on files 0001-0159, parses the sentences of files 0180-0199 of at most N tokens
with gold tags. Prints a Markdown table.

    python tools/bench_parse.py [--max-length 25] [--strategy knuth] [--unshared] [--context-free]
"""

from __future__ import annotations

import platform
import time
from dataclasses import replace

import click
from measuring import peak_memory, row, seconds, spread, timed_parse, warm_up

from plcfrs.binarization import binarize
from plcfrs.chart import Strategy
from plcfrs.evaluation import render_scores, score
from plcfrs.extraction import extract
from plcfrs.grammar import Grammar
from plcfrs.pipeline import GrammarModel
from plcfrs.transformation import EVANG_KALLMEYER, TRACE_TYPES, Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

TRAINING = [f"nltk:treebank/wsj_{block:03d}*" for block in range(16)]
TEST = ["nltk:treebank/wsj_018*", "nltk:treebank/wsj_019*"]


@click.command()
@click.option("--max-length", default=25, show_default=True)
@click.option("--strategy", type=click.Choice(["astar", "knuth"]), default="astar")
@click.option("--unshared", is_flag=True)
@click.option("--context-free", is_flag=True)
@click.option("--splits/--no-splits", default=True, show_default=True)
def main(
    max_length: int, strategy: Strategy, unshared: bool, context_free: bool, splits: bool
) -> None:
    """Run the benchmark."""
    options = replace(
        EVANG_KALLMEYER,
        reattach=() if context_free else TRACE_TYPES,
        splits=EVANG_KALLMEYER.splits if splits else (),
    )
    print(f"machine: {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    grammar, binarized = _grammars(options, unshared)
    start = time.process_time()
    model = GrammarModel(binarized, strategy)
    row("compile the grammar to arrays", f"{time.process_time() - start:.2f} s CPU")
    test = [
        tree for tree in transform_all(read_trees(TEST), options) if len(tree.tokens) <= max_length
    ]
    row("load or compile the kernels", f"{warm_up():.2f} s CPU")
    row("rules, binarized", f"{len(grammar.rules)}, {len(binarized.rules)}")
    _parse(model, test)


def _grammars(options: Options, unshared: bool) -> tuple[Grammar, Grammar]:
    start = time.process_time()
    trees = list(read_trees("nltk:treebank"))
    read = time.process_time()
    transformed = list(transform_all(trees, options))
    done = time.process_time()
    row("read 3,914 trees", f"{read - start:.2f} s CPU")
    row("transform them", f"{done - read:.2f} s CPU")
    training = [tree for tree in transformed if tree.id < "wsj_0160"]
    start = time.process_time()
    grammar = extract(training)
    binarized = binarize(grammar, shared=not unshared)
    elapsed = time.process_time() - start
    row(f"extract and binarize {len(training)} trees", f"{elapsed:.2f} s CPU")
    return grammar, binarized


def _parse(model: GrammarModel, test: list[Tree]) -> None:
    runs = [timed_parse(model, tree) for tree in test]
    parses = [run.parse for run in runs]
    statistics = [parse.statistics for parse in parses]
    edges = sum(each.edges for each in statistics)
    pair_tests = sum(each.pair_tests for each in statistics)
    row("sentences, tokens", f"{len(test)}, {sum(len(tree.tokens) for tree in test)}")
    row("parsed", str(sum(parse.status == "parsed" for parse in parses)))
    row("items", f"{sum(each.items for each in statistics):,}")
    row("edges, pair tests an edge", f"{edges:,}, {pair_tests / edges:.2f}")
    row("CPU, all sentences, s", seconds(runs))
    row("CPU a sentence: median / p95 / max, ms", spread(runs))
    row("peak memory of the process", peak_memory())
    print(render_scores(score(test, (parse.tree for parse in parses))))


if __name__ == "__main__":
    main()
