"""Antecedents: which phrase a null element stands for, as an index on both.

Traces of fillers have theirs by the crossing branch, and traces of empty wh-phrases by the next
SBAR. For all others, such as the subjects of infinitives and the objects of passives, a classifier
looks at the noun phrases that c-command them, and finds the most probable one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from plcfrs.completion.classifier import Atoms, Classifier, Decision, Features, Shared
from plcfrs.learning.templates import listed
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import lexical_heads
from plcfrs.trees.tree import TRACE_TYPES, null_parts

FEATURES = Features(
    shared=listed("label, mother, above, above2, function, head, governor, left, count"),
    atoms=listed("candidate, nearer, farther, word, tag, side, distance, order, is_first_subject"),
    templates=listed(
        """
        candidate, candidate label, candidate label function, candidate label governor, candidate
        governor, candidate label governor function, candidate head, candidate label head,
        candidate label left, candidate left, candidate label mother above, candidate label above
        above2, candidate function, candidate function governor, candidate head left, candidate tag
        label, word, word label, word governor, word candidate, tag label, candidate nearer label,
        candidate farther label, candidate nearer farther label, candidate nearer governor,
        candidate farther governor, order label, order label count, order candidate, order governor
        label, order side label governor, distance side label, is_first_subject label,
        is_first_subject label function, is_first_subject label governor, is_first_subject governor
        """
    ),
)

_IS_ANTECEDENT = "antecedent"
_MOST = 5  # candidates
_LEAST = 0.5  # the probability of an antecedent


class PlacedNull(NamedTuple):
    """A null element in its tree."""

    position: int
    type: str
    number: int | None  # its index
    above: list[Node]  # the nodes from its mother to the root


class Candidate(NamedTuple):
    """A phrase that may be the antecedent of a null element."""

    node: Node
    mother: str  # its category
    side: str  # of the null element
    distance: str

    def __str__(self) -> str:
        return f"{_labelled(self.node)} {self.mother} {self.side} {self.distance}"


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


def _is_referring(null: PlacedNull) -> bool:
    """Return whether a null element may have an antecedent that the classifier chooses."""
    return null.type.startswith("*") and null.type not in (*TRACE_TYPES, "*U*", "*0*")


def candidates_of(null: PlacedNull) -> list[Candidate]:
    """Return the noun phrases that c-command a null element, the nearest first."""
    found: list[Candidate] = []
    for distance, (below, mother) in enumerate(zip(null.above, null.above[1:], strict=False)):
        place = mother.children.index(below)
        sides = {"before": mother.children[:place][::-1], "after": mother.children[place + 1 :]}
        found += [
            Candidate(sister, mother.category, side, str(min(distance, 2)))
            for side, sisters in sides.items()
            for sister in sisters
            if isinstance(sister, Node) and sister.category.endswith(_NOMINAL)
        ]
        if len(found) >= _MOST:
            break
    return found[:_MOST]


_NOMINAL = ("NP", "NOM", "WHNP")


def _labelled(node: Node) -> str:
    return "-".join([node.category, *node.functions])


def decisions(
    tree: Tree, nulls: Iterable[PlacedNull]
) -> Iterator[list[tuple[PlacedNull, Node, Decision]]]:
    """Yield the candidates of each null element that may refer, with decisions about them.

    The heads of the tree must be marked.
    """
    heads = lexical_heads(tree)
    for null in filter(_is_referring, nulls):
        found = candidates_of(null)
        shared = Shared(partial(_of_null, tree, null, len(found), heads))
        yield [
            (
                null,
                each.node,
                Decision((null.type,), partial(_of_candidate, tree, found, order, heads), shared),
            )
            for order, each in enumerate(found)
        ]


def label_of(candidate: Node, antecedents: Sequence[Node]) -> str:
    """Return what the classifier learns of a candidate."""
    return _IS_ANTECEDENT if candidate in antecedents else ""


def choose(
    classifier: Classifier, tree: Tree, nulls: Iterable[PlacedNull]
) -> Iterator[tuple[PlacedNull, Node]]:
    """Yield null elements with the candidates that are more probable than any other and none."""
    found = list(decisions(tree, nulls))
    every = [decision for own in found for *_, decision in own]
    chances = iter(classifier.chances(FEATURES, every))
    for own in filter(None, found):
        probable = [next(chances).get(_IS_ANTECEDENT, 0.0) for _ in own]
        null, node, _ = own[probable.index(max(probable))]
        if max(probable) > _LEAST:
            yield null, node


def _of_null(tree: Tree, null: PlacedNull, count: int, heads: dict[Node, int]) -> Atoms:
    own, *others = null.above
    clause = next((node for node in others if node.category in ("S", "SINV", "SQ")), null.above[-1])
    governor = next(iter(null.above[null.above.index(clause) + 1 :]), None)
    mother, above, above2 = [*(node.category for node in others[:3]), "", "", ""][:3]
    return {
        "label": f"{_labelled(own)} {null.type}",
        "mother": mother,
        "above": above,
        "above2": above2,
        "function": _labelled(clause),
        "head": _form(tree, heads[others[0]]) if others else "",
        "governor": _form(tree, heads[governor]) if governor else "",
        "left": _form(tree, null.position - 1) if null.position else "",
        "count": str(count),
    }


def _of_candidate(
    tree: Tree, candidates: Sequence[Candidate], order: int, heads: dict[Node, int]
) -> Atoms:
    node, _, side, distance = candidates[order]
    nearer, own, farther = ["", *map(str, candidates), ""][order : order + 3]
    first_subject = next((each for each in candidates if "SBJ" in each.node.functions), None)
    return {
        "candidate": own,
        "nearer": nearer,
        "farther": farther,
        "word": _form(tree, heads[node]),
        "tag": tree.tokens[heads[node]].tag,
        "side": side,
        "distance": distance,
        "order": str(order),
        "is_first_subject": str(candidates[order] is first_subject),
    }


def _form(tree: Tree, position: int) -> str:
    return tree.tokens[position].form.lower()


def operator_of(null: PlacedNull, tree: Tree) -> Node | None:
    """Return the next wh-phrase without words that c-commands a trace."""
    for below, mother in zip(null.above, null.above[1:], strict=False):
        for sister in mother.nodes:
            if sister is not below and sister.category.startswith("WH") and _is_null(sister, tree):
                return sister
    return None


def _is_null(node: Node, tree: Tree) -> bool:
    return all(tree.tokens[position].is_null for position in node.leaves())
