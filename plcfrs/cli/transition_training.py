"""``plcfrs train --parser gap`` and its like: what is done, and what is shown of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from tqdm import tqdm

from plcfrs.cli.announce import announce_compilation
from plcfrs.pipeline.learning import Epoch, Learning
from plcfrs.pipeline.transition import Tags
from plcfrs.transition.settings import Settings
from plcfrs.trees import Tree


def train_transition(
    trees: list[Tree],
    development: list[Tree],
    output: str,
    options: dict[str, str],
    settings: Settings,
    epochs: int,
    tags: Tags,
    *,
    resume: bool,
) -> None:
    """Train a transition parser and save that of the best epoch.

    Parameters
    ----------
    trees, development : list of Tree
        The training set, and the one that is parsed after each epoch.
    output : str
        Beside it there is a checkpoint until the training is complete.
    options : dict of str to str
        What the file says of the trees.
    settings : Settings
    epochs : int
    tags : {"gold", "jackknifed"}
    resume : bool
        Whether to go on from the checkpoint, if there is one.
    """
    announce_compilation("transition training")
    tokens = sum(len(tree.tokens) for tree in trees)
    click.echo(f"training set: {len(trees)} trees, {tokens} tokens", err=True)
    learning = Learning(trees, settings, tags, development, options)
    checkpoint = Path(f"{output}.checkpoint")
    if resume and checkpoint.exists():
        learning.resume(checkpoint)
        click.echo(f"going on behind epoch {learning.epochs}", err=True)
    done = learning.epochs
    with (
        _kept(checkpoint),
        tqdm(
            total=epochs, initial=done, desc="train", unit=" epochs", disable=None, leave=False
        ) as bar,
    ):
        for _ in range(done, epochs):
            epoch = learning.run_epoch()
            learning.save(checkpoint)
            bar.update()
            tqdm.write(_line(epoch), file=sys.stderr)
    if development:
        click.echo(f"the best epoch is kept: {learning.best}", err=True)
    learning.model.save(output)
    checkpoint.unlink()


@contextmanager
def _kept(checkpoint: Path) -> Iterator[None]:
    """Say how to go on if the training is interrupted."""
    try:
        yield
    except BaseException:
        if checkpoint.exists():
            click.echo(
                f"what is complete is in {checkpoint}; with --resume, the same command goes on",
                err=True,
            )
        raise


def _line(epoch: Epoch) -> str:
    line = (
        f"epoch {epoch.number}: {epoch.mistakes} of {epoch.sentences} sentences wrong, "
        f"{epoch.seconds:.2f} s CPU"
    )
    if epoch.f1 is None:
        return line
    return f"{line}, F1 {epoch.f1:.2f}, discontinuous {epoch.discontinuous_f1:.2f}"
