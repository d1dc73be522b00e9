"""Labels in queries: which elements of a tree are called so.

A name is a partial description of a constituent: NP stands for every NP, whatever functions
it has; NP-SBJ for one that has the function SBJ, maybe among others. Tags and words are compared
as they stand. Regular expressions are searched in the label as printed, without its split.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from plcfrs.query.view import Element, Elements, View
from plcfrs.trees import Node, parse_label, render_label

_ANYTHING = {"*", "__"}


@dataclass(frozen=True, eq=False)
class Alternatives:
    """One of several texts, or a text in which one of several regular expressions is found."""

    texts: tuple[str, ...]
    expressions: tuple[re.Pattern[str], ...] = ()

    def fit(self, text: str) -> bool:
        """Whether a text is one of these."""
        return text in self.texts or any(e.search(text) for e in self.expressions)


class Label(Alternatives):
    """What a node is called; the texts are names."""

    def find(self, view: View) -> Elements:
        """Return the elements of a tree that are called so."""
        if _ANYTHING.intersection(self.texts):
            return dict.fromkeys(view.order)
        labelled = zip(view.nodes, view.labels, strict=True)
        tokens = view.tree.tokens
        found: list[Element] = [node for node, printed in labelled if self._fits_node(printed)]
        found += [place for place, token in enumerate(tokens) if self._fits_token(token.tag)]
        found += [~place for place, token in enumerate(tokens) if self._fits_token(token.form)]
        return dict.fromkeys(found)

    @cached_property
    def _fits_token(self) -> Callable[[str], bool]:
        return cache(self.fit)

    @cached_property
    def _fits_node(self) -> Callable[[str], bool]:
        descriptions = [parse_label(text) for text in self.texts]

        @cache
        def fits(printed: str) -> bool:
            node = parse_label(printed)
            if any(_describes(description, node) for description in descriptions):
                return True
            node.split = ""
            return any(e.search(render_label(node)) for e in self.expressions)

        return fits


def _describes(description: Node, node: Node) -> bool:
    """Whether a node has all the parts of a description."""
    stated = [
        (description.split, node.split),
        (description.index, node.index),
        (description.gap_index, node.gap_index),
        (description.ancestors, node.ancestors),
        (description.siblings, node.siblings),
    ]
    return (
        description.category == node.category
        and description.intermediate == node.intermediate
        and set(description.functions) <= set(node.functions)
        and all(part == found for part, found in stated if part not in ("", None, ()))
    )
