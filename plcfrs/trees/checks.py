"""What a tree must have before anything is learned from it."""

from plcfrs.errors import TreebankError
from plcfrs.trees.labels import ROOT
from plcfrs.trees.tree import Tree


def check_tree(tree: Tree) -> None:
    """Raise a TreebankError if a tree lacks tokens, tags, labels or children, or has null elements.

    >>> check_tree(Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))"))
    """
    if not tree.tokens:
        raise TreebankError("the tree has no tokens", sentence=tree.id)
    if tree.root.category != ROOT:
        raise TreebankError(f"the top node must be {ROOT}", sentence=tree.id)
    nodes = tree.nodes()
    for node in nodes:
        if not node.children or not node.category:
            lack = "category" if node.children else "children"
            raise TreebankError(f"a node {node.category!r} has no {lack}", sentence=tree.id)
    inside = {child for node in nodes for child in node.children if isinstance(child, int)}
    if inside != set(range(len(tree.tokens))):
        raise TreebankError("the tree does not have the tokens of its sentence", sentence=tree.id)
    for token in tree.tokens:
        if token.is_null:
            raise TreebankError(
                f"null element {token.form}: transform the treebank first", sentence=tree.id
            )
        if not token.tag:
            raise TreebankError(f"token {token.form!r} has no tag", sentence=tree.id)
