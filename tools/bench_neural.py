"""Set-based parsers with a neural network (Coavoux and Cohen 2019): oracles, beams, tags.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test).

    python tools/bench_neural.py [--seeds 3] [--development] [--json FILE]
    python tools/bench_neural.py --oracle dynamic --tags own --epochs 20 --seeds 1
    python tools/bench_neural.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import bench
import click
from measuring import Report, on_one_core, peak_memory, warm_up

from plcfrs import Tree
from plcfrs.parsers.set_based.network import Settings

ORACLES: tuple[Literal["static", "dynamic"], ...] = ("static", "dynamic")
TAGS: tuple[Literal["given", "own"], ...] = ("given", "own")
BEAMS = (1, 4, 16)

Outcomes = dict[tuple[str, str], list[bench.Outcome]]


@bench.on_treebank("Set-based parsers", splits=["none"])
@click.option("--oracle", type=click.Choice(ORACLES), help="Only this one.")
@click.option("--tags", type=click.Choice(TAGS), help="Only these.")
@click.option("--epochs", type=int, help="[default: those of plcfrs train]")
@click.option("--vectors", help="A file of word vectors.")
@click.option("--encoder", help="A pretrained encoder.")
@click.option("--threads", type=int, help="Of the training.  [default: all]")
@click.option("--device", default="cpu", show_default=True, help="Of the training.")
@click.option("--seeds", default=3, show_default=True, help="How many.")
def main(
    report: Report,
    source: bench.Source,
    oracle: str | None,
    tags: str | None,
    seeds: int,
    **values: Any,  # noqa: ANN401 (those of Settings)
) -> None:
    """Run the benchmark."""
    chosen = Settings(**{name: value for name, value in values.items() if value is not None})
    training, test = source.reported_parts(report)
    epochs, _ = chosen.schedule(len(training))
    report.about = (
        f"{source}; {epochs} epochs; means over {seeds} seeds with standard deviations. "
        "Tags are given, as input, or own, found by the network from words alone. CPU time; "
        "sentences/s: on one core, all sentences together."
    )
    report.fact("load PyTorch", warm_up("set-based"))
    parsers = [
        replace(chosen, oracle=name, tags=given)
        for given, name in product(TAGS, ORACLES)
        if given in (tags or given) and name in (oracle or name)
    ]
    greedy: Outcomes = {}
    report.compare(
        "Oracles, tags and beams",
        ("oracle", "tags", "beam"),
        {**bench.BY_LENGTH, "right tags": bench.right_tags(), **bench.TRAINING_TIME, **bench.RATE},
        _rows(parsers, training, test, seeds, greedy),
    )
    for given in TAGS:
        if pairs := list(zip(*(greedy.get((given, name), []) for name in ORACLES), strict=False)):
            chances = (bench.compared(*pair).randomisation for pair in pairs)
            listed = ", ".join(f"{chance:.3f}" for chance in chances)
            report.fact(f"p of dynamic against static, {given} tags, greedy, by seed", listed)
    report.fact("peak memory", peak_memory())
    report.table(
        "The paper: F1 / discontinuous F1, predicted tags, greedy, whole treebanks",
        *("oracle", "set", "Penn Treebank", "TIGER", "NeGra"),
        rows=bench.RUNS["neural"],
    )


def _rows(
    parsers: list[Settings], training: list[Tree], test: list[Tree], seeds: int, greedy: Outcomes
) -> Iterator[bench.Row]:
    """Yield what each parser did with each beam, and keep what those without a beam did."""
    for each in parsers:
        settings = [replace(each, seed=seed) for seed in range(1, seeds + 1)]
        models = [bench.trained("set-based", training, with_seed) for with_seed in settings]
        for beam in BEAMS:
            outcomes = []
            for model, seconds in models:
                model.beam = beam
                runs = bench.parse_together(model, test, tagged=each.tags == "given")
                outcomes.append(bench.Outcome(model, runs, seconds))
            if beam == 1:
                greedy[each.tags, each.oracle] = outcomes
            yield (each.oracle, each.tags, str(beam)), outcomes


if __name__ == "__main__":
    on_one_core()
    main()
