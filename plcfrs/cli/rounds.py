"""The rounds of a training, their scores and log, and their checkpoint."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from plcfrs.cli.input import InputOptions
from plcfrs.errors import TreebankError
from plcfrs.learning.runner import Runner
from plcfrs.settings import setting
from plcfrs.transformation import Options, transform_all
from plcfrs.trees import Tree


@dataclass(frozen=True)
class RoundOptions:
    """How the rounds of a training are scored and logged."""

    dev: str | None = setting(
        None,
        "Score the parser on this treebank after each round, and save the best round; fit "
        "probabilities or bounds of the search to this treebank.",
        metavar="TREEBANK",
    )
    log: str | None = setting(
        None,
        "Write a row with the scores of each round (cycle or epoch) as TSV.",
        metavar="FILE",
        is_output=True,
    )

    def read_development(self, options: Options, input: InputOptions) -> Sequence[Tree]:
        """Return the development set, without --sentences, and report all malformed trees."""
        if self.dev is None:
            input.report()
            return []
        everything = replace(input, sentences=None, bad=0)
        trees = list(transform_all(everything.read([self.dev]), options))
        input.report(everything)
        if not trees:
            raise TreebankError(
                "no trees were selected, so there is nothing to score", path=self.dev
            )
        return trees


@dataclass(frozen=True)
class ResumableRoundOptions(RoundOptions):
    """How the rounds of a training are scored, logged and resumed."""

    resume: bool = setting(False, "Continue where the same command was interrupted.")


def checkpoint_of(output: str) -> Path:
    """Return the file that keeps finished rounds until the model is saved."""
    return Path(f"{output}.checkpoint")


@contextmanager
def naming_checkpoint(output: str, *, can_resume: bool = False) -> Iterator[None]:
    """Remove the checkpoint at the end; if the training fails, say what is in it."""
    checkpoint = checkpoint_of(output)
    try:
        yield
    except BaseException:
        if checkpoint.exists() and can_resume:
            click.echo(
                f"the finished rounds are in {checkpoint}: to continue, run the same command with "
                "--resume",
                err=True,
            )
        elif checkpoint.exists():
            click.echo(f"the model so far is in {checkpoint}", err=True)
        raise
    checkpoint.unlink(missing_ok=True)


def run_rounds(runner: Runner[Any]) -> None:
    """Train round by round, with a progress bar."""
    from tqdm import tqdm  # here, for a fast start

    trainer = runner.trainer
    remaining = runner.left
    with tqdm(total=trainer.steps, unit=" steps", disable=None, leave=False) as bar:

        def begin(number: int) -> None:
            bar.reset()
            bar.set_description(f"{trainer.unit} {number}")

        if remaining:
            begin(remaining[0])
        for done in runner.rounds(bar.update):
            tqdm.write(str(done), file=sys.stderr)
            begin(done.number + 1)
