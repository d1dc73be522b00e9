"""Attachment scores: the words with the right head, and with the right head and relation.

Every word counts, also the one whose head is the root, as in the shared tasks of CoNLL. So the
unlabelled score differs from that of `plcfrs.evaluation.dependencies`, which is Lin's (1995) and
leaves out the head of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.report import Cell, Table
from plcfrs.trees import DependencyTree
from plcfrs.trees.punctuation import PUNCTUATION_TAGS, is_punctuation


@dataclass
class AttachmentCounts:
    """Numbers of words.

    Parameters
    ----------
    words : int
    right_heads : int
        Words with the right head.
    right : int
        Words with the right head and relation.

    Examples
    --------
    >>> counts = AttachmentCounts(words=4, right_heads=3, right=2)
    >>> counts.unlabelled, counts.labelled
    (75.0, 50.0)
    """

    words: int = 0
    right_heads: int = 0
    right: int = 0

    @property
    def unlabelled(self) -> float:
        """The unlabelled attachment score (UAS): the percentage of words with the right head."""
        return 100 * self.right_heads / self.words if self.words else 100.0

    @property
    def labelled(self) -> float:
        """The labelled attachment score (LAS): the percentage with the right relation, too."""
        return 100 * self.right / self.words if self.words else 100.0

    def add(self, *, right_head: bool, right: bool) -> None:
        """Count one more word."""
        self.words += 1
        self.right_heads += right_head
        self.right += right


@dataclass
class AttachmentScores:
    """The counts of all words, and of the words that are no punctuation by their gold tags."""

    all: AttachmentCounts = field(default_factory=AttachmentCounts)
    without_punctuation: AttachmentCounts = field(default_factory=AttachmentCounts)

    @classmethod
    def of(
        cls, gold: Iterable[DependencyTree], parses: Iterable[DependencyTree]
    ) -> AttachmentScores:
        """Compare parses with gold trees.

        Parameters
        ----------
        gold, parses : iterable of DependencyTree
            The same sentences in the same order; one pair is held at a time.

        Examples
        --------
        >>> from plcfrs.trees import Token
        >>> tokens = [Token("They", "PRP"), Token("sing", "VBP"), Token(".", ".")]
        >>> gold = DependencyTree(tokens, [2, 0, 2], ["S#1", "root", "S#1"])
        >>> parse = DependencyTree(tokens, [2, 0, 1], ["NP#1", "root", "S#1"])
        >>> scores = AttachmentScores.of([gold], [parse])
        >>> scores.without_punctuation
        AttachmentCounts(words=2, right_heads=2, right=1)
        """
        scores = cls()
        for tree, parse in align_sentences({"gold tree": gold, "parse": parses}, {}):
            scores.add(tree, parse)
        return scores

    def add(self, gold: DependencyTree, parse: DependencyTree | None) -> None:
        """Count one more sentence; None stands for a sentence without a parse."""
        found = list(zip(parse.heads, parse.relations, strict=True)) if parse else []
        for word, (head, relation) in enumerate(zip(gold.heads, gold.relations, strict=True)):
            right_head = bool(found) and found[word][0] == head
            right = bool(found) and found[word] == (head, relation)
            self.all.add(right_head=right_head, right=right)
            if not _is_punctuation(gold, word):
                self.without_punctuation.add(right_head=right_head, right=right)


def wrong_words(gold: DependencyTree, parse: DependencyTree) -> list[int]:
    """Return the positions of the words whose head or relation differs.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP")]
    >>> gold = DependencyTree(tokens, [2, 0], ["S#1", "root"])
    >>> wrong_words(gold, DependencyTree(tokens, [2, 0], ["VP#1", "root"]))
    [0]
    """
    pairs = zip(
        zip(gold.heads, gold.relations, strict=True),
        zip(parse.heads, parse.relations, strict=True),
        strict=True,
    )
    return [word for word, (one, other) in enumerate(pairs) if one != other]


def attachment_table(scores: AttachmentScores) -> Table:
    """Return the table of attachment scores, with and without punctuation."""
    columns = [scores.all, scores.without_punctuation]
    rows: dict[str, list[Cell]] = {
        "UAS": [each.unlabelled if each.words else None for each in columns],
        "LAS": [each.labelled if each.words else None for each in columns],
        "Words": [each.words for each in columns],
        "Right heads": [each.right_heads for each in columns],
        "Right heads and relations": [each.right for each in columns],
    }
    return Table("Attachment", ["All", "Without punctuation"], rows)


def _is_punctuation(tree: DependencyTree, word: int) -> bool:
    """Whether a word is a punctuation mark, by its tag or its coarse tag."""
    coarse_tag = tree.columns[word].coarse_tag if tree.columns else ""
    return is_punctuation(tree.tokens[word]) or coarse_tag in PUNCTUATION_TAGS
