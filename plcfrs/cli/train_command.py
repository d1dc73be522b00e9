"""``plcfrs train``: a subcommand for each family of parsers, with options for its settings."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from plcfrs.cli.command import SuggestingGroup, command_of, group
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.options import Selection, progress, saved_setting, treebanks_argument
from plcfrs.errors import TreebankError
from plcfrs.learning.runner import Runner
from plcfrs.parsing.registry import MODULES, Family, find_family
from plcfrs.settings import setting
from plcfrs.storage.files import check_folder
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options, transform_all
from plcfrs.transformation.presets import describe
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.reading import trainable_trees
from plcfrs.trees import Tree
from plcfrs.wording import counted


@dataclass(frozen=True)
class Running:
    """How the rounds of a training are scored and logged."""

    dev: str | None = setting(
        None,
        "Score the parser on this treebank after each round, save the best round, and fit "
        "probabilities or bounds of the search to it.",
        metavar="TREEBANK",
    )
    log: str | None = setting(
        None,
        "Write a row of figures and scores for each round (cycle or epoch) as TSV.",
        metavar="FILE",
        is_output=True,
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


def checkpoint_of(output: str) -> Path:
    """Return the file that keeps what is finished until a model is saved."""
    return Path(f"{output}.checkpoint")


@contextmanager
def naming_checkpoint(output: str, *, can_resume: bool = False) -> Iterator[None]:
    """Remove the checkpoint when all is done; if anything fails, say that it has what is done."""
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
    left = runner.left
    with tqdm(total=trainer.steps, unit=" steps", disable=None, leave=False) as bar:

        def begin(number: int) -> None:
            bar.reset()
            bar.set_description(f"{trainer.unit} {number}")

        if left:
            begin(left[0])
        for done in runner.rounds(bar.update):
            tqdm.write(str(done), file=sys.stderr)
            begin(done.number + 1)


_HELP = """Train {title} on a treebank and save it.

The trees may have crossing branches, or traces, which are first turned into crossing
branches.{rounds}

\b
Example:
  plcfrs train {kind} nltk:treebank --sentences 1-3396 -o wsj.{extension}
"""

_ROUNDS = """ The same seed gives the same model. With --dev, the cycle or epoch with the best
score is saved."""


class _Families(SuggestingGroup):
    """A group with a subcommand for each family."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the families in the order of the registry."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Make the command of a family."""
        if cmd_name == DEFAULT_KIND:  # it streams the trees
            from plcfrs.cli.extract_command import command as extract

            return extract
        return _family_command(find_family(cmd_name)) if cmd_name in MODULES else None


@dataclass(frozen=True)
class Train:
    """The options of the training of a family."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = saved_setting("Where the model is saved.")
    settings: Any = None  # of the family
    running: Running = group(Running)
    options: Options = group(Options)
    selection: Selection = group(Selection)


@click.group("train", cls=_Families)
def command() -> None:
    """Train a parser on a treebank and save it.

    \b
    Examples:
      plcfrs train refined nltk:treebank --sentences 1-3396 -o wsj.refined
      plcfrs train gap train.export --dev dev.export --head-rules negra -o german.gap
    """  # noqa: D301


def _family_command(family: Family) -> click.Command:
    """Return the command that trains a parser of a family."""
    can_resume = family.can("resume")
    running = ResumableRunning() if can_resume else Running()

    @command_of(
        family.kind,
        Train(settings=family.settings, running=running, options=family.transformation),
        presets=dict(family.presets),
        short_help=family.title,
        help=_HELP.format(
            title=family.title,
            kind=family.kind,
            extension=family.extension,
            rounds=_ROUNDS if can_resume else "",
        ),
    )
    def train(chosen: Train) -> None:
        check_folder(chosen.output)
        refuse_dependencies(chosen.treebanks, chosen.selection.format)
        read = transform_all(chosen.selection.read(chosen.treebanks), chosen.options)
        trees = compile_trees(progress(trainable_trees(read, chosen.selection.on_error), "read"))
        development = chosen.running.read_development(chosen.options, chosen.selection)
        tokens = sum(len(tree.tokens) for tree in trees)
        size = f"{counted(len(trees), 'tree')}, {counted(tokens, 'token')}"
        trainer = family.trainer(trees, chosen.settings, describe(chosen.options))
        click.echo(f"training set: {size}", err=True)
        del trees  # the trainer keeps what it needs of them, in less memory
        for line in trainer.introduction:
            click.echo(line, err=True)
        checkpoint = checkpoint_of(chosen.output)
        runner = Runner(trainer, development, checkpoint=checkpoint, log=chosen.running.log)
        _resume_if_wanted(runner, checkpoint, chosen.running)
        with naming_checkpoint(chosen.output, can_resume=can_resume):
            run_rounds(runner)
            runner.finish().save(chosen.output)
        if trainer.patience is not None and runner.done != trainer.rounds[-1]:
            click.echo(f"no better score in {counted(trainer.patience, trainer.unit)}", err=True)
        if development and len(trainer.rounds) > 1:
            click.echo(f"best {trainer.unit}: {runner.best}", err=True)

    return train


def _resume_if_wanted(runner: Runner[Any], checkpoint: Path, running: Running) -> None:
    """Continue an earlier run if this is wanted, and say what happens with it."""
    trainer = runner.trainer
    resume = isinstance(running, ResumableRunning) and running.resume
    if resume and checkpoint.exists():
        runner.resume(checkpoint)
        click.echo(f"resuming after {trainer.unit} {runner.done}", err=True)
    elif resume:
        click.echo(f"no checkpoint: starting at {trainer.unit} {trainer.rounds[0]}", err=True)
    elif checkpoint.exists():
        click.echo(
            f"warning: {checkpoint} of an interrupted run will be replaced; with --resume, "
            "that run continues",
            err=True,
        )
