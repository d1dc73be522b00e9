"""Labels in queries, and the elements of a tree that they match.

NP matches every NP, with any functions; NP-SBJ matches an NP with the function SBJ, perhaps among
others. Tags and words must be equal. Regular expressions are searched in the label as printed,
without its split.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from plcfrs.query.view import Element, Elements, View
from plcfrs.trees import Label as NodeLabel
from plcfrs.trees import parse_label, render_label

_ANYTHING = {"*", "__"}


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Several texts and regular expressions, one of which must match."""

    texts: tuple[str, ...]
    expressions: tuple[re.Pattern[str], ...] = ()

    def fit(self, text: str) -> bool:
        """Whether a text matches."""
        return text in self.texts or any(e.search(text) for e in self.expressions)


class Label(Alternatives):
    """The label of a node in a query; the texts are names."""

    def find(self, view: View) -> Elements:
        """Return the elements of a tree that match."""
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
            label = parse_label(printed)
            if any(_describes(description, label) for description in descriptions):
                return True
            without_split = render_label(label._replace(split=""))
            return any(e.search(without_split) for e in self.expressions)

        return fits


def _describes(description: NodeLabel, label: NodeLabel) -> bool:
    optional = ("split", "index", "gap_index", "ancestors", "siblings")
    stated = {name: part for name in optional if (part := getattr(description, name)) or part == 0}
    return (
        description.category == label.category
        and description.intermediate == label.intermediate
        and set(description.functions) <= set(label.functions)
        and all(part == getattr(label, name) for name, part in stated.items())
    )
