"""Null elements and their antecedents: the phrases elsewhere that they stand for."""

from __future__ import annotations

from collections import defaultdict

from plcfrs.trees.tree import NULL_TAG, Node, Tree, null_parts

EMPTY_FILLERS = ("0", "*0*")
"""Null elements that are antecedents, such as an empty relative pronoun of its trace."""


def antecedents(tree: Tree) -> dict[int, Node]:
    """Return the antecedents of null elements, by the positions of these.

    The index is that of the null element, ``(NP (-NONE- *T*-1))``, as in the Penn Treebank; or of
    the node above it, ``(NP-1 (-NONE- *T*))``, as in OntoNotes and CRAFT, where all nulls of a
    chain have the index of the first phrase. If several phrases have an index, the first one is
    the antecedent.

    Examples
    --------
    >>> text = "(S (NP-1 (NN Cake)) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1)))))"
    >>> antecedents(Tree.from_string(text))
    {3: <Node NP-1: 1 children>}
    """
    found: dict[int, Node] = {}
    if NULL_TAG not in [token.tag for token in tree.tokens]:  # as in most trees
        return found
    phrases: dict[int | None, list[Node]] = defaultdict(list)
    for node in tree.nodes():
        if node.index is not None and any(True for _ in node.leaves()):
            phrases[node.index].append(node)
    for mother in tree.nodes():
        for child in mother.children:
            if isinstance(child, int) and tree.tokens[child].is_null:
                _, number = null_parts(tree.tokens[child].form)
                for other in phrases[mother.index if number is None else number]:
                    if other is not mother and (number is not None or not stands(tree, other)):
                        found[child] = other
                        break
    return found


def stands(tree: Tree, node: Node) -> bool:
    """Whether a node stands for another: it has only null elements without indices of their own.

    >>> trace = Tree.from_string("(NP-1 (-NONE- *T*))")
    >>> stands(trace, trace.root.nodes[0])
    True
    """
    for child in node.children:
        if isinstance(child, Node) or not tree.tokens[child].is_null:
            return False
        type_, number = null_parts(tree.tokens[child].form)
        if number is not None or type_ in EMPTY_FILLERS:
            return False
    return True
