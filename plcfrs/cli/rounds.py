"""The rounds of a training, as people see them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plcfrs.cli.options import Selection
from plcfrs.errors import InputError, TreebankError
from plcfrs.settings import setting
from plcfrs.transformation import Options, transform_all
from plcfrs.trees import Tree

if TYPE_CHECKING:
    from plcfrs.training import Runner


@dataclass(frozen=True)
class Running:
    """How the rounds of a training are scored and noted."""

    dev: str | None = setting(
        None,
        "Score the parser on this treebank after each round; the best round is saved.",
        metavar="TREEBANK",
    )
    log: str | None = setting(
        None,
        "Write a row of figures and scores for each round (cycle or epoch) as TSV.",
        metavar="FILE",
    )

    def read_development(self, options: Options, selection: Selection) -> Sequence[Tree]:
        """Return the development set, to which --sentences does not apply; report all bad trees."""
        if self.dev is None:
            selection.report()
            return []
        everything = replace(selection, sentences=None, bad=0)
        trees = list(transform_all(everything.read([self.dev]), options))
        selection.report(everything)
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to score", path=self.dev)
        return trees


@dataclass(frozen=True)
class ResumableRunning(Running):
    """How the rounds of a training that can be resumed are run."""

    resume: bool = setting(False, "Continue where the same command was interrupted.")


def check_folder(output: str) -> None:
    """Raise before a long training if the folder of its output does not exist."""
    if not Path(output).parent.is_dir():
        raise InputError(f"{output}: there is no folder {Path(output).parent}")


def run_rounds(runner: Runner[Any], checkpoint: Path | None = None) -> None:
    """Train round by round, with a progress bar; the runner can continue from the checkpoint."""
    from tqdm import tqdm  # here, for a fast start

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
