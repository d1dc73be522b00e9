"""``plcfrs annotate train``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
from tqdm import tqdm

from plcfrs.annotating.training import DEFAULT_FAMILY, curve, learn
from plcfrs.cli.command import argument, command_of
from plcfrs.parsing.registry import MODULES
from plcfrs.settings import setting


@dataclass(frozen=True)
class AnnotateTrainOptions:
    """The options of ``plcfrs annotate train``."""

    folder: str = argument()
    family: str = setting(DEFAULT_FAMILY, "Family of the parser.", choices=(*MODULES,)[:-1])
    base: str = setting(
        "",
        "A treebank to learn from, too.  [default: base in project.toml]",
        metavar="TREEBANK",
    )


@command_of("train", AnnotateTrainOptions())
def command(chosen: AnnotateTrainOptions) -> None:
    """Train a parser on the accepted trees of a project.

    A tenth of the sentences is never learned. The new parser is tried on the accepted trees of
    this tenth; if its F1 is not lower than that of the parser before it, it proposes trees from
    then on, in a page that is open, too. The first parser needs 50 accepted trees. The file
    learning.jsonl has a line for each training.

    \b
    Examples:
      plcfrs annotate train my-treebank
      plcfrs annotate train my-treebank --family gap --base nltk:treebank
    """  # noqa: D301
    folder = Path(chosen.folder)
    with tqdm(disable=None, leave=False) as bar:

        def say(stage: str, done: int, total: int) -> None:
            bar.set_description(stage, refresh=False)
            bar.total, bar.n = total, done
            bar.refresh()

        learn(folder, chosen.family, chosen.base, say)
    for step in curve(folder):
        click.echo(step)
