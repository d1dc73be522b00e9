"""The functions of constituents and, in treebanks that have them, of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import log
from typing import NamedTuple

from plcfrs.completion.classifier import Atoms, Decision, Features, Shared
from plcfrs.completion.context import Context, Part
from plcfrs.learning.templates import listed
from plcfrs.trees import Node

FEATURES = Features(
    shared=listed(
        """
        mother, grandmother, mother_head, mother_head_tag, grandmother_head, grandmother_head_tag,
        sisters, mother_voice, mother_side
        """
    ),
    atoms=listed(
        """
        cat, side, distance, is_head, head, head_tag, content, content_tag, first, first_tag, last,
        last_tag, before, before_tag, after, after_tag, left, right, left2, right2, left_head,
        right_head, place, children, child1, child2, last_child, voice, length, gap, host, morph,
        suffix, content_suffix, shape, content_shape
        """
    ),
    templates=listed(
        """
        cat, cat mother, cat mother grandmother, cat mother side, cat mother side distance, cat
        mother left, cat mother right, cat mother left right, cat left right, cat left2 left, cat
        right right2, cat mother sisters place, cat mother place, cat mother is_head, cat head, cat
        head_tag, cat mother_head, cat mother_head_tag, cat head mother, cat head mother_head, cat
        head mother_head_tag, cat head_tag mother_head_tag, cat content, cat content_tag, cat
        content head, cat content mother, cat content mother_head, cat content_tag head, head
        content mother_head, cat first, cat first mother, cat first_tag, cat last, cat last_tag, cat
        first last, first mother_head, head side mother, head mother side mother_head, mother side
        head mother_head, cat children, cat children mother, cat child1 child2, cat last_child, cat
        voice, cat mother_voice, cat voice head, cat head mother_voice, cat length, cat gap, cat
        before, cat after, cat before_tag, cat after_tag, cat before_tag mother, cat after_tag
        mother, mother grandmother left cat, mother grandmother right cat, cat grandmother_head, cat
        grandmother_head mother, cat grandmother_head_tag, cat host, cat host mother, cat head
        last_tag, content first, cat mother_side mother, cat left_head mother, cat right_head
        mother, left_head head, content mother mother_head, mother mother_voice side left, mother
        mother_voice side head, mother_head_tag side left cat, morph, cat morph mother, cat morph
        side mother, morph head mother_head, cat shape, cat content_shape, head content_shape, shape
        content_shape head, cat content_shape mother, cat last shape, cat suffix, cat
        content_suffix, head content_suffix, cat suffix mother
        """
    ),
)


def decisions(context: Context, words: bool) -> list[tuple[Part, Decision]]:
    """Return the children of all nodes, and the decisions about them.

    Parameters
    ----------
    context : Context
    words : bool
        Whether words have functions, too.
    """
    decided: list[tuple[Part, Decision]] = []
    for mother in context.nodes:
        shared = Shared(partial(_of_mother, context, mother))
        for place, child in enumerate(mother.children):
            if words or isinstance(child, Node):
                key = context.category(child), mother.category
                atoms = partial(_of_child, context, mother, place)
                decided.append((child, Decision(key, atoms, shared)))
    return decided


def _of_mother(context: Context, mother: Node) -> Atoms:
    category, form, tag = context.category, context.form, context.tag
    above = context.mothers.get(mother)
    head, above_head = context.heads[mother], context.head(above)
    return {
        "mother": mother.category,
        "grandmother": category(above),
        "mother_head": form(head),
        "mother_head_tag": tag(head),
        "grandmother_head": form(above_head),
        "grandmother_head_tag": tag(above_head),
        "sisters": " ".join(map(category, mother.children)),
        "mother_voice": context.voice(mother),
        "mother_side": str(above.children.index(mother) - (above.head or 0)) if above else "",
    }


def _of_child(context: Context, mother: Node, place: int) -> Atoms:
    category, form, tag = context.category, context.form, context.tag
    left2, left, child, right, right2 = [None, None, *mother.children, None, None][
        place : place + 5
    ]
    assert child is not None
    first, last = context.ends(child)
    head, content = context.head(child), context.content(child)
    below = [*map(category, child.children)] if isinstance(child, Node) else []
    head_place = mother.head or 0
    side = (place > head_place) - (place < head_place)
    return context.edges(child) | {
        "cat": category(child),
        "side": str(side),
        "distance": str(min(abs(place - head_place), 4)),
        "is_head": str(not side),
        "head": form(head),
        "head_tag": tag(head),
        "content": form(content),
        "content_tag": tag(content),
        "left": category(left),
        "right": category(right),
        "left2": category(left2),
        "right2": category(right2),
        "left_head": form(context.head(left)),
        "right_head": form(context.head(right)),
        "place": str(place),
        "children": " ".join(below),
        "child1": below[0] if below else "",
        "child2": below[1] if len(below) > 1 else "",
        "last_child": below[-1] if below else "",
        "voice": context.voice(child),
        "length": str(min(last - first, 12) // 2),
        "gap": str(context.span(child).bit_count() <= last - first),
        "host": context.hosts.get(child, "") if isinstance(child, Node) else "",
        "suffix": form(head)[-_SUFFIX:],
        "content_suffix": form(content)[-_SUFFIX:],
        "shape": context.shape(head),
        "content_shape": context.shape(content),
        "morph": "" if head is None else context.tree.tokens[head].morph,
    }


_SUFFIX = 3


# The log probability of functions that a network has not learned.
_UNKNOWN = -10.0

_LEAST = 1e-9


class FunctionScores(NamedTuple):
    """What a network says of the functions of a tree.

    Parameters
    ----------
    columns : mapping of str to int
        The places of functions in `rows`; those of a node are one text, with hyphens.
    rows : mapping of Node or int to sequence of float
        The log probabilities of the functions of nodes and tokens.
    """

    columns: Mapping[str, int]
    rows: Mapping[Part, Sequence[float]]

    def most_probable(self, part: Part, chances: Mapping[str, float]) -> str:
        """Return the functions with the highest product of these probabilities and the network's.

        >>> scores = FunctionScores({"LOC": 0, "TMP": 1}, {0: [-2.3, -0.1]})
        >>> scores.most_probable(0, {"LOC": 0.6, "TMP": 0.4})
        'TMP'
        """
        row, columns = self.rows.get(part, ()), self.columns
        if not row or len(chances) == 1:
            return max(chances, key=chances.__getitem__)

        def score(label: str) -> float:
            own = row[columns[label]] if label in columns else _UNKNOWN
            return log(chances[label] + _LEAST) + own

        return max(chances, key=score)
