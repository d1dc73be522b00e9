"""How surprising each word is, given the words before it: surprisal and entropy in bits."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, Protocol

from plcfrs.forest.analyses import Analysis
from plcfrs.parsing.sentence import Input
from plcfrs.prefix import PrefixGrammar

PRECISION = 0.001
"""The largest difference between the bounds of a surprisal, in bits."""

END = "</s>"
"""The word that stands for the end of a sentence."""

Status = Literal[
    "read",
    "bounded",
    "no sentence",
    "unknown word",
    "out of time",
    "out of memory",
    "out of items",
    "crashed",
    "no words",
]


class Surprisal(NamedTuple):
    """How surprising a word is, given the words before it (Hale 2001).

    Parameters
    ----------
    surprisal : float
        ``-log2 P(word | words before)``, in bits; with given tags, of the tag. inf if no sentence
        of the grammar begins like this; None if the budget was used up.
    at_least, at_most : float
        Proven bounds of the surprisal; they differ by at most the precision if the status is
        "read". None as above.
    tag_surprisal, word_surprisal : float
        Two parts of the surprisal: that the next tag is one of the word (syntactic), and that it
        is this word of these tags (lexical; Roark et al. 2009).
    log_prefix_probability : float
        The natural logarithm of the probability of all sentences that begin like this; None as
        above.
    entropy : float
        Of the next tag or the end, after the word, in bits; None as above, or if no sentence
        begins like this.
    entropy_reduction : float
        How much the word lowered the entropy: the entropy before it minus the one after it, or 0
        if it rose (Hale 2006 has the entropy of whole derivations instead); None as above.
    derivation_entropy, derivation_entropy_reduction : float
        Of the whole derivation down to the tags, after the word, in bits, and how much the word
        lowered it, or 0 (Hale 2006); None unless it is wanted and the status is "read".
    analyses : tuple of Analysis
        The most probable structures after the word, the best one first.
    known : bool
        Whether the lexicon has the word; None if tags were read, and for the end of a sentence.
    status : str
        "read"; or "bounded": the sentence had used up most of its budget, so much was left out that
        the bounds differ by more than the precision, and all other numbers are estimates. With any
        other status there are no numbers: "no sentence", "unknown word" (the lexicon has neither
        the word nor signatures for unknown words), "out of time", "out of memory", "out of items",
        "crashed" or "no words".
    """

    word: str
    surprisal: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    tag_surprisal: float | None = None
    word_surprisal: float | None = None
    log_prefix_probability: float | None = None
    entropy: float | None = None
    entropy_reduction: float | None = None
    derivation_entropy: float | None = None
    derivation_entropy_reduction: float | None = None
    analyses: tuple[Analysis, ...] = ()
    known: bool | None = None
    status: Status = "out of time"


class PrefixReader(Protocol):
    """A model of a family with the capability "surprisal"."""

    @property
    def prefixes(self) -> PrefixGrammar:
        """The grammar of `surprisal`; ``prefixes.is_changed`` if probabilities were normalised."""

    def surprisal(
        self,
        sentence: Input,
        analyses: int = 0,
        at: Collection[int] | None = None,
        *,
        derivation_entropy: bool = False,
        end: bool = False,
        precision: float = PRECISION,
    ) -> list[Surprisal]:
        """Return how surprising each word is, and the `analyses` best structures at some places."""
