"""The classifier of unary nodes: training, unknown input, files."""

import pytest
from demo_trees import demo_trees
from hypothesis import given
from prepared import headed_trees
from quick import core, examples
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.evaluation import score
from plcfrs.parsers.reduction.unaries import UnaryClassifier, _unary_chains, items_of
from plcfrs.transformation import Options, transform_all, without_unaries
from plcfrs.trees import Tree

SMALL = demo_trees()[:30]


@pytest.fixture(scope="module")
def small() -> UnaryClassifier:
    return UnaryClassifier.train(SMALL)


def shape(tree: Tree) -> list[tuple[str, int | None]]:
    return [(node.category, node.head) for node in tree.nodes()]


def test_it_learns_its_training_trees(small):
    right = [shape(small(without_unaries(tree))) == shape(tree) for tree in SMALL]
    assert sum(right) >= 28


@examples(30)
@given(headed_trees())
def test_items_and_their_chains(tree):
    """A chain above each item gives the tree."""
    bare = without_unaries(tree)
    items, chains = items_of(bare), list(_unary_chains(tree))
    assert len(items) == len(chains)
    count = sum(chain.count("+") + 1 for chain in chains if chain)
    assert len(tree.nodes()) == len(bare.nodes()) + count
    for item in items:
        child = item.mother.children[item.place]
        assert item.is_token == isinstance(child, int)


@examples(30)
@given(headed_trees())
def test_any_tree(tree):
    """Only unary nodes are added, and the tree of the caller stays as it is."""
    classifier = UnaryClassifier.train([tree] * 2)
    before, bare = without_unaries(tree), without_unaries(tree)
    assert without_unaries(classifier(bare)) == before == bare


def test_chains_with_odd_categories():
    tree = Tree.from_string("(S (A+B (C (NN x))) (ROOT (VB y)))")
    classifier = UnaryClassifier.train([tree] * 2)
    assert classifier(without_unaries(tree)) == tree


def test_a_tree_that_has_unary_nodes(small):
    for tree in SMALL[:5]:
        assert small(tree).words() == tree.words()


def test_unknown_labels_words_and_shapes(small):
    for text in (
        "(XX (YY 1))",
        "(ROOT (XX (YY 0=what) (ZZ 2=ever)) (UU (VV 1=so) (WW 3=odd)))",
        "(ROOT (NN 0=x))",
    ):
        tree = without_unaries(Tree.from_string(text))
        assert small(tree).words() == tree.words()


def test_no_trees():
    with pytest.raises(InputError, match="no trees"):
        UnaryClassifier.train([])


def seen(label, is_token, *chains):
    return {"seen": [[[label], [is_token]], [list(chains)]]}


@core(
    2,
    "change",
    [
        {"chains": []},
        {"chains": ["NP"]},
        {"chains": ["", ""]},
        seen("NN", True),
        seen("NN", True, 1000),
        seen("NN", True, -1),
    ],
)
def test_texts_that_are_wrong(small, change):
    assert reread(small, seen("NN", True, 0))
    with pytest.raises(REFUSED):
        reread(small, change)


@pytest.mark.full
def test_accuracy_on_the_penn_treebank(penn_treebank):
    trees = list(transform_all(penn_treebank, Options(splits=())))
    classifier = UnaryClassifier.train([tree for tree in trees if tree.id < "wsj_0160"])
    gold = [tree for tree in trees if "wsj_0160" <= tree.id < "wsj_0180"]
    found = [classifier(without_unaries(tree)) for tree in gold]
    assert score(gold, found).labelled.f1 > 99.4
