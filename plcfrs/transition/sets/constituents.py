"""Trees as sets of tokens with labels, and back.

A unary chain is one set, with a label such as ``ROOT+S``. There are no heads, no function tags and
no intermediate nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plcfrs.binarization.chains import collapse_chains, nodes_of
from plcfrs.errors import InputError, TreebankError
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.labels import ROOT, is_axiom, parse_chain, render_chain
from plcfrs.trees.spans import leftmost


def constituents_of(tree: Tree) -> dict[int, str]:
    """Return the label of each set of tokens; raise a TreebankError if a node has no children.

    >>> tree = Tree.from_string("(SQ (VP (WP 0=What) (VB 2=do)) (NP (PRP 1=we)))")
    >>> {bin(tokens): label for tokens, label in constituents_of(tree).items()}
    {'0b111': 'ROOT+SQ', '0b101': 'VP', '0b10': 'NP'}
    """
    for node in tree.root.preorder():
        if not node.children:
            raise TreebankError(f"a node {node.category} is empty", sentence=tree.id)
    collapsed = collapse_chains(tree)
    spans = collapsed.yields()
    return {
        spans[node]: render_chain(node.label, is_top=node is collapsed.root)
        for node in collapsed.nodes()
    }


def tree_of(constituents: Mapping[int, str], tokens: list[Token]) -> Tree:
    """Return the tree of disjoint or nested sets, the inverse of `constituents_of`.

    Raise an InputError if the label of the set of all tokens does not begin with ROOT.

    >>> tokens = [Token("What", "WP"), Token("we", "PRP"), Token("do", "VB")]
    >>> print(tree_of({0b111: "ROOT+SQ", 0b101: "VP", 0b10: "NP"}, tokens))
    (ROOT (SQ (VP (WP 0=What) (VB 2=do)) (NP (PRP 1=we))))
    """
    top = constituents.get((1 << len(tokens)) - 1, "")
    if not is_axiom(top):
        raise InputError(f"the label of all tokens is {top!r}: it must begin with {ROOT}")
    outermost: dict[int, Node | int] = {1 << token: token for token in range(len(tokens))}
    for mask in sorted(constituents, key=int.bit_count):
        label = parse_chain(constituents[mask])
        chain = nodes_of((label._replace(chain=()), *label.chain))
        parts = sorted((part for part in outermost if part & mask), key=leftmost)
        chain[-1].children = [outermost.pop(part) for part in parts]
        outermost[mask] = chain[0]
    (root,) = outermost.values()
    assert isinstance(root, Node)
    return Tree(root, tokens)


def inventory(treebank: Iterable[Mapping[int, str]]) -> tuple[str, ...]:
    """Return the labels of a parser: an empty one for NO-LABEL, and those of the training set.

    >>> inventory([{0b11: "ROOT+S", 0b1: "NP"}, {0b1: "ROOT+NP"}])
    ('', 'NP', 'ROOT+NP', 'ROOT+S')
    """
    return ("", *sorted({label for constituents in treebank for label in constituents.values()}))
