"""Transformed trees as lines of JSON, since no treebank format keeps all their information.

Heads, category splits and the types of traces are kept, because grammars and scores need them;
secondary edges are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plcfrs.trees import Node, Token, Tree

_MARKS = ("functions", "split", "head", "index", "gap_index", "moved")


def dump_tree(tree: Tree) -> dict[str, object]:
    """Return a tree as plain lists.

    Nodes are in the order of `Tree.nodes`; a child is the position of a token, or -N for the N-th
    node, counted from 0 for the root.

    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0])]), [Token("We", "PRP")])
    >>> dump_tree(tree)["nodes"]
    [['ROOT', [-1], {}], ['NP', [0], {}]]
    """
    nodes = tree.nodes()
    numbers = {node: number for number, node in enumerate(nodes)}
    return {
        "id": tree.id,
        "tokens": [
            [token.form, token.tag, token.lemma, token.morph, token.function]
            for token in tree.tokens
        ],
        "nodes": [
            [
                node.category,
                [child if isinstance(child, int) else -numbers[child] for child in node.children],
                {mark: getattr(node, mark) for mark in _MARKS if getattr(node, mark) not in _NONE},
            ]
            for node in nodes
        ],
    }


_NONE: tuple[object, ...] = ((), "", None)


def load_tree(content: dict[str, Any]) -> Tree:
    """Return the tree of such lists."""
    nodes = [
        Node(category, **{**marks, "functions": tuple(marks.get("functions", ()))})
        for category, _, marks in content["nodes"]
    ]
    for node, (_, children, _) in zip(nodes, content["nodes"], strict=True):
        node.children = [child if child >= 0 else nodes[-child] for child in children]
    return Tree(nodes[0], [Token(*token) for token in content["tokens"]], content["id"])


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON values of the lines of a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def read_tree_lines(path: Path) -> Iterator[Tree]:
    """Yield the trees of a file of transformed trees or of parses."""
    for content in read_lines(path):
        yield load_tree(content)
