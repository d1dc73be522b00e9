"""Antecedents: which phrase a null element stands for, as an index on both.

Traces of fillers have theirs by the crossing branch, and traces of empty wh-phrases by the next
SBAR. For all others, such as the subjects of infinitives and the objects of passives, a classifier
chooses among the noun phrases that c-command them.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from plcfrs.completion.classifier import Atoms, Decision, Features
from plcfrs.learning.templates import listed
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import TRACE_TYPES, null_parts

FEATURES = Features(
    atoms=listed(
        """
        cat, form, label, mother, above, above2, function, head, governor, governor2, first,
        second, third, fourth, first_word, second_word, count, connector, left, path,
        subject, subject_word
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
        governor, label first second third fourth, label above first governor, label
        subject, label subject first, label subject_word, label subject function, label subject_word
        function
        """
    ),
)

NONE = "none"
_MOST = 5


class PlacedNull(NamedTuple):
    """A null element in its tree."""

    position: int
    type: str
    number: int | None  # its index
    above: list[Node]  # the nodes from its mother to the root


class Candidate(NamedTuple):
    """A phrase that may be the antecedent of a null element, and where it is, for features."""

    node: Node
    place: str


def null_elements(tree: Tree) -> list[PlacedNull]:
    """Return the null elements of a tree, from left to right."""
    mothers = tree.mothers()
    nulls = []
    for position, token in enumerate(tree.tokens):
        if token.is_null and position in mothers:
            above = [mothers[position]]
            while above[-1] in mothers:
                above.append(mothers[above[-1]])
            nulls.append(PlacedNull(position, *null_parts(token.form), above))
    return nulls


def is_referring(null: PlacedNull) -> bool:
    """Return whether a null element may have an antecedent that the classifier chooses."""
    return null.type.startswith("*") and null.type not in (*TRACE_TYPES, "*U*", "*0*")


def candidates_of(null: PlacedNull) -> list[Candidate]:
    """Return the noun phrases and clauses that c-command a null element, the nearest first."""
    found: list[Candidate] = []
    for distance, (below, mother) in enumerate(zip(null.above, null.above[1:], strict=False)):
        place = mother.children.index(below)
        sides = {"": mother.children[:place][::-1], "after": mother.children[place + 1 :]}
        found += [
            Candidate(sister, f"{_labelled(sister)} {mother.category} {side} {min(distance, 2)}")
            for side, sisters in sides.items()
            for sister in sisters
            if isinstance(sister, Node) and sister.category.endswith(_NOMINAL)
        ]
        if len(found) >= _MOST:
            break
    return found[:_MOST]


def _labelled(node: Node) -> str:
    return "-".join([node.category, *node.functions])


_NOMINAL = ("NP", "NOM", "WHNP")


def decisions(
    tree: Tree, nulls: list[PlacedNull], candidates: list[list[Candidate]]
) -> list[Decision]:
    """Return the decisions about the antecedents of null elements; heads must be marked."""
    heads = _heads(tree)
    return [
        Decision((null.type, str(len(own))), partial(_atoms, tree, null, own, heads))
        for null, own in zip(nulls, candidates, strict=True)
    ]


def _atoms(
    tree: Tree, null: PlacedNull, candidates: list[Candidate], heads: dict[Node, str]
) -> Atoms:
    own = null.above[0]
    others = [node.category for node in null.above[1:4]]
    clause = next((n for n in null.above[1:] if n.category in ("S", "SINV", "SQ")), null.above[-1])
    outside = null.above[null.above.index(clause) + 1 :]
    governor = outside[0] if outside else None
    places = [*(candidate.place for candidate in candidates), "", "", "", ""]
    words = [*(heads[candidate.node] for candidate in candidates[:2]), "", ""]
    subject = next((each for each in candidates if "SBJ" in each.node.functions), None)
    before = tree.tokens[: null.position]
    return {
        "cat": own.category,
        "form": null.type,
        "label": f"{own.category}-{'-'.join(own.functions)} {null.type}",
        "mother": others[0] if others else "",
        "above": others[1] if others[1:] else "",
        "above2": others[2] if others[2:] else "",
        "function": _labelled(clause),
        "head": heads[null.above[1]] if null.above[1:] else "",
        "governor": heads[governor] if governor else "",
        "governor2": heads[outside[1]] if outside[1:] else "",
        "first": places[0],
        "second": places[1],
        "third": places[2],
        "fourth": places[3],
        "first_word": words[0],
        "second_word": words[1],
        "count": str(len(candidates)),
        "connector": _connector(clause),
        "left": before[-1].form.lower() if before else "",
        "path": " ".join(node.category for node in null.above[1:6]),
        "subject": subject.place if subject else "",
        "subject_word": heads[subject.node] if subject else "",
    }


def _connector(clause: Node) -> str:
    first = next((child for child in clause.children if isinstance(child, Node)), None)
    return "" if first is None else first.category


def _heads(tree: Tree) -> dict[Node, str]:
    """Return the lower-case lexical head of each node, by the heads marked in the tree."""
    heads: dict[Node, str] = {}
    for node in tree.bottom_up():
        child = node.children[node.head or 0]
        heads[node] = heads[child] if isinstance(child, Node) else tree.tokens[child].form.lower()
    return heads


def label_of(candidates: list[Candidate], antecedent: Node) -> str:
    """Return the label of an antecedent for the classifier."""
    for place, candidate in enumerate(candidates):
        if candidate.node is antecedent:
            return str(place)
    return NONE


def operator_of(null: PlacedNull, tree: Tree) -> Node | None:
    """Return the next wh-phrase without words that c-commands a trace."""
    for below, mother in zip(null.above, null.above[1:], strict=False):
        for sister in mother.nodes:
            if sister is not below and sister.category.startswith("WH") and _is_null(sister, tree):
                return sister
    return None


def _is_null(node: Node, tree: Tree) -> bool:
    return all(tree.tokens[position].is_null for position in node.leaves())
