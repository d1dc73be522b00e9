"""Bracket scores of a corpus, for all sentences, subsets, and kinds of constituents.

The subsets D and C of table 2 of Evang and Kallmeyer (2011) are the sentences with and without a
discontinuity in the reference trees. Only sums are kept, so that memory does not grow with the
number of sentences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from plcfrs.evaluation.bracketing import (
    Bracket,
    Counts,
    Key,
    Scores,
    Sentence,
    compare_sentences,
    kept_words,
    labelled_nodes,
    tags_of,
)
from plcfrs.evaluation.prm import FIELD, Settings, load_settings
from plcfrs.treebank.reading import checked_trees, given_trees
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import fan_out

LENGTHS = 10  # width of the groups of `Evaluation.by_length`

Item = TypeVar("Item")
Parts = set[Node | int]
"""Nodes, and positions of tokens."""


@dataclass
class Evaluation:
    """The scores of a corpus.

    Parameters
    ----------
    cutoff : int, optional
        The greatest length of a sentence in `short`.
    all : Scores
    discontinuous, continuous : Scores
        Of the sentences with and without a discontinuity in the reference trees (D and C).
    parsed : Scores
        Of the sentences with a parse.
    short : Scores
    by_category : dict of str to Counts
        Of labelled constituents.
    by_fan_out : dict of int to Counts
    by_function : dict of str to Counts
    by_gap_degree : dict of int to Scores
        By the gap degree of the reference tree.
    by_length : dict of int to Scores
        Of sentences of 1 to 10, 11 to 20 ... words, by the greatest length of the group.
    """

    cutoff: int | None = None
    all: Scores = field(default_factory=Scores)
    discontinuous: Scores = field(default_factory=Scores)
    continuous: Scores = field(default_factory=Scores)
    parsed: Scores = field(default_factory=Scores)
    short: Scores = field(default_factory=Scores)
    by_category: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_fan_out: dict[int, Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_function: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_gap_degree: dict[int, Scores] = field(default_factory=lambda: defaultdict(Scores))
    by_length: dict[int, Scores] = field(default_factory=lambda: defaultdict(Scores))

    def subsets(self) -> dict[str, Scores]:
        """Return the scores of all subsets of sentences, by the headings of their columns."""
        columns = {
            "All": self.all,
            "D": self.discontinuous,
            "C": self.continuous,
            "With parse": self.parsed,
        }
        return columns if self.cutoff is None else {**columns, f"<= {self.cutoff}": self.short}

    def add(self, sentence: Sentence, scores: Scores) -> None:
        """Add a sentence with its scores."""
        self.all.add(scores)
        (self.discontinuous if sentence.gap_degree else self.continuous).add(scores)
        if sentence.parsed_at_all:
            self.parsed.add(scores)
        if self.cutoff is not None and sentence.length <= self.cutoff:
            self.short.add(scores)
        longest = max(1, -(-sentence.length // LENGTHS)) * LENGTHS
        self.by_length[longest].add(scores)
        self.by_gap_degree[sentence.gap_degree].add(scores)
        _count(sentence.gold, sentence.parsed, self._kinds)
        functions = self.by_function
        _count(sentence.gold_functions, sentence.parsed_functions, lambda key: (functions[key[1]],))

    def _kinds(self, bracket: Bracket) -> tuple[Counts, ...]:
        category, span = bracket
        return self.by_category[category], self.by_fan_out[max(1, fan_out(span))]


def _count(
    gold: Counter[Key], parsed: Counter[Key], kinds: Callable[[Key], tuple[Counts, ...]]
) -> None:
    for key, number in gold.items():
        matched = min(number, parsed[key]) if key in parsed else 0
        for counts in kinds(key):
            counts.gold += number
            counts.matched += matched
    for key, number in parsed.items():
        for counts in kinds(key):
            counts.parsed += number


def summarize(sentences: Iterable[Sentence], settings: Settings = FIELD) -> Evaluation:
    """Return the total scores of compared sentences, from any scorer.

    Parameters
    ----------
    sentences : iterable of Sentence
    settings : Settings
    """
    evaluation = Evaluation(settings.cutoff)
    for sentence in sentences:
        evaluation.add(sentence, sentence.scores(settings.discontinuous_only))
    return evaluation


def evaluate(
    gold: Iterable[Tree],
    parses: Iterable[Tree],
    settings: Settings = FIELD,
    reference: Iterable[Tree] | None = None,
) -> Evaluation:
    """Compare parses with gold trees.

    Parameters
    ----------
    gold, parses : iterable of Tree
        The same sentences in the same order; one pair is held at a time.
    settings : Settings
    reference : iterable of Tree, optional
        The trees that decide which sentences are discontinuous; the gold trees by default.

    Raises
    ------
    InputError
        If the sentences differ, or a tree is something else.
    """
    gold, parses = checked_trees(gold, "gold tree"), checked_trees(parses, "parse")
    return summarize(compare_sentences(gold, parses, settings, reference), settings)


def score(
    gold: str | Path | Iterable[Tree],
    parses: str | Path | Iterable[Tree],
    settings: Settings | str | Path = FIELD,
) -> Scores:
    """Compare parses with gold trees, and return only the scores of all sentences.

    Parameters
    ----------
    gold, parses : iterable of Tree, str or Path
        The same sentences in the same order, or the names of treebanks; one pair is held at a time.
    settings : Settings, str or Path
        Settings, or a name as for `load_settings`: ``"all"`` counts every constituent except the
        root.

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        If the sentences differ, a tree has another type, or a name is neither a file nor a setting.
    TreebankError
        If a treebank cannot be read.

    See Also
    --------
    plcfrs.evaluation.evaluate : Scores of subsets and kinds of constituents.
    plcfrs.evaluation.compare_sentences : Sentence by sentence.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ")]
    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0]), 1]), tokens)
    >>> score([tree], [tree]).labelled
    Counts(gold=1, parsed=1, matched=1)
    >>> score([tree], [tree]).labelled.f1
    100.0
    >>> score("plcfrs:demo", "plcfrs:demo", "all").labelled.f1
    100.0
    """
    if isinstance(settings, str | Path):
        settings = load_settings(settings)
    return evaluate(given_trees(gold), given_trees(parses), settings).all


def differences(gold: Tree, parse: Tree, settings: Settings = FIELD) -> tuple[Parts, Parts]:
    """Return the wrong parts of a parse, to mark them in a picture.

    Parameters
    ----------
    gold, parse : Tree
        With the same words.
    settings : Settings

    Returns
    -------
    tuple of set
        The missed nodes of the gold tree, and the spurious nodes of the parse, each with the
        tokens whose tags differ.
    """
    ones, others = kept = kept_words(gold, parse, settings)
    missed, spurious = labelled_nodes(gold, ones, settings), labelled_nodes(parse, others, settings)
    tags = enumerate(tags_of(gold, parse, kept))
    wrong = {1 << number for number, (tag, other) in tags if tag != other}
    return (
        {*_unmatched_nodes(missed, spurious), *(i for i, bit in ones.items() if bit in wrong)},
        {*_unmatched_nodes(spurious, missed), *(j for j, bit in others.items() if bit in wrong)},
    )


def unmatched(
    some: Iterable[Item], others: Iterable[Item], bracket: Callable[[Item], Bracket]
) -> list[Item]:
    """Return the constituents that the other tree lacks, or has less often."""
    available = Counter(map(bracket, others))
    remaining = []
    for constituent in some:
        if available[bracket(constituent)]:
            available[bracket(constituent)] -= 1
        else:
            remaining.append(constituent)
    return remaining


def _unmatched_nodes(
    some: list[tuple[Node, Bracket]], others: list[tuple[Node, Bracket]]
) -> list[Node]:
    return [node for node, _ in unmatched(some, others, lambda labelled: labelled[1])]
