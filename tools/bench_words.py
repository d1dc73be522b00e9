"""From words alone: what each grammar loses without gold tags, and how many words it tags right.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test): two rows a grammar, gold tags and
words alone.

    python tools/bench_words.py [--refined 4] [--max-seconds 60] [--development] [--json FILE]
    python tools/bench_words.py pcc --punctuation low --head-rules negra --splits none
"""

from __future__ import annotations

from dataclasses import replace

import click
from measuring import (
    Report,
    parsed,
    reports,
    scores_of,
    spread,
    tags_right,
    timed_parse,
    warm_up,
)
from splits import DEVELOPMENT, LENGTHS, TEST, described, parts

from plcfrs.cli.options import transform_options
from plcfrs.extraction import PRESETS
from plcfrs.pipeline import Budget, GrammarModel, RefinedModel, SentenceParser
from plcfrs.refinement import Schedule, compile_trees, train_product
from plcfrs.transformation import Options
from plcfrs.trees import Tree


@click.command()
@click.argument("treebank", required=False)
@click.option("--max-seconds", default=60.0, show_default=True, help="Of each sentence.")
@click.option("--refined", default=4, show_default=True, help="Grammars in the product; 0: none.")
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@transform_options
@reports("From words alone")
def main(
    report: Report,
    treebank: str | None,
    max_seconds: float,
    refined: int,
    development: bool,
    options: Options,
) -> None:
    """Run the benchmark."""
    files = DEVELOPMENT if development else TEST
    report.about = (
        f"{described(treebank, files)}, tags given or the parser's own, at most {max_seconds:g} s "
        "a sentence."
    )
    report.fact("load or compile the kernels", warm_up("refined", cycles=1))
    report.table(
        "Labelled F1 by length, discontinuous F1, and tags right in percent",
        *("grammar", "tags", *(f"F1 {name}" for name in LENGTHS), "disc. <= 40", "disc. all"),
        *("tags right", "known", "unknown", "parsed", "median / p95 / max, ms"),
    )
    budget = Budget(max_seconds=max_seconds)
    for name, (transformation, recipe) in PRESETS.items():
        chosen = replace(
            options, splits=tuple(s for s in transformation.splits if s in options.splits)
        )
        training, test = parts(treebank, chosen, files)
        _measure(report, name, GrammarModel(recipe.grammar(training), budget=budget), test)
    if refined:
        training, test = parts(treebank, replace(options, splits=()), files)
        grammar = train_product(compile_trees(training), Schedule(), range(1, refined + 1), jobs=2)
        for size in sorted({1, refined}):
            product = replace(grammar, refinements=grammar.refinements[:size])
            _measure(report, f"refined, {size}", RefinedModel(product, budget=budget), test)


def _measure(report: Report, name: str, model: SentenceParser, test: list[Tree]) -> None:
    for tagged in (True, False):
        runs = [timed_parse(model, tree, tagged=tagged) for tree in test]
        scores = [scores_of(runs, longest) for longest in LENGTHS.values()]
        tags = [(word in model.words, is_right) for word, is_right in tags_right(runs)]
        known, unknown = (
            [right for is_known, right in tags if is_known == k] for k in (True, False)
        )
        report.row(
            name,
            "gold" if tagged else "own",
            *(f"{each.labelled.f1:.2f}" for each in scores),
            *(f"{each.labelled_discontinuous.f1:.2f}" for each in scores[1:]),
            *map(_percent, (known + unknown, known, unknown)),
            f"{parsed(runs)} of {len(test)}",
            spread(runs),
        )


def _percent(right: list[bool]) -> str:
    return f"{100 * sum(right) / len(right):.2f}" if right else "-"


if __name__ == "__main__":
    main()
