"""The features of the labeler, against their definitions in plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import tokens

from plcfrs.learning.templates import ContextTemplates, folded, number
from plcfrs.parsers.reduction.labeler import _ATOMS, ChainFeatures


@st.composite
def backbones(draw, most=7):
    """Tokens with any heads."""
    sentence = draw(st.lists(tokens(), max_size=most))
    return sentence, [draw(st.integers(0, len(sentence))) for _ in sentence]


def below(heads, token):
    """Return the tokens below a token, and itself; if it is below a cycle, it is alone."""

    def path(place):
        return [place := heads[place - 1] if place else 0 for _ in heads]

    if path(token)[-1]:
        return [token]
    return [
        other
        for other in range(1, len(heads) + 1)
        if other == token or (token in path(other) and not path(other)[-1])
    ]


def naive_atoms(sentence, heads, head, own):
    """Return the atoms of a step by name."""
    length = len(sentence)
    outside = length + 1
    tags = {0: 1} | {place: number(token.tag) for place, token in enumerate(sentence, start=1)}
    words = {0: 1} | {place: number(token.form) for place, token in enumerate(sentence, start=1)}

    def dependents_of(token):
        return [other for other in range(1, length + 1) if heads[other - 1] == token]

    def frame(token):
        left = folded(tags[each] for each in dependents_of(token) if each < token)
        right = folded(tags[each] for each in dependents_of(token) if each >= token)
        return folded([left, right]), left, right

    sisters = dependents_of(head)
    before = [each for each in sisters if not own or each < own][::-1] + [outside] * 2
    after = [each for each in sisters if own and each > own] + [outside] * 2
    positions = {"head": head, "before": before[0], "before2": before[1], "after": after[0]}
    positions |= {"after2": after[1], "first": sisters[0], "last": sisters[-1]}
    positions |= {"own": own or outside, "grandhead": heads[head - 1] if head else outside}
    own_children = dependents_of(own) if own else []
    children = own_children or [outside]
    ends = below(heads, own) if own else [outside]
    positions |= {"left": ends[0], "right": ends[-1]}
    positions |= {"first_child": children[0], "last_child": children[-1]}
    for base in ("head", "own"):
        positions |= {f"{base}-1": positions[base] - 1, f"{base}+1": positions[base] + 1}
    positions |= {"left-1": positions["left"] - 1, "right+1": positions["right"] + 1}
    left = [each for each in sisters if each < head]
    right = [each for each in sisters if each >= head]
    numbers = dict.fromkeys(
        ("side", "distance", "between", "index", "same", "other", "below", "left_below"), 0
    )
    numbers |= {"right_below": 0, "around": 0, "grandside": 1}
    if head and heads[head - 1] < head:
        numbers["grandside"] = 2
    numbers["frame"], numbers["left_frame"], numbers["right_frame"] = frame(head)
    if own:
        side, other = (left[::-1], right) if own in left else (right, left)
        nearer = [head, *side][side.index(own)]
        farther = [*side, outside][side.index(own) + 1]
        positions |= {"nearer": nearer, "farther": farther}
        seen = set()
        for place in range(min(head, own) + 1, max(head, own)):
            seen.add(tags[place])
        between = 0
        for tag in seen:
            between ^= tag
        distance = max(abs(head - own), 1)
        distance = distance if distance < 6 else 5 if distance < 8 else 6 if distance < 15 else 7
        numbers |= {"side": 1 + (own in left), "between": between, "distance": distance}
        numbers |= {"index": side.index(own) + 1, "same": len(side), "other": len(other)}
        numbers["below"], numbers["left_below"], numbers["right_below"] = frame(own)
        numbers["around"] = 1 + (ends[0] <= head <= ends[-1])
    else:
        positions |= {"nearer": outside, "farther": outside}
    if not own:
        pair = 2 if right else 1
    elif own == sisters[0]:
        pair = 3 if left else 4
    else:
        pair = 5 if own in left else 6 if own == right[0] else 7
    numbers["pair"] = pair
    atoms = {f"tag:{name}": tags.get(place, 0) for name, place in positions.items()}
    atoms |= {f"word:{name}": words.get(place, 0) for name, place in positions.items()}
    return atoms | numbers


@given(backbones())
def test_atoms(backbone):
    sentence, heads = backbone
    features = ChainFeatures(sentence, heads)
    table = features.atoms()
    assert sorted(dependent for _, dependent in features.arcs if dependent) == [
        *range(1, len(sentence) + 1)
    ]
    assert len(table) == len(features.arcs) == features.start[-1]
    for (head, dependent), row in zip(features.arcs, table.tolist(), strict=True):
        expected = naive_atoms(sentence, heads, head, dependent)
        assert dict(zip(_ATOMS, row, strict=True)) == expected


@given(st.lists(st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3), max_size=4))
def test_keys(rows):
    texts = ["a", "b c", "", "c b a"]
    keys = ContextTemplates(["a", "b", "c"], texts).keys(np.array(rows, np.uint64).reshape(-1, 3))
    factors = [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9]
    for row, found in zip(rows, keys.tolist(), strict=True):
        for text, key in zip(texts, found, strict=True):
            expected = number(text)
            for name, factor in zip(text.split(), factors, strict=False):
                expected += row["abc".index(name)] * factor
            expected %= 2**64
            expected = (expected ^ expected >> 31) * 0xBF58476D1CE4E5B9 % 2**64
            assert key == expected ^ expected >> 29


def test_ends_of_chains_have_only_features_of_pairs():
    sentence = [*map(_token, ("They/PRP", "sing/VBP", "songs/NNS"))]
    backbone = ChainFeatures(sentence, [2, 0, 2])
    assert backbone.arcs == [(0, 2), (0, 0), (2, 1), (2, 3), (2, 0)]
    assert backbone.start == [0, 2, 5]
    keys, pairs = backbone.keys()
    assert keys.any(axis=1).tolist() == [True, False, True, True, False]
    assert pairs.all()


def _token(text):
    from plcfrs.trees import Token

    return Token(*text.split("/"))


@core(1, "heads", [[2, 0], [2, 0, 4], [2, 0, -1]])
def test_heads_that_are_not_tokens(heads):
    with pytest.raises(ValueError, match="heads must be"):
        ChainFeatures([*map(_token, ("They/PRP", "sing/VBP", "songs/NNS"))], heads)
