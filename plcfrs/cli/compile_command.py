"""``plcfrs compile``."""

from __future__ import annotations

from dataclasses import dataclass

import click

from plcfrs.budget import Budget
from plcfrs.cli.command import argument, command_of
from plcfrs.compiling import watchers
from plcfrs.forest.preparation import prepare
from plcfrs.grammar.formats import check_is_model
from plcfrs.parsing.registry import load_model
from plcfrs.parsing.sentence import Input
from plcfrs.treebank import read_trees
from plcfrs.treebank.files import DEMO

_BUDGET = Budget(max_seconds=1.0)  # for a sentence


@dataclass(frozen=True)
class CompileOptions:
    """The options of ``plcfrs compile``."""

    models: tuple[str, ...] = argument("[MODEL]...", nargs=-1, default=("plcfrs:english",))


@command_of("compile", CompileOptions())
def command(chosen: CompileOptions) -> None:
    """Compile the kernels of models, so that their first sentences need not wait.

    Without this command, each kernel of a parser is compiled when a sentence first needs it.
    Compiled kernels are kept in the user's cache directory, or in the directory NUMBA_CACHE_DIR; if
    they cannot be saved, the exit code is 1. MODEL is plcfrs:english by default.

    \b
    Examples:
      plcfrs compile
      NUMBA_CACHE_DIR=/opt/plcfrs plcfrs compile plcfrs:english wsj.gap
    """  # noqa: D301
    from plcfrs.jit import CACHE, interpreter  # here, since Numba is slow to import

    interpreter.stop()
    trees = list(read_trees(DEMO))
    # Several sentences in one are hard to parse, which needs more kernels.
    tokens = [token for tree in trees[:6] for token in tree.tokens if not token.is_null]
    tagged = [(token.form, token.tag) for token in tokens]
    sentences: list[Input] = [*trees, *(tree.words() for tree in trees), tagged]
    troubles: list[str] = []  # one for each compiled kernel, often empty
    watchers.add(troubles.append)
    try:
        for name in chosen.models:
            check_is_model(name)
            model = load_model(name, _BUDGET)
            prepare(model)
            model.parse_together(sentences)
    finally:
        watchers.discard(troubles.append)
    if any(troubles):
        raise OSError(0, "the compiled kernels could not be saved", str(CACHE))
    click.echo(f"{len(troubles)} kernels were compiled; all are in {CACHE}", err=True)
