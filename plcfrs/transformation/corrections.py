"""Corrections of a treebank's annotation errors, read from a file.

A line has file, number of the sentence, old text and new text between tabs; ``#`` begins a comment.
The old text is a label (``NP-SBJ-10``) or null element (``*T*-10``), with ``#2`` for its second
occurrence in the sentence.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees import Node, Token, Tree, parse_label, render_label
from plcfrs.trees.copying import on_copy


class Correction(NamedTuple):
    """The correction of a label or null element, and its file and line."""

    old: str
    occurrence: int | None
    new: str
    place: str


Corrections = dict[str, list[Correction]]  # by the identifier of the sentence


def read_corrections(path: str | Path) -> Corrections:
    """Read a file of corrections; an InputError names a line that is not one."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{path}: corrections must be in utf-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot read corrections: {error.strerror}") from None
    corrections: Corrections = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 4:
            raise InputError(f"{path}:{number}: expected FILE, SENTENCE, OLD and NEW between tabs")
        file, sentence, old, new = (field.strip() for field in fields)
        match = re.fullmatch(r"(.+?)(?:#([0-9]{1,9}))?", old)
        if match is None or not new:
            raise InputError(f"{path}:{number}: neither OLD nor NEW may be empty")
        occurrence = int(match[2]) if match[2] else None
        correction = Correction(match[1], occurrence, new, f"{path}:{number}")
        corrections.setdefault(f"{Path(file).stem}:{sentence}", []).append(correction)
    return corrections


@on_copy
def correct(tree: Tree, corrections: Corrections) -> Tree:
    """Apply the corrections for a sentence to a tree as read.

    An InputError is raised if an old text is not in the tree, or several times and without a
    number.
    """
    for correction in corrections.get(tree.id, []):
        target = _find(tree, correction)
        if isinstance(target, Token):
            target.form = correction.new
        else:
            label = parse_label(correction.new)
            target.category, target.functions = label.category, label.functions
            target.index, target.gap_index = label.index, label.gap_index
    return tree


def _find(tree: Tree, correction: Correction) -> Node | Token:
    label = render_label(parse_label(correction.old))
    nodes = [node for node in tree.nodes() if render_label(node) == label]
    nulls = [token for token in tree.tokens if token.is_null and token.form == correction.old]
    found: list[Node | Token] = [*nodes, *nulls]
    number = correction.occurrence
    if number is None and len(found) > 1:
        raise InputError(
            f"{correction.place}: sentence {tree.id} has {correction.old} {len(found)} times: "
            f"write {correction.old}#1 for the first"
        )
    number = 1 if number is None else number
    if not 0 < number <= len(found):
        raise InputError(
            f"{correction.place}: sentence {tree.id} has {correction.old} {len(found)} times"
        )
    return found[number - 1]
