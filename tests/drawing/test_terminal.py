"""Pictures, compared with drawings by hand and read back."""

import re
from collections import Counter

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st
from picture import read_picture
from strategies import trees

from plcfrs.drawing import Picture, draw, render_text
from plcfrs.errors import InputError
from plcfrs.interop import from_nltk, to_nltk_positions
from plcfrs.transformation import transform
from plcfrs.trees import Node, Token, Tree

COLOURED = re.compile(r"\x1b\[(\d+)m(.*?)\x1b\[0m")


def tree_of(text: str, words: str) -> Tree:
    """Return the tree of a bracketing whose leaves are positions in the sentence."""
    return from_nltk(nltk.Tree.fromstring(text, read_leaf=int), words.split())


def drawn(picture: str) -> str:
    return "\n".join(line.removeprefix(" " * 4) for line in picture.rstrip().split("\n")[1:])


# The example of Evang and Kallmeyer (2011).
QUESTION = tree_of(
    "(ROOT (SBARQ (SQ (VP (WHNP (WP 0)) (VB 3)) (MD 1) (NP (PRP 2))) (. 4)))", "What should I do ?"
)


def test_crossing_branches():
    picture = """
                      ROOT
                       │
                     SBARQ
               ┌───────┴───────┐
               SQ              │
           ┌───┼───┐           │
           │   VP  │           │
     ┌──── │ ──┴── │ ──────┐   │
    WHNP   │       NP      │   │
     │     │       │       │   │
     WP    MD     PRP      VB  .
     │     │       │       │   │
    What should    I       do  ?
    """
    assert draw(QUESTION) == drawn(picture)


def test_ascii():
    picture = """
                      ROOT
                       |
                     SBARQ
                _______|_______
               SQ              |
            ___|___            |
           |   VP  |           |
      ____ | __|__ | ______    |
    WHNP   |       NP      |   |
     |     |       |       |   |
     WP    MD     PRP      VB  .
     |     |       |       |   |
    What should    I       do  ?
    ====...................==     VP
    """
    assert draw(QUESTION, unicode=False, gaps=True) == drawn(picture)


def test_two_gaps_and_a_token_below_root():
    tree = tree_of("(ROOT (S (A (X 0) (X 2) (X 4)) (Y 1) (B (Y 3))) (. 5))", "a b c d e .")
    picture = """
                   ROOT
            ┌───────┴───────┐
            S               │
        ┌───┼───┐           │
        │   A   │           │
    ┌── │ ──┼── │ ──────┐   │
    │   │   │   B       │   │
    │   │   │   │       │   │
    X   Y   X   Y       X   .
    │   │   │   │       │   │
    a   b   c   d       e   .
    ━┄┄┄┄┄┄┄━┄┄┄┄┄┄┄┄┄┄┄━      A
    """
    assert draw(tree, gaps=True) == drawn(picture)


ILL_NESTED = tree_of("(ROOT (A (X 0) (X 2)) (B (Y 1) (Y 3)))", "a b c d")


def test_ill_nested():
    picture = """
           ROOT
        ┌───┴───┐
        │       B
        │   ┌───┴───┐
        A   │       │
    ┌───┴── │ ──┐   │
    X       Y   X   Y
    │       │   │   │
    a       b   c   d
    ━┄┄┄┄┄┄┄┄┄┄┄━      A
            ━┄┄┄┄┄┄┄━  B
    """
    assert draw(ILL_NESTED, gaps=True) == drawn(picture)


def test_marked_parts_are_in_brackets():
    picture = draw(ILL_NESTED, marked=[ILL_NESTED.root.nodes[0], 1])
    assert [label for label in picture.split() if "[" in label] == ["[A]", "[Y]"]


def test_colours_of_marked_parts_and_of_gaps():
    picture = draw(ILL_NESTED, marked=[ILL_NESTED.root.nodes[0]], gaps=True, colour=True)
    found = COLOURED.findall(picture)
    assert {colour for colour, text in found if "A" in text} == {"31", "34"}  # label, line below
    assert {colour for colour, text in found if "B" in text} == {"32"}
    assert COLOURED.sub(r"\2", picture) == draw(
        ILL_NESTED, marked=[ILL_NESTED.root.nodes[0]], gaps=True
    )


def test_side_by_side():
    picture = """
    one                  two
           ROOT          ROOT
        ┌───┴───┐         │
        │       B         UH
        │   ┌───┴───┐     │
        A   │       │    Yes
    ┌───┴── │ ──┐   │
    X       Y   X   Y
    │       │   │   │
    a       b   c   d
    """
    row = [Picture(ILL_NESTED, caption="one"), Picture(tree_of("(ROOT (UH 0))", "Yes"))]
    row[1] = row[1]._replace(caption="two")
    assert render_text(row) == drawn(picture)
    assert render_text(row, width=20) == "\n\n".join(render_text([each]) for each in row)


