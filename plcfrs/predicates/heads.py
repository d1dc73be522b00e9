"""Heads and conjuncts, where the scheme of Johansson and Nugues (2007) has its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import collins, head_among, is_punctuation

Part = Node | int
"""A child of a node: a constituent, or the position of a token."""

CLAUSES = ("S", "SINV", "SQ", "SBARQ")
NOMINAL = ("NP", "NX", "NML", "NAC", "WHNP")

_KINDS = {
    "noun": (*NOMINAL, "QP", "NN", "NNS", "NNP", "NNPS", "PRP", "CD", "DT", "EX"),
    "verb": ("VP", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "TO"),
    "clause": (*CLAUSES, "SBAR"),
    "adjective": ("ADJP", "JJ", "JJR", "JJS"),
    "adverb": ("ADVP", "RB", "RBR", "RBS"),
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names}


@dataclass
class Conjunct:
    """One of several coordinated parts.

    Parameters
    ----------
    head : Node or int
    others : list of Node or int
        Its modifiers that are its sisters, as in *old cats and big dogs*.
    connector : Node or int or None
        The conjunction before it.
    """

    head: Part
    others: list[Part] = field(default_factory=list)
    connector: Part | None = None


class Structure:
    """Names, kinds and heads of the parts of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tokens = tree.tokens
        words = sum(1 << i for i, token in enumerate(tree.tokens) if not token.is_null)
        self.spans = {node: span & words for node, span in tree.yields().items()}

    def span(self, part: Part) -> int:
        """Return the words of a part, without null elements."""
        if isinstance(part, Node):
            return self.spans[part]
        return 0 if self._tokens[part].is_null else 1 << part

    def name(self, part: Part) -> str:
        """Return the category or the tag."""
        return part.category if isinstance(part, Node) else self._tokens[part].tag

    def kind(self, part: Part) -> str:
        """Return the name of the part of speech that phrases and words share."""
        name = self.name(part)
        return _KIND_OF.get(name, name)

    def is_mark(self, part: Part) -> bool:
        """Whether a part is a punctuation mark."""
        return isinstance(part, int) and is_punctuation(self._tokens[part])

    def head(self, category: str, parts: Sequence[Part]) -> Part:
        """Return the head among parts of a constituent; parts with words come first."""
        parts = [part for part in parts if self.span(part)] or parts
        parts = [part for part in parts if not self.is_mark(part)] or parts
        if category == "SBAR":
            words = [part for part in parts if self.name(part) in ("IN", "TO", "DT")]
            clauses = [part for part in parts if self.kind(part) == "clause"]
            if found := words or clauses:
                return found[0]
        if category in CLAUSES:
            verbs = [part for part in parts if self.kind(part) == "verb"]
            others = [p for p in parts if isinstance(p, Node) and "PRD" in p.functions]
            parts = verbs or others or parts
        if category in NOMINAL:
            parts = [part for part in parts if self.name(part) != "POS"] or parts
        names = [self.name(part) for part in parts]
        functions = [part.functions if isinstance(part, Node) else "" for part in parts]
        return parts[head_among(category, names, functions, collins())]

    def conjuncts(self, node: Node) -> list[Conjunct]:
        """Return the conjuncts of a node; nothing if it is not a coordination."""
        segments = self._segments(node)
        for segment in segments:
            segment.head = self.head(node.category, segment.others)
        connected = [n for n, segment in enumerate(segments) if n and segment.connector is not None]
        if connected:
            last = connected[-1]
            kind = self._class(segments[last].head)
            sure = {n for place in connected for n in (place - 1, place)}
        else:
            last, sure = len(segments) - 1, set()
            kind = (self.kind(node), ())
            others = {self.kind(segment.head) for segment in segments} - {kind[0]}
            if kind[0] not in ("clause", "verb") or "verb" in others:
                return []
        conjuncts: list[Conjunct] = []
        before: list[Part] = []
        for number, segment in enumerate(segments):
            if number in sure or (number <= last and self._class(segment.head) == kind):
                segment.others = [*before, *(p for p in segment.others if p is not segment.head)]
                conjuncts.append(segment)
                before = []
            elif conjuncts:
                conjuncts[-1].others += segment.others
            else:
                before += segment.others
        return conjuncts if len(conjuncts) > 1 else []

    def _class(self, part: Part) -> tuple[str, tuple[str, ...]]:
        return self.kind(part), part.functions if isinstance(part, Node) else ()

    def _segments(self, node: Node) -> list[Conjunct]:
        """Return what stands between conjunctions and marks; the heads are not yet chosen."""
        segments = [Conjunct(-1)]
        for part in node.children:
            if self.name(part) in ("CC", "CONJP") and self.span(part):
                is_first = not any(segment.others for segment in segments)
                segments.append(Conjunct(-1, connector=None if is_first else part))
            elif self.name(part) in (",", ":") and segments[-1].others:
                segments.append(Conjunct(-1))
            elif self.span(part) and not self.is_mark(part):
                segments[-1].others.append(part)
        return [segment for segment in segments if segment.others]
