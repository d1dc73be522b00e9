"""Recall by construction: section 5.3 of Evang and Kallmeyer (2011).

A phrase *opens a gap* if the smallest constituent that has it and other words would have fewer gaps
without it. Reattached phrases of the gold tree that open a gap count; a parse is right if such a
phrase with the same words, up to punctuation, opens a gap in a constituent with the same category
and lexical head. The trace and the category of the phrase decide the construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plcfrs.evaluation.recall import Recall, count_rows
from plcfrs.evaluation.report import Table
from plcfrs.evaluation.sentences import head_words
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import HeadRules
from plcfrs.trees.punctuation import is_punctuation
from plcfrs.trees.spans import fan_out, span_of

WH, QUOTATION, SURROUNDING, FRONTING, RAISING, ICH, EXP = CONSTRUCTIONS = (
    "wh-movement",
    "fronted quotations",
    "surrounding quotations",
    "other fronting",
    "right node raising",
    "ICH",
    "EXP",
)

_CLAUSES = ("S", "SBAR", "SBARQ", "SINV", "SQ", "FRAG")
_BY_TRACE = {"*T*-PRN": SURROUNDING, "*RNR*": RAISING, "*ICH*": ICH, "*EXP*": EXP}


class Attachment(NamedTuple):
    """Where a phrase opens a gap: its words, and the constituent that gets the gap."""

    words: int
    mother: str
    head: int


class ConstructionScores(Recall):
    """How often each construction occurs, and how often a parser got it right."""

    def add(self, gold: Tree, parse: Tree, rules: HeadRules | None = None) -> None:
        """Count the constructions of one more sentence."""
        found = {place for _, place in attachments(parse, words_of(gold), rules)}
        for name, place in constructions(gold, rules):
            self.gold[name] += 1
            self.found[name] += place in found


def constructions(tree: Tree, rules: HeadRules | None = None) -> Iterator[tuple[str, Attachment]]:
    """Yield the name of each construction in a gold tree and where its phrase belongs.

    Parameters
    ----------
    tree : Tree
        A tree with traces, transformed.
    rules : HeadRules, optional
        Collins (1999) by default.
    """
    for node, place in attachments(tree, words_of(tree), rules):
        if node.moved:
            yield construction_of(node), place


def construction_of(node: Node) -> str:
    """Return the construction of a reattached node.

    >>> construction_of(Node("WHNP", moved="*T*"))
    'wh-movement'
    """
    if node.moved in _BY_TRACE:
        return _BY_TRACE[node.moved]
    if node.category.startswith("WH"):
        return WH
    return QUOTATION if node.category in _CLAUSES else FRONTING


def attachments(
    tree: Tree, words: int, rules: HeadRules | None = None
) -> Iterator[tuple[Node, Attachment]]:
    """Yield the phrases that open a gap, with its place; `words` has bits of words that count."""
    heads, spans = head_words(tree, rules), tree.yields()
    for node, mother in _larger(tree, {node: span & words for node, span in spans.items()}):
        if fan_out(spans[mother]) > fan_out(spans[mother] & ~spans[node]):
            yield node, Attachment(spans[node] & words, mother.category, heads[mother])


def words_of(tree: Tree) -> int:
    """Return the positions that are not punctuation, by their tags, as a bitset."""
    tokens = enumerate(tree.tokens)
    return span_of([position for position, token in tokens if not is_punctuation(token)])


def construction_table(parsers: Mapping[str, ConstructionScores]) -> Table:
    """Return the counts of section 5.3 of the paper.

    Parameters
    ----------
    parsers : mapping of str to ConstructionScores
        By the headings of the columns; all have the same gold trees.
    """
    return Table("Constructions", ["gold", *parsers], count_rows(parsers, CONSTRUCTIONS))


def _larger(tree: Tree, spans: dict[Node, int]) -> Iterator[tuple[Node, Node]]:
    """Yield each node with the lowest node above it that has more words."""
    larger: dict[Node, Node] = {}
    for mother in tree.nodes():
        for child in mother.nodes:
            if spans[child] != spans[mother]:
                larger[child] = mother
            elif mother in larger:
                larger[child] = larger[mother]
    yield from larger.items()
