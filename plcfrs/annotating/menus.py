"""Menus of labels, the probable ones first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from plcfrs.checking.labels import KINDS, labels_of
from plcfrs.parsing import SentenceParser
from plcfrs.trees import Node, Tree
from plcfrs.trees.editing import Part
from plcfrs.trees.labels import ROOT
from plcfrs.trees.tree import null_parts

_WEIGHTS = 0.7, 0.25, 0.05  # of the counts in the same, in a similar and in any context
_NULL = re.compile(r"\(-NONE- ([^() ]+)\)")
_KIND_OF = dict(zip(("category", "function", "tag", "null"), KINDS, strict=True))

Context = tuple[str, ...]


class MenuEntry(NamedTuple):
    """A label, and how probable it is."""

    label: str
    probability: float


class Menus:
    """Counts labels by their contexts: the mother, and the words.

    Parameters
    ----------
    model : SentenceParser, optional
        Its labels are in the menus, too.
    """

    def __init__(self, model: SentenceParser | None) -> None:
        self._counts: dict[Context, Counter[str]] = {}
        self._labels = _labels_of_model(model) if model else {}
        completion = model.completion if model else None
        self._functions = completion.functions if completion else None

    def learn(self, tree: Tree) -> None:
        """Count the labels of a tree."""
        places = _Places(tree)
        for part, kind, label in labels_of(tree):
            for context in places.contexts(part, kind):
                self._counts.setdefault(context, Counter())[label] += 1

    def menu(
        self, tree: Tree, part: Part, kind: str, allowed: Mapping[str, tuple[str, ...]]
    ) -> list[MenuEntry]:
        """Return the labels of a kind for a part, the most probable first, and then all others.

        Parameters
        ----------
        tree : Tree
        part : Node or int
            For null elements, a constituent that they can be below.
        kind : str
            One of ``category``, ``function``, ``tag`` and ``null``.
        allowed : mapping of str to tuple of str
            The labels that trees may have.
        """
        kinds = _KIND_OF[kind]
        chances: dict[str, float] = defaultdict(float)
        contexts = _Places(tree).contexts(part, kinds)
        for weight, context in zip(_WEIGHTS, contexts, strict=True):
            counts = self._counts.get(context, Counter())
            for label, count in counts.items():
                chances[label] += weight * count / counts.total()
        known = {*self.labels(allowed)[kinds]}
        usual = [label for label in self._usual(tree, part, kind) if label in known]
        ranked = sorted(dict.fromkeys([*usual, *sorted(known)]), key=lambda label: -chances[label])
        return [MenuEntry(label, chances[label]) for label in ranked]

    def labels(self, allowed: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
        """Return the allowed labels of each kind; where all are allowed, the known ones."""
        return {
            kind: sorted(
                allowed.get(kind)
                or {*self._labels.get(kind, ()), *self._counts.get((kind,), Counter())}
            )
            for kind in KINDS
        }

    def _usual(self, tree: Tree, part: Part, kind: str) -> list[str]:
        """Return the functions that the parser has learned for a place, the most frequent first."""
        mother = tree.mothers().get(part)
        if kind != "function" or self._functions is None or mother is None:
            return []
        category = part.category if isinstance(part, Node) else tree.tokens[part].tag
        found = self._functions.candidates.get(f"{category}\t{mother.category}", ())
        labels = chain.from_iterable(self._functions.labels[number].split("-") for number in found)
        return list(filter(None, labels))


class _Places:
    """The contexts of the parts of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree, self._mothers = tree, tree.mothers()

    def contexts(self, part: Part, kind: str) -> Iterator[Context]:
        """Yield the exact context of a label, a similar one, and any."""
        tokens = self._tree.tokens
        own = part if isinstance(part, int) else None
        mother = self._mothers.get(part)
        above = mother.category if mother else ""
        if kind == "tags" and own is not None:
            yield kind, "form", tokens[own].form
            yield kind, "suffix", tokens[own].form[-3:]
        elif kind == "null-elements":
            host = part if isinstance(part, Node) else mother
            host_mother = self._mothers.get(host) if host else None
            yield kind, host.category if host else "", host_mother.category if host_mother else ""
            yield kind, host.category if host else ""
        else:
            leaves = list(part.leaves()) if isinstance(part, Node) else [part]
            first, last = tokens[min(leaves)], tokens[max(leaves)]
            category = part.category if isinstance(part, Node) and kind == "functions" else ""
            yield kind, category, above, first.tag, last.tag
            yield kind, category, above
        yield (kind,)


def _labels_of_model(model: SentenceParser) -> dict[str, tuple[str, ...]]:
    """Return the labels of each kind that a parser is known to have learned."""
    categories = set(model.categories)
    labels = {"tags": tuple(model.tags)}
    completion = model.completion
    if completion and completion.functions:
        found = completion.functions
        categories |= {key.partition("\t")[0] for key in found.candidates} - {"", *model.tags}
        functions = {each for text in found.labels for each in text.split("-")}
        labels["functions"] = tuple(functions - {""})
    if completion and completion.nulls:
        forms = (form for text in completion.nulls.labels for form in _NULL.findall(text))
        labels["null-elements"] = tuple({null_parts(form)[0] for form in forms})
    labels["categories"] = tuple(categories - {ROOT})
    return labels
