"""What extracting a grammar costs: time and memory, by number of trees and of processes.

Copies NLTK's sample of the Penn Treebank into one file, again and again until there are N trees,
and runs ``plcfrs extract`` on it. CPU and peak memory are those of the process that merges the
counts.

    python tools/bench_extract.py [--trees 8000 --trees 80000] [--jobs 1 --jobs 2] [--json FILE]
"""

from __future__ import annotations

import hashlib
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from measuring import PLCFRS, Report, benchmark, measured

from plcfrs import PRESETS, read_trees, write_trees


@benchmark("Extracting a grammar")
@click.option("--trees", "sizes", default=(8_000, 80_000), multiple=True, show_default=True)
@click.option("--jobs", "numbers", default=(1, 2), multiple=True, show_default=True)
@click.option("--preset", type=click.Choice(list(PRESETS)), default="interpolated-v2h2")
def main(report: Report, sizes: tuple[int, ...], numbers: tuple[int, ...], preset: str) -> None:
    """Run the benchmark."""
    report.about = (
        f"plcfrs extract --preset {preset} on NLTK's sample of the Penn Treebank again and again; "
        "CPU and memory are those of the process that merges the counts."
    )
    report.uses("plcfrs/cli", "plcfrs/corpus")
    report.table(
        "Extraction by number of trees and of processes",
        *("trees", "file", "jobs", "wall", "parent CPU", "trees/s", "parent peak"),
        "grammar (SHA-256)",
    )
    trees = list(read_trees("nltk:treebank"))
    with TemporaryDirectory() as folder:
        treebank, grammar = Path(folder) / "treebank.mrg", Path(folder) / "grammar.plcfrs"
        for size in sizes:
            write_trees(islice(cycle(trees), size), treebank)
            for jobs in numbers:
                options = ["--preset", preset, "--jobs", jobs, "-o", grammar]
                wall, cpu, peak = measured(*PLCFRS, "extract", treebank, *options)
                report.row(
                    *(f"{size:,}", f"{treebank.stat().st_size / 1e6:.0f} MB", str(jobs)),
                    *(f"{wall:.1f} s", f"{cpu:.1f} s", f"{size / wall:,.0f}", f"{peak:.0f} MB"),
                    hashlib.sha256(grammar.read_bytes()).hexdigest()[:8],
                )


if __name__ == "__main__":
    main()
