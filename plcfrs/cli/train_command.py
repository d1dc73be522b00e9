"""``plcfrs train``: a subcommand for each family of parsers, with options for its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from plcfrs.cli.dependencies import refuse_dependencies
from plcfrs.cli.options import (
    Selection,
    progress,
    selection_options,
    splits_of,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.rounds import check_folder, run_rounds
from plcfrs.cli.settings_options import preset_option, settings_options
from plcfrs.cli.suggesting_group import SuggestingGroup
from plcfrs.errors import TreebankError
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.registry import MODULES, find_family
from plcfrs.text import counted
from plcfrs.training import Runner
from plcfrs.transformation import Options, transform_all
from plcfrs.transformation.description import describe
from plcfrs.trees import Tree

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
        return _command(find_family(cmd_name)) if cmd_name in MODULES else None


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
    splits = splits_of(family.transformation)

    @click.command(
        family.kind,
        short_help=family.title,
        help=_HELP.format(
            title=family.title,
            kind=family.kind,
            extension=family.extension,
            rounds=_ROUNDS if family.can("resume") else "",
        ),
        context_settings={"default_map": {"splits": splits}},
    )
    @treebanks_argument
    @click.option(
        "-o", "--output", required=True, metavar="MODEL", help="Where the model is saved."
    )
    @settings_options(family.settings)
    @_running_options(family)
    @transform_options
    @selection_options
    def train(
        treebanks: tuple[str, ...],
        output: str,
        settings: Any,  # noqa: ANN401 (of the family)
        dev: str | None,
        log: str | None,
        options: Options,
        selection: Selection,
        resume: bool = False,
    ) -> None:
        check_folder(output)
        refuse_dependencies(treebanks, selection.format)
        trees = list(progress(transform_all(selection.read(treebanks), options), "read"))
        development = _read_development(dev, options, selection)
        tokens = sum(len(tree.tokens) for tree in trees)
        size = f"{counted(len(trees), 'tree')}, {counted(tokens, 'token')}"
        trainer = family.trainer(trees, settings, describe(options))
        click.echo(f"training set: {size}", err=True)
        del trees  # the trainer keeps what it needs of them, in less memory
        for line in trainer.introduction:
            click.echo(line, err=True)
        checkpoint = Path(f"{output}.checkpoint")
        runner = Runner(trainer, development, checkpoint=checkpoint, log=log)
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
        run_rounds(runner, checkpoint)
        if trainer.patience is not None and runner.done != trainer.rounds[-1]:
            click.echo(f"no better score in {counted(trainer.patience, trainer.unit)}", err=True)
        if development and len(trainer.rounds) > 1:
            click.echo(f"best {trainer.unit}: {runner.best}", err=True)
        runner.model.save(output)
        checkpoint.unlink(missing_ok=True)

    return train


def _running_options(family: Family) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of the run: --dev, --log and, if the family has them, --preset, --resume."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        if family.can("resume"):
            function = click.option(
                "--resume", is_flag=True, help="Continue where the same command was interrupted."
            )(function)
        if family.presets:
            function = preset_option(family.presets)(function)
        function = click.option(
            "--log",
            metavar="FILE",
            help="Write a row of figures and scores for each round (cycle or epoch) as TSV.",
        )(function)
        return click.option(
            "--dev",
            metavar="TREEBANK",
            help="Score the parser on this treebank after each round; the best round is saved.",
        )(function)

    return add


def _read_development(dev: str | None, options: Options, selection: Selection) -> Sequence[Tree]:
    """Return the trees of the development set, and report malformed trees of both sets.

    The ranges of --sentences do not apply to them.
    """
    if dev is None:
        selection.report()
        return []
    everything = replace(selection, sentences=None, bad=0)
    trees = list(transform_all(everything.read([dev]), options))
    selection.bad += everything.bad
    selection.report()
    if not trees:
        raise TreebankError("no trees were selected: there is nothing to score", path=dev)
    return trees
