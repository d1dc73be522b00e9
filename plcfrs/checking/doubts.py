"""Where a parser contradicts a tree: what it finds probable, and the tree does not have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from plcfrs.checking.finding import Finding
from plcfrs.evaluation.nulls import detected, null_elements
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.transformation import Options, transform
from plcfrs.trees import Node, Tree, render_label, restore_traces
from plcfrs.trees.tree import positions

_KIND = "parser"
_LEAST = 0.5  # the probability of a constituent that a tree should have
_UNKNOWN = 0.5  # that of a parser without probabilities
_FUNCTION, _NULL = 0.4, 0.6  # the share of errors where a parser contradicts these alone


def find_doubts(
    tree: Tree, parser: SentenceParser, options: Options | None = None
) -> Iterator[Finding]:
    """Yield the parts of a tree that a parser contradicts.

    Parameters
    ----------
    tree : Tree
    parser : SentenceParser
        It must not have learned from this tree. Its functions and null elements are compared, too.
    options : Options, optional
        Of the transformation of trees with traces, as for the parser.
    """
    words = [place for place, token in enumerate(tree.tokens) if not token.is_null]
    given = transform(tree, options or Options())
    parse = parser.parse(tree.words(), posteriors="sums" in parser.capabilities)
    if parse.status == "parsed" and words:
        chances = [each.probability for each in parse.posteriors or ()]
        comparison = _Comparison(tree, words, given, parse.tree, chances)
        yield from comparison.constituents()
        yield from comparison.functions()
        if parse.tree.annotation is not None:
            yield from comparison.nulls()


class _Comparison:
    """A tree and a parse of the same words; both have crossing branches in place of traces."""

    def __init__(
        self, tree: Tree, words: list[int], given: Tree, parse: Tree, chances: list[float]
    ) -> None:
        self.tree, self.words, self.given, self.parse = tree, words, given, parse
        self.given_nodes, self.parsed_nodes = _by_span(given), _by_span(parse)
        known = chances or [_UNKNOWN] * len(parse.nodes())
        self.chances = dict(zip(parse.nodes(), known, strict=True))

    def at(self, span: int, message: str, score: float, label: str = "") -> Finding:
        """Return a finding about words of the tree."""
        places = [self.words[place] for place in positions(span)]
        found = Finding.at(self.tree, places, _KIND, message, score)
        return replace(found, label=label) if label else found

    def constituents(self) -> Iterator[Finding]:
        """Yield constituents that only one of the trees has."""
        for span, nodes in self.parsed_nodes.items():
            here = self.given_nodes.get(span, [])
            missing = _without(nodes, here)
            for node in missing:
                chance = self.chances[node]
                if chance >= _LEAST:
                    other = _without(here, nodes)
                    label = render_label(other[0]) if other else ""
                    what = f"{node.category} expected" + f", not {label}" * bool(other)
                    yield self.at(span, f"{what} (probability {chance:.2f})", chance, label)
        for span, nodes in self.given_nodes.items():
            if span in self.parsed_nodes:
                continue
            crossing = [each for each in self.parsed_nodes if each & span not in (0, span, each)]
            chance = max(
                (self.chances[self.parsed_nodes[s][0]] for s in crossing), default=_UNKNOWN
            )
            label = render_label(nodes[0])
            yield self.at(span, "no constituent expected", 0.9 * chance, label)

    def functions(self) -> Iterator[Finding]:
        """Yield constituents of both trees with other functions."""
        for span, nodes in self.given_nodes.items():
            for node, other in _pairs(nodes, self.parsed_nodes.get(span, [])):
                if node.functions != other.functions:
                    expected = "-".join(other.functions) or "no function"
                    score = _FUNCTION * self.chances[other]
                    yield self.at(span, f"{expected} expected", score, render_label(node))

    def nulls(self) -> Iterator[Finding]:
        """Yield null elements that only one of the trees has."""
        given = detected(Counter(null_elements(self.tree)))
        expected = detected(Counter(null_elements(restore_traces(self.parse))))
        for what, nulls in (("expected", expected - given), ("not expected", given - expected)):
            for null in nulls.elements():
                beside = 1 << min(null.place, len(self.words) - 1)
                yield self.at(beside, f"{null.category} {null.type} before it {what}", _NULL)


def _by_span(tree: Tree) -> dict[int, list[Node]]:
    """Return the nodes below the root by their spans, mothers first."""
    spans, found = tree.yields(), defaultdict(list)
    for node in tree.nodes()[1:]:
        found[spans[node]].append(node)
    return found


def _without(nodes: list[Node], others: list[Node]) -> list[Node]:
    """Return nodes without those whose categories others have."""
    left = Counter(node.category for node in nodes) - Counter(node.category for node in others)
    return [node for node in nodes if left.pop(node.category, 0)]


def _pairs(nodes: list[Node], others: list[Node]) -> Iterator[tuple[Node, Node]]:
    """Yield nodes with nodes of the same category among others."""
    free = list(others)
    for node in nodes:
        same = next((other for other in free if other.category == node.category), None)
        if same is not None:
            free.remove(same)
            yield node, same
