"""The model for Icelandic that comes with plcfrs: scores and speed from words alone.

ICEPAHC is the folder that `tools/train_icelandic.py` reads; its part `test` was not used for the
model, and every fifth tree is parsed.

    python tools/bench_icelandic.py ICEPAHC [--json FILE]
"""

from __future__ import annotations

from pathlib import Path

import bench
import click
from bench_english import COLUMNS
from measuring import Report, benchmark, cells_of, on_one_core, peak_memory, warm_up

import plcfrs
from plcfrs.storage.included import INCLUDED
from plcfrs.transformation import Options

NAME = "plcfrs:icelandic"
EVERY = 5
GENRES = {"sag": "saga", "bib": "Bible", "oth": "life", "fic": "novel", "ser": "sermons"}


@benchmark("Model for Icelandic")
@click.argument("icepahc", type=click.Path(exists=True, path_type=Path))
def main(report: Report, icepahc: Path) -> None:
    """Run the benchmark."""
    report.about = (
        f"Sentences of all lengths, every {EVERY}th one, from words alone; "
        "CPU time on one core; the network gets all sentences of a text at once."
    )
    report.uses("plcfrs/models/icelandic.joint")
    model = plcfrs.load_model(NAME)
    warm_up(model.kind)
    size = INCLUDED[NAME].stat().st_size / 1e6
    report.table(f"{NAME}, {size:.1f} MB", "test", "trees", *COLUMNS)
    runs = []
    for path in sorted((icepahc / "test").iterdir()):
        trees = bench.read([str(path)], Options(splits=()))[::EVERY]
        parsed = bench.parse_together(model, trees, tagged=False)
        year, _, kind, *_ = path.name.split(".")
        cells = cells_of(COLUMNS, [bench.Outcome(model, parsed)])
        report.row(f"{year}, {GENRES[kind[-3:]]}", f"{len(trees):,}", *cells)
        runs += parsed
    report.row("all", f"{len(runs):,}", *cells_of(COLUMNS, [bench.Outcome(model, runs)]))
    report.fact("peak memory, test trees included", peak_memory())


if __name__ == "__main__":
    on_one_core()
    main()
