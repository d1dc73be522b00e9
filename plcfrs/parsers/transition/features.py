"""What kernels get: words, tags and actions as numbers, feature templates as arrays, and memory.

Templates are written in the notation of the papers. Their arrays say which attributes of which
elements they combine. The arrays of a search grow when a kernel reports that they are full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import shake_256
from typing import NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.learning.kernel.arrays import Int32, Keys, Places
from plcfrs.learning.templates import frequent
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Actions, BeamSearch, TransitionTemplates
from plcfrs.parsers.transition.system import Kind, Transition
from plcfrs.trees import Token
from plcfrs.trees.labels import is_axiom

_KIND = {
    Kind.IDLE: arrays.IDLE,
    Kind.SHIFT: arrays.SHIFT,
    Kind.SKIPSHIFT: arrays.SHIFT,
    Kind.REDUCE_UNARY: arrays.UNARY,
    Kind.UNARY: arrays.UNARY,
    Kind.GHOST_REDUCE: arrays.GHOST,
    Kind.REDUCE_LEFT: arrays.LEFT,
    Kind.BINL: arrays.LEFT,
    Kind.REDUCE_RIGHT: arrays.RIGHT,
    Kind.BINR: arrays.RIGHT,
    Kind.GAP: arrays.GAP,
    Kind.COMPOUNDGAP: arrays.GAP,
    Kind.SWAP: arrays.SWAP,
    Kind.FINISH: arrays.FINISH,
}

# 0 stands for no word and no symbol.
_UNKNOWN = 1
_FIRST = 2


@dataclass(frozen=True)
class TransitionVocabulary:
    """The words, tags and transitions of the training trees.

    A word seen only once counts as unknown.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    transitions: tuple[Transition, ...]

    @classmethod
    def of(
        cls, sentences: Iterable[list[Token]], transitions: Iterable[Transition]
    ) -> TransitionVocabulary:
        """Return the vocabulary of training sentences and the transitions of their trees."""
        tokens = [token for sentence in sentences for token in sentence]
        return cls(
            frequent(token.form for token in tokens),
            tuple(sorted({token.tag for token in tokens})),
            tuple(transitions),
        )

    @cached_property
    def symbols(self) -> dict[int, tuple[str, bool]]:
        """All labels, whole and intermediate, numbered after the tags."""
        labels = {each.label for each in self.transitions if each.label}
        pairs = sorted((label, part) for label in labels for part in (False, True))
        return dict(enumerate(pairs, start=_FIRST + len(self.tags)))

    @cached_property
    def actions(self) -> list[Transition]:
        """The transitions in the order of their numbers: kind by kind, role by role."""
        return sorted(self.transitions, key=lambda each: (*_place(each), each.count, str(each)))

    @cached_property
    def number(self) -> dict[Transition, int]:
        """The number of each transition."""
        return {transition: number for number, transition in enumerate(self.actions)}

    def words_and_tags(self, tokens: list[Token]) -> tuple[Int32, Int32]:
        """Return the numbers of the words and the tags of a sentence, with 0 at both ends."""
        words = [self._words.get(token.form, _UNKNOWN) for token in tokens]
        tags = [self._tags.get(token.tag, _UNKNOWN) for token in tokens]
        return np.array([0, *words, 0], np.int32), np.array([0, *tags, 0], np.int32)

    def compile(self, *, is_left: bool) -> Actions:
        """Return the actions as arrays for the kernels; `is_left` says that the order is left."""
        numbers = {symbol: number for number, symbol in self.symbols.items()}
        size = _FIRST + len(self.tags) + len(numbers)
        is_part, axioms = np.zeros((2, size), np.int32)
        made = np.full((2, 2, size), -1, np.int32)
        for (label, intermediate), number in numbers.items():
            is_part[number], axioms[number] = intermediate, is_axiom(label)
        for action, each in enumerate(self.actions):
            side = _KIND[each.kind] - arrays.LEFT
            if side in (0, 1):
                for intermediate in (False, True):
                    made[int(each.intermediate), side, numbers[each.label, intermediate]] = action
        places = [kind * arrays.ROLES + role for kind, role in map(_place, self.actions)]
        kinds = {each.kind for each in self.actions}
        return Actions(
            Kind.FINISH in kinds,
            Kind.COMPOUNDGAP in kinds,
            Kind.SWAP in kinds,
            is_left,
            np.array([_KIND[each.kind] for each in self.actions], np.int32),
            np.array(
                [numbers.get((each.label, each.intermediate), 0) for each in self.actions], np.int32
            ),
            np.array(list(map(_count, self.actions)), np.int32),
            np.searchsorted(places, range(arrays.KINDS * arrays.ROLES + 1)).astype(np.int32),
            made[0],
            made[1],
            is_part,
            axioms,
        )

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=_FIRST)}

    @cached_property
    def _tags(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, start=_FIRST)}


