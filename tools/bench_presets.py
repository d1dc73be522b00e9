"""What each way to make a grammar costs and brings: rules, scores, time.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, test on 0180-0199) or on any
treebank (its last tenth is the test), gold tags.

    python tools/bench_presets.py [--max-length 25] [--json FILE]
    python tools/bench_presets.py pcc --punctuation low --head-rules negra --splits none
"""

from __future__ import annotations

from dataclasses import replace

import click
from measuring import Report, parsed, reports, scores_of, spread, timed_parse, warm_up
from splits import described, parts

from plcfrs.chart.budget import UNLIMITED
from plcfrs.cli.options import transform_options
from plcfrs.extraction import PRESETS, Recipe
from plcfrs.pipeline import GrammarModel
from plcfrs.transformation import Options
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
@reports("Ways to make a grammar")
def main(
    report: Report, treebank: str | None, max_length: int, presets_only: bool, options: Options
) -> None:
    """Run the benchmark."""
    report.about = f"{described(treebank)}, sentences of at most {max_length} tokens, gold tags."
    report.fact("load or compile the kernels", warm_up())
    report.table(
        "Rules, labelled and unlabelled F1, exact match, CPU time; the objective mcp",
        *("grammar", "rules", "fan-out", "parsed", "LF1", "UF1", "LF1 disc.", "exact"),
        *("median / p95 / max, ms", "mcp: LF1", "mcp: LF1 disc."),
    )
    for name, (transformation, recipe) in PRESETS.items():
        chosen = replace(
            options, splits=tuple(s for s in transformation.splits if s in options.splits)
        )
        _measure(report, name, recipe, *parts(treebank, chosen), max_length)
    for name, recipe in {} if presets_only else OTHERS.items():
        _measure(report, name, recipe, *parts(treebank, options), max_length)


def _measure(
    report: Report,
    name: str,
    recipe: Recipe,
    training: list[Tree],
    test: list[Tree],
    max_length: int,
) -> None:
    grammar = recipe.grammar(training)
    model = GrammarModel(grammar, budget=UNLIMITED)
    short = [tree for tree in test if len(tree.tokens) <= max_length]
    runs = [timed_parse(model, tree) for tree in short]
    scores = scores_of(runs)
    expected = scores_of(timed_parse(model, tree, "mcp") for tree in short)
    report.row(
        name,
        f"{len(grammar.rules):,}",
        str(grammar.fan_out()),
        f"{parsed(runs)} of {len(short)}",
        f"{scores.labelled.f1:.2f}",
        f"{scores.unlabelled.f1:.2f}",
        f"{scores.labelled_discontinuous.f1:.2f}",
        f"{scores.exact_match:.1f}",
        spread(runs),
        f"{expected.labelled.f1:.2f}",
        f"{expected.labelled_discontinuous.f1:.2f}",
    )


if __name__ == "__main__":
    main()
