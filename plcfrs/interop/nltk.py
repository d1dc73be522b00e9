"""Trees to and from NLTK, over words or (as in disco-dop) over positions in a list of words.

A tag is a subtree over one leaf. Lemma, morphology and edge label of a token are lost, and so are
secondary edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plcfrs.errors import InputError
from plcfrs.trees import ROOT, Node, Token, Tree, parse_label, render_label
from plcfrs.trees.notation import renamed_root
from plcfrs.wording import counted

if TYPE_CHECKING:
    import nltk

_ROOTS = (ROOT, "TOP", "VROOT", "")


def to_nltk(tree: Tree) -> nltk.Tree:
    """Return a continuous tree as an NLTK tree over words; a discontinuous one is an InputError.

    Examples
    --------
    >>> tokens = [Token("Why", "WRB"), Token("not", "RB")]
    >>> print(to_nltk(Tree(Node("ROOT", children=[Node("ADVP", children=[0]), 1]), tokens)))
    (ROOT (ADVP (WRB Why)) (RB not))
    """
    discontinuous = tree.discontinuous_nodes()
    if discontinuous:
        name = f"sentence {tree.id}: " if tree.id else ""
        raise InputError(
            f"{name}{render_label(discontinuous[0])} is discontinuous, and an NLTK tree over words "
            "cannot hold it: use to_nltk_positions"
        )
    return _convert(tree, [token.form for token in tree.tokens])


def to_nltk_positions(tree: Tree) -> tuple[nltk.Tree, list[str]]:
    """Return a tree as an NLTK tree over positions, and its words.

    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ"), Token("me", "PRP")]
    >>> positions, words = to_nltk_positions(
    ...     Tree(Node("ROOT", children=[Node("VP", children=[0, 2]), 1]), tokens)
    ... )
    >>> print(positions)
    (ROOT (VP (WP 0) (PRP 2)) (VBZ 1))
    """
    return _convert(tree, range(len(tree.tokens))), [token.form for token in tree.tokens]


def from_nltk(nltk_tree: nltk.Tree, words: list[str] | None = None) -> Tree:
    """Return an NLTK tree as a `Tree`; a tree over positions also needs the words.

    A top node TOP, VROOT or without a label is renamed to ROOT; any other top node gets a ROOT
    above it. A leaf without a tag, a constituent without leaves, or positions without words are an
    InputError.

    Examples
    --------
    >>> import nltk
    >>> tree = from_nltk(nltk.Tree.fromstring("(S (NP-SBJ (PRP I)) (VP (VBP agree)))"))
    >>> [node.category for node in tree.nodes()]
    ['ROOT', 'S', 'NP', 'VP']
    """
    import nltk

    tokens: dict[int, Token] = {}
    above = Node(ROOT)
    stack = [(nltk_tree, above)]
    while stack:
        subtree, mother = stack.pop()
        label = str(subtree.label())
        if len(subtree) == 1 and not isinstance(subtree[0], nltk.Tree):
            position, form = _leaf(subtree[0], tokens, words)
            tokens[position] = Token(form, label)
            mother.children.append(position)
        else:
            node = Node(*parse_label(label))
            mother.children.append(node)
            stack.extend((child, node) for child in reversed(_constituents(subtree)))
    if words is not None and len(tokens) < len(words):
        positions = counted(len(tokens), "position")
        raise InputError(f"the NLTK tree has only {positions} for {len(words)} words")
    root = renamed_root(above.children[0], _ROOTS)
    tree = Tree(root, [tokens[position] for position in range(len(tokens))])
    tree.sort_children()
    return tree


def _convert(tree: Tree, leaves: Sequence[str | int]) -> nltk.Tree:
    import nltk

    converted: dict[Node, nltk.Tree] = {}
    for node in tree.bottom_up():
        children = [
            nltk.Tree(tree.tokens[child].tag, [leaves[child]])
            if isinstance(child, int)
            else converted[child]
            for child in node.children
        ]
        converted[node] = nltk.Tree(render_label(node), children)
    return converted[tree.root]


def _constituents(subtree: nltk.Tree) -> list[nltk.Tree]:
    import nltk

    label = subtree.label()
    if not subtree:
        raise InputError(f"the NLTK tree has no words below {label!r}")
    for child in subtree:
        if not isinstance(child, nltk.Tree):
            raise InputError(f"{child!r} below {label!r} has no tag: expected Tree(tag, [word])")
    return list(subtree)


def _leaf(leaf: object, tokens: dict[int, Token], words: list[str] | None) -> tuple[int, str]:
    if words is None:
        if not isinstance(leaf, str):
            raise InputError(f"the leaf {leaf!r} is not a word: pass the words, too, for positions")
        return len(tokens), leaf
    if not isinstance(leaf, int) or not 0 <= leaf < len(words) or leaf in tokens:
        raise InputError(
            f"each leaf must be a different position in the {len(words)} words: {leaf!r}"
        )
    return leaf, words[leaf]
