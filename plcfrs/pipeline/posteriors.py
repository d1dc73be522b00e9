"""Why a sentence has its parse: the posterior probabilities of its constituents."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import NamedTuple

from plcfrs.binarization import restore
from plcfrs.grammar import Derivation, Nonterminal
from plcfrs.grammar.positions import render_ranges
from plcfrs.pipeline.explanation import Step, numbered, steps_of
from plcfrs.trees.spans import span_of


class PosteriorExplanation(NamedTuple):
    """The constituents of a parse, each with its posterior probability.

    Parameters
    ----------
    words : list of str
    steps : list of Step
        Mothers before their children; their scores are logarithms of posterior probabilities.
    """

    words: list[str]
    steps: list[Step]

    @classmethod
    def of(
        cls,
        words: list[str],
        derivation: Derivation,
        posteriors: Mapping[tuple[Nonterminal, int], float],
    ) -> PosteriorExplanation:
        """Return the explanation of a derivation.

        Parameters
        ----------
        words : list of str
        derivation : Derivation
            With intermediate symbols.
        posteriors : mapping of (Nonterminal, int) to float
            The probability of each symbol and span, a bitset.
        """

        def cost(part: Derivation, ranges: tuple[tuple[int, int], ...]) -> float:
            span = span_of([position for each in ranges for position in range(*each)])
            return -log(max(posteriors.get((part.nonterminal, span), 0.0), 1e-300))

        return cls(words, steps_of(restore(derivation), cost))

    def lines(self, *, binarized: bool = False) -> list[str]:  # noqa: ARG002 (there are no other rules)
        """Return the rules with the posterior probabilities of their constituents as text."""
        places = [render_ranges(step.ranges) for step in self.steps]
        width = max(map(len, places))
        lines = [numbered(self.words), "", f"posterior  {'at':<{width}}  rule"]
        for step, place in zip(self.steps, places, strict=True):
            rule = f"{2 * step.depth * ' '}{step.with_word(self.words)}"
            lines.append(f"{step.probability:9.4f}  {place:<{width}}  {rule}")
        return lines