def _place(transition: Transition) -> tuple[int, int]:
    """Return the kind and the role of a transition."""
    role = arrays.PART if transition.intermediate else arrays.ORDINARY
    if transition.label and is_axiom(transition.label):
        role = arrays.AXIOM_PART if transition.intermediate else arrays.AXIOM
    return _KIND[transition.kind], role


def _count(transition: Transition) -> int:
    """Return the number of tokens skipped or swapped, or of gaps made."""
    return 1 if transition.kind == Kind.GAP else transition.count


# The notation: ``s0``, ``d0`` and ``q0`` are the first elements of stack, deque and queue (the *b*
# of SR-GAP in the paper is *q* here); ``s0l``, ``s0r`` and ``s0u`` are the left, right and only
# child of an element. ``c`` is the label of an element, ``w`` and ``t`` are the word and the tag of
# its head; ``w_l`` and ``w_r`` are the words at its left and right end, ``w_lo`` and ``w_ro`` the
# words just outside; ``x`` and ``y`` are the type and the length of its gaps. ``q*`` stands for
# each token of the queue, with its place there.
#
# ``n0`` is not in the papers: it is the first token of the queue after the end of the top of the
# stack. ``n0i`` is the number of tokens before it in the queue, the *i* of the SKIPSHIFT-i that
# shifts it.
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


def compile_templates(texts: Sequence[str], *, is_split: bool) -> TransitionTemplates:
    """Return templates as arrays; `is_split` says that s0 is the element below the deque."""
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
    return TransitionTemplates(
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
    """Return the numbers of elements and descendants, the depths, and where descendants come from.

    Numbers count from 1. A descendant comes from a mother, by her number, and from a column.
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

    They depend only on the texts of the templates, so they are the same on all platforms.
    """
    factors = np.zeros((len(templates), arrays.WIDTH), np.uint64)
    seeds = np.zeros(len(templates), np.uint64)
    for place, (text, atoms) in enumerate(templates.items()):
        digest = shake_256(text.encode()).digest(8 * (arrays.WIDTH + 1))
        seeds[place], *rest = np.frombuffer(digest, "<u8")
        factors[place, : len(atoms)] = rest[: len(atoms)]
    return factors | (factors > 0).astype(np.uint64), seeds


_LONGEST_USUAL = 40  # tokens of a sentence
_STEPS_PER_TOKEN = 4
_GROWING = ("states", "stack", "constituents", "queue")


def new_search(actions: Actions, templates: TransitionTemplates, beam: int) -> BeamSearch:
    """Return memory for beam search."""
    states = (beam + 1) * _STEPS_PER_TOKEN * _LONGEST_USUAL
    features = len(templates.seeds) + len(templates.queue_seeds) * _LONGEST_USUAL
    elements = templates.stack + templates.deque + templates.queue + templates.following
    constituents = 2 + elements + len(templates.children)
    return BeamSearch(
        counters=np.zeros(arrays.SEARCH_COUNTERS, np.int64),
        words=np.zeros(2, np.int32),
        tags=np.zeros(2, np.int32),
        states=np.zeros(states, arrays.STATE),
        stack=np.zeros(2 * states, arrays.STACK_NODE),
        constituents=np.zeros((states + _LONGEST_USUAL, arrays.COLUMNS), np.int32),
        queue=np.zeros(states, arrays.QUEUE_NODE),
        beam=np.zeros(beam, np.int32),
        next_beam=np.zeros(beam, np.int32),
        candidates=np.zeros(beam, arrays.CANDIDATE),
        scores=np.zeros(len(actions.kind), np.float32),
        legal=np.zeros((len(actions.kind), 2), np.int32),
        elements=np.zeros(constituents, np.int32),
        atoms=np.zeros(len(templates.atoms), np.int32),
        keys=np.zeros(features, np.uint64),
        rows=np.zeros(features, np.uint32),
    )


def for_sentence(
    search: BeamSearch, templates: TransitionTemplates, words: Int32, tags: Int32
) -> BeamSearch:
    """Return the same memory for another sentence, enlarged if the sentence is long."""
    search = search._replace(words=words, tags=tags)
    features = len(templates.seeds) + len(templates.queue_seeds) * len(words)
    if features > len(search.keys):
        search = search._replace(
            keys=np.zeros(features, np.uint64), rows=np.zeros(features, np.uint32)
        )
    while len(search.constituents) <= len(words) or len(search.queue) <= len(words):
        search = enlarge_search(search)
    return search


def enlarge_search(search: BeamSearch) -> BeamSearch:
    """Return an empty search with twice the memory."""
    old = {name: getattr(search, name) for name in _GROWING}
    return search._replace(
        **{n: np.zeros((2 * len(each), *each.shape[1:]), each.dtype) for n, each in old.items()}
    )
