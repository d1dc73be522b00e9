"""``plcfrs train``: a subcommand for each family of parsers, with options for its settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from plcfrs.cli.command import command_of, group
from plcfrs.cli.dependencies import refuse_dependencies
from plcfrs.cli.options import Selection, progress, saved_setting, treebanks_argument
from plcfrs.cli.rounds import ResumableRunning, Running, check_folder, run_rounds
from plcfrs.cli.suggesting_group import SuggestingGroup
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.registry import MODULES, find_family
from plcfrs.text import counted
from plcfrs.training import Runner
from plcfrs.transformation import Options, transform_all
from plcfrs.transformation.description import describe

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
        if cmd_name == "grammar":  # it streams the trees
            from plcfrs.cli.extract_command import command as extract

            return extract
        return _command(find_family(cmd_name)) if cmd_name in MODULES else None


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


def _command(family: Family) -> click.Command:
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
        read = chosen.selection.read(chosen.treebanks)
        trees = list(progress(transform_all(read, chosen.options), "read"))
        development = chosen.running.read_development(chosen.options, chosen.selection)
        tokens = sum(len(tree.tokens) for tree in trees)
        size = f"{counted(len(trees), 'tree')}, {counted(tokens, 'token')}"
        trainer = family.trainer(trees, chosen.settings, describe(chosen.options))
        click.echo(f"training set: {size}", err=True)
        del trees  # the trainer keeps what it needs of them, in less memory
        for line in trainer.introduction:
            click.echo(line, err=True)
        checkpoint = Path(f"{chosen.output}.checkpoint")
        runner = Runner(trainer, development, checkpoint=checkpoint, log=chosen.running.log)
        _resume(runner, checkpoint, chosen.running)
        run_rounds(runner, checkpoint)
        if trainer.patience is not None and runner.done != trainer.rounds[-1]:
            click.echo(f"no better score in {counted(trainer.patience, trainer.unit)}", err=True)
        if development and len(trainer.rounds) > 1:
            click.echo(f"best {trainer.unit}: {runner.best}", err=True)
        runner.model.save(chosen.output)
        checkpoint.unlink(missing_ok=True)

    return train


def _resume(runner: Runner[Any], checkpoint: Path, running: Running) -> None:
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
