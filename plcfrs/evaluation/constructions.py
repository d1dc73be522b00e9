"""Recall by construction: section 5.3 of Evang and Kallmeyer (2011).

A phrase *opens a gap* if the smallest constituent that has it and other words would have fewer gaps
without it. We count the phrases of the gold tree that were reattached at their trace and open
a gap there. So most moved wh-subjects do not count ('who left'). The constructions are:

*wh-movement*
    the trace is ``*T*`` and the phrase a ``WH...``: 'what should I do'.
*fronted quotations*
    the trace is ``*T*`` and the phrase a clause: ``S``, ``SBAR``, ``SBARQ``, ``SINV``, ``SQ``
    or ``FRAG``. Quotation marks are not needed: 'it rained, she said'.
*surrounding quotations*
    the trace is ``*T*`` inside the phrase itself (``*T*-PRN``): 'it rained, she said, all day'.
*other fronting*
    the trace is ``*T*`` and the phrase is any other: 'of all these, it is the best'.
*right node raising*, *ICH*, *EXP*
    the trace is ``*RNR*``, ``*ICH*`` or ``*EXP*``.

The paper does not say when a parse is right. Here, it is right if a constituent of the parse with
the same words also opens a gap, with any label and punctuation, and if the constituent with this
gap has the right category and lexical head: 'what' in a VP headed by 'do'. Only the place of the
phrase counts, not what is below or beside it.
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
    """Numbers of instances of each construction, and of those that a parser got right."""

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
        Those of Collins (1999) by default.
    """
    for node, place in attachments(tree, words_of(tree), rules):
        if node.moved:
            yield construction_of(node), place


def construction_of(node: Node) -> str:
    """Return the construction of a reattached node.

    Examples
    --------
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
    """Yield the phrases of a tree that open a gap, with the place of the gap.

    Parameters
    ----------
    tree : Tree
    words : int
        The positions that count (`words_of` the gold tree).
    rules : HeadRules, optional
        Those of Collins (1999) by default.
    """
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
        The keys are the headings of the columns; all have the same gold trees.
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
