"""What processes send to each other: arrays in shared memory; trees and parses as lists.

It is enough to import this module in the process that sends them.
"""

from __future__ import annotations

import copyreg
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

from plcfrs.budget import Statistics
from plcfrs.grammar import Derivation
from plcfrs.parsing.parse import Parse
from plcfrs.trees import Label, Node, SecondaryEdge, Token, Tree
from plcfrs.trees.annotation import Annotation, Removed
from plcfrs.trees.tree import token_parts

_ALIGNMENT = 64


class Shared:
    """An object for child processes, whose arrays lie in memory that all processes map.

    Pass it when a process starts (see `map_in_order`), and never write into the arrays.

    Parameters
    ----------
    content : object
        Must be picklable.

    Examples
    --------
    >>> import numpy as np
    >>> Shared({"costs": np.arange(3.0)}).load()
    {'costs': array([0., 1., 2.])}
    """

    def __init__(self, content: object) -> None:
        arrays: list[pickle.PickleBuffer] = []
        rest = pickle.dumps(content, protocol=5, buffer_callback=arrays.append)
        parts: list[bytes | memoryview] = [rest, *(array.raw() for array in arrays)]
        self._places: list[slice] = []
        end = 0
        for part in parts:
            start = end + -end % _ALIGNMENT
            end = start + len(part)
            self._places.append(slice(start, end))
        self._memory = multiprocessing.RawArray("B", end)
        view = memoryview(self._memory).cast("B")
        for place, part in zip(self._places, parts, strict=True):
            view[place] = part

    def load(self) -> Any:  # noqa: ANN401 (any object can be shared)
        """Return a copy of the object with the same arrays."""
        view = memoryview(self._memory).cast("B")
        rest, *arrays = (view[place] for place in self._places)
        return pickle.loads(rest, buffers=arrays)


# Pickle recurses, but the tree of a sentence with thousands of tokens may be as deep. Pickle also
# asks dataclasses for their fields again and again. Flat lists are fast, and work at any depth.

_Fields = tuple[Any, ...]
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
    tokens = list(map(token_parts, tree.tokens))
    edges = [(edge.label, flat(edge.child), flat(edge.parent)) for edge in tree.secondary_edges]
    return _build_tree, (rows, tokens, tree.id, edges, _flatten_annotation(tree.annotation, flat))


def _flatten_annotation(
    annotation: Annotation | None, flat: Callable[[Node | int], int]
) -> _Fields | None:
    if annotation is None:
        return None
    removed = [
        (flat(each.mother), each.position, each.tree, list(map(flat, each.parts)))
        for each in annotation.removed
    ]
    return removed, [(flat(node), pair) for node, pair in annotation.indices.items()]


def _build_tree(
    rows: list[_NodeRow],
    tokens: list[_Fields],
    name: str,
    edges: list[tuple[str, int, int]],
    flat: _Fields | None,
) -> Tree:
    nodes = [Node(*label, [], head, moved) for label, _, head, moved in rows]

    def child_of(number: int) -> Node | int:
        return number if number >= 0 else nodes[-1 - number]

    for node, (_, children, *_) in zip(nodes, rows, strict=True):
        node.children = [child_of(child) for child in children]
    secondary = [
        SecondaryEdge(label, child_of(child), nodes[-1 - parent]) for label, child, parent in edges
    ]
    annotation = None
    if flat is not None:
        removed = [
            Removed(nodes[-1 - mother], position, small, list(map(child_of, parts)))
            for mother, position, small, parts in flat[0]
        ]
        annotation = Annotation(removed, {nodes[-1 - node]: pair for node, pair in flat[1]})
    words = [Token(*token) for token in tokens]
    return Tree(nodes[0], words, name, secondary, annotation=annotation)


def _flatten_derivation(derivation: Derivation) -> tuple[Any, tuple[Any, ...]]:
    rows = [
        (step.nonterminal, step.yield_function, len(step.children))
        for step in derivation.bottom_up()
    ]
    return _build_derivation, (rows,)


def _build_derivation(rows: list[_Fields]) -> Derivation:
    built: list[Derivation] = []
    for nonterminal, yield_function, size in rows:
        first = len(built) - size
        children = tuple(built[first:])
        del built[first:]
        built.append(Derivation(nonterminal, yield_function, children))
    return built[0]


def _flatten_fields(record: Parse | Statistics) -> tuple[Any, tuple[Any, ...]]:
    return type(record), tuple([getattr(record, name) for name in record.__slots__])


copyreg.pickle(Tree, _flatten_tree)
copyreg.pickle(Parse, _flatten_fields)
copyreg.pickle(Statistics, _flatten_fields)
copyreg.pickle(Derivation, _flatten_derivation)
