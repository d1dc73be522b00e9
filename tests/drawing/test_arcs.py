"""Pictures of dependency trees, read back by following their lines."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from dependency_strategies import dependency_trees
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts

from plcfrs.drawing import (
    DependencyPicture,
    draw,
    draw_svg,
    draw_tikz,
    picture_of,
    render_png,
    render_svg,
    render_text,
    tikz_document,
)
from plcfrs.drawing.arcs import ArcPlan, Measures
from plcfrs.errors import InputError
from plcfrs.transformation import to_dependencies, transform
from plcfrs.trees import DependencyTree, Token, mark_heads
from plcfrs.wording import printable

SVG = "{http://www.w3.org/2000/svg}"
DOWN, RIGHT, LEFT = "┌┐┬│├┤┼", "─┌├┴┬┼", "─┐┤┴┬┼"


EXPECTED = [
    "      root",
    " ┌──── │ ──────VP#1──────┐",
    " │     │┌──────SQ#1───── │┐",
    " │     │├──SQ#1─┐        ││",
    " ▼     ▼│       ▼        │▼",
    "What should     we        do",
    " WP    MD      PRP        VB",
]


def tree_of(heads, relations=None):
    words = [Token("abcdefghij"[number % 10], "X") for number in range(len(heads))]
    return DependencyTree(words, heads, relations or [f"r{head}" for head in heads])


def follow(picture, words):
    """Return the head of each word of a picture: from its arrow up, along, and down again."""
    lines = picture.split("\n")
    grid = [line.ljust(max(map(len, lines))) for line in lines]
    arrows = len(grid) - 3
    found = []
    for x in [place for place, sign in enumerate(grid[arrows]) if sign == "▼"]:
        y = arrows - 1
        while grid[y][x] == "│":
            y -= 1
        if grid[y][x] not in "┌┐":
            found.append(0)
            continue
        step = 1 if grid[y][x] == "┌" else -1
        end = x + step
        while grid[y][end] not in ("┐┤" if step == 1 else "┌├"):
            end += step
        for below in range(y + 1, arrows + 1):
            assert grid[below][end] in ("│├┤")
        found.append(1 + word_at(grid[-2], end, words))
    return found


def word_at(line, x, words):
    starts = [match.start() for match in re.finditer(r"\S+", line)]
    assert len(starts) == words
    return min(range(words), key=lambda word: abs(starts[word] - x))


@given(dependency_trees().map(lambda tree: tree_of(tree.heads)))
def test_arcs_lead_from_heads_to_dependents(tree):
    assert follow(draw(tree), len(tree.tokens)) == tree.heads


@given(dependency_trees(), st.booleans(), st.booleans())
def test_every_label_is_there(tree, unicode, gaps):
    picture = draw(tree, unicode=unicode, gaps=gaps)
    *arcs, _, words, tags = picture.replace("─", " ").replace("_", " ").split("\n")
    assert words.split() == [token.form for token in tree.tokens]
    assert tags.split() == [token.tag for token in tree.tokens]
    expected = Counter(label for label in tree.relations if label)
    shown = "\n".join(arcs)
    assert all(shown.count(label) >= number for label, number in expected.items())


@given(dependency_trees())
def test_arcs_that_overlap_are_on_different_levels(tree):
    arcs = [placed.arc for placed in ArcPlan(picture_of(tree), Measures(len, 1, 1, 2)).arcs]
    inner = [arc for arc in arcs if arc.head is not None]
    for one in inner:
        for other in inner:
            (a, b), (c, d) = one.ends, other.ends
            if one is not other and max(a, c) < min(b, d):
                assert one.level != other.level
                assert a > c or d > b or one.level > other.level or (a, b) == (c, d)


def test_a_picture():
    tree = DependencyTree(
        [Token("What", "WP"), Token("should", "MD"), Token("we", "PRP"), Token("do", "VB")],
        [4, 0, 2, 2],
        ["VP#1", "root", "SQ#1", "SQ#1"],
    )
    assert draw(tree, gaps=True).split("\n") == EXPECTED
    assert "\x1b[34m" in draw(tree, gaps=True, colour=True)
    assert "\x1b" not in draw(tree, colour=True)
    assert "[SQ#1]" in draw(tree, marked=[2])
    assert tree.pretty() == draw(tree)
    assert tree._repr_svg_() == draw_svg(tree, gaps=True)


def test_pieces_fit_into_the_width():
    tree = tree_of([2, 0, 2, 3, 4, 5, 6, 2])
    pieces = draw(tree, width=20).split("\n\n")
    assert len(pieces) > 1
    assert all(len(line) <= 20 for piece in pieces for line in piece.split("\n"))
    words = [word for piece in pieces for word in piece.split("\n")[-2].split()]
    assert words == tree.words()


def test_captions_and_trees_side_by_side():
    picture = picture_of(tree_of([0]), caption="one")
    assert isinstance(picture, DependencyPicture)
    first, *_ = render_text([picture, picture]).split("\n")
    assert first.split() == ["one", "one"]
    assert render_svg([[picture, picture]]).count(">one<") == 2


def test_heads_that_are_not_there():
    for heads in [[2], [1], [-1]]:
        for function in (draw, draw_svg, draw_tikz):
            with pytest.raises(InputError, match=f"the arc of word 1, whose head is {heads[0]}"):
                function(tree_of(heads))


def test_a_sentence_without_words():
    tree = DependencyTree([], [], [])
    assert not draw(tree).strip()
    assert draw_svg(tree).startswith("<svg")
    assert draw_tikz(tree).startswith(r"\begin{tikzpicture}")


@given(dependency_trees())
def test_svg_has_an_arrow_for_each_word(tree):
    root = ElementTree.fromstring(draw_svg(tree, marked=[0], gaps=True))
    width, height = (int(root.get(name)) for name in ("width", "height"))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("data-token")]
    assert len(groups) == len(tree.tokens)
    for group, token, relation in zip(groups, tree.tokens, tree.relations, strict=True):
        labels = list(group.iter(f"{SVG}text"))
        assert [label.text or "" for label in labels] == [relation, token.form, token.tag]
        line, arrow = (path.get("d") for path in group.iter(f"{SVG}path"))
        x, y = labels[1].get("x"), int(labels[1].get("y"))
        assert arrow.startswith(f"M{x} {y - 14}")
        assert line.endswith(f"V{y - 14}")
        assert all(0 <= int(label.get("x")) <= width for label in labels)
        assert all(0 < int(label.get("y")) < height for label in labels)
        pieces = re.findall(r"M(\d+) \d+H(\d+)", line)
        assert all(int(left) < int(right) for left, right in pieces)


@given(st.lists(texts(), min_size=3, max_size=3))
def test_nasty_texts(nasty):
    word, tag, relation = nasty
    tree = DependencyTree([Token(word, tag)], [0], [relation])
    shown = [text.text for text in ElementTree.fromstring(draw_svg(tree)).iter(f"{SVG}text")]
    expected = [
        printable(text).replace("\r\n", "\n").replace("\r", "\n") for text in (relation, word, tag)
    ]
    assert shown == expected
    assert len(draw(tree).split("\n")) == 4
    assert draw_tikz(tree).count("\\node") == 3


def test_tikz():
    source = draw_tikz(tree_of([2, 0, 2], ["S#1", "root", "S_2"]), marked=[2])
    assert source.count("->") == 3
    assert r"\node[red!80!black, draw, rounded corners=2pt]" in source
    assert r"S\#1" in source
    assert r"S\_2" in source
    assert source in tikz_document([source])


def test_png():
    assert render_png([[picture_of(tree_of([2, 0]))]]).startswith(b"\x89PNG")


@pytest.mark.full
def test_pictures_show_the_penn_treebank(penn_treebank):
    for tree in penn_treebank[::10]:
        found = to_dependencies(mark_heads(transform(tree)))
        words = tree_of(found.heads)
        assert follow(draw(words), len(words.tokens)) == found.heads, tree.id
