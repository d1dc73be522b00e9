"""Everything that a query can contain, with an example for each.

The guide, the page and the help of ``plcfrs find`` show it. Every example finds something in the
demo treebank after `plcfrs.transform`.
"""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple


class Entry(NamedTuple):
    """Something that a query can contain."""

    written: str
    meaning: str  # parts of queries are in backquotes
    example: str  # a query
    also: str = ""  # another way to write it; empty if there is none

    @property
    def ways(self) -> list[str]:
        """The ways to write it."""
        return list(filter(None, (self.written, self.also)))


class QuerySection(NamedTuple):
    """A section of the help: entries of one kind."""

    title: str
    about: str  # true of all entries
    entries: tuple[Entry, ...]


_NODES = (
    Entry("NP", "a category: its constituents, with any functions", "NP"),
    Entry("MD", "a tag: tokens with it", "MD"),
    Entry("the", "a word, in exactly this form", "the"),
    Entry("NP-SBJ", "a category with a function, and perhaps others", "NP-SBJ"),
    Entry("A|B", "one or the other; without blanks", "NP|PP"),
    Entry('"..."', "a name with special characters", '"PRP$"'),
    Entry(
        "/.../",
        "a Python regular expression: it may match anywhere in a label, tag or word",
        "/^WH/",
    ),
    Entry("i@...", "the same, ignoring case", "i@the"),
    Entry("i@/.../", "a regular expression, ignoring case", "i@/^th/"),
    Entry("*", "any node", "*", also="__"),
)
_DOMINANCE = (
    Entry("A < B", "A is the mother of B", "VP < SBAR"),
    Entry("A > B", "A is a child of B", "SBAR > NP"),
    Entry("A << B", "A dominates B", "S << WHNP"),
    Entry("A >> B", "A is dominated by B", "WHNP >> S"),
    Entry("A <2 B", "B is the second child of A", "VP <2 NP"),
    Entry("A >2 B", "A is the second child of B", "NP >2 VP"),
    Entry("A <-2 B", "B is the second last child of A", "NP <-2 JJ"),
    Entry("A >-2 B", "A is the second last child of B", "JJ >-2 NP"),
    Entry("A <, B", "B is the first child of A", "PP <, IN"),
    Entry("A >, B", "A is the first child of B", "IN >, PP"),
    Entry("A <- B", "B is the last child of A", "NP <- NNS", also="A <` B"),
    Entry("A >- B", "A is the last child of B", "NNS >- NP", also="A >` B"),
    Entry("A <: B", "B is the only child of A", "NP <: PRP"),
    Entry("A >: B", "A is the only child of B", "PRP >: NP"),
    Entry("A <<, B", "B is a descendant of A that begins where A begins", "S <<, DT"),
    Entry("A >>, B", "A is a descendant of B that begins where B begins", "DT >>, S"),
    Entry("A <<` B", "B is a descendant of A that ends where A ends", "VP <<` NNS"),
    Entry("A >>` B", "A is a descendant of B that ends where B ends", "NNS >>` VP"),
    Entry("A <<: B", "B is below A, linked by only children", "VP <<: VBD"),
    Entry("A >>: B", "A is below B, linked by only children", "VBD >>: VP"),
    Entry("A <# B", "B is the head of A", "VP <# VBD"),
    Entry("A ># B", "A is the head of B", "VBD ># VP"),
    Entry("A <<# B", "B is the head of A, or the head of its head, and so on", "S <<# VBD"),
    Entry("A >># B", "A is the head of B, or the head of its head, and so on", "VBD >># S"),
)
_ORDER = (
    Entry("A . B", "B follows A directly", "VB . (IN . DT)"),
    Entry("A , B", "A follows B directly", "NN , JJ"),
    Entry("A .. B", "B follows A", "NP .. VP"),
    Entry("A ,, B", "A follows B", "VP ,, NP"),
    Entry("A $ B", "A and B are sisters", "NP $ VP"),
    Entry("A $. B", "sisters, B directly after A", "NP $. VP"),
    Entry("A $, B", "sisters, A directly after B", "VP $, NP"),
    Entry("A $.. B", "sisters, B after A", "NP $.. VP"),
    Entry("A $,, B", "sisters, A after B", "VP $,, NP"),
)
_GAPS = (
    Entry("A <~ B", "B lies in a gap of A", "VP <~ NP"),
    Entry("A >~ B", "A lies in a gap of B", "NP >~ VP"),
    Entry("A <~: B", "B alone fills a gap of A", "VP <~: NP"),
    Entry("A >~: B", "A alone fills a gap of B", "NP >~: VP"),
    Entry(
        "A >< B",
        "A and B interleave: each has a part in a gap of the other",
        "VP[discontinuous] !>< VP",
    ),
)
_NULLS = (
    Entry("null", "the type of a null element, without its index", "*[null=*T*]"),
    Entry("null", "alone: is a null element", "SBAR < *[null]"),
    Entry("antecedent", "the category of the antecedent of a null element", "*[antecedent=WHNP]"),
    Entry("antecedent", "alone: has an antecedent", "*[null=* & antecedent]"),
    Entry("A <@ B", "A is the antecedent of B", "WHNP <@ *[null=*T*]"),
    Entry("A >@ B", "B is the antecedent of A", "*[null=*] >@ NP-SBJ"),
)
_COMBINATIONS = (
    Entry("A !< B", "not: for every operator", "NP !< DT"),
    Entry("A < B < C", "and", "NP < DT < NN", also="A < B & < C"),
    Entry("A < B | < C", 'or; with blanks; "and" binds more tightly', "NP < DT | < PRP"),
    Entry(
        "A [...]", "brackets group conditions on the node before them", "NP [< NN | < NNS] !< DT"
    ),
    Entry("A ![...]", "not, for a group", "NP ![< DT | < PRP]"),
    Entry(
        "A=n", "a node gets the name n; the same node again", "S < NP=n < (VP <~: =n)", also="=n"
    ),
    Entry(
        ": =n ...",
        "more conditions on a named node, at the end of the query",
        "S < NP=n < VP : =n < NNS",
    ),
)
_ATTRIBUTES = (
    Entry("discontinuous", "has a gap", "VP[discontinuous]"),
    Entry(
        "discontinuous=words",
        "has a gap with a word, not only with punctuation marks",
        "NP[discontinuous=words]",
    ),
    Entry("!discontinuous", "has no gap", "VP[!discontinuous]"),
    Entry(
        "fanout", "the number of its parts, compared by `=` `!=` `<` `<=` `>` `>=`", "VP[fanout>=3]"
    ),
    Entry("length", "the number of words, without null elements", "S[length<4]"),
    Entry("category", "the category, without functions", "*[category=VP]"),
    Entry("function", "a function, or the edge label of a token", "NP[function=SBJ]"),
    Entry("function", "alone: has any function", "NP[function]"),
    Entry(
        "moved",
        "the type of the trace that it was moved to, in transformed trees",
        "SBAR|S[moved=*ICH*]",
    ),
    Entry("moved", "alone: was moved to any trace", "WHNP[moved]"),
    Entry("split", "the category split, in transformed trees", "S[split=WH]"),
    Entry("word", "the word of a tag", "DT[word=/^[Tt]he$/]"),
    Entry("tag", "the tag of a token, or of a word", "made|said[tag=VBD]"),
    Entry("lemma", "of tokens, in formats that have it, as in `*[lemma=be]`", "MD[!lemma]"),
    Entry("morph", "of tokens, in formats that have it, as in `*[morph=/Neut/]`", "MD[!morph]"),
)

