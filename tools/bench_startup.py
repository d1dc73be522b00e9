"""One sentence from the shell: the whole process, its parts, and the first run of a new version.

Trains on files 0001-0159 of NLTK's sample of the Penn Treebank, and gives medians of N processes.

    python tools/bench_startup.py [--runs 9] [--json FILE]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click
from measuring import PLCFRS, TRAINING, Report, benchmark, measured, read

from plcfrs import PRESETS, train

_SENTENCE = "What/WP should/MD we/PRP do/VB ?/.\n"
_MODELS: dict[str, Any] = {"grammar": {"settings": "markov-v1h1"}, "refined": {"cycles": 1}}

# Each process does what the process above it does, and more.
_PARTS = {
    "Python": "pass",
    "NumPy": "import numpy",
    "Numba": "import numba",
    "the modules of plcfrs": "import plcfrs.cli.parse_command",
    "reading the model": "from plcfrs import load_model; load_model({path!r})",
}


@benchmark("Start-up")
@click.option("--runs", default=9, show_default=True)
def main(report: Report, runs: int) -> None:
    """Run the benchmark."""
    report.about = (
        "One sentence of 5 tokens with given tags, parsed from the shell with models of files "
        f"0001-0159 of NLTK's sample of the Penn Treebank; medians of {runs} processes."
    )

    # As for a user, Python keeps compiled modules.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}

    def row(name: str, command: list[str], times: int, **variables: str) -> None:
        used = [measured(*command, environment=environment | variables) for _ in range(times)]
        wall, cpu, _ = (median(column) for column in zip(*used, strict=True))
        report.row(name, f"{wall:.2f}", f"{cpu:.2f}")

    trees = read(TRAINING, PRESETS["markov-v1h1"].transformation)
    with TemporaryDirectory() as folder:
        text = Path(folder, "sentence")
        text.write_text(_SENTENCE, encoding="utf-8")
        for kind, options in _MODELS.items():
            path = str(Path(folder, f"wsj.{kind}"))
            train(kind, trees, **options).save(path)
            parse = [*PLCFRS, "parse", path, str(text), "--tagged"]
            report.table(f"One sentence, {kind}", "wall s", "CPU s")
            measured(*PLCFRS, "compile", path, environment=environment)
            for name, code in _PARTS.items():
                row(name, [sys.executable, "-c", code.format(path=path)], runs)
            row("the parse", parse, runs)
            row("the parse, empty cache", parse, 1, NUMBA_CACHE_DIR=str(Path(folder, kind)))
            row("the parse, no cache", parse, 1, NUMBA_CACHE_DIR=os.devnull)
            report.fact(f"file of the {kind} model", f"{Path(path).stat().st_size / 1024:.0f} kB")

        text = Path(folder, "sentence.txt")
        text.write_text("Who left?\n", encoding="utf-8")
        parse, compile = ([*PLCFRS, word, "plcfrs:english"] for word in ("parse", "compile"))
        measured(*compile, environment=environment)
        report.table("Who left? with plcfrs:english", "wall s", "CPU s")
        empty = str(Path(folder, "english"))
        row("plcfrs parse", [*parse, str(text)], runs)
        row("plcfrs parse, empty cache", [*parse, str(text)], runs, NUMBA_CACHE_DIR=empty)
        row("plcfrs parse, no cache", [*parse, str(text)], runs, NUMBA_CACHE_DIR=os.devnull)
        row("plcfrs compile, empty cache", compile, 1, NUMBA_CACHE_DIR=empty)


if __name__ == "__main__":
    main()
