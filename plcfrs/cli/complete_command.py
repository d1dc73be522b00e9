"""``plcfrs complete``, and ``plcfrs train completion``, which makes its models."""

from __future__ import annotations

from dataclasses import dataclass

import click

from plcfrs.cli.command import argument, command_of, group, treebanks_argument
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import format_setting, output_setting, progress, saved, saved_setting
from plcfrs.parsing.registry import load_completer
from plcfrs.settings import setting
from plcfrs.storage.files import check_folder
from plcfrs.transformation import Options
from plcfrs.transformation.presets import change_all
from plcfrs.treebank import TreeWriter
from plcfrs.wording import counted


@dataclass(frozen=True)
class CompleteOptions:
    """The options of ``plcfrs complete``."""

    model: str = argument("MODEL")
    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = output_setting()
    to: str | None = format_setting()
    input: InputOptions = group(InputOptions)


@command_of("complete", CompleteOptions())
def command(chosen: CompleteOptions) -> None:
    """Give trees functions, null elements and indices, as their treebank would have them.

    The trees may come from any parser. MODEL is a parser of any family that has learned them (see
    plcfrs train --annotation), or a model of plcfrs train completion. With --to penn, the traces
    are in the trees, and branches no longer cross; with --to json, they are beside them.

    \b
    Examples:
      plcfrs complete plcfrs:english trees.export --to penn
      plcfrs train completion nltk:treebank --sentences 1-3396 -o wsj.completion
      plcfrs complete wsj.completion parses.discbracket --to penn -o parses.mrg
    """  # noqa: D301
    complete = load_completer(chosen.model)
    refuse_dependencies(chosen.treebanks, chosen.input.format)
    trees = progress(chosen.input.read(chosen.treebanks), "complete")
    with saved(TreeWriter(chosen.output, chosen.to), chosen.output, chosen.input) as output:
        for tree in trees:
            output.write(complete(tree))
    chosen.input.report()


@dataclass(frozen=True)
class TrainCompletionOptions:
    """The options of ``plcfrs train completion``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = saved_setting("Where the model is saved.")
    seed: int = setting(1, "Seed of the order of the trees.", least=0)
    options: Options = group(Options)
    input: InputOptions = group(InputOptions)


@command_of("completion", TrainCompletionOptions(), short_help="functions, nulls and indices")
def train_command(chosen: TrainCompletionOptions) -> None:
    """Learn to give trees functions, null elements and indices: see plcfrs complete.

    The trees are transformed as for a parser, so give the options that were used for the parser.

    \b
    Example:
      plcfrs train completion nltk:treebank --sentences 1-3396 -o wsj.completion
    """  # noqa: D301
    from plcfrs.completion import Completion

    check_folder(chosen.output)
    refuse_dependencies(chosen.treebanks, chosen.input.format)
    trees = progress(chosen.input.read(chosen.treebanks), "read")
    annotated = change_all(trees, chosen.options, annotation=True)
    completion = Completion.train(annotated, chosen.options, chosen.seed)
    chosen.input.report()
    completion.save(chosen.output)
    for name, size in completion.sizes.items():
        click.echo(f"{name}: {counted(size, 'label')}", err=True)
