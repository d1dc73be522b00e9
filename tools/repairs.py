"""How the tree of a sentence differs from another one, and the edits that may repair it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from plcfrs.errors import InputError
from plcfrs.project import NamedTree
from plcfrs.project.operations import perform
from plcfrs.trees import Node
from plcfrs.trees.antecedents import antecedents
from plcfrs.trees.editing import Part
from plcfrs.trees.tree import null_parts

Operation = dict[str, Any]


class Shape:
    """The constituents of a tree by the words below them; null elements are no words."""

    def __init__(self, named: NamedTree) -> None:
        self.tree, self.names = named.tree, named.names
        tokens = enumerate(self.tree.tokens)
        self.words = [place for place, token in tokens if not token.is_null]
        number = {place: n for n, place in enumerate(self.words)}
        self.spans: dict[Part, int] = {
            place: 1 << number[place] if place in number else 0
            for place in range(len(self.tree.tokens))
        }
        for node in self.tree.bottom_up():
            self.spans[node] = sum(self.spans[child] for child in node.children)
        self.mothers = self.tree.mothers()
        self.chains: dict[int, list[Node]] = {}  # of the same words, mothers first
        for node in self.tree.nodes()[1:]:
            if self.spans[node]:
                self.chains.setdefault(self.spans[node], []).append(node)

    def categories(self, span: int) -> tuple[str, ...]:
        """Return the categories of the constituents over some words, mothers first."""
        return tuple(node.category for node in self.chains.get(span, ()))

    def lacks(self, other: Shape) -> list[Node]:
        """Return the constituents of another shape that are not here."""
        lacking = []
        for span, chain in other.chains.items():
            common = _common(other.categories(span), self.categories(span))
            lacking += [node for n, node in enumerate(chain) if n not in common]
        return lacking

    def errors(self, gold: Shape) -> int:
        """Return the number of missing and spurious constituents."""
        return len(self.lacks(gold)) + len(gold.lacks(self))

    def parts(self, span: int) -> list[Part]:
        """Return the highest parts that have only some words, with all of them."""
        found: list[Part] = []

        def add(node: Node) -> None:
            for child in node.children:
                if own := self.spans[child]:
                    if own & span == own:
                        found.append(child)
                    elif own & span and isinstance(child, Node):
                        add(child)

        add(self.tree.root)
        return found

    def above(self, node: Node) -> Iterator[Node]:
        """Yield the nodes above a node, mothers first."""
        while node in self.mothers:
            node = self.mothers[node]
            yield node

    def place(self, node: Node) -> Hashable:
        """Return what identifies a node in the same tree with other indices."""
        if span := self.spans[node]:
            return span, self.chains[span].index(node) if node is not self.tree.root else -1
        return next(key for key, place in self.nulls().items() if place in node.leaves())

    def nulls(self) -> dict[Hashable, int]:
        """Return the positions of null elements, by what identifies each of them."""
        found: dict[Hashable, int] = {}
        seen: Counter[Hashable] = Counter()
        for part in self.empty_parts():
            about = self.about(part)
            places = [part] if isinstance(part, int) else sorted(part.leaves())
            found |= {(about, seen[about], n): place for n, place in enumerate(places)}
            seen[about] += 1
        return found

    def empty_parts(self) -> list[Part]:
        """Return the highest parts without words."""
        return [
            part
            for part, mother in self.mothers.items()
            if not self.spans[part] and self.spans[mother]
        ]

    def about(self, part: Part) -> tuple[Hashable, int, Hashable]:
        """Return where the mother of an empty part is, how many words are before it, its labels."""
        first = part if isinstance(part, int) else min(part.leaves())
        before = sum(place < first for place in self.words)
        return self.place(self.mothers[part]), before, self._labels(part)

    def _labels(self, part: Part) -> Hashable:
        if isinstance(part, int):
            return null_parts(self.tree.tokens[part].form)[0]
        return label_of(part), *map(self._labels, part.children)

    def antecedent(self, null: int) -> Hashable:
        """Return what identifies the antecedent of a null element, or None."""
        found = antecedents(self.tree).get(null)
        return found and self.place(found)

    def nearest(self, node: Node, gold: Shape) -> list[Node]:
        """Return the constituents that may become one of the gold tree, the most similar first."""
        span = gold.spans[node]
        if node is gold.tree.root:
            return [self.tree.root]

        def similarity(other: Node) -> float:
            own = self.spans[other]
            return (own & span).bit_count() / ((own | span).bit_count() or 1)

        same = [other for other in self.tree.nodes()[1:] if other.category == node.category]
        return sorted(same, key=similarity, reverse=True)[:2]


@cache
def _common(one: tuple[str, ...], other: tuple[str, ...]) -> frozenset[int]:
    """Return the places of a longest common subsequence in the first sequence."""
    if not one or not other:
        return frozenset()
    if one[0] == other[0]:
        return frozenset({0} | {n + 1 for n in _common(one[1:], other[1:])})
    left = frozenset(n + 1 for n in _common(one[1:], other))
    return max(left, _common(one, other[1:]), key=len)


def label_of(node: Node) -> str:
    """Return the label of a node without indices."""
    return "-".join([node.category, *node.functions])


def best_edits(now: Shape, gold: Shape) -> list[Operation]:
    """Return edits; without a parser, the first ones leave the fewest errors."""
    left: dict[str, int] = {}
    for operation in _edits(now, gold):
        with suppress(InputError):  # it is not possible
            after, _ = perform(NamedTree(now.tree, now.names), operation)
            left[json.dumps(operation)] = Shape(after).errors(gold)
    return [json.loads(key) for key in sorted(left, key=left.__getitem__)]


def _edits(now: Shape, gold: Shape) -> Iterator[Operation]:
    """Yield the edits that may repair something."""
    names = now.names

    def attach(parts: list[Part], mother: Node) -> Iterator[Operation]:
        if parts and any(now.mothers[part] is not mother for part in parts):
            yield {
                "do": "attach",
                "parts": [names[part] for part in parts],
                "mother": names[mother],
            }

    missing = now.lacks(gold)
    for node in gold.lacks(now):
        yield {"do": "delete", "parts": [names[node]]}
        for goal in missing:
            if gold.spans[goal] == now.spans[node]:
                yield {"do": "relabel", "parts": [names[node]], "label": goal.category}
    for goal in missing:
        span = gold.spans[goal]
        chain = now.chains.get(span, [])
        below = [child for child in chain[-1].children if now.spans[child]] if chain else []
        above_one: list[list[Part]] = [[node] for node in chain]
        for sisters in [now.parts(span), below, *above_one]:
            chosen = [names[part] for part in sisters]
            yield {"do": "add", "parts": chosen, "label": goal.category}
        for node in now.nearest(goal, gold):
            yield from attach(now.parts(span & ~now.spans[node]), node)
            outside = now.parts(now.spans[node] & ~span)
            for mother in now.above(node):
                yield from attach(outside, mother)
    groups: dict[Node, list[Part]] = defaultdict(list)
    for part, span in now.spans.items():
        if isinstance(part, int):
            same: Part | None = gold.words[span.bit_length() - 1] if span else None
        else:
            is_highest = part in now.chains.get(span, ())[:1]
            same = gold.chains[span][0] if is_highest and span in gold.chains else None
        if same is not None:
            groups[gold.mothers[same]].append(part)
    for mother, parts in groups.items():
        for node in now.nearest(mother, gold):
            moved = [part for part in parts if now.mothers[part] is not node]
            yield from attach(moved, node)
            for part in moved:
                yield from attach([part], node)
