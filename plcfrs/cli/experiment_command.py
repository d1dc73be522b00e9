"""``plcfrs experiment``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click
from tqdm import tqdm

from plcfrs.cli.command import argument, command_of
from plcfrs.cli.output import progress
from plcfrs.experiment import Folder, load_experiment, render, run_experiment
from plcfrs.settings import setting
from plcfrs.storage.files import full_disk_names


@dataclass(frozen=True)
class ExperimentOptions:
    """The options of ``plcfrs experiment``."""

    file: str = argument()
    output: str | None = setting(
        None,
        "Folder of the results.  [default: FILE with .results instead of .yaml]",
        short="-o",
        metavar="DIR",
    )
    small: bool = setting(
        False,
        "Try FILE with 100 trees of each set and one round of each training.  [-o: FILE.small]",
    )
    force: bool = setting(False, "Run all stages again, even if their results are in the folder.")


@command_of("experiment", ExperimentOptions())
def command(chosen: ExperimentOptions) -> None:
    """Run the experiment that a YAML file describes, from treebanks to tables.

    It transforms trees, extracts or trains grammars and parsers, parses sentences and scores them.
    Each result is kept in the output folder, and reused if neither its options nor its inputs have
    changed, so an interrupted run resumes where it stopped. The tables are printed and written to
    report.txt, .md, .tex, .csv, .json and .html; the last also has drawn trees.

    \b
    Examples:
      plcfrs experiment examples/experiments/evang-kallmeyer-2011.yaml -o tables
      plcfrs experiment examples/experiments/markovization.yaml
    """  # noqa: D301
    file = Path(chosen.file)
    experiment = load_experiment(file)
    if chosen.small:
        experiment = experiment.small()
    suffix = ".small" if chosen.small else ".results"
    path = Path(chosen.output) if chosen.output else file.with_suffix(suffix)
    with full_disk_names(path):
        folder = Folder(path, _say, progress, force=chosen.force)
        (folder.path / "experiment.yaml").write_bytes(file.read_bytes())
        tables = run_experiment(experiment, folder)
    _say(f"reports: {folder.path}/report.*")
    click.echo(render(tables))


def _say(line: str) -> None:
    tqdm.write(line, file=sys.stderr)
