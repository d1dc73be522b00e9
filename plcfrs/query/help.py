"""All that queries can have, with an example for each.

The guide, the page and the help of ``plcfrs find`` are made from it.
Every example finds something in the demo treebank after `plcfrs.transform`.
"""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple


class Entry(NamedTuple):
    """One thing that queries can have."""

    written: str
    meaning: str  # parts of queries are in backquotes
    example: str  # A query
    also: str = ""  # another way to write it; empty if there is none

    @property
    def ways(self) -> list[str]:
        """The ways to write it."""
        return list(filter(None, (self.written, self.also)))


class Section(NamedTuple):
    """Entries of a kind."""

    title: str
    about: str  # holds for all entries
    entries: tuple[Entry, ...]


_NODES = (
    Entry("NP", "a category: constituents that have it, whatever functions they have", "NP"),
    Entry("MD", "a tag: tokens that have it", "MD"),
    Entry("the", "a word, in exactly this form", "the"),
    Entry("NP-SBJ", "a category with a function, perhaps among others", "NP-SBJ"),
    Entry("A|B", "one or the other; without blanks", "NP|PP"),
    Entry('"..."', "a name with characters that mean something in queries", '"PRP$"'),
    Entry(
        "/.../",
        "labels, tags and words in which the regular expression (Python's) is found",
        "/^WH/",
    ),
    Entry("i@...", "the same in upper or lower case", "i@the"),
    Entry("i@/.../", "and for regular expressions", "i@/^th/"),
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
    Entry("A <<: B", "only children lead from A down to B", "VP <<: VBD"),
    Entry("A >>: B", "only children lead from B down to A", "VBD >>: VP"),
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
    Entry("A <~: B", "B fills a gap of A alone", "VP <~: NP"),
    Entry("A >~: B", "A fills a gap of B alone", "NP >~: VP"),
    Entry(
        "A >< B",
        "A and B interleave: each has a part in a gap of the other",
        "VP[discontinuous] !>< VP",
    ),
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
        ": =n ...", "more about a named node, at the end of the query", "S < NP=n < VP : =n < NNS"
    ),
)
_ATTRIBUTES = (
    Entry("discontinuous", "has a gap", "VP[discontinuous]"),
    Entry(
        "discontinuous=words",
        "has a gap with a word, not only with punctuation marks",
        "NP[discontinuous=words]",
    ),
    Entry("!discontinuous", "has none", "VP[!discontinuous]"),
    Entry(
        "fanout", "how many parts it has, compared by `=` `!=` `<` `<=` `>` `>=`", "VP[fanout>=3]"
    ),
    Entry("length", "how many words; null elements do not count", "S[length<4]"),
    Entry("category", "the category, without functions", "*[category=VP]"),
    Entry("function", "a function, or the edge label of a token", "NP[function=SBJ]"),
    Entry("function", "alone: has any function", "NP[function]"),
    Entry(
        "moved", "by which type of trace it was moved, in transformed trees", "SBAR|S[moved=*ICH*]"
    ),
    Entry("moved", "alone: by any trace", "WHNP[moved]"),
    Entry("split", "the category split, in transformed trees", "S[split=WH]"),
    Entry("word", "the word of a tag", "DT[word=/^[Tt]he$/]"),
    Entry("tag", "the tag of a token, or of a word", "made|said[tag=VBD]"),
    Entry("lemma", "of tokens, in formats that hold it, as in `*[lemma=be]`", "MD[!lemma]"),
    Entry("morph", "of tokens, in formats that hold it, as in `*[morph=/Neut/]`", "MD[!morph]"),
)

SECTIONS = (
    Section("Nodes", "Constituents, tags and words are all nodes.", _NODES),
    Section("Dominance", "A tag is the mother of its word: `VB < run`.", _DOMINANCE),
    Section("Order", "A precedes B if all tokens of A are before all tokens of B.", _ORDER),
    Section(
        "Gaps", "Gaps are in trees with crossing branches: turn traces into them first.", _GAPS
    ),
    Section("Combinations", "What is found is the first node of the query.", _COMBINATIONS),
    Section(
        "Attributes", "Attributes stand in brackets after a node: `VP[fanout>=3]`.", _ATTRIBUTES
    ),
)


def help_text() -> str:
    """Return all sections, without the examples, as the paragraphs of a help text of click."""
    return "\n\n".join(
        "\n".join([f"{section.title}. {_plain(section.about)}\n\n\b", *map(_row, section.entries)])
        for section in SECTIONS
    )


def _row(entry: Entry) -> str:
    """Return an entry as lines of 78 characters, with the meaning from the 25th one."""
    row = f"{', '.join(entry.ways):<24}{_plain(entry.meaning)}"
    return fill(row, 78, subsequent_indent=" " * 24)


def _plain(text: str) -> str:
    """Return a text without the backquotes, which are for pages."""
    return text.replace("`", "")
