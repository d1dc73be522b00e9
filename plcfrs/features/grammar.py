"""A grammar with the weights of features."""

from __future__ import annotations

from dataclasses import dataclass

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Grammar
from plcfrs.linear.hashed import checked
from plcfrs.linear.kernel.arrays import Scores

# Hashed features share so many weights. A place is a number of 32 bits.
PLACES = 1 << 22
MOST_PLACES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class FeatureGrammar:
    """A grammar with the weights of features.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    weights : float32 array (places,)
        Usually `PLACES`.
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the search (see `ChartParser`).
    """

    grammar: Grammar
    weights: Scores
    shares: Costs | None = None

    def check(self) -> None:
        """Raise a ValueError if the weights are damaged."""
        if not 0 < len(self.weights) <= MOST_PLACES:
            raise ValueError("the weights are damaged")
        checked(self.weights, len(self.weights))
