"""The features of dependency trees, and the arrays for scoring and searching a sentence.

Words and tags become attributes of tokens. Templates combine these for each part of a tree: an arc,
siblings, a grandparent, an arc that crosses others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import shake_256

import numpy as np

from plcfrs.learning.kernel.arrays import Int32, Keys, Scores
from plcfrs.learning.templates import frequent, number
from plcfrs.parsers.reduction.kernel import arrays as parts
from plcfrs.parsers.reduction.kernel.arrays import (
    Contraction,
    Decomposition,
    EisnerChart,
    Flags,
    Floats,
    Links,
    PartFeatures,
    Parts,
    PartScores,
    PartSummands,
    PartTemplates,
)
from plcfrs.parsers.reduction.kernel.climbing import climb, fill_candidates, reattach, score_tree
from plcfrs.parsers.reduction.kernel.decomposition import decompose
from plcfrs.parsers.reduction.kernel.eisner import find_sibling_tree
from plcfrs.parsers.reduction.kernel.learning import (
    fill_arcs,
    fill_crossing,
    fill_second_order,
    fill_summands,
    keep_best,
)
from plcfrs.parsers.reduction.kernel.spanning_tree import find_spanning_tree
from plcfrs.trees import Token

_ATTRIBUTES = "wpstc"
_PLACES = "hmx"
_REACH = 2
_ATOM = re.compile(r"([hmx])([wpstc])([+-][12])?")

# A template is a list of atoms, joined by points: ``hw.mt.mt+1`` has the word of the head, the tag
# of the modifier, and the tag after it. ``h`` is the head, ``m`` the modifier, and ``x`` the third
# token of the part. The attributes are the word (``w``), its prefix (``p``) and suffix (``s``), the
# tag (``t``) and its first two letters (``c``). All templates include the directions of the arcs; a
# ``*`` at the end adds the distance.
ARC_TEMPLATES = """
    hw ht hw.ht mw mt mw.mt hp mp ms
    hw.mw ht.mt hw.mt ht.mw hw.ht.mt hw.ht.mw hw.mw.mt ht.mw.mt hw.ht.mw.mt
    hp.mp ht.mp hp.mt hc.mc hs.ms ht.ms hs.mt
    ht.mt.ht+1 ht.mt.ht-1 ht.mt.mt-1 ht.mt.mt+1
    ht.mt.ht+1.mt-1 ht.mt.ht-1.mt-1 ht.mt.ht+1.mt+1 ht.mt.ht-1.mt+1
    hc.mc.hc+1.mc-1 hc.mc.hc-1.mc-1 hc.mc.hc+1.mc+1 hc.mc.hc-1.mc+1
    hw.mt.mt+1 hw.mt.mt-1 ht.mw.ht+1 ht.mw.ht-1 hw.mt.ht+1 hw.mt.ht-1 ht.mw.mt+1 ht.mw.mt-1
    ht.mt.ht+1.ht+2 ht.mt.ht-1.ht-2 ht.mt.mt+1.mt+2 ht.mt.mt-1.mt-2
    ht.mt.ht-1.ht+1.mt-1.mt+1
"""
BETWEEN_TEMPLATES = "ht.mt.xt hc.mc.xt ht.xt mt.xt"
SIBLING_TEMPLATES = """
    xt.mt ht.xt.mt xw.mt xt.mw xw.mw ht.xw.mt ht.xt.mw hw.xt.mt hc.xc.mc
    ht.xt.mt* hc.xc.mc* xt.mt* ht.xt.mt.mt+1 ht.xt.mt.mt-1 ht.xt.xt+1.mt ht.xt.xt-1.mt
    hw.xw.mt hw.xt.mw hp.xp.mp hw.xc.mc xc.mc xp.mp
"""
GRANDPARENT_TEMPLATES = """
    xt.mt ht.xt.mt xw.mt xt.mw xw.mw ht.xw.mt ht.xt.mw hw.xt.mt hc.xc.mc
    ht.xt.mt.mt+1 ht.xt.mt.mt-1 ht.xt.mt.ht+1 ht.xt.mt.ht-1 ht.xt.xt+1.mt ht.xt.xt-1.mt
    hw.xw.mt hw.xt.mw hp.xp.mp hw.xc.mc
"""
CROSSING_TEMPLATES = """
    always hw ht mw mt hw.mw ht.mt hw.mt ht.mw hc.mc hs.ms
    ht.mt.mt+1 ht.mt.mt-1 ht.mt.ht+1 ht.mt.ht-1 mt.mt+1 mt.mt-1 mw.mt+1 mw.mt-1 ht.ht-1 ht.ht+1
