"""Feature templates of parts of dependency trees, and the attributes of tokens.

A template is a list of atoms, joined by points: ``hw.mt.mt+1`` has the word of the head, the tag of
the modifier, and the tag after it. ``h`` is the head, ``m`` the modifier, and ``x`` the third token
of the part. The attributes are the word (``w``), its prefix (``p``) and suffix (``s``), the tag
(``t``) and its first two letters (``c``). All templates have the directions of the arcs; those that
end in ``*`` also have the distance.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from hashlib import shake_256

import numpy as np

from plcfrs.dependency.kernel import parts
from plcfrs.dependency.kernel.features import fill_summands
from plcfrs.dependency.kernel.parts import Features, Kind, Templates
from plcfrs.linear.kernel.arrays import Keys
from plcfrs.linear.templates import number
from plcfrs.trees import Token

_ATTRIBUTES = "wpstc"
_PLACES = "hmx"
_REACH = 2
_ATOM = re.compile(r"([hmx])([wpstc])([+-][12])?")

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


def compile_templates(texts: Sequence[str], relations: int, bins: int = 1) -> Templates:
    """Return templates as arrays for the kernels.

    Parameters
    ----------
    relations : int
        The number of relations.
    bins : int
        How many relations in a row differ only in distance.
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
    return Templates(columns, factors, table)


def attributes_of(tokens: Sequence[Token], words: Collection[str]) -> Keys:
    """Return the attributes of the root, the tokens and no token, and of their neighbours."""
    rows = [_SPECIAL[0], _SPECIAL[0], _SPECIAL[1]]
    rows += [_word(token.form, token.form in words) + _tag(token.tag) for token in tokens]
    rows += [_SPECIAL[2], _SPECIAL[0], _SPECIAL[0]]
    table = np.frombuffer(b"".join(rows), np.uint64).reshape(len(rows), len(_ATTRIBUTES))
    size = len(tokens) + 2
    return np.hstack([table[place : place + size] for place in range(2 * _REACH + 1)])


def features_of(templates: Sequence[Templates], attributes: Keys) -> Features:
    """Return the features of a sentence."""
    size = len(attributes)
    arcs, between, siblings, grandparents, crossing, crossed = (
        _kind(each, attributes) for each in templates
    )
    tags = np.ascontiguousarray(attributes[:, _REACH * len(_ATTRIBUTES) + 3])
    seen, firsts = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    return Features(arcs, between, siblings, grandparents, crossing, crossed, tags, seen, firsts)


def _kind(templates: Templates, attributes: Keys) -> Kind:
    summands = np.empty((3, len(attributes), templates.columns.shape[1]), np.uint64)
    fill_summands(templates, attributes, summands)
    return Kind(summands, templates.relations)


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


def templates_of_parts() -> list[list[str]]:
    """Return the templates of each kind of part, in the order of `Features`."""
    return [
        _with_distance(ARC_TEMPLATES),
        BETWEEN_TEMPLATES.split(),
        SIBLING_TEMPLATES.split(),
        GRANDPARENT_TEMPLATES.split(),
        _with_distance(CROSSING_TEMPLATES),
        _with_distance(CROSSED_TEMPLATES),
    ]


def _with_distance(templates: str) -> list[str]:
    """Return templates without and with the distance."""
    return [template + end for end in ("", "*") for template in templates.split()]


def compile_all() -> list[Templates]:
    """Return the templates of all kinds of parts as arrays."""
    relations = [
        (parts.ARC_RELATIONS, parts.BINS),
        (parts.ARC_RELATIONS, parts.BINS),
        (parts.SIBLING_RELATIONS, parts.BINS),
        (parts.GRANDPARENT_RELATIONS, 1),
        (parts.ARC_RELATIONS, parts.BINS),
        (parts.ARC_RELATIONS, parts.BINS),
    ]
    return [
        compile_templates(texts, *each)
        for texts, each in zip(templates_of_parts(), relations, strict=True)
    ]


def most_features(templates: Sequence[Templates], words: int) -> int:
    """Return the most features of two trees of a sentence."""
    arcs, between, *others = (each.columns.shape[1] for each in templates)
    features: int = 2 * words * (arcs + words * between + sum(others))
    return features
