"""``plcfrs extract``, which is also ``plcfrs train grammar``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import click

from plcfrs.cli.command import command_of, group
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.options import Selection, progress, saved_setting, treebanks_argument
from plcfrs.cli.train_command import Running, run_rounds
from plcfrs.corpus.extraction import extract_corpus
from plcfrs.errors import TreebankError
from plcfrs.grammar.extraction import PRESETS, Recipe
from plcfrs.grammar.report import oddities
from plcfrs.settings import setting
from plcfrs.storage.files import check_folder
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.transformation.presets import describe


@dataclass(frozen=True)
class Extract:
    """The options of ``plcfrs extract``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = saved_setting(
        "Where the grammar is saved; as YAML if the name ends in .yaml.", "GRAMMAR"
    )
    recipe: Recipe = group(Recipe)
    jobs: int = setting(
        1, "Number of processes that count rules; the grammar is the same.", least=1
    )
    running: Running = group(Running)
    options: Options = group(Options)
    selection: Selection = group(Selection)


@command_of("extract", Extract(), presets=dict(PRESETS))
def command(chosen: Extract) -> None:
    """Extract a PLCFRS from a treebank, binarize it and save it.

    The trees may have crossing branches, or traces, which are first turned into crossing branches.
    plcfrs train grammar is another name of this command.

    \b
    Examples:
      plcfrs extract nltk:treebank --sentences 1-3396 -o wsj.plcfrs
      plcfrs extract tiger.xml --punctuation low --head-rules negra --preset kallmeyer-maier \\
        -o tiger.plcfrs
    """  # noqa: D301
    check_folder(chosen.output)
    recipe, selection, treebanks = chosen.recipe, chosen.selection, chosen.treebanks
    refuse_dependencies(treebanks, selection.format)
    grammar = extract_corpus(
        progress(selection.texts(treebanks), "extract", partial(selection.count_read, treebanks)),
        recipe,
        chosen.options,
        selection=selection.trees,
        on_error=selection.on_error,
        jobs=chosen.jobs,
    )
    grammar.options = {**describe(chosen.options), **grammar.options}
    development = chosen.running.read_development(chosen.options, selection)
    if not grammar.rules:
        raise TreebankError("no trees were selected: there is no grammar to extract")
    click.echo(f"grammar: {grammar}", err=True)
    for line in oddities(grammar):
        click.echo(line, err=True)
    binarized = grammar
    if grammar.rank() > 2 and recipe.binarization != "none":
        binarized = recipe.binarize(grammar)
        click.echo(f"binarized: {binarized}", err=True)
    if development or chosen.running.log:
        from plcfrs.learning.runner import Runner
        from plcfrs.parsing.registry import find_family  # here, since Numba takes long to import

        trainer = find_family(DEFAULT_KIND).trainer((), recipe, {}, extracted=grammar)
        runner = Runner(trainer, development, log=chosen.running.log)
        run_rounds(runner)
        if development:
            binarized.shifts = runner.finish().grammar.shifts
    binarized.save(chosen.output)
