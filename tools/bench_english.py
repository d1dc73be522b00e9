"""The models for English that come with plcfrs: scores and speed from words alone.

CRAFT and MASC are the folders that `tools/train_english.py` reads; their parts `test` were not used
for the models, and of CRAFT every fifth tree is parsed. The Wall Street Journal is text of another
kind, with older guidelines.

    python tools/bench_english.py CRAFT MASC [--json FILE]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import bench
import click
from measuring import (
    Report,
    Run,
    benchmark,
    cells_of,
    on_one_core,
    peak_memory,
    sentence_of,
    warm_up,
)

import plcfrs
from plcfrs.evaluation.reliability import calibration_error, reliability
from plcfrs.forest.posteriors import constituents_judged
from plcfrs.parsing.parse import Wanted
from plcfrs.storage.included import ENGLISH
from plcfrs.transformation import Options, transform_all

EVERY = {"CRAFT": 5}  # of its 4,882 trees every fifth one
GENRES = {"1": "letters", "R": "spoken story", "c": "report"}  # by how files of MASC begin
LENGTHS = {"1-10": (1, 10), "11-20": (11, 20), "21-40": (21, 40), "> 40": (41, 1000)}

SCORES: Mapping[str, bench.Column] = {
    "F1": bench.f1(),
    "discontinuous F1": bench.discontinuous_f1(),
    "right tags": bench.right_tags(),
}
COLUMNS: Mapping[str, bench.Column] = {**SCORES, "F1, <= 40 words": bench.f1(40), **bench.RATE}
# A grammar parses one sentence after the other, and some take much longer.
COLUMNS_OF_GRAMMAR: Mapping[str, bench.Column] = {**COLUMNS, **bench.SPREAD}


@benchmark("Models for English")
@click.argument("craft", type=click.Path(exists=True, path_type=Path))
@click.argument("masc", type=click.Path(exists=True, path_type=Path))
def main(report: Report, craft: Path, masc: Path) -> None:
    """Run the benchmark."""
    report.about = (
        "Sentences of all lengths, from words alone; an SBAR over a single constituent is kept; "
        "CPU time on one core; the network gets all sentences of a treebank at once."
    )
    report.uses("plcfrs/models/english.joint", "plcfrs/models/english-grammar.plcfrs")
    parts = {"MASC": masc, "CRAFT": craft}
    sources = {name: sorted(map(str, (part / "test").iterdir())) for name, part in parts.items()}
    sources["WSJ"] = bench.TEST
    for name, path in ENGLISH.items():
        model = plcfrs.load_model(name)
        warm_up(model.kind)
        columns = COLUMNS if model.kind == "joint" else COLUMNS_OF_GRAMMAR
        report.table(f"{name}, {path.stat().st_size / 1e6:.1f} MB", "test", "trees", *columns)
        outcomes = {}
        for source, files in sources.items():
            trees = trees_of(files)[:: EVERY.get(source, 1)]
            if model.kind == "joint":
                outcome = bench.Outcome(model, bench.parse_together(model, trees, tagged=False))
            else:
                outcome = bench.parse_each(model, trees, tagged=False)
            report.row(source, f"{len(trees):,}", *cells_of(columns, [outcome]))
            outcomes[source] = outcome.runs
        if model.kind == "joint":
            details(report, model, outcomes)
    report.fact("peak memory, test trees included", peak_memory())


def trees_of(files: Sequence[str]) -> list[plcfrs.Tree]:
    """Return the trees of a treebank, transformed as for the models."""
    read = plcfrs.read_trees(files, on_error=lambda _: None)
    return list(transform_all(read, Options(keep_sbar=True, splits=())))


def details(
    report: Report, model: plcfrs.SentenceParser, outcomes: Mapping[str, list[Run]]
) -> None:
    """Add tables of scores by length and by genre, and of the calibration."""
    groups: dict[str, dict[str, list[Run]]] = {"words of a sentence": {}, "genre of MASC": {}}
    lengths, genres = groups.values()
    for source, runs in outcomes.items():
        for kind, (least, most) in LENGTHS.items():
            lengths[f"{source}, {kind}"] = [run for run in runs if least <= run.length <= most]
    for run in outcomes["MASC"]:
        genres.setdefault(GENRES[run.gold.id[0]], []).append(run)
    for caption, parts in groups.items():
        report.table(f"plcfrs:english, by {caption}", caption, "trees", *SCORES)
        for name, runs in parts.items():
            cells = cells_of(SCORES, [bench.Outcome(model, runs)])
            report.row(name, f"{len(runs):,}", *cells)
    caption = "plcfrs:english, expected calibration error of the probabilities of constituents"
    rows = [[source, f"{calibration_of(model, runs):.1f}%"] for source, runs in outcomes.items()]
    report.table(caption, "test", "error", rows=rows)


def calibration_of(model: plcfrs.SentenceParser, runs: Sequence[Run]) -> float:
    """Return the expected calibration error of the constituents of parses, in percent."""
    sentences = [sentence_of(run.gold, tagged=False) for run in runs]
    parses = model.parse_together(sentences, Wanted(posteriors=True))
    judged = [
        each
        for run, (parse,) in zip(runs, parses, strict=True)
        for each in constituents_judged(run.gold, parse.posteriors or [])
    ]
    return 100 * calibration_error(reliability(judged))


if __name__ == "__main__":
    on_one_core()
    main()
