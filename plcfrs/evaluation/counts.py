"""Counts of gold, parsed and correct brackets, and the scores computed from them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Counts:
    """Numbers of brackets in the gold trees, in the parses, and in both.

    If neither gold trees nor parses have brackets, all scores are 100; otherwise a score with a
    denominator of 0 is 0.

    Examples
    --------
    >>> Counts(gold=4, parsed=2, matched=1).precision
    50.0
    >>> Counts().f1
    100.0
    """

    gold: int = 0
    parsed: int = 0
    matched: int = 0

    @property
    def precision(self) -> float:
        """Percentage of the parsed brackets that are correct."""
        return 100 * self.matched / self.parsed if self.parsed else _nothing(self.gold)

    @property
    def recall(self) -> float:
        """Percentage of the gold brackets that were found."""
        return 100 * self.matched / self.gold if self.gold else _nothing(self.parsed)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.gold + self.parsed
        return 200 * self.matched / both if both else 100.0

    def add(self, other: Counts) -> None:
        """Add the counts of more trees."""
        self.gold += other.gold
        self.parsed += other.parsed
        self.matched += other.matched


@dataclass
class Scores:
    """The counts of some sentences, and the scores computed from them.

    Parameters
    ----------
    labelled, unlabelled : Counts
        Of all constituents.
    labelled_discontinuous, unlabelled_discontinuous : Counts
        Of constituents with a gap.
    functions : Counts
        Of the function tags of constituents and tokens whose label is correct.
    sentences, exact, without_parse : int
        Numbers of sentences; of parsed sentences whose labelled brackets are all correct; of
        NOPARSE trees.
    words, right_tags : int
        Numbers of words that are not ignored; of words with the gold tag.
    """

    labelled: Counts = field(default_factory=Counts)
    unlabelled: Counts = field(default_factory=Counts)
    labelled_discontinuous: Counts = field(default_factory=Counts)
    unlabelled_discontinuous: Counts = field(default_factory=Counts)
    functions: Counts = field(default_factory=Counts)
    sentences: int = 0
    exact: int = 0
    without_parse: int = 0
    words: int = 0
    right_tags: int = 0

    @property
    def exact_match(self) -> float:
        """Percentage of sentences whose labelled brackets are all correct."""
        return 100 * self.exact / self.sentences if self.sentences else 100.0

    @property
    def tagging_accuracy(self) -> float:
        """Percentage of words with the gold tag."""
        return 100 * self.right_tags / self.words if self.words else 100.0

    def add(self, other: Scores) -> None:
        """Add the scores of more sentences."""
        self.labelled.add(other.labelled)
        self.unlabelled.add(other.unlabelled)
        self.labelled_discontinuous.add(other.labelled_discontinuous)
        self.unlabelled_discontinuous.add(other.unlabelled_discontinuous)
        self.functions.add(other.functions)
        self.sentences += other.sentences
        self.exact += other.exact
        self.without_parse += other.without_parse
        self.words += other.words
        self.right_tags += other.right_tags


def _nothing(others: int) -> float:
    return 0.0 if others else 100.0
