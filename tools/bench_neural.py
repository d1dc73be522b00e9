"""Set-based parsers with a neural network (Coavoux and Cohen 2019): oracles, beams, tags.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test).

    python tools/bench_neural.py [--seeds 3] [--development] [--json FILE]
    python tools/bench_neural.py --oracle dynamic --tags own --epochs 20 --seeds 1
    python tools/bench_neural.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import product
from statistics import mean
from typing import Literal, NamedTuple, get_args

import click
from measuring import (
    Report,
    f1_of,
    on_one_core,
    over_seeds,
    peak_memory,
    reports,
    right_tags,
    warm_up,
)
from splits import DEVELOPMENT, LENGTHS, TEST, described, parts

from plcfrs.cli.options import transform_options
from plcfrs.evaluation.comparison import compare_parsers, difference
from plcfrs.neural.settings import Settings
from plcfrs.pipeline import Sentence, train
from plcfrs.pipeline.set_based import SetBasedModel
from plcfrs.transformation import Options
from plcfrs.trees import Tree

Oracle = Literal["static", "dynamic"]
Tags = Literal["given", "own"]

BEAMS = (1, 4, 16)

PUBLISHED = (
    ("static", "development", "91.1 / 68.2", "87.4 / 61.7", "83.6 / 51.3"),
    ("dynamic", "development", "91.4 / 70.9", "87.6 / 62.5", "84.0 / 54.0"),
    ("dynamic", "test", "90.9 / 67.3", "82.5 / 55.9", "83.2 / 56.3"),
)


class Trained(NamedTuple):
    """A model, and the CPU time of its training."""

    model: SetBasedModel
    seconds: float


class Result(NamedTuple):
    """The scores and the speed of a parser with one seed."""

    f1: list[float]  # by length
    discontinuous_f1: float
    tags: float
    sentences_per_second: float
    parses: list[Tree]


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("treebank", required=False)
@click.option("--oracle", type=click.Choice(get_args(Oracle)), help="Only this one.")
@click.option("--tags", type=click.Choice(get_args(Tags)), help="Only these.")
@click.option("--epochs", type=int, help="[default: those of plcfrs train]")
@click.option("--vectors", help="A file of word vectors.")
@click.option("--encoder", help="A pretrained encoder.")
@click.option("--threads", type=int, help="Of the training.  [default: all]")
@click.option("--device", default="cpu", show_default=True, help="Of the training.")
@click.option("--seeds", default=3, show_default=True, help="How many.")
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@transform_options
@reports("Set-based parsers")
def main(
    report: Report,
    treebank: str | None,
    oracle: Oracle | None,
    tags: Tags | None,
    epochs: int | None,
    vectors: str | None,
    encoder: str | None,
    threads: int | None,
    device: str,
    seeds: int,
    development: bool,
    options: Options,
) -> None:
    """Run the benchmark."""
    files = DEVELOPMENT if development else TEST
    chosen = Settings(vectors=vectors, encoder=encoder, threads=threads, device=device)
    chosen = replace(chosen, epochs=epochs or chosen.epochs)
    report.about = (
        f"{described(treebank, files)}; {chosen.epochs} epochs; means over {seeds} seeds with "
        "standard deviations. Tags are given, as input, or the own ones of the network, from words "
        "alone. CPU time; sentences/s: on one core, all sentences together."
    )
    training, test = parts(treebank, options, files)
    report.fact("trees", f"{len(training):,} to train on, {len(test)} to parse")
    report.fact("load PyTorch", warm_up("set-based", epochs=1))
    report.table(
        "Oracles, tags and beams",
        *("oracle", "tags", "beam"),
        *(f"F1 {name}" for name in LENGTHS),
        *("disc. F1", "right tags", "training, s", "sentences/s"),
    )
    greedy: dict[tuple[str, str], list[list[Tree]]] = {}
    for given, name in product([tags] if tags else get_args(Tags), _oracles(oracle)):
        settings = replace(chosen, oracle=name, tags=given)
        trained = [_train(training, replace(settings, seed=1 + seed)) for seed in range(seeds)]
        for beam in BEAMS:
            results = [_measured(each.model, test, beam) for each in trained]
            _add_row(report, settings, beam, results, mean(each.seconds for each in trained))
            if beam == 1:
                greedy[given, name] = [result.parses for result in results]
    for given in get_args(Tags):
        if (given, "static") in greedy and (given, "dynamic") in greedy:
            pairs = zip(*(greedy[given, name] for name in _oracles()), strict=True)
            chances = ", ".join(f"{_probability(test, pair):.3f}" for pair in pairs)
            report.fact(f"p of dynamic against static, {given} tags, greedy, by seed", chances)
    report.fact("peak memory", peak_memory())
    report.table(
        "The paper: F1 / discontinuous F1, predicted tags, greedy, whole treebanks",
        *("oracle", "set", "Penn Treebank", "TIGER", "NeGra"),
    )
    for row in PUBLISHED:
        report.row(*row)


def _oracles(only: Oracle | None = None) -> tuple[Oracle, ...]:
    return (only,) if only else get_args(Oracle)


def _train(training: list[Tree], settings: Settings) -> Trained:
    start = time.process_time()
    model = train("set-based", training, settings)
    return Trained(model, time.process_time() - start)


def _measured(model: SetBasedModel, test: list[Tree], beam: int) -> Result:
    model.beam = beam
    sentences = [Sentence.of(tree) for tree in test]
    if model.parser.settings.tags == "own":
        sentences = [replace(sentence, tags=None) for sentence in sentences]
    start = time.process_time()
    parses = [best.tree for best, *_ in model.parse_together(sentences)]
    seconds = time.process_time() - start
    scores = [f1_of(test, parses, longest) for longest in LENGTHS.values()]
    return Result(
        [one for one, _ in scores],
        scores[-1][1],
        100 * right_tags(test, parses),
        len(test) / seconds,
        parses,
    )


def _probability(test: list[Tree], parses: tuple[list[Tree], ...]) -> float:
    """Return the probability of a difference this large if two parsers were equally good."""
    compared = compare_parsers(test, {str(place): trees for place, trees in enumerate(parses)})
    return difference(list(compared)).randomisation


def _add_row(
    report: Report, settings: Settings, beam: int, results: list[Result], training_seconds: float
) -> None:
    report.row(
        settings.oracle,
        settings.tags,
        str(beam),
        *(over_seeds(f1) for f1 in zip(*(result.f1 for result in results), strict=True)),
        over_seeds([result.discontinuous_f1 for result in results]),
        over_seeds([result.tags for result in results]),
        f"{training_seconds:,.0f}",
        f"{mean(result.sentences_per_second for result in results):,.0f}",
    )


if __name__ == "__main__":
    on_one_core()
    main()
