"""From words alone: what each grammar loses without gold tags, and how many words it tags right.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test): two rows a grammar, gold tags and
words alone.

    python tools/bench_words.py [--refined 4] [--max-seconds 60] [--development] [--json FILE]
    python tools/bench_words.py pcc --punctuation low --head-rules negra --splits none
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import bench
import click
from measuring import Report, tags_right, warm_up

from plcfrs import Budget, SentenceParser, Tree, train
from plcfrs.parsers.refined.model import RefinedModel


def _right(*kinds: bool) -> bench.Column:
    """Return a column with the tags right of words that the model knows or does not know."""

    def column(outcomes: Sequence[bench.Outcome]) -> str:
        model, runs = outcomes[0][:2]
        right = [right for word, right in tags_right(runs) if (word in model.words) in kinds]
        return f"{100 * sum(right) / len(right):.2f}" if right else "-"

    return column


COLUMNS: dict[str, bench.Column] = {
    **{f"F1 {name}": bench.f1(longest) for name, longest in bench.LENGTHS.items()},
    "disc. <= 40": bench.discontinuous_f1(40),
    "disc. all": bench.discontinuous_f1(),
    "tags right": _right(True, False),
    "known": _right(True),
    "unknown": _right(False),
    **bench.PARSED,
    **bench.SPREAD,
}


@bench.on_treebank("From words alone")
@click.option("--max-seconds", default=60.0, show_default=True, help="Of each sentence.")
@click.option("--refined", default=4, show_default=True, help="Grammars in the product; 0: none.")
def main(report: Report, source: bench.Source, max_seconds: float, refined: int) -> None:
    """Run the benchmark."""
    report.about = (
        f"{source}, tags given or the parser's own, at most {max_seconds:g} s a sentence."
    )
    report.fact("load or compile the kernels", warm_up("refined"))
    rows = (
        ((name, tags), [bench.parse_each(model, test, tagged=tagged)])
        for name, model, test in _models(source, Budget(max_seconds=max_seconds), refined)
        for tags, tagged in bench.TAGS.items()
    )
    caption = "Labelled F1 by length, discontinuous F1, and tags right in percent"
    report.compare(caption, ("grammar", "tags"), COLUMNS, rows)


def _models(
    source: bench.Source, budget: Budget, refined: int
) -> Iterator[tuple[str, SentenceParser, list[Tree]]]:
    """Yield each grammar with the trees that it parses."""
    yield from bench.grammars(source, budget)
    if refined:
        training, test = source.parts(())
        trained = train("refined", training, grammars=refined, jobs=2)
        product = cast(RefinedModel, trained).refined
        for size in sorted({1, refined}):
            chosen = replace(product, refinements=product.refinements[:size])
            yield f"refined, {size}", RefinedModel(chosen, budget=budget), test


if __name__ == "__main__":
    main()
