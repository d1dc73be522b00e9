"""``plcfrs train``: a subcommand for each family of parsers, with options for its settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from plcfrs.cli import complete_command, extract_command
from plcfrs.cli.annotation import annotation_setting, say_annotation
from plcfrs.cli.command import SuggestingGroup, command_of, group, treebanks_argument
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress, saved_setting
from plcfrs.cli.rounds import (
    ResumableRoundOptions,
    RoundOptions,
    checkpoint_of,
    naming_checkpoint,
    run_rounds,
)
from plcfrs.learning.runner import Runner
from plcfrs.parsing.registry import MODULES, Family, find_family
from plcfrs.storage.files import check_folder
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.transformation.presets import describe
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.reading import trainable_trees
from plcfrs.wording import counted

_HELP = """Train {title} on a treebank and save it.

The trees may have crossing branches or traces; traces are first turned into crossing
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
        return [*MODULES, "completion"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Make the command of a family."""
        if cmd_name == DEFAULT_KIND:  # it need not keep the trees in memory
            return extract_command.command
        if cmd_name == "completion":
            return complete_command.train_command
        return _family_command(find_family(cmd_name)) if cmd_name in MODULES else None


@dataclass(frozen=True)
class TrainOptions:
    """The options of ``plcfrs train FAMILY``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = saved_setting("Where the model is saved.")
    settings: Any = None  # of the family
    annotation: tuple[str, ...] = annotation_setting()
    rounds: RoundOptions = group(RoundOptions)
    options: Options = group(Options)
    input: InputOptions = group(InputOptions)


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
    rounds = ResumableRoundOptions() if can_resume else RoundOptions()

    @command_of(
        family.kind,
        TrainOptions(settings=family.settings, rounds=rounds, options=family.transformation),
        presets=dict(family.presets),
        short_help=family.title,
        help=_HELP.format(
            title=family.title,
            kind=family.kind,
            extension=family.extension,
            rounds=_ROUNDS if can_resume else "",
        ),
    )
    def train(chosen: TrainOptions) -> None:
        from plcfrs.completion import Completion  # here, since Numba takes long to import
        from plcfrs.completion.lessons import TreeLessons

        check_folder(chosen.output)
        refuse_dependencies(chosen.treebanks, chosen.input.format)
        lessons = TreeLessons(chosen.options, chosen.annotation if family.is_annotated else ())
        read = lessons.transformed(chosen.input.read(chosen.treebanks))
        trees = compile_trees(progress(trainable_trees(read, chosen.input.on_error), "read"))
        development = chosen.rounds.read_development(chosen.options, chosen.input)
        tokens = sum(len(tree.tokens) for tree in trees)
        size = f"{counted(len(trees), 'tree')}, {counted(tokens, 'token')}"
        trainer = family.trainer(trees, chosen.settings, describe(chosen.options))
        click.echo(f"training set: {size}", err=True)
        del trees  # the trainer keeps what it needs in less memory
        completion = Completion.of(lessons)
        say_annotation(completion)
        del lessons
        for line in trainer.introduction:
            click.echo(line, err=True)
        checkpoint = checkpoint_of(chosen.output)
        runner = Runner(trainer, development, checkpoint=checkpoint, log=chosen.rounds.log)
        _resume_if_wanted(runner, checkpoint, chosen.rounds)
        with naming_checkpoint(chosen.output, can_resume=can_resume):
            run_rounds(runner)
            runner.finish(completion).save(chosen.output)
        if trainer.patience is not None and runner.done != trainer.rounds[-1]:
            click.echo(f"no better score in {counted(trainer.patience, trainer.unit)}", err=True)
        if development and len(trainer.rounds) > 1:
            click.echo(f"best {trainer.unit}: {runner.best}", err=True)

    return train


def _resume_if_wanted(runner: Runner[Any], checkpoint: Path, rounds: RoundOptions) -> None:
    """Continue an earlier run with --resume; say what happens to its checkpoint."""
    trainer = runner.trainer
    resume = isinstance(rounds, ResumableRoundOptions) and rounds.resume
    if resume and checkpoint.exists():
        runner.resume(checkpoint)
        click.echo(f"resuming after {trainer.unit} {runner.done}", err=True)
    elif resume:
        click.echo(f"no checkpoint: starting at {trainer.unit} {trainer.rounds[0]}", err=True)
    elif checkpoint.exists():
        click.echo(
            f"warning: {checkpoint} of an interrupted run will be replaced; to continue that run, "
            "use --resume",
            err=True,
        )
