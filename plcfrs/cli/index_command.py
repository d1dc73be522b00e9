"""``plcfrs index``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import click

from plcfrs.cli.command import command_of, group, treebanks_argument
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress, saved_setting
from plcfrs.corpus.indexing import compile_corpus
from plcfrs.errors import InputError
from plcfrs.settings import setting
from plcfrs.storage.files import check_folder
from plcfrs.transformation import Options
from plcfrs.treebank.registry import COMPILED
from plcfrs.wording import counted


@dataclass(frozen=True)
class IndexOptions:
    """The options of ``plcfrs index``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = saved_setting("Where the treebank is saved.", "FILE.treebank")
    transform: bool = setting(
        False, "First turn traces into crossing branches, and change the trees in other ways."
    )
    write_splits: bool = setting(False, "Keep category splits, as in S^WH.")
    jobs: int = setting(1, "Number of processes; the file is the same.", least=1)
    options: Options = group(Options)
    input: InputOptions = group(InputOptions)


@command_of("index", IndexOptions())
def command(chosen: IndexOptions) -> None:
    """Compile a treebank into one file that is fast to search.

    The file contains all of the treebank: identifiers, functions, lemmas, morphology, secondary
    edges, crossing branches. All commands read it like any other treebank; plcfrs convert converts
    it back. It is mapped into memory: a million tokens take about 30 MB.

    \b
    Examples:
      plcfrs index nltk:treebank --transform -o wsj.treebank
      plcfrs find wsj.treebank 'VP[discontinuous] <~ MD|VBD|VBP|VBZ'
      plcfrs convert wsj.treebank -o wsj.export
    """  # noqa: D301
    check_folder(chosen.output)
    if not chosen.output.endswith(COMPILED.extensions):
        raise InputError(f"{chosen.output}: the name must end in {COMPILED.extensions[0]}")
    input, treebanks = chosen.input, chosen.treebanks
    refuse_dependencies(treebanks, input.format)
    if not chosen.transform and chosen.options != Options():
        raise InputError("options of the transformation need --transform")
    options = chosen.options if chosen.write_splits else replace(chosen.options, splits=())
    texts = input.texts(treebanks)
    trees = compile_corpus(
        progress(texts, "index", partial(input.count_read, treebanks)),
        options if chosen.transform else None,
        selection=input.selection,
        on_error=input.on_error,
        jobs=chosen.jobs,
    )
    if not len(trees):
        input.check_selected(treebanks)
        raise InputError(f"{', '.join(treebanks[:3])}: no trees")
    trees.save(chosen.output)
    input.report()
    tokens = int(trees.tree_numbers[-1]) - len(trees)
    click.echo(f"{counted(len(trees), 'tree')}, {counted(tokens, 'token')}", err=True)
