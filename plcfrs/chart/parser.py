"""The parser: weighted deductive parsing of one sentence after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal

import numpy as np

from plcfrs.chart.backtrace import backtrace
from plcfrs.chart.compile import compile_grammar
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart, Costs, Int32
from plcfrs.chart.kernel.deduction import deduce, scan
from plcfrs.chart.kernel.relaxation import inside_costs, outside_costs
from plcfrs.chart.relaxation import compile_relaxation
from plcfrs.chart.storage import Estimates, enlarge, new_chart
from plcfrs.grammar import Derivation, Grammar, Nonterminal, proper_gaps

Strategy = Literal["astar", "knuth"]

# Items between two looks at signals such as Ctrl-C.
_PATIENCE = 20_000


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the search of one sentence did.

    Parameters
    ----------
    items : int
        Items created.
    popped : int
        Items taken from the agenda.
    improved : int
        Items that got a lower cost after they had been popped, and were popped again.
    edges : int
        Instances of rules over popped items.
    pair_tests : int
        Pairs of items that were looked at for a binary rule.
    """

    items: int = 0
    popped: int = 0
    improved: int = 0
    edges: int = 0
    pair_tests: int = 0


@dataclass(frozen=True, slots=True)
class ParseResult:
    """The best derivation of a sentence, or that there is none.

    Parameters
    ----------
    status : {"parsed", "no parse"}
    cost : float
        ``-log p`` (natural logarithm) of the best derivation; infinite without a parse.
    derivation : Derivation or None
        Of the grammar that the parser was made with.
    statistics : Statistics
    """

    status: Literal["parsed", "no parse"]
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)


class ChartParser:
    """Exact Viterbi parsing with a PLCFRS (Evang and Kallmeyer 2011, figures 2 and 3).

    Costs that differ by less than a relative 1e-12 are equal. Between equal derivations
    of one item the first found stays, and of items of equal cost the one made first is popped
    first: the same grammar gives the same parse on every run.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at the most.
    strategy : {"astar", "knuth"}
        How items are put in order: by the cost of the best parse that they may be in, as
        estimated with the component-split CFG, or by their own cost, as in figure 3. Both
        give parses of the same cost.

    Raises
    ------
    GrammarError
        If a rule has more than two children.

    Examples
    --------
    >>> from plcfrs.grammar import Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> grammar = Grammar({Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> result = ChartParser(grammar).parse([{a: 0.0}, {a: 0.0}])
    >>> result.status, round(result.cost, 4)
    ('parsed', 1.3863)
    """

    def __init__(self, grammar: Grammar, strategy: Strategy = "astar") -> None:
        self._proper = proper_gaps(grammar)
        self._compiled = compile_grammar(self._proper.grammar)
        self._relaxation = compile_relaxation(self._compiled) if strategy == "astar" else None

    def parse(self, candidates: Sequence[Mapping[Nonterminal, float]]) -> ParseResult:
        """Return the best parse of a sentence.

        Parameters
        ----------
        candidates : sequence of mapping of Nonterminal to float
            For each token its possible tags with their costs (0 for given tags).
            Tags that the grammar does not have are in no parse.

        Returns
        -------
        ParseResult
        """
        if not candidates:
            return ParseResult("no parse")
        chart = self._scanned(candidates)
        status, goal = deduce(self._compiled.arrays, chart, _PATIENCE)
        while status not in (arrays.GOAL, arrays.EXHAUSTED):
            if status != arrays.PAUSED:
                chart = enlarge(chart, status)
            status, goal = deduce(self._compiled.arrays, chart, _PATIENCE)
        statistics = _statistics(chart)
        if status == arrays.EXHAUSTED:
            return ParseResult("no parse", statistics=statistics)
        derivation = self._proper.restore(backtrace(self._compiled, chart, goal))
        return ParseResult("parsed", float(chart.cost[goal]), derivation, statistics)

    def _scanned(self, candidates: Sequence[Mapping[Nonterminal, float]]) -> Chart:
        """Return a chart with the items of figure 2's rule Scan on the agenda."""
        labels = self._compiled.labels
        scanned = [
            (position, labels[tag], cost)
            for position, tags in enumerate(candidates)
            for tag, cost in tags.items()
            if tag in labels
        ]
        positions = np.array([position for position, _, _ in scanned], np.int32)
        symbols = np.array([label for _, label, _ in scanned], np.int32)
        costs = np.array([cost for _, _, cost in scanned], np.float64)
        length = len(candidates)
        chart = new_chart(length, self._estimates(length, positions, symbols, costs))
        while len(scanned) > len(chart.label):
            chart = enlarge(enlarge(chart, arrays.ITEMS_FULL), arrays.AGENDA_FULL)
        scan(self._compiled.arrays, chart, positions, symbols, costs)
        return chart

    def _estimates(
        self, length: int, positions: Int32, labels: Int32, costs: Costs
    ) -> Estimates | None:
        """Return the outside costs of the relaxation, if they are to guide the search."""
        relaxation = self._relaxation
        if relaxation is None:
            return None
        ports = self._compiled.arrays.first_port[labels]
        cells = inside_costs(relaxation, length, positions, ports, costs)
        cell_start, symbols, _ = cells
        return Estimates(cell_start, symbols, outside_costs(relaxation, length, *cells))


def _statistics(chart: Chart) -> Statistics:
    items, popped, improved, edges, pair_tests = chart.counters[
        [arrays.ITEMS, arrays.POPPED, arrays.IMPROVED, arrays.EDGES, arrays.PAIR_TESTS]
    ].tolist()
    return Statistics(items, popped, improved, edges, pair_tests)