SECTIONS = (
    QuerySection("Nodes", "Constituents, tags and words are all nodes.", _NODES),
    QuerySection("Dominance", "A tag is the mother of its word: `VB < run`.", _DOMINANCE),
    QuerySection("Order", "A precedes B if all tokens of A are before all tokens of B.", _ORDER),
    QuerySection(
        "Gaps", "Only trees with crossing branches have gaps: transform traces first.", _GAPS
    ),
    QuerySection(
        "Null elements", "Null elements are tokens of trees that keep their traces.", _NULLS
    ),
    QuerySection("Combinations", "A query finds its first node.", _COMBINATIONS),
    QuerySection(
        "Attributes", "Attributes stand in brackets after a node: `VP[fanout>=3]`.", _ATTRIBUTES
    ),
)


def help_text() -> str:
    """Return all sections without examples, as paragraphs of a click help text."""
    return "\n\n".join(
        "\n".join([f"{section.title}. {_plain(section.about)}\n\n\b", *map(_row, section.entries)])
        for section in SECTIONS
    )


def _row(entry: Entry) -> str:
    """Return an entry as lines of 78 characters; the meaning begins in column 25."""
    row = f"{', '.join(entry.ways):<24}{_plain(entry.meaning)}"
    return fill(row, 78, subsequent_indent=" " * 24)


def _plain(text: str) -> str:
    """Return a text without the backquotes, which are for pages."""
    return text.replace("`", "")
