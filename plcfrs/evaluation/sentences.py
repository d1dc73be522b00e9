"""Properties of trees that several scores need."""

from __future__ import annotations

from plcfrs.errors import InputError
from plcfrs.trees import NO_PARSE, Node, Tree
from plcfrs.trees.heads import HeadRules, head_of


def has_parse(tree: Tree) -> bool:
    """Whether a tree is more than the flat NOPARSE tree of a sentence without a parse."""
    return all(node.category != NO_PARSE for node in tree.root.nodes)


def head_words(tree: Tree, rules: HeadRules | None = None) -> dict[Node, int]:
    """Return the position of the lexical head of each node, by default as in Collins (1999)."""
    if any(token.is_null for token in tree.tokens):
        raise InputError(
            f"{f'sentence {tree.id}' if tree.id else 'a sentence'} has null elements: "
            "transform the trees first ('plcfrs transform', or 'plcfrs eval --transform')"
        )
    found: dict[Node, int] = {}
    for node in tree.bottom_up():
        if node.children:
            child = node.children[head_of(tree, node, rules)]
            found[node] = child if isinstance(child, int) else found[child]
    return found
