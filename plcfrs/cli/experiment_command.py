"""``plcfrs experiment``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click
from tqdm import tqdm

from plcfrs.cli.options import progress
from plcfrs.experiment import Folder, load_experiment, render, run_experiment


@click.command("experiment")
@click.argument("file")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    help="Folder of the results.  [default: FILE with .results instead of .yaml]",
)
@click.option("--force", is_flag=True, help="Run all stages again, whatever is in the folder.")
@click.option(
    "--count-items/--no-count-items",
    default=None,
    help="Also parse with --strategy knuth, to count items as in the paper; this takes long.  "
    "[default: count-items in FILE]",
)
def command(file: str, output: str | None, force: bool, count_items: bool | None) -> None:
    """Run the experiment that a YAML file describes, from treebanks to tables.

    It has stages: trees are transformed, grammars extracted or trained, sentences parsed and
    scored. The output folder keeps each result, which is used again if neither its options nor
    its inputs have changed; so an interrupted run resumes where it stopped. The tables are printed
    and written to report.txt, .md, .tex, .csv, .json and .html; the last also has drawn trees.

    \b
    Examples:
      plcfrs experiment examples/experiments/evang-kallmeyer-2011.yaml -o tables
      plcfrs experiment examples/experiments/markovization.yaml
    """  # noqa: D301
    experiment = load_experiment(file)
    if count_items is not None:
        experiment = replace(experiment, count_items=count_items)
    folder = Folder(
        Path(output) if output else Path(file).with_suffix(".results"), _say, progress, force=force
    )
    (folder.path / "experiment.yaml").write_bytes(Path(file).read_bytes())
    tables = run_experiment(experiment, folder)
    _say(f"reports: {folder.path}/report.*")
    click.echo(render(tables))


def _say(line: str) -> None:
    tqdm.write(line, file=sys.stderr)
