"""``plcfrs convert``."""

from __future__ import annotations

from pathlib import Path

import click

from plcfrs.cli.options import (
    Selection,
    output_options,
    progress,
    selection_options,
    treebanks_argument,
)
from plcfrs.cli.output import tree_output
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar
from plcfrs.grammar.formats import FORMATS, grammar_format_of, recognize_grammar


@click.command("convert")
@treebanks_argument
@output_options
@selection_options
@click.pass_context
def command(
    context: click.Context,
    treebanks: tuple[str, ...],
    output: str,
    to: str | None,
    selection: Selection,
) -> None:
    """Convert treebanks or a grammar from one format to another.

    Trees are converted one by one. A plcfrs grammar is recognized by its first line, other
    grammars by their extension: .rules (disco-dop, with .lex beside it), .rcg (rparse) or .pmcfg.
    The extension of the output decides its format: one of these, .plcfrs or .yaml.

    \b
    Examples:
      plcfrs convert negra.export -o negra.discbracket
      plcfrs convert negra.plcfrs -o negra.rules
    """  # noqa: D301
    if selection.format is None and any(map(recognize_grammar, treebanks)):
        _refuse_options_of_trees(context)
        _convert_grammar(treebanks, output)
        return
    if to is None and grammar_format_of(output):
        raise InputError(_no_grammar(treebanks))
    with tree_output(output, to) as writer:
        for tree in progress(selection.read(treebanks), "convert"):
            writer.write(tree)
    selection.report()


def _convert_grammar(grammars: tuple[str, ...], output: str) -> None:
    if len(grammars) > 1:
        raise InputError(f"{grammars[0]} is a grammar: only one can be converted at a time")
    if grammar_format_of(output) is None:
        extensions = ", ".join(extension for form in FORMATS for extension in form.extensions)
        raise InputError(
            f"{grammars[0]} is a grammar: give an output file with -o that ends in one of "
            f"{extensions}"
        )
    Grammar.load(grammars[0]).save(output)


def _no_grammar(names: tuple[str, ...]) -> str:
    """Return what to do instead of converting files that are no grammars to a grammar."""
    from plcfrs.storage.model_file import kind_of  # here, because it takes a tenth of a second

    for path in filter(Path.is_file, map(Path, names)):
        if (kind := kind_of(path)) != "grammar":
            return (
                f"{path} is a trained {kind} parser: only grammars and treebanks can be converted"
            )
    return f"{names[0]} is not a grammar: to make one of a treebank, use plcfrs extract"


def _refuse_options_of_trees(context: click.Context) -> None:
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        given = source is click.core.ParameterSource.COMMANDLINE
        if given and option.name not in ("treebanks", "output"):
            raise click.UsageError(f"{option.opts[0]} is for treebanks, not for a grammar.")
