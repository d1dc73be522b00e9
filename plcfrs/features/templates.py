"""Templates of features: which atoms they combine.

The features are those of Hall, Durrett and Klein (2014), with the tags of words, and with the words
around gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.linear.kernel.arrays import Int32, Keys
from plcfrs.linear.templates import number

# Atoms of an item. A label has the Markovization of its symbol, a category has not.
ITEM_ATOMS = (
    *("label", "category", "length", "components", "shape"),
    *("first_word", "last_word", "before_word", "after_word"),
    *("first_tag", "last_tag", "before_tag", "after_tag"),
    *("second_tag", "last_but_one_tag", "two_before_tag", "two_after_tag"),
    *("first_suffix", "last_suffix"),
    *("gap_length", "gap_first_word", "gap_last_word", "gap_first_tag", "gap_last_tag"),
    *("before_gap_word", "after_gap_word", "before_gap_tag", "after_gap_tag"),
)

# Atoms of an edge. The split is the end of the first component of the child that begins first.
EDGE_ATOMS = (
    *("rule", "length", "left_length", "right_length"),
    *("first_word", "last_word", "before_word", "after_word", "split_word", "after_split_word"),
    *("first_tag", "last_tag", "before_tag", "after_tag", "split_tag", "after_split_tag"),
)

_OF_LABELS = (
    *("", "length", "shape"),
    *("first_word", "last_word", "before_word", "after_word"),
    *("first_tag", "last_tag", "before_tag", "after_tag"),
    *("first_suffix", "last_suffix"),
    *("first_tag last_tag", "before_tag after_tag", "before_tag first_tag", "last_tag after_tag"),
    *("first_word last_word", "before_word after_word", "last_word after_word"),
    *("before_word first_word", "before_word first_tag", "last_tag after_word"),
    *("length first_tag", "length last_tag", "length before_tag", "length after_tag"),
    *("first_tag last_tag before_tag", "first_tag last_tag after_tag"),
)

_OF_CATEGORIES = (
    *("two_before_tag before_tag", "after_tag two_after_tag"),
    *("first_tag second_tag", "last_but_one_tag last_tag"),
    *("before_tag first_tag last_tag", "first_word after_word", "first_word last_tag"),
    *("first_tag last_word", "length first_word", "length last_word"),
)

_OF_GAPS = (
    *("components", "components gap_length", "gap_first_word", "gap_last_word"),
    *("gap_first_tag gap_last_tag", "before_gap_tag gap_first_tag", "gap_last_tag after_gap_tag"),
    *("before_gap_tag after_gap_tag", "before_gap_word", "after_gap_word", "first_tag gap_length"),
    *("first_word gap_first_tag",),
)

_OF_RULES = (
    *("", "length", "left_length right_length"),
    *("first_word", "last_word", "before_word", "after_word", "split_word", "after_split_word"),
    *("first_tag", "last_tag", "before_tag", "after_tag", "split_tag", "after_split_tag"),
    *("split_tag after_split_tag", "split_word after_split_tag", "split_tag after_split_word"),
    *("first_tag after_split_tag", "split_tag last_tag", "before_tag after_tag"),
    *("first_tag last_tag", "last_tag after_tag", "before_tag first_tag"),
)


class Templates(NamedTuple):
    """Templates as arrays.

    Parameters
    ----------
    seeds : uint64 array (T,)
        A number for each template, from its text.
    columns : int32 array (T, width)
        The columns of the atoms that it combines; -1 after the last one.
    """

    seeds: Keys
    columns: Int32


def compile_templates(templates: Sequence[str], atoms: Sequence[str]) -> Templates:
    """Return templates, names of atoms with spaces between them, as arrays.

    >>> compile_templates(["tag", "word tag"], ["word", "tag"]).columns.tolist()
    [[1, -1], [0, 1]]
    """
    rows = [template.split() for template in templates]
    columns = np.full((len(rows), max(map(len, rows))), -1, np.int32)
    for row, names in zip(columns, rows, strict=True):
        row[: len(names)] = [atoms.index(name) for name in names]
    return Templates(np.array(list(map(number, templates)), np.uint64), columns)


ITEMS = compile_templates(
    [
        *(f"label {rest}" for rest in _OF_LABELS),
        *(f"category {rest}" for rest in _OF_CATEGORIES),
    ],
    ITEM_ATOMS,
)
GAPS = compile_templates([f"category {rest}" for rest in _OF_GAPS], ITEM_ATOMS)
EDGES = compile_templates([f"rule {rest}" for rest in _OF_RULES], EDGE_ATOMS)
