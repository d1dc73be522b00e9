"""How surprising each word is, given the words before it: surprisal and entropy in bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log, log2
from typing import Literal, NamedTuple

from plcfrs.chart.budget import Budget, Deadline, OutOfTimeError
from plcfrs.grammar import Nonterminal
from plcfrs.prefix import PrefixChart, PrefixGrammar

_BIT = log(2.0)

Status = Literal["read", "no sentence", "unknown word", "out of time", "crashed", "no words"]


class Surprisal(NamedTuple):
    """How surprising a word is, given the words before it (Hale 2001).

    Parameters
    ----------
    word : str
    surprisal : float
        ``-log2 P(word | words before)``, in bits; with given tags, of the tag. inf if no sentence
        of the grammar begins so; None if the budget was used up.
    log_prefix_probability : float
        The natural logarithm of the probability of all sentences that begin so; None as above.
    entropy : float
        Of the next tag or the end, after the word, in bits; None as above, or if no sentence
        begins so.
    entropy_reduction : float
        By how much the word lowered the entropy: that before it less that after it, or 0 where it
        rose (Hale 2006, who has the entropy of whole derivations instead); None as above.
    tag_surprisal, word_surprisal : float
        Two parts of the surprisal: that the next tag is one of the word (syntactic), and that it
        is this word of these tags (lexical; Roark et al. 2009).
    status : {"read", "no sentence", "unknown word", "out of time", "crashed", "no words"}
        A word is unknown if the lexicon has neither it nor signatures for unknown words.
    """

    word: str
    surprisal: float | None = None
    log_prefix_probability: float | None = None
    entropy: float | None = None
    entropy_reduction: float | None = None
    tag_surprisal: float | None = None
    word_surprisal: float | None = None
    status: Status = "out of time"


def surprisals(
    grammar: PrefixGrammar,
    words: Sequence[str],
    tags: Sequence[Mapping[Nonterminal, float]],
    budget: Budget,
) -> list[Surprisal]:
    """Return how surprising each word of a sentence is.

    Parameters
    ----------
    grammar : PrefixGrammar
    words : sequence of str
    tags : sequence of mapping of Nonterminal to float
        The probability of each word given each of its tags; 1 for a given tag.
    budget : Budget
        Its time is for the sentence; words for which it is too short have the status "out of time".
    """
    deadline = Deadline(budget)
    found: list[Surprisal] = []
    try:
        chart = PrefixChart(grammar, deadline.check)
        entropy = _entropy(chart)
        for word, weights in zip(words, tags, strict=True):
            found.append(_read(chart, word, weights, entropy))
            entropy = found[-1].entropy or 0.0
    except OutOfTimeError:
        found += [Surprisal(word) for word in words[len(found) :]]
    return found


def _read(
    chart: PrefixChart, word: str, weights: Mapping[Nonterminal, float], entropy_before: float
) -> Surprisal:
    before = chart.log_probability
    syntactic = _bits(sum(p for tag, p in chart.tags().items() if weights.get(tag)))
    chart.extend(weights)
    if chart.log_probability == -inf:
        return Surprisal(word, inf, -inf, status="no sentence" if weights else "unknown word")
    total = max(0.0, before - chart.log_probability) / _BIT
    lexical = max(0.0, total - syntactic)
    entropy = _entropy(chart)
    return Surprisal(
        word,
        total,
        chart.log_probability,
        entropy,
        max(0.0, entropy_before - entropy),
        syntactic,
        lexical,
        "read",
    )


def _entropy(chart: PrefixChart) -> float:
    """Return the entropy of the next tag or the end, in bits."""
    return sum(p * _bits(p) for p in (*chart.tags().values(), chart.end()) if p)


def _bits(probability: float) -> float:
    return max(0.0, -log2(probability)) if probability else inf
