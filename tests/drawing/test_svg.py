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

from plcfrs.drawing import Picture, draw_svg, render_svg
from plcfrs.transformation import transform
from plcfrs.trees import Node, Token, Tree
from plcfrs.wording import printable

SVG = "{http://www.w3.org/2000/svg}"
STEP = re.compile(r"M(\d+) (\d+)([HV])(\d+)")
HOLE = 6


class Reading:
    """The labels and lines of a picture."""

    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        self.labels = [
            (int(text.get("x")), int(text.get("y")), text.text or "")
            for text in self.root.iter(f"{SVG}text")
        ]
        self.lines = []
        for path in self.root.iter(f"{SVG}path"):
            found = [
                (int(x), int(y), way, int(to)) for x, y, way, to in STEP.findall(path.get("d"))
            ]
            assert "".join(f"M{x} {y}{way}{to}" for x, y, way, to in found) == path.get("d")
            self.lines.extend(found)

    @property
    def columns(self):
        return [(x, *sorted((y, to))) for x, y, way, to in self.lines if way == "V"]

    def rows(self):
        """Return horizontal lines, the pieces of each put together where a line crosses it."""
        joined = []
        for y, left, right in sorted((y, x, to) for x, y, way, to in self.lines if way == "H"):
            if joined and joined[-1][0] == y and left - joined[-1][2] == HOLE:
                middle = left - HOLE // 2
                assert any(x == middle and top < y < low for x, top, low in self.columns)
                left = joined.pop()[1]
            joined.append((y, left, right))
        return joined

    def tree(self):
        """Return (label, children) of the root; words have no children."""
        return self.read(min(self.labels, key=lambda label: label[1]))

    def read(self, label):
        x, y, text = label
        below = [low for at, top, low in self.columns if at == x and top == y + 4]
        if not below:
            return text, []
        (low,) = below
        bars = [row for row in self.rows() if row[0] == low and row[1] <= x <= row[2]]
        feet = self.feet(*bars[0]) if bars else [(x, low)]
        return text, sorted((self.read(self.label_below(*foot)) for foot in feet), key=repr)

    def feet(self, y, left, right):
        found = [(x, low) for x, top, low in self.columns if top == y and left <= x <= right]
        assert (min(found)[0], max(found)[0]) == (left, right)
        return found

    def label_below(self, x, y):
        (found,) = [label for label in self.labels if label[0] == x and label[1] == y + 12]
        return found


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
def test_lines_do_not_cross_each_other(tree):
    reading = Reading(draw_svg(tree))
    rows = [(y, x, to) for x, y, way, to in reading.lines if way == "H"]
    for y, left, right in rows:
        for x, top, low in reading.columns:
            assert not (left < x < right and top < y < low)


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
    tokens = [text for text in expected for _ in ("tag", "word")]
    assert shown == ["ROOT", expected[0], *tokens]


def test_markup_in_words():
    svg = draw_svg(tree_with(["<script>alert(1)</script>", '"&amp;', "</svg>"]))
    assert "<script" not in svg
    assert svg.count("</svg>") == 1
    assert "&quot;&amp;amp;" in svg


def frames(root):
    return root.findall(f".//{SVG}g/{SVG}rect")


def test_marked_parts():
    tree = tree_with(["a", "b", "c"])
    root = ElementTree.fromstring(draw_svg(tree, {tree.root.nodes[0], 1}))
    red = [text.text for text in root.iter(f"{SVG}text") if text.get("font-weight") == "bold"]
    assert red == ["a", "b"]  # the node, then the tag of the second token
    places = [(int(box.get("x")), int(box.get("y"))) for box in frames(root)]
    bold = [text for text in root.iter(f"{SVG}text") if text.get("font-weight") == "bold"]
    for (left, top), text in zip(places, bold, strict=True):
        assert left < int(text.get("x"))
        assert top < int(text.get("y")) < top + 20
    assert not frames(ElementTree.fromstring(draw_svg(tree)))


def test_what_a_page_needs_to_highlight_constituents():
    tree = tree_with(["a", "b", "c"])
    root = ElementTree.fromstring(draw_svg(tree))
    found = {
        group.get("data-node"): (group.get("data-yield"), group.find(f"{SVG}text").text)
        for group in root.iter(f"{SVG}g")
        if group.get("data-node")
    }
    assert found == {"0": ("0 1 2", "ROOT"), "1": ("0 2", "a")}
    words = {
        group.get("data-token"): [text.text for text in group.iter(f"{SVG}text")]
        for group in root.iter(f"{SVG}g")
        if group.get("data-token")
    }
    assert words == {"0": ["a", "a"], "1": ["b", "b"], "2": ["c", "c"]}


def test_gaps():
    root = ElementTree.fromstring(draw_svg(tree_with(["a", "b", "c"]), gaps=True))
    assert len({group.get("color") for group in root.iter(f"{SVG}g")} - {None}) == 1
    (thick,) = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width")]
    first, second = ((int(x), int(to)) for x, _, _, to in STEP.findall(thick.get("d")))
    *_, a, b, c = sorted(
        (int(text.get("y")), int(text.get("x"))) for text in root.iter(f"{SVG}text")
    )[:-1]
    assert first[0] < a[1] < first[1] < b[1] < second[0] < c[1] < second[1]


def test_rows_of_trees():
    tree = tree_with(["a", "b", "c"])
    picture = Picture(tree, caption="<gold>")
    root = ElementTree.fromstring(render_svg([[picture, picture], [picture]]))
    one = ElementTree.fromstring(render_svg([[picture]]))
    shifts = [g.get("transform") for g in root.iter(f"{SVG}g") if g.get("transform")]
    assert shifts[0] == "translate(0 0)"
    assert len(set(shifts)) == 3
    for side in ("width", "height"):
        assert 2 * int(one.get(side)) < int(root.get(side))
    assert [text.text for text in root.iter(f"{SVG}text")].count("<gold>") == 3


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
        tree = transform(tree)
        for node in tree.nodes():
            node.functions, node.index, node.gap_index, node.split = (), None, None, ""
        assert Reading(draw_svg(tree)).tree() == shape(tree), tree.id
