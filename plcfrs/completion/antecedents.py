"""Antecedents: which phrase a null element stands for, as an index on both.

Traces of fillers have theirs by the crossing branch, and traces of empty wh-phrases by the next
SBAR. For all others, such as the subjects of infinitives and the objects of passives, a classifier
chooses among the noun phrases that c-command them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from plcfrs.completion.classifier import Atoms, Decision, Features, Shared
from plcfrs.learning.templates import listed
from plcfrs.transformation.traces import TRACE_TYPES
from plcfrs.trees import Node, Tree

FEATURES = Features(
    atoms=listed(
        """
        cat, form, label, mother, above, above2, function, head, governor, governor2, first,
        second, third, fourth, first_word, second_word, count, connector, left, path
        """
    ),
    templates=listed(
        """
        label, label mother above, label mother above above2, label first, label first second, label
        first second third, label governor, label governor first, label governor first second, label
        head, label head first, label mother first, label mother above first second, label function,
        label function first, label function first second, label function governor, label governor2
        first second, label first_word, label first_word first, label first second second_word,
        label count, label connector, label connector first, label connector first second, label
        left, label left first, label path, label path first, label path first second, label path
        governor, label first second third fourth, label above first governor
        """
    ),
    pairs=("cat", "label", "label first"),
)

NONE = "none"
_MOST = 5
_NOTHING = Shared()
_INDEX = re.compile(r"-[0-9]{1,9}$")


class NullElement(NamedTuple):
    """A null element: its token, and the nodes above it, from its mother to the root."""

    position: int
    form: str  # without index
    above: list[Node]


def without_index(form: str) -> str:
    """Return the form of a null element without its index.

    >>> without_index("*T*-1"), without_index("0")
    ('*T*', '0')
    """
    return _INDEX.sub("", form)


def null_elements(tree: Tree) -> list[NullElement]:
    """Return the null elements of a tree, from left to right."""
    parents = tree.parents()
    mothers = {c: node for node in tree.nodes() for c in node.children if isinstance(c, int)}
    nulls = []
    for position, token in enumerate(tree.tokens):
        if token.is_null and position in mothers:
            above = [mothers[position]]
            while above[-1] in parents:
                above.append(parents[above[-1]])
            nulls.append(NullElement(position, without_index(token.form), above))
    return nulls


def is_referring(null: NullElement) -> bool:
    """Return whether a null element may have an antecedent that the classifier chooses."""
    return null.form.startswith("*") and null.form not in (*TRACE_TYPES, "*U*", "*0*")


def candidates_of(null: NullElement) -> list[Node]:
    """Return the noun phrases and clauses that c-command a null element, the nearest first."""
    found: list[Node] = []
    for below, mother in zip(null.above, null.above[1:], strict=False):
        place = mother.children.index(below)
        sisters = [*mother.children[:place][::-1], *mother.children[place + 1 :]]
        found += [s for s in sisters if isinstance(s, Node) and s.category.endswith(_NOMINAL)]
        if len(found) >= _MOST:
            break
    return found[:_MOST]


_NOMINAL = ("NP", "NOM", "WHNP")


def decisions(tree: Tree, nulls: list[NullElement]) -> list[list[Decision]]:
    """Return the decisions about the antecedents of null elements; heads must be marked."""
    heads = _heads(tree)
    return [
        [Decision((n.form, str(len(candidates_of(n)))), partial(_atoms, tree, n, heads), _NOTHING)]
        for n in nulls
    ]


def _atoms(tree: Tree, null: NullElement, heads: dict[Node, str]) -> Atoms:
    own = null.above[0]
    others = [node.category for node in null.above[1:4]]
    clause = next((n for n in null.above[1:] if n.category in ("S", "SINV", "SQ")), null.above[-1])
    outside = null.above[null.above.index(clause) + 1 :]
    governor = outside[0] if outside else None
    candidates = [_described(null, node) for node in candidates_of(null)]
    described = [*candidates, *[""] * 4][:4]
    words = [heads[node] for node in candidates_of(null)[:2]] + ["", ""]
    before = tree.tokens[: null.position]
    return {
        "cat": own.category,
        "form": null.form,
        "label": f"{own.category}-{'-'.join(own.functions)} {null.form}",
        "mother": others[0] if others else "",
        "above": others[1] if others[1:] else "",
        "above2": others[2] if others[2:] else "",
        "function": "-".join([clause.category, *clause.functions]),
        "head": heads[null.above[1]] if null.above[1:] else "",
        "governor": heads[governor] if governor else "",
        "governor2": heads[outside[1]] if outside[1:] else "",
        "first": described[0],
        "second": described[1],
        "third": described[2],
        "fourth": described[3],
        "first_word": words[0],
        "second_word": words[1],
        "count": str(len(candidates)),
        "connector": _connector(clause),
        "left": before[-1].form.lower() if before else "",
        "path": " ".join(node.category for node in null.above[1:6]),
    }


def _connector(clause: Node) -> str:
    first = next((child for child in clause.children if isinstance(child, Node)), None)
    return "" if first is None else first.category


def _described(null: NullElement, candidate: Node) -> str:
    for distance, (below, mother) in enumerate(zip(null.above, null.above[1:], strict=False)):
        if candidate in mother.children:
            side = mother.children.index(candidate) > mother.children.index(below)
            label = "-".join([candidate.category, *candidate.functions])
            return f"{label} {mother.category} {'after' * side} {min(distance, 2)}"
    return ""


def _heads(tree: Tree) -> dict[Node, str]:
    """Return the lower-case lexical head of each node, by the heads marked in the tree."""
    heads: dict[Node, str] = {}
    for node in tree.bottom_up():
        child = node.children[node.head or 0]
        heads[node] = heads[child] if isinstance(child, Node) else tree.tokens[child].form.lower()
    return heads


def label_of(null: NullElement, antecedent: Node | None) -> str:
    """Return the label of an antecedent for the classifier."""
    for place, candidate in enumerate(candidates_of(null)):
        if candidate is antecedent:
            return str(place)
    return NONE


def operator_of(null: NullElement, tree: Tree) -> Node | None:
    """Return the next wh-phrase without words that c-commands a trace."""
    for below, mother in zip(null.above, null.above[1:], strict=False):
        for sister in mother.nodes:
            if sister is not below and sister.category.startswith("WH") and _is_null(sister, tree):
                return sister
    return None


def _is_null(node: Node, tree: Tree) -> bool:
    return all(tree.tokens[position].is_null for position in _tokens(node))


def _tokens(node: Node) -> Iterator[int]:
    for below in node.preorder():
        yield from (child for child in below.children if isinstance(child, int))
