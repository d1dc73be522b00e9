"""Text without trees: a fast parser learns from the parses of a slow one, too.

MODEL has learned from the first files of NLTK's sample of the Penn Treebank, and parses the
sentences of TEXT, one a line with blanks between words. `gap` learns from the trees of the first
files, and from these and the parses.

    plcfrs train joint 'nltk:treebank/wsj_00[0-3]*' --dev 'nltk:treebank/wsj_01[67]*' \
      --encoder DIR --encoder-layers 6 --encoder-rate 0.0001 --embed --epochs 8 -o quarter.joint
    plcfrs transform 'nltk:treebank/wsj_00[4-9]*' 'nltk:treebank/wsj_01[0-5]*' --splits none \
      --to tokens -o words.txt

    python tools/bench_silver.py MODEL TEXT [--blocks 4] [--seeds 3] [--json FILE]
"""

from __future__ import annotations

from pathlib import Path

import bench
import click
from measuring import Report, benchmark, cells_of, on_one_core, warm_up

from plcfrs import Sentence, Tree, load_model
from plcfrs.transformation import Options
from plcfrs.trees import mark_heads

COLUMNS: dict[str, bench.Column] = {
    "F1": bench.f1(),
    "discontinuous F1": bench.discontinuous_f1(),
    "right tags": bench.right_tags(),
    **bench.RATE,
}


@benchmark("Text without trees")
@click.argument("model", type=click.Path(exists=True))
@click.argument("text", type=click.Path(exists=True))
@click.option("--blocks", default=4, show_default=True, help="Of ten files that MODEL knows.")
@click.option("--seeds", default=3, show_default=True, help="Of each parser that is trained.")
def main(report: Report, model: str, text: str, blocks: int, seeds: int) -> None:
    """Run the benchmark."""
    options = Options(splits=())
    trees = bench.read(bench.TRAINING[:blocks], options)
    development, test = bench.read(bench.DEVELOPMENT, options), bench.read(bench.TEST, options)
    lines = Path(text).read_text(encoding="utf-8").splitlines()
    sentences = [Sentence.of(line.split()) for line in lines]
    report.about = (
        f"NLTK's sample of the Penn Treebank: {len(trees):,} trees of files 0001-"
        f"{10 * blocks - 1:04}, and the parses of {len(sentences):,} sentences without trees; "
        "tested on 0180-0199 from words alone. `gap` has a beam of 4, and is the best of 20 epochs "
        f"by files 0160-0179; number of seeds: {seeds}. CPU time on one core, all sentences "
        "together."
    )
    warm_up("gap")
    teacher = load_model(model)
    parses = [best.tree for best, *_ in teacher.parse_together(sentences)]
    examples = {"trees": trees, "trees and parses": trees + parses}
    outcomes = {
        name: [_outcome(each, development, test, seed) for seed in range(1, seeds + 1)]
        for name, each in examples.items()
    }
    report.table("Parsed from words", "parser", "learns from", *COLUMNS)
    for name, found in outcomes.items():
        report.row("gap", name, *cells_of(COLUMNS, found))
    parsed = bench.Outcome(teacher, bench.parse_together(teacher, test, tagged=False))
    report.row(model, "trees", *cells_of(COLUMNS, [parsed]))
    chances = (
        f"{bench.compared(*pair).randomisation:.4f}"
        for pair in zip(*outcomes.values(), strict=True)
    )
    report.fact("p of the difference, by seed", ", ".join(chances))


def _outcome(
    examples: list[Tree], development: list[Tree], test: list[Tree], seed: int
) -> bench.Outcome:
    """Train `gap` for words without tags, and parse the test set."""
    settings = {"tags": "own", "seed": seed, "development": development}
    parser, seconds = bench.trained("gap", list(map(mark_heads, examples)), **settings)
    return bench.Outcome(parser, bench.parse_together(parser, test, tagged=False), seconds)


if __name__ == "__main__":
    on_one_core()
    main()
