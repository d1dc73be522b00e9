"""``plcfrs draw`` for files with dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from plcfrs.cli.options import Selection
from plcfrs.drawing import AnyPicture, picture_of
from plcfrs.evaluation import wrong_words
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.trees import DependencyTree


def dependency_rows(
    selection: Selection,
    treebanks: Sequence[str],
    against: Sequence[str],
    beside: Sequence[str],
    *,
    gaps: bool,
    only_different: bool,
) -> Iterator[list[AnyPicture]]:
    """Yield the pictures of each sentence: the tree, its parses, and other trees.

    Words whose head or relation differs from that of a parse are marked.
    """
    sources = {"tree": selection.read_dependencies(treebanks)}
    for number, name in enumerate([*against, *beside], start=1):
        others = replace(selection, format=None)
        sources[f"parse {number}"] = others.read_dependencies([name])
    seen = found = 0
    for tree, *others_of_it in align_sentences(sources, {}):
        seen += 1
        wrong = [wrong_words(tree, parse) for parse in others_of_it[: len(against)]]
        if not only_different or any(wrong):
            found += 1
            yield _row(tree, others_of_it, wrong, [*against, *beside], gaps=gaps)
    if only_different:
        click.echo(f"trees that differ: {found} of {seen}", err=True)


def _row(
    tree: DependencyTree,
    others: Sequence[DependencyTree],
    wrong: Sequence[list[int]],
    names: Sequence[str],
    *,
    gaps: bool,
) -> list[AnyPicture]:
    pictures = [picture_of(tree, {word for words in wrong for word in words}, gaps, tree.id)]
    for place, (other, name) in enumerate(zip(others, names, strict=True)):
        words = wrong[place] if place < len(wrong) else []
        caption = f"{name}: {len(words)} wrong" if place < len(wrong) else name
        pictures.append(picture_of(other, words, gaps, caption))
    return pictures
