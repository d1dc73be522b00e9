"""Feature templates, in the notation of the papers, and their arrays for the kernels.

``s0``, ``d0`` and ``q0`` are the first elements of stack, deque and queue (the *b* of SR-GAP in the
paper is *q* here); ``s0l``, ``s0r`` and ``s0u`` are the left, right and only child of an element.
``c`` is the label of an element, ``w`` and ``t`` are the word and the tag of its head; ``w_l`` and
``w_r`` are the words at its left and right end, ``w_lo`` and ``w_ro`` the words just outside; ``x``
and ``y`` are the type and the length of its gaps. ``q*`` stands for each token of the queue, with
its place there.

``n0`` is not in the papers: it is the first token of the queue after the end of the top of the
stack. ``n0i`` is the number of tokens before it in the queue, the *i* of the SKIPSHIFT-i that
shifts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import shake_256
from typing import NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.linear.kernel.arrays import Keys, Places
from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.arrays import Templates

_ELEMENT = re.compile(r"([sdqn])(\d|\*)([lru]*)((?:[wt](?:_(?:lo|ro|l|r))?|[cxy]|(?<=n0)i)+)")
_ATTRIBUTE = re.compile(r"[wt]_(?:lo|ro|l|r)|[wtcxyi]")

_COLUMN = {
    "c": arrays.SYMBOL,
    "w": arrays.WORD,
    "t": arrays.TAG,
    "w_l": arrays.LEFT_WORD,
    "t_l": arrays.LEFT_TAG,
    "w_r": arrays.RIGHT_WORD,
    "t_r": arrays.RIGHT_TAG,
    "w_lo": arrays.BEFORE_WORD,
    "t_lo": arrays.BEFORE_TAG,
    "w_ro": arrays.AFTER_WORD,
    "t_ro": arrays.AFTER_TAG,
    "x": arrays.GAP_TYPE,
    "y": arrays.GAP_LENGTH,
    "i": arrays.FIRST,
}
_CHILD = {"l": arrays.LEFT_CHILD, "r": arrays.RIGHT_CHILD, "u": arrays.ONLY_CHILD}


class Atom(NamedTuple):
    """An attribute of an element, or of the descendant that a path of children leads to.

    The structure is "s", "d", "q" or "n"; the place "*" stands for each element.
    """

    structure: str
    place: str
    path: str
    attribute: str

    @property
    def element(self) -> str:
        """The element or descendant with the attribute; ``"i"`` counts as an element."""
        return "i" if self.attribute == "i" else self.structure + self.place + self.path


def parse_template(text: str) -> tuple[Atom, ...]:
    """Return the atoms of a template, or raise an InputError if it is not a template.

    >>> for atom in parse_template("d0cw_ls0lw"):
    ...     print(*atom)
    d 0  c
    d 0  w_l
    s 0 l w
    """
    elements = list(_ELEMENT.finditer(text))
    if "".join(element[0] for element in elements) != text or not text:
        raise InputError(f"{text!r} is not a feature template such as s0wc or s0cq0t")
    atoms = tuple(
        Atom(element[1], element[2], element[3], attribute)
        for element in elements
        for attribute in _ATTRIBUTE.findall(element[4])
    )
    if len(atoms) > arrays.WIDTH:
        raise InputError(f"feature template {text} has more than {arrays.WIDTH} attributes")
    return atoms


def texts_of(sets: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """Return the templates of some of the sets, without duplicates."""
    return list(dict.fromkeys(text for name in names for text in sets[name].split()))


def compile_templates(texts: Sequence[str], *, is_split: bool) -> Templates:
    """Return templates as arrays; `is_split` means that s0 is the element below the deque."""
    templates = {text: parse_template(text) for text in texts}
    single = {text: atoms for text, atoms in templates.items() if atoms[0].place != "*"}
    repeated = {text: atoms for text, atoms in templates.items() if atoms[0].place == "*"}
    places, depths, children = _places(atom for atoms in single.values() for atom in atoms)
    numbers = {(0, 0): 0}
    parts = [
        [
            numbers.setdefault((places[atom.element], _COLUMN[atom.attribute]), len(numbers))
            for atom in atoms
        ]
        for atoms in single.values()
    ]
    columns = [[_COLUMN[atom.attribute] for atom in atoms] for atoms in repeated.values()]
    return Templates(
        depths["s"],
        depths["d"],
        depths["q"],
        depths["n"],
        is_split,
        np.array(children, np.uint32).reshape(-1, 2),
        np.array(list(numbers), np.uint32),
        _padded(parts),
        *_factors(single),
        _padded(columns),
        *_factors(repeated),
    )


def _places(
    atoms: Iterable[Atom],
) -> tuple[dict[str, int], dict[str, int], list[tuple[int, int]]]:
    """Return numbers for elements and descendants, the depths needed, and the descendants' origin.

    Numbers count from 1; the origin is the number of the mother and the column there.
    """
    depth = dict.fromkeys("sdqn", 0)
    paths: set[str] = set()
    for atom in atoms:
        depth[atom.structure] = max(depth[atom.structure], int(atom.place) + 1)
        paths.update(atom.element[:length] for length in range(3, len(atom.element) + 1))
    elements = [f"{structure}{index}" for structure in "sdq" for index in range(depth[structure])]
    if depth["n"] > 0:
        elements += ["i", *(f"n{index}" for index in range(depth["n"]))]
    descendants = sorted(paths, key=lambda path: (len(path), path))
    places = {name: place for place, name in enumerate(elements + descendants, start=1)}
    children = [(places[name[:-1]], _CHILD[name[-1]]) for name in descendants]
    return places, depth, children


def _padded(rows: list[list[int]]) -> Places:
    padded = np.zeros((len(rows), arrays.WIDTH), np.uint32)
    for row, numbers in zip(padded, rows, strict=True):
        row[: len(numbers)] = numbers
    return padded


def _factors(templates: dict[str, tuple[Atom, ...]]) -> tuple[Keys, Keys]:
    """Return the factors of all atoms, and the seeds of the templates.

    They depend only on the text of the template, so they are the same on all platforms.
    """
    factors = np.zeros((len(templates), arrays.WIDTH), np.uint64)
    seeds = np.zeros(len(templates), np.uint64)
    for place, (text, atoms) in enumerate(templates.items()):
        digest = shake_256(text.encode()).digest(8 * (arrays.WIDTH + 1))
        seeds[place], *rest = np.frombuffer(digest, "<u8")
        factors[place, : len(atoms)] = rest[: len(atoms)]
    return factors | (factors > 0).astype(np.uint64), seeds
