"""What the search for a sentence returns: a derivation, or sums over all derivations."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Literal, NamedTuple

from plcfrs.budget import Statistics
from plcfrs.grammar import Derivation, Nonterminal, Rule

Status = Literal["parsed", "no parse", "out of items", "out of time", "out of memory"]


@dataclass(frozen=True, slots=True)
class ParseResult:
    """A derivation of a sentence, or the reason why there is none.

    Parameters
    ----------
    status : {"parsed", "no parse", "out of items", "out of time", "out of memory"}
        In the last three cases the budget was used up before any derivation was found.
    cost : float
        ``-log p`` (natural logarithm) of the derivation; infinite without a parse.
    derivation : Derivation or None
        Of the parser's grammar.
    statistics : Statistics
    lost_mass : float
        Upper bound for the fraction of probability mass that the sums over derivations lack, if the
        objective needs sums.
    gap : float or None
        How much less the most probable derivation may cost than this one: its cost less the
        greatest proven bound. 0 if this one is proven to be the most probable; infinite if nothing
        is proven. N-best parses are compared with the derivation of the same rank. None without a
        derivation, and for other objectives than the most probable derivation.
    """

    status: Status
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0
    gap: float | None = None

    def _repr_svg_(self) -> str | None:
        """Return the picture of the derivation for a notebook."""
        return None if self.derivation is None else self.derivation._repr_svg_()


class Expectations(NamedTuple):
    """Sums over the derivations of a sentence.

    Parameters
    ----------
    log_probability : float
        Natural logarithm of the probability of the sentence.
    rule_counts : dict of Rule to float
        How often each rule of the grammar is expected in a derivation.
    constituents : dict of (Nonterminal, int) to float
        How often each nonterminal over each span (a bitset) is expected, without intermediate
        symbols. Touching ranges are one, and the nonterminal is that of `proper_gaps`.
    lost_mass : float
        Upper bound for the missing fraction of probability mass.
    """

    log_probability: float
    rule_counts: dict[Rule, float]
    constituents: dict[tuple[Nonterminal, int], float]
    lost_mass: float
