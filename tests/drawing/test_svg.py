"""Pictures as SVG, read back by following their lines."""

import re
from collections import defaultdict
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from strategies import trees

from plcfrs.drawing import draw_svg
from plcfrs.text import printable
from plcfrs.transform import transform
from plcfrs.trees import Node, Token, Tree

SVG = "{http://www.w3.org/2000/svg}"
STEP = re.compile(r"M(\d+) (\d+)([HV])(\d+)")


class Reading:
    """The labels and lines of a picture."""

    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        self.labels = [
            (int(text.get("x")), int(text.get("y")), text.text or "")
            for text in self.root.iter(f"{SVG}text")
        ]
        self.lines, self.holes = [], []
        for path in self.root.iter(f"{SVG}path"):
            found = [
                (int(x), int(y), way, int(to)) for x, y, way, to in STEP.findall(path.get("d"))
            ]
            assert "".join(f"M{x} {y}{way}{to}" for x, y, way, to in found) == path.get("d")
            (self.holes if path.get("stroke") == "#fff" else self.lines).extend(found)

    def tree(self):
        """Return (label, children) of the root; words have no children."""
        return self.read(min(self.labels, key=lambda label: label[1]))

    def read(self, label):
        x, y, text = label
        bars = [top for at, top, way, to in self.lines if at == x and way == "V" and y < to < top]
        # The line that leaves a label is the next one below it.
        children = self.children(x, min(bars)) if bars and self.is_next(label, min(bars)) else []
        return text, sorted((self.read(child) for child in children), key=repr)

    def is_next(self, label, bar):
        return not any(x == label[0] and label[1] < y < bar for x, y, _ in self.labels)

    def children(self, x, bar):
        (ends,) = {
            (left, right)
            for left, y, way, right in self.lines
            if way == "H" and y == bar and left <= x <= right
        }
        feet = [
            (at, to)
            for at, y, way, to in self.lines
            if way == "V" and y == bar and to > bar and ends[0] <= at <= ends[1]
        ]
        assert (min(feet)[0], max(feet)[0]) == ends
        return [
            min(label for label in self.labels if label[0] == at and label[1] > to)
            for at, to in feet
        ]


def shape(tree):
    """Return (label, children) of the root of a tree."""
    found = {}
    for node in tree.bottom_up():
        children = [
            (tree.tokens[child].tag, [(tree.tokens[child].form, [])])
            if isinstance(child, int)
            else found[child]
            for child in node.children
        ]
        found[node] = node.category, sorted(children, key=repr)
    return found[tree.root]


def tree_with(texts):
    return Tree(
        Node("ROOT", children=[Node(texts[0], children=[0, 2]), 1]),
        [Token(text, text) for text in texts],
    )


@given(trees())
def test_picture_shows_the_tree(tree):
    for node in tree.nodes():
        node.functions = ()
    reading = Reading(draw_svg(tree))
    assert reading.tree() == shape(tree)
    words = [text for _, _, text in sorted(reading.labels) if text]
    assert len(words) == len(tree.nodes()) + 2 * len(tree.tokens)


@given(trees())
def test_a_line_has_a_hole_where_another_one_crosses_it(tree):
    reading = Reading(draw_svg(tree))
    rows, columns = ([line for line in reading.lines if line[2] == way] for way in "HV")
    for left, y, _, right in rows:
        for x, top, _, bottom in columns:
            if left < x < right and top < y < bottom:
                assert any(at == x and begin < y < end for at, begin, _, end in reading.holes)
    for x, top, _, bottom in reading.holes:
        # A hole is in the lines of others, not in one's own.
        assert any(at == x and begin < top and end == bottom for at, begin, _, end in columns)


@given(trees())
def test_everything_is_inside_and_labels_do_not_touch(tree):
    reading = Reading(draw_svg(tree))
    width, height = (int(reading.root.get(name)) for name in ("width", "height"))
    rows = defaultdict(list)
    for x, y, text in reading.labels:
        half = 9 * len(text) / 2
        assert half <= x <= width - half
        assert 0 < y < height
        rows[y].append((x - half, x + half))
    for row in rows.values():
        row.sort()
        assert all(one[1] < other[0] for one, other in pairwise(row))


@given(st.lists(texts(), min_size=3, max_size=3))
def test_nasty_texts(nasty):
    root = ElementTree.fromstring(draw_svg(tree_with(nasty)))
    shown = [text.text for text in root.iter(f"{SVG}text")]
    expected = [printable(text).replace("\r\n", "\n").replace("\r", "\n") for text in nasty]
    assert shown == ["ROOT", expected[0], *expected, *expected]


def test_markup_in_words():
    svg = draw_svg(tree_with(["<script>alert(1)</script>", '"&amp;', "</svg>"]))
    assert "<script" not in svg
    assert svg.count("</svg>") == 1
    assert "&quot;&amp;amp;" in svg


def test_marked_parts():
    tree = tree_with(["a", "b", "c"])
    root = ElementTree.fromstring(draw_svg(tree, {tree.root.nodes[0], 1}))
    red = [text.text for text in root.iter(f"{SVG}text") if text.get("font-weight") == "bold"]
    assert red == ["a", "b"]  # the node, then the tag of the second token
    places = [(int(box.get("x")), int(box.get("y"))) for box in root.iter(f"{SVG}rect")]
    bold = [text for text in root.iter(f"{SVG}text") if text.get("font-weight") == "bold"]
    for (left, top), text in zip(places, bold, strict=True):
        assert left < int(text.get("x"))
        assert top < int(text.get("y")) < top + 20
    assert not list(ElementTree.fromstring(draw_svg(tree)).iter(f"{SVG}rect"))


def test_wide_characters_take_more_room():
    narrow, wide = (
        int(ElementTree.fromstring(draw_svg(tree_with([text, "b", "c"]))).get("width"))
        for text in ("abc", "日本語")
    )
    assert wide > narrow


def test_tree_without_tokens():
    root = ElementTree.fromstring(draw_svg(Tree(Node("ROOT"), [])))
    assert [text.text for text in root.iter(f"{SVG}text")] == ["ROOT"]


@pytest.mark.full
def test_pictures_show_the_penn_treebank(penn_treebank):
    for tree in penn_treebank[::5]:
        transform(tree)
        for node in tree.nodes():
            node.functions, node.index, node.gap_index, node.split = (), None, None, ""
        assert Reading(draw_svg(tree)).tree() == shape(tree), tree.id
