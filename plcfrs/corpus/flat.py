"""Trees and derivations as lists, so that pickling is fast and works at any depth.

Pickle recurses, and a sentence of thousands of tokens has a tree of that depth; and it asks
dataclasses for their fields again and again. It is enough to import this module, in this process
and in the process that loads the tree.
"""

from __future__ import annotations

import copyreg
from typing import Any

from plcfrs.chart import Statistics
from plcfrs.grammar import Derivation
from plcfrs.pipeline.parse import Parse
from plcfrs.trees import Label, Node, SecondaryEdge, Token, Tree

_Row = tuple[Any, ...]
# Label, children, head, moved. A child is the position of a token, or -1 less the number of a node,
# mothers before children.
_NodeRow = tuple[Label, list[int], int | None, str | None]


def _flatten_tree(tree: Tree) -> tuple[Any, tuple[Any, ...]]:
    nodes = tree.nodes()
    number = {id(node): -1 - place for place, node in enumerate(nodes)}

    def flat(child: Node | int) -> int:
        return child if isinstance(child, int) else number[id(child)]

    rows = [
        (node.label, [flat(child) for child in node.children], node.head, node.moved)
        for node in nodes
    ]
    tokens = [
        (token.form, token.tag, token.lemma, token.morph, token.function) for token in tree.tokens
    ]
    edges = [(edge.label, flat(edge.child), flat(edge.parent)) for edge in tree.secondary_edges]
    return _build_tree, (rows, tokens, tree.id, edges)


def _build_tree(
    rows: list[_NodeRow], tokens: list[_Row], name: str, edges: list[tuple[str, int, int]]
) -> Tree:
    nodes = [Node(*label, [], head, moved) for label, _, head, moved in rows]

    def child_of(flat: int) -> Node | int:
        return flat if flat >= 0 else nodes[-1 - flat]

    for node, (_, children, *_) in zip(nodes, rows, strict=True):
        node.children = [child_of(child) for child in children]
    secondary = [
        SecondaryEdge(label, child_of(child), nodes[-1 - parent]) for label, child, parent in edges
    ]
    return Tree(nodes[0], [Token(*token) for token in tokens], name, secondary)


def _flatten_derivation(derivation: Derivation) -> tuple[Any, tuple[Any, ...]]:
    rows = [
        (each.nonterminal, each.yield_function, len(each.children))
        for each in derivation.bottom_up()
    ]
    return _build_derivation, (rows,)


def _build_derivation(rows: list[_Row]) -> Derivation:
    built: list[Derivation] = []
    for nonterminal, yield_function, size in rows:
        first = len(built) - size
        children = tuple(built[first:])
        del built[first:]
        built.append(Derivation(nonterminal, yield_function, children))
    return built[0]


def _flatten_fields(thing: Parse | Statistics) -> tuple[Any, tuple[Any, ...]]:
    return type(thing), tuple([getattr(thing, name) for name in thing.__slots__])


copyreg.pickle(Tree, _flatten_tree)
copyreg.pickle(Parse, _flatten_fields)
copyreg.pickle(Statistics, _flatten_fields)
copyreg.pickle(Derivation, _flatten_derivation)
