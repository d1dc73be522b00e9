"""The labeler: training, unknown input, files."""

import pytest
from demo_trees import demo_trees
from quick import core
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.evaluation import score
from plcfrs.parsers.reduction.labeler import Labeler
from plcfrs.transformation import (
    Options,
    from_dependencies,
    to_dependencies,
    transform_all,
    without_unaries,
)
from plcfrs.trees import DependencyTree, Token

DEMO = [to_dependencies(tree) for tree in demo_trees()]
SMALL = DEMO[:30]


@pytest.fixture(scope="module")
def small() -> Labeler:
    return Labeler.train(SMALL)


def relations_of(labeler: Labeler, trees: list[DependencyTree]) -> list[list[str]]:
    return [labeler(tree.tokens, tree.heads) for tree in trees]


def gold(trees: list[DependencyTree]) -> list[list[str]]:
    return [tree.relations for tree in trees]


def test_it_learns_its_training_trees(small):
    assert relations_of(small, SMALL) == gold(SMALL)


def test_the_other_dependents_decide():
    """Where nothing follows, the first event of the verb makes the sentence."""
    tokens = [Token("They", "PRP"), Token("sing", "VBP"), Token("songs", "NNS")]
    short = DependencyTree(tokens[:2], [2, 0], ["S#1", "root"])
    long = DependencyTree(tokens, [2, 0, 2], ["S#2", "root", "VP#1"])
    assert relations_of(Labeler.train([short, long] * 5), [short, long]) == gold([short, long])


@pytest.mark.parametrize("heads", [[0], [1]])
def test_one_token(small, heads):
    assert small([Token("Yes", "UH")], heads)[0] in small.relations
    assert small([], []) == []


def test_unknown_words_and_tags(small):
    unknown = [Token("brewkled", "XYZ"), Token("zimmering", "ZYX"), Token("the", "DT")]
    for heads in ([0, 1, 2], [3, 1, 0], [0, 0, 0], [2, 3, 1]):
        relations = small(unknown, heads)
        for head, relation in zip(heads, relations, strict=True):
            assert (relation == "root") == (head == 0)


def test_heads_that_training_has_never_seen(small):
    for tree in SMALL[:5]:
        size = len(tree.tokens)
        for heads in ([0] * size, [size, *range(1, size)], [1] * size, list(range(size))):
            assert len(small(tree.tokens, heads)) == size


def test_a_long_sentence(small):
    tokens = [Token("x", "NN")] * 1000
    assert len(small(tokens, [0, *[1] * 999])) == 1000


def test_a_sentence_without_tokens_among_others():
    empty = DependencyTree([], [], [])
    one, other = Labeler.train([empty, *SMALL, empty]), Labeler.train(SMALL)
    assert (one.relations, one.seen) == (other.relations, other.seen)


def test_no_trees():
    with pytest.raises(InputError, match="no dependencies"):
        Labeler.train([])


def seen(head, tag, *labels):
    return {"seen": [[[head], [tag]], [list(labels)]]}


@core(
    2,
    "change",
    [
        {"relations": []},
        {"relations": ["a", "b"]},
        {"seen": [[[], []], []]},
        seen("NN", "DT"),
        seen("NN", "DT", 1000),
        seen("NN", "DT", -1),
    ],
)
def test_texts_that_are_wrong(small, change):
    assert reread(small, seen("NN", "DT", 1))
    with pytest.raises(REFUSED):
        reread(small, change)


@pytest.mark.full
def test_accuracy_on_the_penn_treebank(penn_treebank):
    """On the right heads, trees without unary nodes come back almost as they were."""
    trees = list(transform_all(penn_treebank, Options(splits=())))
    labeler = Labeler.train([to_dependencies(tree) for tree in trees if tree.id < "wsj_0160"])
    gold, found = [], []
    for tree in trees:
        if "wsj_0160" <= tree.id < "wsj_0180":
            right = to_dependencies(tree)
            relations = labeler(right.tokens, right.heads)
            gold.append(without_unaries(tree))
            found.append(from_dependencies(DependencyTree(right.tokens, right.heads, relations)))
    assert score(gold, found).labelled.f1 > 97.5
