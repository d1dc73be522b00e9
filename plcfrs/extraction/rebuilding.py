"""From a derivation back to a tree: the inverse of extraction."""

from __future__ import annotations

from itertools import count

from plcfrs.grammar import Derivation
from plcfrs.trees import ROOT, Node, Token, Tree


def rebuild(derivation: Derivation, tokens: list[Token], sentence: str = "") -> Tree:
    """Return the tree of a derivation over the tokens of its sentence.

    Parameters
    ----------
    derivation : Derivation
        Without intermediate nonterminals; see `plcfrs.binarization.unbinarize`.
    tokens : list of Token
        One for each leaf of the derivation; its yield functions say which.
    sentence : str
        Identifier of the tree.

    Returns
    -------
    Tree
        It keeps the category splits. If the start symbol of the grammar is not ROOT, a ROOT is
        added above it.
    """
    position_of = {leaf: position for position, leaf in enumerate(derivation.order())}
    leaves = count()

    def node_or_position(derivation: Derivation, children: list[Node | int]) -> Node | int:
        if not derivation.children:
            return position_of[next(leaves)]
        symbol = derivation.nonterminal
        return Node(symbol.category, symbol.functions, symbol.split, children=children)

    root = derivation.fold(node_or_position)
    if isinstance(root, int) or root.category != ROOT:
        root = Node(ROOT, children=[root])
    tree = Tree(root, tokens, sentence)
    tree.sort_children()
    return tree
