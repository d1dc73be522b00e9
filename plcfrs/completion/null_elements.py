"""Null elements: the small trees that stand before, between and after the children of a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from plcfrs.completion.classifier import Atoms, Decision, Features, Shared
from plcfrs.completion.context import Context
from plcfrs.learning.templates import listed
from plcfrs.trees import Node

FEATURES = Features(
    shared=listed(
        """
        cat, mother, grandmother, children, head, head_tag, mother_head, mother_head_tag,
        grandmother_head, voice, mother_voice, host, mother_host, aunt_left, aunt_right, function,
        mother_function, objects, subject, child1, child2, path, clause, operator, inside, verb
        """
    ),
    atoms=listed(
        """
        place, left, right, left2, right2, left_head, right_head, left_tag, right_tag, word_left,
        word_right, word_left_tag, word_right_tag, left_function, right_function
        """
    ),
    templates=listed(
        """
        cat place, cat children place, cat left right, cat left, cat right, cat left2 left, cat
        right right2, cat head place, cat head left right, cat head left, cat head right, cat
        head_tag place, cat head_tag left right, cat head_tag left, cat head_tag right, head place,
        cat mother place, cat mother left right, cat mother grandmother place, cat mother head
        place, mother children cat place, cat mother_head place, cat mother_head left, cat
        mother_head right, cat mother_head_tag place, cat voice place, cat voice left right, cat
        voice head place, cat voice mother place, cat voice left, cat host place, cat host left
        right, cat host head place, cat host left, cat host right, cat host children place, host
        head place left, cat left_head place, cat right_head place, left_head right_head, cat
        left_tag right_tag, cat aunt_left place, cat aunt_right place, cat aunt_left left, cat
        mother aunt_left place, mother aunt_left head cat, word_left word_right, word_left,
        word_right, word_left_tag word_right_tag, cat word_left_tag word_right_tag, cat word_left
        place, cat word_right place, word_left word_right_tag, word_left_tag word_right, cat
        function place, function cat left right, cat mother_function place, cat left_function
        right_function, cat left_function, cat right_function, cat left_function place head, cat
        objects place, cat objects head place, objects cat mother place, cat grandmother_head place,
        child1 child2 cat place, cat objects voice place, cat mother_voice place, cat mother_voice
        left, cat clause place, cat path clause place, clause objects place cat, clause path objects
        place, clause head place cat, clause left right cat, subject cat place, subject clause cat
        place, path cat place, path objects place, mother_host cat place, mother mother_function cat
        place, function voice cat mother, operator cat place, operator objects cat place, operator
        path cat place, operator path objects place, operator left right cat, operator head cat
        place, operator cat subject place, inside cat place, inside mother_head cat place, inside
        mother cat place, verb cat place, verb inside cat place, verb mother_head place
        """
    ),
)


def decisions(
    context: Context, nodes: list[Node], operators: Mapping[Node, str]
) -> list[tuple[Node, list[Decision]]]:
    """Return nodes, and the decisions about the places before and after their children.

    Parameters
    ----------
    context : Context
    nodes : list of Node
    operators : mapping of Node to str
        The null elements below each SBAR, which are decided first.
    """
    decided = []
    for node in nodes:
        positions = positions_of(context, node)
        shared = Shared(partial(_of_node, context, node, operators))
        own = [
            Decision(
                (node.category, _side(node, place)),
                partial(_at_place, context, node, place, position),
                shared,
            )
            for place, position in enumerate(positions)
        ]
        decided.append((node, own))
    return decided


def positions_of(context: Context, node: Node) -> list[int]:
    """Return the number of words before each place of a node."""
    starts = [context.ends(child)[0] for child in node.children]
    return [*starts, context.ends(node)[1] + 1]


def in_turn(context: Context) -> tuple[list[Node], list[Node]]:
    """Return the nodes to decide about first, SBARs, and all others."""
    first = [node for node in context.nodes if node.category == "SBAR"]
    return first, [node for node in context.nodes if node.category != "SBAR"]


def operators_of(labels: Mapping[Node, Sequence[str]]) -> dict[Node, str]:
    """Return the null elements below each node as one text."""
    return {node: " ".join(filter(None, each)) for node, each in labels.items()}


def _side(node: Node, place: int) -> str:
    """Return where a place is: first, last, before the head, and how far behind it."""
    behind = min(place - (node.head or 0), 2)
    ends = f"{'<' * (place == 0)}{'>' * (place == len(node.children))}"
    return f"{max(behind, 0)}{ends}"


def _of_node(context: Context, node: Node, operators: Mapping[Node, str]) -> Atoms:
    category, form, tag, functions = context.category, context.form, context.tag, context.functions
    children, head_place = node.children, node.head or 0
    mother = context.mothers.get(node)
    above = None if mother is None else context.mothers.get(mother)
    sisters = [None, *(mother.children if mother else [node]), None]
    place = sisters.index(node)
    head, mother_head, above_head = map(context.head, (node, mother, above))
    path, clause, above_clause = context.clause(node)
    spine = context.spine(node) if node.category == "SBAR" else []
    behind = [child.category for child in children[head_place + 1 :] if isinstance(child, Node)]
    before = [child.category for child in children[:head_place] if isinstance(child, Node)]
    categories = [*map(category, children)]
    return {
        "cat": node.category,
        "mother": category(mother),
        "grandmother": category(above),
        "children": " ".join(categories),
        "head": form(head),
        "head_tag": tag(head),
        "mother_head": form(mother_head),
        "mother_head_tag": tag(mother_head),
        "grandmother_head": form(above_head),
        "voice": context.voice(node),
        "mother_voice": context.voice(mother),
        "host": context.hosts.get(node, ""),
        "mother_host": context.hosts.get(mother, "") if mother else "",
        "aunt_left": category(sisters[place - 1]),
        "aunt_right": category(sisters[place + 1]),
        "function": functions(node),
        "mother_function": functions(mother),
        "objects": " ".join(["+", *(each for each in behind if each in _ARGUMENTS)]),
        "subject": str("NP" in before),
        "child1": categories[0],
        "child2": categories[1] if categories[1:] else "",
        "path": path,
        "clause": clause,
        "operator": operators.get(above_clause, "-") if above_clause else "",
        "inside": " / ".join(" ".join(map(category, below.children)) for below in spine),
        "verb": form(context.heads[spine[-1]]) if spine else "",
    }


def _at_place(context: Context, node: Node, place: int, position: int) -> Atoms:
    category, form, tag, functions = context.category, context.form, context.tag, context.functions
    left2, left, right, right2 = [None, None, *node.children, None, None][place : place + 4]
    left_head, right_head = context.head(left), context.head(right)
    return {
        "place": _side(node, place),
        "left": category(left),
        "right": category(right),
        "left2": category(left2),
        "right2": category(right2),
        "left_head": form(left_head),
        "right_head": form(right_head),
        "left_tag": tag(left_head),
        "right_tag": tag(right_head),
        "word_left": form(position - 1),
        "word_right": form(position),
        "word_left_tag": tag(position - 1),
        "word_right_tag": tag(position),
        "left_function": functions(left),
        "right_function": functions(right),
    }


_ARGUMENTS = ("NP", "S", "SBAR", "ADJP")
