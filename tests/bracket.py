"""Trees of tests as strings: Penn Treebank brackets in, brackets with token positions out."""

import re

from plcfrs.trees import NULL_TAG, ROOT, Node, Token, Tree, parse_label


def read(text: str, sentence: str = "") -> Tree:
    """Return the tree of a string in Penn Treebank style; the outer bracket is optional."""
    root = Node(ROOT)
    stack, tokens = [root], []
    for piece in re.findall(r"\([^\s()]*|\)|[^\s()]+", text):
        if piece == "(":
            stack.append(root)
        elif piece == ")":
            stack.pop()
        elif piece.startswith("("):
            label = piece[1:]
            node = Node(NULL_TAG) if label == NULL_TAG else Node(*parse_label(label))
            stack[-1].children.append(node)
            stack.append(node)
        else:
            stack[-2].children[-1] = len(tokens)
            tokens.append(Token(piece, stack[-1].category))
    return Tree(root, tokens, sentence)


def show(tree: Tree) -> str:
    """Return a tree in brackets: positions and words, all parts of the labels, types of traces.

    Tags are left out, since they never change; ``WHNP<*T*>`` is a node that was moved.
    """
    return _show(tree, tree.root)


def _show(tree: Tree, node: Node) -> str:
    parts = (node.label, *node.chain)
    label = "+".join(part.category + f"^{part.split}" * bool(part.split) for part in parts)
    label += "".join(f"-{function}" for function in node.functions)
    label += f"-{node.index}" * (node.index is not None)
    label += f"={node.gap_index}" * (node.gap_index is not None)
    label += f"<{node.moved}>" * bool(node.moved)
    children = [
        f"{child}={tree.tokens[child].form}" if isinstance(child, int) else _show(tree, child)
        for child in node.children
    ]
    return f"({' '.join([label, *children])})"
