"""The parts of constituents that are judged, against a naive enumeration."""

from itertools import combinations, groupby

import numpy as np
from random_networks import demo

from plcfrs.parsers.neural.heads import SpanTargets, neighbours, parts_of
from plcfrs.trees.tree import positions


def constituents(tree):
    """The category and the tokens of each constituent."""
    return [(node.category, positions(tree.yields()[node])) for node in tree.nodes()]


def components(tokens):
    """The borders of runs of tokens, which are one after the other."""
    groups = groupby(tokens, key=lambda token: token - tokens.index(token))
    return [(run[0], run[-1] + 1) for run in (list(group) for _, group in groups)]


def test_parts_of_trees():
    for tree in demo():
        expected = set()
        for category, tokens in constituents(tree):
            found = components(tokens)
            if len(found) == 1:
                expected.add((category, found[0]))
            else:
                for place, run in enumerate(found, 1):
                    expected.add((f"{category}_{place}of{len(found)}", run))
        assert set(map(tuple, parts_of(tree))) == expected


def test_targets_of_a_batch():
    """Every span of every sentence, with its labels, is found by its words."""
    trees = demo()[:9]
    parts = [parts_of(tree) for tree in trees]
    labels = sorted({part.label for each in parts for part in each})
    numbers = {label: number for number, label in enumerate(labels)}
    lengths = np.array([len(tree.tokens) for tree in trees], np.int32)
    targets = SpanTargets.joined(
        [
            SpanTargets.of(length, each, numbers)
            for length, each in zip(lengths.tolist(), parts, strict=True)
        ],
        lengths,
    )
    table = np.zeros((len(targets.borders), len(labels)), bool)
    table[targets.rows, targets.labels] = True
    left, right = neighbours(lengths)
    words = [token.form for tree in trees for token in tree.tokens]
    found = [
        (words[right[begin]], words[left[end]], {labels[each] for each in np.flatnonzero(row)})
        for (begin, end), row in zip(targets.borders.tolist(), table, strict=True)
    ]
    expected = [
        (
            tree.tokens[begin].form,
            tree.tokens[end - 1].form,
            {part.label for part in each if part.borders == (begin, end)},
        )
        for tree, each in zip(trees, parts, strict=True)
        for begin, end in combinations(range(len(tree.tokens) + 1), 2)
    ]
    assert found == expected


def test_neighbours():
    lengths = [3, 1, 2]
    left, right, token = [], [], 0
    for length in lengths:
        tokens = list(range(token, token + length))
        left += [6, *tokens]
        right += [*tokens, 6]
        token += length
    found = neighbours(np.array(lengths, np.int32))
    assert [side.tolist() for side in found] == [left, right]
