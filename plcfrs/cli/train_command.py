"""``plcfrs train``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from plcfrs.binarization import Markovization
from plcfrs.cli.options import (
    Selection,
    check_options,
    describe,
    jobs_option,
    memory_options,
    progress,
    selection_options,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.refined_training import train_refined
from plcfrs.cli.transition_training import train_transition
from plcfrs.errors import InputError, TreebankError
from plcfrs.pipeline.transition import EPOCHS, Tags
from plcfrs.refinement import Schedule, compile_trees
from plcfrs.transformation import Options, transform_all
from plcfrs.transition.settings import Settings, SystemName, Update
from plcfrs.trees import Tree

_SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
_REORDERING = ("swap", "skipshift")

# Which parsers have an option; the others are for all.
_PARSERS = {
    **dict.fromkeys(["cycles", "grammars", "jobs", "horizontal", "vertical"], ("refined",)),
    **dict.fromkeys(["epochs", "beam", "features", "update", "tags", "resume"], _SYSTEMS),
    **dict.fromkeys(["order", "importance"], _REORDERING),
}


# Substates learn what category splits say, and more; transition parsers see the words around.
@click.command("train", context_settings={"default_map": {"splits": "none"}})
@treebanks_argument
@click.option("-o", "--output", required=True, metavar="MODEL", help="Where the model is saved.")
@click.option(
    "--parser",
    type=click.Choice(["refined", *_SYSTEMS]),
    default="refined",
    show_default=True,
    help="A grammar whose symbols have substates (Petrov et al. 2006); or a transition parser: "
    "SR-GAP, or with compound gaps SR-CGAP (Coavoux and Crabbé 2017), SR-SWAP (Maier 2015) or "
    "SKIPSHIFT (Maier and Lichte 2016).",
)
@click.option(
    "--cycles",
    type=click.IntRange(0),
    metavar="N",
    default=Schedule().cycles,
    show_default=True,
    help="Refined: how often the substates are split in two.",
)
@click.option(
    "--grammars",
    type=click.IntRange(1),
    metavar="K",
    default=1,
    show_default=True,
    help="Refined: grammars from different seeds, whose product parses (Petrov 2010).",
)
@jobs_option("Refined: how many grammars are trained at the same time.")
@memory_options("1")
@click.option(
    "--epochs",
    type=click.IntRange(1),
    metavar="N",
    default=EPOCHS,
    show_default=True,
    help="Transitions: how often all trees are learned from.",
)
@click.option(
    "--beam",
    type=click.IntRange(1),
    metavar="K",
    default=Settings().beam,
    show_default=True,
    help="Transitions: how many derivations are kept at each step.",
)
@click.option(
    "--features",
    metavar="NAMES",
    help="Transitions: sets of templates. Of gap and cgap baseline,extended,spans, of swap "
    "baseline,extended,disco,spans,full-queue, of skipshift also skips.  [default: all but "
    "full-queue]",
)
@click.option(
    "--order",
    default=Settings().order,
    show_default=True,
    help="Swap, skipshift: in which order tokens are shifted where a constituent has a gap: left, "
    "right, rightd, label, or dist2 and so on.",
)
@click.option(
    "--update",
    type=click.Choice(get_args(Update)),
    help="Transitions: where in a derivation that went wrong the perceptron learns.  [default: "
    "max-violation for swap, early for the others]",
)
@click.option(
    "--importance",
    type=click.IntRange(1),
    metavar="N",
    default=Settings().importance,
    show_default=True,
    help="Swap, skipshift: how often mistakes count that concern a swap or a skip.",
)
@click.option(
    "--tags",
    type=click.Choice(get_args(Tags)),
    default="gold",
    show_default=True,
    help="Transitions: the tags to learn from, those of the trees, or those of taggers that have "
    "not seen the sentence, for a parser of words without tags.",
)
@click.option(
    "--resume", is_flag=True, help="Transitions: go on where the same command was interrupted."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="S",
    default=1,
    show_default=True,
    help="Of the first grammar, the others have S+1, S+2, ...; or of the order of the trees.",
)
@click.option(
    "--dev",
    metavar="TREEBANK",
    help="Parse its sentences after each cycle or epoch, with their tags (unless these are "
    "jackknifed), and show the scores. Of the epochs, the best one is kept.",
)
@transform_options
@selection_options
def command(
    treebanks: tuple[str, ...],
    output: str,
    parser: str,
    cycles: int,
    grammars: int,
    jobs: int,
    horizontal: float,
    vertical: float,
    epochs: int,
    beam: int,
    features: str | None,
    order: str,
    update: Update | None,
    importance: int,
    tags: Tags,
    resume: bool,
    seed: int,
    dev: str | None,
    options: Options,
    selection: Selection,
) -> None:
    """Train a parser on a treebank and save it.

    The grammar of the treebank, binarized head-outward, is refined: its symbols are split in
    two, the halves trained on the trees, and the splits that bring least undone, in several cycles.
    Or a transition parser learns to build the trees step by step, in several epochs, with a tagger
    for words without tags. The trees may have traces, which are transformed first, or crossing
    branches. The same seed gives the same model.

    \b
    Examples:
      plcfrs train nltk:treebank --sentences 1-3396 -o wsj.refined
      plcfrs train nltk:treebank --sentences 1-3396 --grammars 4 --jobs 2 -o wsj4.refined
      plcfrs train train.export --parser gap --dev dev.export --head-rules negra -o german.gap
    """  # noqa: D301
    check_options(_PARSERS, parser, f"--parser {parser}")
    if not Path(output).parent.is_dir():
        raise InputError(f"{output}: there is no folder {Path(output).parent}")
    settings = None
    if parser != "refined":
        names = tuple(features.split(",")) if features else ()
        settings = Settings(parser, names, order, beam, update, importance, seed)  # type: ignore[arg-type]
    trees = progress(transform_all(selection.read(treebanks), options), "read")
    about = describe(options)
    if settings is None:
        markovization = Markovization("head-outward", horizontal, vertical)
        training = compile_trees(trees, markovization)
        development = _read_development(dev, options, selection)
        seeds = range(seed, seed + grammars)
        train_refined(training, development, output, about, Schedule(cycles), seeds, jobs)
    else:
        learned = list(trees)
        development = _read_development(dev, options, selection)
        train_transition(learned, development, output, about, settings, epochs, tags, resume=resume)


def _read_development(dev: str | None, options: Options, selection: Selection) -> list[Tree]:
    """Return the trees of the development set, and report on all that was read.

    The ranges of --sentences are not for them.
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
