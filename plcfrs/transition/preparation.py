"""Trees as the transition systems build them: chains collapsed, binary, with heads; and back."""

from plcfrs.binarization import Markovization, Order, binarize_tree, restore_tree
from plcfrs.binarization.chains import collapse_chains, restore_chains
from plcfrs.errors import TreebankError
from plcfrs.trees import ROOT, Tree


def prepare(tree: Tree, order: Order = "head-outward") -> Tree:
    """Collapse unary chains, and binarize what is left.

    Parameters
    ----------
    tree : Tree
        With heads marked; changed. Function tags, indices and secondary edges are lost.
    order : str
        Of binarization: each transition system has its own, see `System.binarization`.

    Returns
    -------
    Tree
        The same tree. Its nodes have two children, or a single token; its labels are categories.

    Raises
    ------
    TreebankError
        If a head is not marked, or a node has no children.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> clause = Node("S", children=[0, 1, 2], head=1)
    >>> tokens = [Token(tag, tag) for tag in ("NN", "VB", "NN")]
    >>> tree = prepare(Tree(Node("ROOT", children=[clause], head=0), tokens))
    >>> [(node.category, node.intermediate, node.head) for node in tree.nodes()]
    [('ROOT+S', False, 0), ('ROOT+S', True, 1)]
    """
    for node in tree.nodes():
        if not node.children:
            raise TreebankError(f"a node {node.category} is empty", sentence=tree.id)
        if node.head is None:
            raise TreebankError(
                f"the head of a node {node.category} is not marked: use mark_heads",
                sentence=tree.id,
            )
    return binarize_tree(collapse_chains(tree), Markovization(order, horizontal=0))


def restore(tree: Tree) -> Tree:
    """Undo `prepare`.

    Parameters
    ----------
    tree : Tree
        Changed.

    Returns
    -------
    Tree
        The same tree.
    """
    return restore_chains(restore_tree(tree))


def is_axiom(label: str) -> bool:
    """Whether a label is one of the top of a tree: ROOT, or a chain that begins with it.

    Examples
    --------
    >>> is_axiom("ROOT+S"), is_axiom("S")
    (True, False)
    """
    return label == ROOT or label.startswith(f"{ROOT}+")