"""
CROSSED_TEMPLATES = "xt xt.mt xw.mt xt.mw ht.xt ht.xt.mt hc.xc.mc xw.mw"


def compile_templates(texts: Sequence[str], relations: int, bins: int) -> PartTemplates:
    """Return templates as arrays for the kernels, given the number of relations.

    Each `bins` relations in a row differ only in distance.
    """
    columns = np.zeros((3, len(texts), parts.WIDTH), np.uint32)
    factors = np.zeros((3, len(texts), parts.WIDTH), np.uint64)
    table = np.zeros((relations, len(texts)), np.uint64)
    codes = np.arange(relations, dtype=np.uint64) + np.uint64(1)
    for template, text in enumerate(texts):
        atoms = _ATOM.findall(text)
        digest = shake_256(text.encode()).digest(8 * (2 + len(atoms)))
        seed, factor, *rest = (np.frombuffer(digest, "<u8") | np.uint64(1)).tolist()
        full = codes if text.endswith("*") else (codes + np.uint64(bins - 1)) // np.uint64(bins)
        table[:, template] = np.uint64(seed) + full * np.uint64(factor)
        used = [0, 0, 0]
        for (place, attribute, offset), odd in zip(atoms, rest, strict=True):
            here = _PLACES.index(place)
            column = (int(offset or 0) + _REACH) * len(_ATTRIBUTES) + _ATTRIBUTES.index(attribute)
            columns[here, template, used[here]] = column
            factors[here, template, used[here]] = odd
            used[here] += 1
    return PartTemplates(columns, factors, table)


def attributes_of(tokens: Sequence[Token], words: Collection[str]) -> Keys:
    """Return the attributes of the root, all tokens and no token, with their neighbours."""
    rows = [_SPECIAL[0], _SPECIAL[0], _SPECIAL[1]]
    rows += [_word(token.form, token.form in words) + _tag(token.tag) for token in tokens]
    rows += [_SPECIAL[2], _SPECIAL[0], _SPECIAL[0]]
    table = np.frombuffer(b"".join(rows), np.uint64).reshape(len(rows), len(_ATTRIBUTES))
    size = len(tokens) + 2
    return np.hstack([table[place : place + size] for place in range(2 * _REACH + 1)])


def features_of(
    templates: Sequence[PartTemplates], tokens: Sequence[Token], words: Collection[str]
) -> PartFeatures:
    """Return the features of a sentence, given the known words."""
    attributes = attributes_of(tokens, words)
    size = len(attributes)
    arcs, between, siblings, grandparents, crossing, crossed = (
        _kind(each, attributes) for each in templates
    )
    tags = np.ascontiguousarray(attributes[:, _REACH * len(_ATTRIBUTES) + 3])
    seen, firsts = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    return PartFeatures(
        arcs, between, siblings, grandparents, crossing, crossed, tags, seen, firsts
    )


def _kind(templates: PartTemplates, attributes: Keys) -> PartSummands:
    summands = np.empty((3, len(attributes), templates.columns.shape[1]), np.uint64)
    fill_summands(templates, attributes, summands)
    return PartSummands(summands, templates.relations)


def normal_form(form: str) -> str:
    """Return a word in lower case, with 9 for each digit."""
    return re.sub(r"\d", "9", form.lower())


def _numbers(*texts: str) -> bytes:
    return np.array(list(map(number, texts)), np.uint64).tobytes()


@lru_cache(maxsize=50_000)
def _word(form: str, is_known: bool) -> bytes:
    lower = normal_form(form)
    return _numbers(lower if is_known else "<unknown>", f"p{lower[:4]}", f"s{lower[-3:]}")


@lru_cache(maxsize=5_000)
def _tag(tag: str) -> bytes:
    return _numbers(tag, tag[:2])


_SPECIAL = [_numbers(*[f"<{name}>"] * 5) for name in ("outside", "root", "none")]


def _with_distance(templates: str) -> list[str]:
    """Return templates without and with the distance."""
    return [template + end for end in ("", "*") for template in templates.split()]


# The templates of each kind of part, in the order of `PartFeatures`, with the number of relations,
# and how many of these in a row differ only in distance.
KINDS_OF_PARTS = (
    (_with_distance(ARC_TEMPLATES), parts.ARC_RELATIONS, parts.BINS),
    (BETWEEN_TEMPLATES.split(), parts.ARC_RELATIONS, parts.BINS),
    (SIBLING_TEMPLATES.split(), parts.SIBLING_RELATIONS, parts.BINS),
    (GRANDPARENT_TEMPLATES.split(), parts.GRANDPARENT_RELATIONS, 1),
    (_with_distance(CROSSING_TEMPLATES), parts.ARC_RELATIONS, parts.BINS),
    (_with_distance(CROSSED_TEMPLATES), parts.ARC_RELATIONS, parts.BINS),
)


def compile_all() -> list[PartTemplates]:
    """Return the templates of all kinds of parts as arrays."""
    return [compile_templates(*kind) for kind in KINDS_OF_PARTS]


def most_features(templates: Sequence[PartTemplates], words: int) -> int:
    """Return how many features two trees of a sentence can have at most."""
    arcs, between, *others = (each.columns.shape[1] for each in templates)
    features: int = 2 * words * (arcs + words * between + sum(others))
    return features


@dataclass(frozen=True)
class ReductionVocabulary:
    """The tags of training sentences, and the words seen at least twice.

    All other words count as unknown.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[Token]]) -> ReductionVocabulary:
        """Return the vocabulary of training sentences."""
        tokens = [token for sentence in sentences for token in sentence]
        return cls(
            frequent(token.form for token in tokens),
            tuple(sorted({token.tag for token in tokens})),
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """The words as a set."""
        return frozenset(self.words)


_LONGEST_USUAL = 40  # tokens of a sentence


class TreeWorkspace:
    """Arrays for one sentence after another; they grow with the longest one.

    Attributes
    ----------
    arcs : array of float, (n + 1, n + 1)
        The scores of the arcs that are kept, -inf for the others.
    kept : array of bool, (n + 1, n + 1)
    heads : array of int, (n + 1,)
        The tree that the last search found.
    """

    arcs: Floats
    kept: Flags
    heads: Int32

    def __init__(self, words: int = _LONGEST_USUAL) -> None:
        self._reserve(words)
        self._parts: PartScores = np.zeros(0, np.float32)

    def begin(self, words: int) -> None:
        """Make room for a sentence, and keep all arcs."""
        nodes = words + 1
        if nodes > len(self._heads):
            self._reserve(max(words, 2 * (len(self._heads) - 1)))
        self.arcs = self._arcs[: nodes**2].reshape(nodes, nodes)
        self.kept = self._kept[: nodes**2].reshape(nodes, nodes)
        self.heads = self._heads[:nodes]
        self.kept[:] = True

    def score_arcs(self, weights: Scores, features: PartFeatures) -> None:
        """Score the arcs that are kept."""
        fill_arcs(weights, features, self.kept, self.arcs)

    def keep(self, candidates: int) -> None:
        """Keep only the best heads of each word."""
        keep_best(self.arcs, candidates, self.kept)

    def score_parts(self, weights: Scores, features: PartFeatures) -> Parts:
        """Score the arcs that are kept, their siblings and grandparents, and crossing arcs."""
        nodes = len(self.arcs)
        size = 3 * nodes**3
        if size > len(self._parts):
            self._parts = np.zeros(size, np.float32)
        siblings, grandparents, crossing = self._parts[:size].reshape(3, nodes, nodes, nodes)
        self.score_arcs(weights, features)
        fill_second_order(weights, features, self.kept, siblings, grandparents)
        fill_crossing(weights, features, self.kept, crossing)
        return Parts(self.arcs, siblings, grandparents, crossing)

    def find_tree(self) -> float:
        """Find the best tree by the scores of arcs, and return its score."""
        return find_spanning_tree(self.arcs, self.contraction, self.heads)

    def climb(self, parts: Parts, candidates: int) -> float:
        """Find a tree that no single change improves, and return its score.

        The search considers up to `candidates` heads of each word.
        """
        find_sibling_tree(parts.arcs, parts.siblings, self.chart, self.heads)
        self._best = np.empty((len(self.heads), candidates), np.int32)
        fill_candidates(parts.arcs, self._best)
        return climb(parts, self._best, self.links, self.heads)

    def decompose(self, parts: Parts, steps: int) -> None:
        """Improve the tree of `climb` by dual decomposition, if possible."""
        before = self.heads.copy()
        # As if each arc got the best score that it can get for crossing others.
        optimistic = parts._replace(arcs=parts.arcs + parts.crossing.max(axis=1))
        decompose(optimistic, steps, self.contraction, self.relaxation, self.heads)
        if climb(parts, self._best, self.links, self.heads) < score_tree(parts, before):
            self.heads[:] = before

    def reattach(self, parts: Parts) -> float:
        """Improve the tree by the scores of crossing arcs, and return its score."""
        return reattach(parts, self.heads)

    def _reserve(self, words: int) -> None:
        nodes = words + 1
        self._arcs = np.zeros(nodes**2)
        self._kept = np.zeros(nodes**2, np.bool_)
        self._heads = np.zeros(nodes, np.int32)
        square = (nodes, nodes)
        self.chart = EisnerChart._make(
            [*np.zeros((3, *square)), *_ints(3, *square), _ints(nodes, 2)]
        )
        self.contraction = Contraction._make(
            [
                np.zeros(square),
                *_ints(2, *square),
                *_ints(3, nodes),
                np.zeros(nodes),
                *_ints(4, 2 * nodes),
            ]
        )
        self.links = Links(_ints(nodes, 2), _ints(nodes))
        self.relaxation = Decomposition(
            tree_share=np.zeros(nodes**2),
            head_share=np.zeros(square),
            dependent_share=np.zeros(square),
            chosen=_ints(*square),
            heads=_ints(*square),
            head_count=_ints(nodes),
            dependents=_ints(nodes, 2, nodes),
            dependent_count=_ints(nodes, 2),
            best=np.zeros(nodes),
            before=_ints(nodes),
            score=np.zeros(nodes),
            is_changed=_ints(nodes),
            tree=_ints(nodes),
        )


def _ints(*shape: int) -> Int32:
    return np.zeros(shape, np.int32)
