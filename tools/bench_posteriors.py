"""Probabilities of constituents: how reliable they are, what the safe ones are worth, expected F1.

The members are saved models that were trained on files 0001-0159 of NLTK's sample of the Penn
Treebank, the one that makes the forests first. Weights and calibration are learned from files
0160-0179, and files 0180-0199 are parsed, with gold tags.

    plcfrs train refined 'nltk:treebank/wsj_00*' ... -o single.refined
    python tools/bench_posteriors.py single.refined one.gap span.features [--json FILE]
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import cast

import bench
import click
from measuring import Report, benchmark, peak_memory, scores_of, timed_parse, warm_up

from plcfrs import Parse, SentenceParser, Tree, load_model, score, train
from plcfrs.evaluation.reliability import Bin, calibration_error, reliability
from plcfrs.forest.posteriors import constituents_judged
from plcfrs.learning.calibration import Calibration
from plcfrs.parsers.combined.model import CombinedModel
from plcfrs.parsing.registry import find_family

_LEAST = (0.0, 0.5, 0.7, 0.9)


@benchmark("Probabilities of constituents")
@click.argument("models", nargs=-1, required=True)
def main(report: Report, models: tuple[str, ...]) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank: members trained on files 0001-0159, weights and "
        "calibration learned from 0160-0179, tested on 0180-0199, gold tags. Before calibration, "
        "too, probabilities beyond 0.003 and 0.997 count as these."
    )
    transformation = find_family("combined").transformation
    development, test = (
        bench.read(files, transformation) for files in (bench.DEVELOPMENT, bench.TEST)
    )
    report.fact("load or compile the kernels", warm_up("refined"))
    calibrated = cast(CombinedModel, train("combined", development, members=models))
    raw = CombinedModel(calibrated.members, calibrated.weights, Calibration(), calibrated.about)
    parsers: dict[str, SentenceParser] = {
        Path(models[0]).stem: load_model(models[0]),
        "combined, before calibration": raw,
        "combined": calibrated,
    }
    found = {
        name: [parser.parse(tree, posteriors=True) for tree in test]
        for name, parser in parsers.items()
    }
    report.table(
        "Expected calibration error, and constituents by their probability: number, right",
        *("parser", "error"),
        *(f"{low / 10:g}-{(low + 1) / 10:g}" for low in range(10)),
    )
    for name, parses in found.items():
        bins = _bins(test, parses)
        report.row(name, f"{100 * calibration_error(bins):.2f}", *_cells(bins))
    _report_safe(report, test, found)
    _report_objectives(report, calibrated, {"0160-0179": development, "0180-0199": test})
    numbers = calibrated.calibration
    report.fact("calibration", f"scale {numbers.scale:.3f}, offset {numbers.offset:.3f}")
    report.fact("peak memory", peak_memory())


def _bins(gold: list[Tree], parses: list[Parse]) -> list[Bin]:
    judged = map(constituents_judged, gold, (each.posteriors or [] for each in parses))
    return reliability(chain.from_iterable(judged))


def _cells(bins: list[Bin]) -> list[str]:
    cells = {round(10 * each.low): f"{each.number}, {100 * each.right:.0f}%" for each in bins}
    return [cells.get(number, "-") for number in range(10)]


def _report_safe(report: Report, gold: list[Tree], found: dict[str, list[Parse]]) -> None:
    def cell(parses: list[Parse], least: float) -> str:
        found = score(gold, (parse.safe_tree(least) for parse in parses)).labelled
        return f"{found.precision:.2f} / {found.recall:.2f} / {found.f1:.2f}"

    report.table(
        "Only constituents that are probable enough: precision / recall / F1",
        *("parser", *(f"at least {least:g}" for least in _LEAST)),
        rows=((name, *(cell(each, least) for least in _LEAST)) for name, each in found.items()),
    )


def _report_objectives(report: Report, parser: CombinedModel, parts: dict[str, list[Tree]]) -> None:
    report.table(
        "Objectives: labelled F1",
        *("objective", *(f"{files}, {length}" for files in parts for length in bench.LENGTHS)),
    )
    for objective in parser.objectives:
        runs = [[timed_parse(parser, e, objective) for e in trees] for trees in parts.values()]
        scores = [scores_of(each, most) for each in runs for most in bench.LENGTHS.values()]
        report.row(objective, *(f"{each.labelled.f1:.2f}" for each in scores))


if __name__ == "__main__":
    main()
