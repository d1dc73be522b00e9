"""Random trees for hypothesis."""

from collections.abc import Iterator
from functools import cache
from itertools import count

from hypothesis import strategies as st

from plcfrs.trees import ROOT, Node, Token, Tree

CATEGORIES = ("S", "NP", "VP", "PP", "-LRB-", "ADVP|PRT", "CS")
FUNCTIONS = ("SBJ", "TMP", "OC")
TAGS = ("NN", "VB", "''", ",", "-LRB-", "$,", "#", ":")
WORDS = ("sees", "What", "=", "a=b", "#", "#5", "/", "1/2", "--", "-LRB-", "Straße", "日本")


# Strategies are kept, since Hypothesis checks new ones, which takes longer than drawing from them.
@cache
def words() -> st.SearchStrategy[str]:
    """Words that every format can hold: no blanks, no parentheses."""
    letters = st.characters(categories=["L", "N"], max_codepoint=0xFFFF)
    return st.sampled_from(WORDS) | st.text(letters, min_size=1, max_size=4)


@cache
def tokens() -> st.SearchStrategy[Token]:
    """Tokens with a tag."""
    return st.builds(Token, words(), st.sampled_from(TAGS))


@cache
def nodes() -> st.SearchStrategy[Node]:
    """Nodes without children."""
    functions = st.lists(st.sampled_from(FUNCTIONS), max_size=2, unique=True).map(tuple)
    return st.builds(Node, st.sampled_from(CATEGORIES), functions)


@cache
def some_of(number: int) -> st.SearchStrategy[list[int]]:
    """Up to three of as many places, the last one first."""
    places = st.sets(st.integers(0, number - 1), min_size=1, max_size=3)
    return places.map(lambda found: sorted(found, reverse=True))


@cache
def sentences(max_tokens: int) -> st.SearchStrategy[list[Token]]:
    """Sentences of at least one token."""
    return st.lists(tokens(), min_size=1, max_size=max_tokens)


@st.composite
def trees(draw: st.DrawFn, max_tokens: int = 10) -> Tree:
    """Trees with crossing branches and unary chains, without empty nodes."""
    sentence = draw(sentences(max_tokens))
    parts: list[Node | int] = list(range(len(sentence)))
    for _ in range(draw(st.integers(0, 2 * len(sentence)))):
        node = draw(nodes())
        for place in draw(some_of(len(parts))):
            node.children.append(parts.pop(place))
        parts.append(node)
    tree = Tree(Node(ROOT, children=parts), sentence)
    tree.sort_children()
    return tree


def continuous_trees() -> st.SearchStrategy[Tree]:
    """Trees without crossing branches: random ones with their tokens renumbered in order."""
    return trees().map(_untangled)


def _untangled(tree: Tree) -> Tree:
    return Tree(_renumbered(tree.root, count()), tree.tokens)


def _renumbered(node: Node, positions: Iterator[int]) -> Node:
    node.children = [
        next(positions) if isinstance(child, int) else _renumbered(child, positions)
        for child in node.children
    ]
    return node
