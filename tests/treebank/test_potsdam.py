"""The Potsdam Commentary Corpus: read, compared with a naive reading, written in other formats."""

from collections import Counter
from xml.etree import ElementTree

import pytest
from annotated import numbered_edges

from plcfrs.treebank import FORMATS, read_trees

pytestmark = pytest.mark.full


def naive_reading(path):
    """Yield, for every sentence, its words and the bags of labelled constituents and edges."""
    for sentence in ElementTree.parse(path).iter("s"):
        position = {t.get("id"): place for place, t in enumerate(sentence.iter("t"))}
        below = {
            nt.get("id"): [e.get("idref") for e in nt.iter("edge")] for nt in sentence.iter("nt")
        }
        category = {nt.get("id"): nt.get("cat") for nt in sentence.iter("nt")}

        def span(name, position=position, below=below):
            if name in position:
                return frozenset([position[name]])
            return frozenset().union(*(span(child) for child in below[name]))

        nodes = Counter((category[name], span(name)) for name in below)
        labels = Counter(
            (edge.get("label"), span(edge.get("idref"))) for edge in sentence.iter("edge")
        )
        secondary = Counter(
            (edge.get("label"), span(child.get("id")), span(edge.get("idref")))
            for child in sentence.iter()
            for edge in child.findall("secedge")
        )
        words = [(t.get("word"), t.get("pos")) for t in sentence.iter("t")]
        yield sentence.get("id"), words, nodes, labels, secondary


def described(tree):
    """Return of a tree what `naive_reading` has."""
    yields = {
        node: frozenset(place for place in range(len(tree.tokens)) if bits >> place & 1)
        for node, bits in tree.yields().items()
    }
    own = [node for node in yields if node is not tree.root]
    labels = Counter(("-".join(node.functions), yields[node]) for node in own if node.functions)
    labels.update(
        (token.function, frozenset([place]))
        for place, token in enumerate(tree.tokens)
        if token.function
    )
    secondary = Counter(
        (edge.label, yields.get(edge.child, frozenset([edge.child])), yields[edge.parent])
        for edge in tree.secondary_edges
    )
    words = [(token.form, token.tag) for token in tree.tokens]
    nodes = Counter((node.category, yields[node]) for node in own)
    return tree.id, words, nodes, labels, secondary


def test_trees_are_those_of_a_naive_reading(potsdam):
    files = sorted(potsdam.glob("*.xml"))
    assert len(files) == 176
    for path in files:
        for tree, expected in zip(read_trees(path), naive_reading(path), strict=True):
            assert described(tree) == expected


def test_size(potsdam):
    trees = list(read_trees(potsdam))
    assert len(trees) == 2193
    assert sum(len(tree.tokens) for tree in trees) == 33222
    assert sum(len(tree.nodes()) - 1 for tree in trees) == 13808
    assert sum(len(tree.secondary_edges) for tree in trees) == 310
    assert all(tree.tokens for tree in trees)


@pytest.mark.parametrize("name", ["tigerxml", "export", "export3", "discbracket"])
def test_round_trip(potsdam, name):
    format = FORMATS[name]
    for tree in read_trees(potsdam):
        (chunk,) = format.split(format.render(tree, 1).splitlines(keepends=True), "a")
        again = format.parse(chunk)
        if name in ("tigerxml", "export", "export3"):
            assert numbered_edges(again) == numbered_edges(tree)
        for token in tree.tokens:  # what the other formats cannot hold
            if name in ("export3", "discbracket"):
                token.lemma = ""
            if name == "discbracket":
                token.morph = token.function = ""
        assert again == tree
