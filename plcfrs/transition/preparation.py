"""Trees for transition systems: binary, with heads, without unary chains; and the way back."""

from plcfrs.binarization import Markovization, Order, binarize_tree, unbinarize_tree
from plcfrs.binarization.chains import collapse_chains, restore_chains
from plcfrs.errors import TreebankError
from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.heads import unmarked_head
from plcfrs.trees.labels import render_chain


@on_copy
def prepare(tree: Tree, order: Order = "head-outward") -> Tree:
    """Collapse the unary chains of a tree with heads marked, then binarize it.

    The nodes of the result have two children or a single token. Function tags, indices and
    secondary edges are lost. Raise a TreebankError if a head is not marked, or a node has no
    children.

    >>> from plcfrs.trees import Token
    >>> clause = Node("S", children=[0, 1, 2], head=1)
    >>> tokens = [Token(tag, tag) for tag in ("NN", "VB", "NN")]
    >>> tree = prepare(Tree(Node("ROOT", children=[clause], head=0), tokens))
    >>> [(symbol, node.intermediate, node.head) for node, symbol in symbols(tree).items()]
    [('ROOT+S', False, 0), ('ROOT+S', True, 1)]
    """
    for node in tree.nodes():
        if not node.children:
            raise TreebankError(f"a node {node.category} is empty", sentence=tree.id)
        if node.head is None:
            raise unmarked_head(node, tree)
    collapse_chains.in_place(tree)
    return binarize_tree.in_place(tree, Markovization(order, horizontal=0))


@on_copy
def printed_tree(tree: Tree) -> Tree:
    """Undo `prepare`."""
    return restore_chains.in_place(unbinarize_tree.in_place(tree))


def symbols(tree: Tree) -> dict[Node, str]:
    """Return the symbol of each node of a prepared tree."""
    found: dict[Node, str] = {}
    tops = {tree.root}
    for node in tree.nodes():
        if node in tops:
            tops.update(child for child in node.nodes if child.intermediate)
        found[node] = render_chain(node.label._replace(intermediate=False), is_top=node in tops)
    return found
