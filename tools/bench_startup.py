"""One sentence from the shell: the whole process, its parts, and the first run of a new version.

Trains on files 0001-0159 of NLTK's sample of the Penn Treebank, and gives medians of N processes.

    python tools/bench_startup.py [--runs 9] [--json FILE]
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click
from measuring import Report, reports
from splits import TRAINING

from plcfrs.parsing.registry import find_family, train
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees

_SENTENCE = "What/WP should/MD we/PRP do/VB ?/.\n"
_MODELS: dict[str, dict[str, Any]] = {
    "grammar": {"settings": "markov-v1h1"},
    "refined": {"cycles": 1},
}

# Each process does what the one above it does, and more.
_PARTS = {
    "Python": "pass",
    "NumPy": "import numpy",
    "Numba": "import numba",
    "the modules of plcfrs": "import plcfrs.cli.parse_command",
    "reading the model": "from plcfrs import load_model; load_model({path!r})",
}


def timed(command: list[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Run a process, and return its wall time and its CPU time in seconds."""
    before, start = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command, env=environment, input=_SENTENCE, text=True, capture_output=True, check=True
    )
    wall, after = time.perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    return wall, sum(after[:2]) - sum(before[:2])


@click.command()
@click.option("--runs", default=9, show_default=True)
@reports("Start-up")
def main(report: Report, runs: int) -> None:
    """Run the benchmark."""
    report.about = (
        "One sentence of 5 tokens with given tags, parsed from the shell with models of files "
        f"0001-0159 of NLTK's sample of the Penn Treebank; medians of {runs} processes."
    )
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }

    def row(name: str, command: list[str], times: int, **variables: str) -> None:
        found = [timed(command, environment | variables) for _ in range(times)]
        wall, cpu = (median(column) for column in zip(*found, strict=True))
        report.row(name, f"{wall:.2f}", f"{cpu:.2f}")

    transformation = find_family("grammar").preset("markov-v1h1").transformation
    with TemporaryDirectory() as folder:
        for kind, options in _MODELS.items():
            path = str(Path(folder, f"wsj.{kind}"))
            train(kind, transform_all(read_trees(TRAINING), transformation), **options).save(path)
            parse = [sys.executable, "-m", "plcfrs", "parse", path, "--tagged"]
            report.table(f"One sentence, {kind}", "until", "wall s", "CPU s")
            timed(parse, environment)  # compiles what is missing
            for name, code in _PARTS.items():
                row(name, [sys.executable, "-c", code.format(path=path)], runs)
            row("the parse", parse, runs)
            row("the parse, empty cache", parse, 1, NUMBA_CACHE_DIR=str(Path(folder, kind)))
            report.fact(f"file of the {kind} model", f"{Path(path).stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
