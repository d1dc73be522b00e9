"""What each way to make a grammar costs and brings: rules, scores, time.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, test on 0180-0199) or on any
treebank (its last tenth is the test), gold tags. Prints a Markdown table.

    python tools/bench_presets.py [--max-length 25]
    python tools/bench_presets.py pcc --punctuation low --head-rules negra --splits none
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import replace

import click
from bench_parse import TEST, TRAINING
from measuring import Run, header, row, spread, timed_parse, warm_up

from plcfrs.cli.options import transform_options
from plcfrs.evaluation import Scores, score
from plcfrs.extraction import PRESETS, Recipe
from plcfrs.pipeline import GrammarModel
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

DETERMINISTIC = Recipe()
OTHERS = {
    "unshared": replace(DETERMINISTIC, shared=False),
    "optimal": replace(DETERMINISTIC, binarization="optimal"),
    "factored": replace(DETERMINISTIC, estimator="factored"),
    "deterministic, v=2": replace(DETERMINISTIC, vertical=2),
    "head-outward, h=1": Recipe("head-outward", 1),
    "left-to-right, h=1": Recipe("left-to-right", 1),
    "right-to-left, h=1": Recipe("right-to-left", 1),
    "right-to-left, h=1, factored": Recipe("right-to-left", 1, 1, "factored"),
    "right-to-left, h=1, v=2": Recipe("right-to-left", 1, 2),
    "right-to-left, h=1, v=2, interpolated": Recipe("right-to-left", 1, 2, "interpolated"),
    "right-to-left, h=2, v=2": Recipe("right-to-left", 2, 2),
}


@click.command()
@click.argument("treebank", required=False)
@click.option("--max-length", default=25, show_default=True)
@click.option("--presets-only", is_flag=True)
@transform_options
def main(treebank: str | None, max_length: int, presets_only: bool, options: Options) -> None:
    """Run the benchmark."""
    print(f"machine: {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    print(f"load or compile the kernels: {warm_up():.2f} s CPU")
    header(
        *("grammar", "rules", "fan-out", "parsed", "LF1", "UF1", "LF1 disc.", "exact"),
        *("median / p95 / max, ms", "mcp: LF1", "LF1 disc."),
    )
    for name, (transformation, recipe) in PRESETS.items():
        chosen = replace(
            options, splits=tuple(s for s in transformation.splits if s in options.splits)
        )
        _report(name, recipe, chosen, treebank, max_length)
    for name, recipe in {} if presets_only else OTHERS.items():
        _report(name, recipe, options, treebank, max_length)


def _report(
    name: str, recipe: Recipe, options: Options, treebank: str | None, max_length: int
) -> None:
    training, test = parts(treebank, options)
    test = [tree for tree in test if len(tree.tokens) <= max_length]
    grammar = recipe.grammar(training)
    model = GrammarModel(grammar)
    runs = [timed_parse(model, tree) for tree in test]
    expected = [timed_parse(model, tree, "mcp") for tree in test]
    scores = _score(test, runs)
    expected_scores = _score(test, expected)
    row(
        name,
        f"{len(grammar.rules):,}",
        str(grammar.fan_out()),
        f"{sum(run.parse.status == 'parsed' for run in runs)} of {len(test)}",
        f"{scores.labelled.f1:.2f}",
        f"{scores.unlabelled.f1:.2f}",
        f"{scores.labelled_discontinuous.f1:.2f}",
        f"{scores.exact_match:.1f}",
        spread(runs),
        f"{expected_scores.labelled.f1:.2f}",
        f"{expected_scores.labelled_discontinuous.f1:.2f}",
    )


def parts(
    treebank: str | None, options: Options, test: list[str] = TEST
) -> tuple[list[Tree], list[Tree]]:
    """Return trees for training and trees to score on: of any treebank the last tenth."""
    if treebank is None:
        return list(_read(TRAINING, options)), list(_read(test, options))
    trees = list(_read([treebank], options))
    border = len(trees) * 9 // 10
    return trees[:border], trees[border:]


def _read(names: list[str], options: Options) -> Iterator[Tree]:
    return transform_all(read_trees(names), options)


def _score(test: list[Tree], runs: list[Run]) -> Scores:
    return score(test, (run.parse.tree for run in runs))


if __name__ == "__main__":
    main()