def test_a_wide_picture_is_cut_between_words():
    picture = """
               ┌─────
               SQ
           ┌───┼───┐
           │   VP  │
     ┌──── │ ──┴── │
    WHNP   │       NP
     │     │       │
     WP    MD     PRP
     │     │       │
    What should    I
    ━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄

     ROOT
      │
    SBARQ
    ──┴───────┐
              │
              │
              │
    ──────┐   │
          │   │
          │   │
          VB  .
          │   │
          do  ?
    ┄┄┄┄┄┄━━     VP
    """
    assert draw(QUESTION, gaps=True, width=20) == drawn(picture)


@given(trees(), st.integers(1, 60))
def test_nothing_is_lost_in_pieces(tree, width):
    whole, cut = draw(tree, gaps=True), draw(tree, gaps=True, width=width)
    assert Counter("".join(whole.split())) == Counter("".join(cut.split()))
    assert {token.form for token in tree.tokens} <= set(cut.split())


def test_pieces_are_no_wider_than_allowed():
    for width in range(11, 40):
        assert max(map(len, draw(QUESTION, width=width).split("\n"))) <= width


def test_signs_that_move_the_cursor():
    tokens = [Token("a\x1b[31m", "A"), Token("b\tc", "B")]
    picture = draw(Tree(Node("ROOT", children=[0, 1]), tokens))
    assert "\x1b" not in picture
    assert "\t" not in picture


def test_one_token():
    assert draw(tree_of("(ROOT (UH 0))", "Yes")) == "ROOT\n │\n UH\n │\nYes"


def test_unary_chain():
    tree = tree_of("(ROOT (S (VP (V 0))))", "Geh")
    assert draw(tree) == "ROOT\n │\n S\n │\n VP\n │\n V\n │\nGeh"


def test_label_with_all_its_parts():
    tree = tree_of("(ROOT (NP-SBJ-1 (NN 0)) (S^WH=2 (VB 1)))", "a b")
    assert {"NP-SBJ-1", "S^WH=2"} <= set(draw(tree).split())


def test_wide_and_combining_characters_take_their_columns():
    tree = tree_of("(ROOT (VP (NP (N 0)) (V 2)) (NP (N 1)))", "日本語 ne\u0301e 食べる")
    assert draw(tree).split("\n")[-2:] == [
        "  │       │    │",
        "日本語   ne\u0301e 食べる",
    ]


def test_long_words_are_not_wrapped():
    word = "Donau-dampf-schiff-fahrts-gesellschafts-kapitän"
    assert draw(tree_of("(ROOT (NN 0))", word)).endswith(word)


def test_tree_without_tokens():
    assert draw(Tree(Node("ROOT"), [])) == "ROOT"


def test_constituent_without_tokens():
    tree = Tree(Node("ROOT", children=[Node("NP", ("SBJ",)), 0]), [Token("a", "X")])
    with pytest.raises(InputError, match="NP-SBJ"):
        draw(tree)


def test_deeper_than_the_recursion_limit():
    node: Node | int = 0
    for _ in range(1500):
        node = Node("NP", children=[node])
    picture = draw(Tree(Node("ROOT", children=[node]), [Token("a", "X")]))
    assert picture.count("NP") == 1500


def test_nltk_runs_lines_together_here():
    # TreePrettyPrinter of NLTK 3.8.1 to 3.10.4 puts N4 and N3 into one row, across each other.
    text = "(ROOT (N4 (N3 (T 0) (T 2) (N0 (T 3) (T 4))) (U2 (N1 (T 1) (T 5)))))"
    assert read_picture(draw(tree_of(text, "a b c d e f"))) == text


def shows(picture: str, tree: Tree) -> bool:
    """Whether a picture, read back, is the tree; words and tags must be free of blanks."""
    shown = nltk.Tree.fromstring(read_picture(picture), read_leaf=int)
    expected, words = to_nltk_positions(tree)
    return from_nltk(shown, words) == from_nltk(expected, words)


@given(trees())
def test_picture_shows_the_tree(tree):
    for number, node in enumerate(tree.nodes()):
        node.category = node.category[:1] * (1 + number % 7)
    for number, token in enumerate(tree.tokens):
        token.form, token.tag = "w" * (1 + number % 9), "T" * (1 + number % 4)
    picture = draw(tree)
    assert shows(picture, tree)
    assert not any(line.endswith(" ") for line in picture.split("\n"))


@pytest.mark.full
def test_pictures_show_the_penn_treebank(penn_treebank):
    for tree in map(transform, penn_treebank):
        assert shows(draw(tree), tree), tree.id
