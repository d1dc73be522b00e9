"""Secondary edges, and what is below the words, in all kinds of pictures."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.drawing import draw, draw_svg, draw_tikz, picture_of, render_pdf, render_png
from plcfrs.drawing.arcs import Geometry
from plcfrs.drawing.picture import Picture, collapse
from plcfrs.drawing.terminal import render_text
from plcfrs.trees import Node, SecondaryEdge, Token, Tree

SVG = "{http://www.w3.org/2000/svg}"


def coordinated():
    """Return the tree of "Sie hoffen und rudern", whose subject has two mothers."""
    first, second = Node("S", ("CJ",), children=[0, 1]), Node("S", ("CJ",), children=[3])
    tokens = [
        Token("Sie", "PPER", "sie", "Nom.Pl", "SB"),
        Token("hoffen", "VVFIN", "hoffen", "", "HD"),
        Token("und", "KON", "und", "", "CD"),
        Token("rudern", "VVFIN", "rudern", "", "HD"),
    ]
    root = Node("ROOT", children=[Node("CS", children=[first, 2, second])])
    return Tree(root, tokens, "", [SecondaryEdge("SB", 0, second)])


@st.composite
def trees_with_edges(draw_from):
    tree = draw_from(trees())
    nodes = tree.nodes()
    ends = st.sampled_from([*nodes, *range(len(tree.tokens))])
    edges = st.builds(SecondaryEdge, st.text("AB<", max_size=3), ends, st.sampled_from(nodes))
    tree.secondary_edges = draw_from(st.lists(edges, max_size=4))
    return tree


@given(trees_with_edges())
def test_curves_lead_from_the_dependent_to_the_mother(tree):
    geometry = Geometry(picture_of(tree))
    for (arrow, curve), edge in zip(geometry.curves(), tree.secondary_edges, strict=True):
        labels = geometry.sketch.layout.labels
        assert arrow.label == edge.label
        tag = tree.tokens[edge.child].tag if isinstance(edge.child, int) else None
        assert tag is None or labels[arrow.child] == tag
        for number, place in ((arrow.child, curve.start), (arrow.mother, curve.end)):
            x, y = geometry.places[number]
            assert abs(place[0] - x) <= 9 * len(labels[number]) / 2 + 3
            assert abs(place[1] - y) <= 11
        assert curve.head[0] == curve.end
        for x, y in (curve.start, curve.control, curve.end, curve.middle):
            assert 0 <= x <= geometry.width
            assert 0 <= y <= geometry.height


@given(trees_with_edges())
def test_the_same_edges_are_in_all_pictures(tree):
    number = len(tree.secondary_edges)
    root = ElementTree.fromstring(draw_svg(tree))
    edges = [group for group in root.iter(f"{SVG}g") if group.get("data-edge")]
    shown = [group.find(f"{SVG}text").text or "" for group in edges]
    assert shown == [edge.label for edge in tree.secondary_edges]
    assert draw_tikz(tree).count("dashed, ->") == number
    assert draw(tree).count("⇢") == number


def test_edges_are_listed_below_a_picture_of_characters():
    lines = draw(coordinated()).splitlines()
    assert lines[-1] == "SB: PPER (Sie) ⇢ S-CJ (rudern)"
    assert draw(coordinated(), unicode=False).splitlines()[-1] == "SB: PPER (Sie) > S-CJ (rudern)"
    pieces = draw(coordinated(), width=16).split("\n\n")
    assert len(pieces) > 1
    assert ["⇢" in piece for piece in pieces] == [False] * (len(pieces) - 1) + [True]


def test_what_is_below_the_words():
    *_, words, lemmas, morphology, _ = draw(coordinated(), below=["morph", "lemma"]).splitlines()
    assert words.split() == ["Sie", "hoffen", "und", "rudern"]
    assert lemmas.split() == ["sie", "hoffen", "und", "rudern"]
    assert morphology.split() == ["Nom.Pl"]
    assert abs(words.index("Sie") + 1 - (morphology.index("Nom.Pl") + 2)) <= 1
    assert "HD" in draw_tikz(coordinated(), below=["function"])


def test_what_no_token_has_takes_no_room():
    tree = coordinated()
    for token in tree.tokens:
        token.lemma = ""
    assert draw(tree, below=["lemma"]) == draw(tree)
    assert draw_svg(tree, below=["lemma"]) == draw_svg(tree)


def test_what_is_below_the_words_is_not_cut():
    for width in range(12, 36):
        tree = Tree.from_string("(S (A 0=a) (B 1=b) (C 2=c) (D 3=d))")
        lemmas = [f"{token.form}lemma{token.form}" for token in tree.tokens]
        for token, lemma in zip(tree.tokens, lemmas, strict=True):
            token.lemma = lemma
        text = render_text([Picture(tree, below=["lemma"])], width=width)
        assert [each for each in text.split() if "lemma" in each] == lemmas


@given(trees(), st.data())
def test_what_is_below_does_not_touch(tree, data):
    for token in tree.tokens:
        token.lemma = data.draw(st.text("ab", max_size=12))
    geometry = Geometry(picture_of(tree, below=["lemma"]))
    ends = 0
    for position in range(len(tree.tokens)):
        for x, y, text in geometry.below(position):
            assert x - 9 * len(text) / 2 >= ends
            ends = x + 9 * len(text) / 2
            assert geometry.places[-1][1] < y < geometry.height
    assert ends <= geometry.width


def test_edges_of_collapsed_constituents_are_left_out():
    tree = coordinated()
    _, _, first, second = tree.nodes()
    assert collapse(tree, [first]).tree.secondary_edges == []
    (edge,) = collapse(tree, [second]).tree.secondary_edges
    assert (edge.label, edge.child, edge.parent.category) == ("SB", 0, "S")
    assert edge.parent is not second


def test_files_have_them_too():
    for render, beginning in [(render_pdf, b"%PDF"), (render_png, b"\x89PNG")]:
        plain, full = coordinated(), coordinated()
        plain.secondary_edges = []
        first, second = (render([[picture_of(tree)]]) for tree in (plain, full))
        assert first.startswith(beginning)
        assert first != second


def test_a_label_is_text():
    tree = coordinated()
    tree.secondary_edges[0].label = "<&>"
    assert "&lt;&amp;&gt;</text>" in draw_svg(tree)
    assert re.search(r"\\textless\{\}\\&\\textgreater\{\}", draw_tikz(tree))
