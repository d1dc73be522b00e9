"""Every kind of parser, side by side: scores, speed, time to train, size of the model.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, test 0180-0199, all lengths) or
on any treebank (its last tenth is the test). Each parser is trained and parses as in
`plcfrs.train` and `model.parse`; the table has the command line that trains the same one.

    python tools/bench_parsers.py [--seeds 3] [--json FILE]
    python tools/bench_parsers.py pcc --punctuation low --head-rules negra --attach-low \
        --pair-marks --splits none --seeds 1
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from measuring import Report, f1_of, on_one_core, over_seeds, reports, right_tags, warm_up
from splits import described, parts

from plcfrs import train
from plcfrs.cli.options import transform_options
from plcfrs.pipeline import Sentence, find_family
from plcfrs.transformation import Options
from plcfrs.trees import Tree

# Of a short training, which compiles the same kernels.
SHORT: dict[str, dict[str, int]] = {"grammar": {}, "refined": {"cycles": 1}}


class Parser(NamedTuple):
    """A kind of parser, and its settings."""

    name: str
    kind: str
    settings: Mapping[str, Any] = {}
    preset: str | None = None

    @property
    def command(self) -> str:
        """The command line that trains it."""
        if self.preset:
            return f"plcfrs extract TREEBANK --preset {self.preset} -o MODEL"
        options = "".join(f" --{name} {value}" for name, value in self.settings.items())
        return f"plcfrs train {self.kind} TREEBANK{options} -o MODEL"

    def seeds(self, number: int) -> list[int | None]:
        """Return the first seed of each of some models, of which no two share a grammar."""
        if self.preset:
            return [None]  # nothing is random
        return [1 + place * self.settings.get("grammars", 1) for place in range(number)]


PARSERS = (
    Parser("evang-kallmeyer", "grammar", preset="evang-kallmeyer"),
    Parser("markov-v1h1", "grammar", preset="markov-v1h1"),
    Parser("interpolated-v2h2", "grammar", preset="interpolated-v2h2"),
    Parser("refined", "refined"),
    Parser("refined, product of 4", "refined", {"grammars": 4}),
    Parser("spans", "spans"),
    Parser("spans, three networks", "spans", {"networks": 3}),
    Parser("spans, words alone", "spans", {"tags": "own"}),
    Parser("gap, beam 4", "gap"),
    Parser("gap, beam 32", "gap", {"beam": 32}),
    Parser("cgap", "cgap"),
    Parser("swap", "swap"),
    Parser("skipshift", "skipshift"),
    Parser("reduction", "reduction"),
    Parser("set-based", "set-based"),
    Parser("set-based, own tags", "set-based", {"tags": "own"}),
)


class Result(NamedTuple):
    """The scores, times and size of a parser with one seed."""

    f1: float
    discontinuous_f1: float
    f1_from_words: float
    discontinuous_f1_from_words: float
    tags: float
    sentences_per_second: float
    training_seconds: float
    megabytes: float


@click.command()
@click.argument("treebank", required=False)
@click.option("--seeds", default=3, show_default=True, help="Of each parser that has seeds.")
@transform_options
@reports("Parsers")
def main(report: Report, treebank: str | None, seeds: int, options: Options) -> None:
    """Run the benchmark."""
    number = "a single seed" if seeds == 1 else f"means over {seeds} seeds, standard deviations"
    report.about = (
        f"{described(treebank)}, sentences of all lengths, gold tags or the parser's own (from "
        f"words); {number}; CPU time on one core."
    )
    report.table(
        "All kinds of parsers",
        *("parser", "F1", "discontinuous F1", "F1 from words", "discontinuous F1 from words"),
        *("right tags", "sentences/s", "training s", "file MB", "command"),
    )
    for parser in PARSERS:
        warm_up(parser.kind, **SHORT.get(parser.kind, {"epochs": 1}))
        family = find_family(parser.kind)
        preset = family.preset(parser.preset) if parser.preset else family
        splits = tuple(s for s in preset.transformation.splits if s in options.splits)
        training, test = parts(treebank, replace(options, splits=splits))
        results = [_run(parser, training, test, seed) for seed in parser.seeds(seeds)]
        report.row(parser.name, *_cells(results), parser.command)


def _run(parser: Parser, training: list[Tree], test: list[Tree], seed: int | None) -> Result:
    settings: dict[str, Any] = dict(parser.settings)
    if seed is not None:
        settings["seed"] = seed
    start = time.process_time()
    model = train(parser.kind, training, parser.preset, **settings)
    training_seconds = time.process_time() - start
    sentences = [Sentence.of(tree) for tree in test]
    start = time.process_time()
    tagged = [best.tree for best, *_ in model.parse_together(sentences)]
    parsing_seconds = time.process_time() - start
    untagged = [replace(sentence, tags=None) for sentence in sentences]
    from_words = [best.tree for best, *_ in model.parse_together(untagged)]
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.plcfrs")
        model.save(path)
        megabytes = path.stat().st_size / 1e6
    return Result(
        *f1_of(test, tagged, None),
        *f1_of(test, from_words, None),
        100 * right_tags(test, from_words),
        len(test) / parsing_seconds,
        training_seconds,
        megabytes,
    )


def _cells(results: list[Result]) -> list[str]:
    *scores, speed, training_seconds, megabytes = zip(*results, strict=True)
    return [
        *map(over_seeds, scores),
        f"{mean(speed):,.0f}",
        f"{mean(training_seconds):,.0f}",
        f"{mean(megabytes):.1f}",
    ]


if __name__ == "__main__":
    on_one_core()
    main()
