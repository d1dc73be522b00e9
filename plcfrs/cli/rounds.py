"""The rounds of a training, as people see them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from plcfrs.errors import InputError
from plcfrs.training import Runner


def check_folder(output: str) -> None:
    """Refuse a file that cannot be written after a long training.

    Raises
    ------
    InputError
        If its folder does not exist.
    """
    if not Path(output).parent.is_dir():
        raise InputError(f"{output}: there is no folder {Path(output).parent}")


def run_rounds(runner: Runner[Any], checkpoint: Path | None = None) -> None:
    """Train round by round: a progress bar for each on a terminal, and a line after it.

    Parameters
    ----------
    runner : Runner
    checkpoint : Path, optional
        The file of finished rounds from which the runner can continue, if it can.
    """
    trainer = runner.trainer
    left = runner.left
    try:
        with tqdm(total=trainer.steps, unit=" steps", disable=None, leave=False) as bar:

            def begin(number: int) -> None:
                bar.reset()
                bar.set_description(f"{trainer.unit} {number}")

            if left:
                begin(left[0])
            for done in runner.rounds(bar.update):
                tqdm.write(str(done), file=sys.stderr)
                begin(done.number + 1)
    except BaseException:
        if checkpoint is not None and checkpoint.exists():
            click.echo(
                f"the finished rounds are in {checkpoint}: to continue, run the same command with "
                "--resume",
                err=True,
            )
        raise
