"""From words alone: what each grammar loses without gold tags, and how many words it tags right.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test). Prints a Markdown table, two rows a
grammar: gold tags, and words alone.

    python tools/bench_words.py [--refined 4] [--max-seconds 60] [--development]
    python tools/bench_words.py pcc --punctuation low --head-rules negra --splits none
"""

from __future__ import annotations

import platform
import time
from collections.abc import Container, Iterator
from dataclasses import replace
from typing import NamedTuple

import click
from bench_parse import TEST
from bench_presets import parts
from bench_refine import DEVELOPMENT
from measuring import header, row, spread_of, warm_up

from plcfrs.cli.options import transform_options
from plcfrs.evaluation import score
from plcfrs.extraction import PRESETS
from plcfrs.pipeline import Budget, GrammarModel, GrammarParser, Parse, RefinedModel, Sentence
from plcfrs.refinement import Schedule, compile_trees, train_product
from plcfrs.transformation import Options
from plcfrs.trees import Tree

LENGTHS = (25, 40, 10_000)


class Run(NamedTuple):
    """A parse, the gold tree, and the CPU time that it took."""

    gold: Tree
    parse: Parse
    milliseconds: float

    def tags(self, words: Container[str], *, known: bool) -> Iterator[bool]:
        """Yield for each known or each unknown word whether its tag is right."""
        for gold, found in zip(self.gold.tokens, self.parse.tree.tokens, strict=True):
            if (gold.form in words) == known:
                yield gold.tag == found.tag


@click.command()
@click.argument("treebank", required=False)
@click.option("--max-seconds", default=60.0, show_default=True, help="Of each sentence.")
@click.option("--refined", default=4, show_default=True, help="Grammars in the product; 0: none.")
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@transform_options
def main(
    treebank: str | None, max_seconds: float, refined: int, development: bool, options: Options
) -> None:
    """Run the benchmark."""
    print(f"machine: {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    print(f"load or compile the kernels: {warm_up():.2f} s CPU; {max_seconds:g} s a sentence")
    header(
        *("grammar", "tags", "F1 <= 25", "<= 40", "all", "disc. <= 40", "all"),
        *("tags right", "known", "unknown", "parsed", "median / p95 / max, ms"),
    )
    files = DEVELOPMENT if development else TEST
    for name, (transformation, recipe) in PRESETS.items():
        chosen = replace(
            options, splits=tuple(s for s in transformation.splits if s in options.splits)
        )
        training, test = parts(treebank, chosen, files)
        _report(
            name,
            GrammarModel(recipe.grammar(training), budget=Budget(max_seconds=max_seconds)),
            test,
        )
    if refined:
        training, test = parts(treebank, replace(options, splits=()), files)
        grammar = train_product(compile_trees(training), Schedule(), range(1, refined + 1), jobs=2)
        for size in sorted({1, refined}):
            product = replace(grammar, refinements=grammar.refinements[:size])
            model = RefinedModel(product, budget=Budget(max_seconds=max_seconds))
            _report(f"refined, {size}", model, test)


def _report(name: str, model: GrammarParser, test: list[Tree]) -> None:
    words = model.grammar.lexicon.words
    for tagged in (True, False):
        runs = [_parse(model, tree, tagged) for tree in test]
        scores = [
            score((run.gold for run in some), (run.parse.tree for run in some))
            for some in ([run for run in runs if len(run.gold.tokens) <= n] for n in LENGTHS)
        ]
        known = [right for run in runs for right in run.tags(words, known=True)]
        unknown = [right for run in runs for right in run.tags(words, known=False)]
        row(
            name,
            "gold" if tagged else "own",
            *(f"{each.labelled.f1:.2f}" for each in scores),
            *(f"{each.labelled_discontinuous.f1:.2f}" for each in scores[1:]),
            *map(_percent, (known + unknown, known, unknown)),
            f"{sum(run.parse.status == 'parsed' for run in runs)} of {len(test)}",
            spread_of([run.milliseconds for run in runs]),
        )


def _parse(model: GrammarParser, tree: Tree, tagged: bool) -> Run:
    start = time.process_time()
    sentence = Sentence.of(tree)
    parse = model.parse(sentence if tagged else replace(sentence, tags=None))
    return Run(tree, parse, 1000 * (time.process_time() - start))


def _percent(right: list[bool]) -> str:
    return f"{100 * sum(right) / len(right):.2f}" if right else "-"


if __name__ == "__main__":
    main()
