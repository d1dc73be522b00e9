"""The models for English that come with plcfrs: scores and speed from words alone.

CRAFT and MASC are the folders that `tools/train_english.py` reads; their parts `test` were not used
for the models, and of CRAFT every fifth tree is parsed. The Wall Street Journal is text of another
kind, with older guidelines.

    python tools/bench_english.py CRAFT MASC [--json FILE]
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import bench
import click
from measuring import Report, benchmark, cells_of, on_one_core, peak_memory, warm_up

import plcfrs
from plcfrs.storage.included import INCLUDED
from plcfrs.transformation import Options, transform_all

EVERY = {"CRAFT": 5}  # of its 4,882 trees every fifth one

COLUMNS: Mapping[str, bench.Column] = {
    "F1": bench.f1(),
    "F1, <= 40 words": bench.f1(40),
    "discontinuous F1": bench.discontinuous_f1(),
    "right tags": bench.right_tags(),
    **bench.RATE,
}


@benchmark("Models for English")
@click.argument("craft", type=click.Path(exists=True, path_type=Path))
@click.argument("masc", type=click.Path(exists=True, path_type=Path))
def main(report: Report, craft: Path, masc: Path) -> None:
    """Run the benchmark."""
    report.about = (
        "Sentences of all lengths, from words alone; an SBAR over a single constituent is kept; "
        "CPU time on one core, all sentences of a treebank at once."
    )
    parts = {"MASC": masc, "CRAFT": craft}
    sources = {name: sorted(map(str, (part / "test").iterdir())) for name, part in parts.items()}
    sources["WSJ"] = bench.TEST
    options = Options(keep_sbar=True, splits=())
    for name, path in INCLUDED.items():
        model = plcfrs.load_model(name)
        warm_up(model.kind)
        report.table(f"{name}, {path.stat().st_size / 1e6:.1f} MB", "test", "trees", *COLUMNS)
        for source, files in sources.items():
            read = plcfrs.read_trees(files, on_error=lambda _: None)
            trees = list(transform_all(read, options))[:: EVERY.get(source, 1)]
            outcome = bench.Outcome(model, bench.parse_together(model, trees, tagged=False))
            report.row(source, f"{len(trees):,}", *cells_of(COLUMNS, [outcome]))
    report.fact("peak memory, test trees included", peak_memory())


if __name__ == "__main__":
    on_one_core()
    main()
