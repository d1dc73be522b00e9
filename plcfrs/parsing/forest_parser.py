"""Parsers that choose among the derivations of a forest by scores of its edges and items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Generic, Protocol, TypeVar

from plcfrs.chart import ChartParser, Forest, ParseResult, Sums, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.compile import Candidates
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Derivation, Grammar, Nonterminal, unbinarize
from plcfrs.grammar.words import WordModel
from plcfrs.parsing.decoding import best_derivation, derivation_of_edges
from plcfrs.parsing.derivations import explain_posteriors
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.grammar_parser import GrammarParser, printed_tree
from plcfrs.parsing.parse import NOTHING_MORE, Fallback, Parse, Wanted
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import LearnedParser
from plcfrs.parsing.votes import LOG_RATIO, Judgement, score_sums, scores_of_edges, unjudged
from plcfrs.treebank.discbracket import render


class JudgedForest:
    """A forest whose derivations have a log-linear model.

    The scores, of the shape (E,), are of all edges, in natural logarithms.
    """

    def __init__(self, forest: Forest, scores: Costs) -> None:
        self.forest = forest
        self.scores = scores

    @cached_property
    def sums(self) -> Sums:
        """The sums over all derivations."""
        return score_sums(self.forest, self.scores)

    @property
    def posterior(self) -> Costs:
        """The probability of each item, a float64 array (I,)."""
        return self.sums.posterior

    def best(self, objective: str | None) -> tuple[float, Derivation] | None:  # noqa: ARG002
        """Return the best derivation with its cost; None if no derivation is possible."""
        best = best_derivation(self.forest, self.scores)
        cost = max(self.sums.log_probability - best.score, 0.0)
        return cost, derivation_of_edges(self.forest, best.edges)

    def ranked(self) -> Iterator[tuple[float, Derivation]]:
        """Yield the derivations with their costs, the best first."""
        raise NotImplementedError

    def explain(self, words: list[str], derivation: Derivation) -> Explanation:
        """Return the posterior probabilities of the constituents of a derivation."""
        posteriors = constituent_posteriors(self.forest, self.posterior)
        return explain_posteriors(words, derivation, posteriors)


class ForestParser(GrammarParser):
    """A parser that judges the derivations of a forest.

    Its scores choose among the derivations that are not much less probable than the best one of the
    grammar. If the budget is used up or the sentence is too long for a forest, the parse is that of
    the grammar alone. Then nothing is known about better parses, so its optimality gap is infinite.
    Other parses have no gap.
    """

    _meaning = "ln p of the derivation among those of the forest"

    log_ratios: tuple[float, ...] = (LOG_RATIO,)
    """How much less probable the derivations may be, as logarithms; one after the other is tried
    until there is a parse."""

    @abstractmethod
    def judge(self, sentence: Sentence, forest: Forest) -> Judgement | None:
        """Return the scores of the edges and items of a forest; None if nothing is known.

        The forest may be of any grammar of the same treebank that is binarized in the same way.
        """

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedForest:
        """Return a forest of this parser with its scores."""
        judgement = self.judge(sentence, forest)
        assert judgement is not None
        return JudgedForest(forest, scores_of_edges(forest, judgement))

    def search(
        self, sentence: Sentence, tags: Candidates, wanted: Wanted = NOTHING_MORE
    ) -> tuple[list[ParseResult], JudgedForest | None]:
        """Return the best results, and the forest that they were chosen from, if there is one.

        The tags are the possible ones of each token with their costs (0 for given tags).
        """
        result = ParseResult("no parse")
        for log_ratio in self.log_ratios:
            result, forest = self._forest(sentence, tags, log_ratio)
            if forest is None:
                return [unjudged(result)], None
            judged = self.judged(sentence, forest)
            found = [
                replace(result, cost=cost, derivation=derivation, gap=None)
                for cost, derivation in _chosen(judged, sentence, wanted)
            ]
            if found:
                return found, judged
        return [ParseResult("no parse", statistics=result.statistics)], None

    def constituents(
        self, sentence: Sentence, tags: Candidates
    ) -> Mapping[tuple[Nonterminal, int], float]:
        """Return the posterior of each symbol and span; empty without a forest."""
        _, forest = self._forest(sentence, tags, self.log_ratios[0])
        if forest is None:
            return {}
        return constituent_posteriors(forest, self.judged(sentence, forest).posterior)

    def _forest(
        self,
        sentence: Sentence,  # noqa: ARG002 (the words may matter)
        tags: Candidates,
        log_ratio: float,
    ) -> tuple[ParseResult, Forest | None]:
        return self.parse_with_forest(tags, log_ratio)

    def _parses(self, sentence: Sentence, tags: Candidates, wanted: Wanted) -> list[Parse]:
        results, judged = self.search(sentence, tags, wanted)
        posteriors: Mapping[tuple[Nonterminal, int], float] | None = None
        if wanted.posteriors:
            posteriors = constituent_posteriors(judged.forest, judged.posterior) if judged else {}

        def explained(derivation: Derivation | None) -> Explanation | None:
            if derivation is None or not wanted.explained:
                return None
            if judged is None:
                return explain_posteriors(sentence.words, derivation, {})
            return judged.explain(sentence.words, derivation)

        return [
            self._parsed(result, sentence, tags, explained(result.derivation), posteriors)
            for result in results
        ]


class StoredGrammar(Protocol):
    """A grammar with what judges its forests, as it is stored."""

    @property
    def grammar(self) -> Grammar:
        """The binarized grammar."""

    @property
    def shares(self) -> Costs | None:
        """What tightens the bounds of its search; see `ChartParser`."""


Stored = TypeVar("Stored", bound=StoredGrammar)


class StoredForestParser(ForestParser, LearnedParser, Generic[Stored]):
    """A parser that judges the forests of the grammar that is stored with it.

    Parameters
    ----------
    model : StoredGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    capabilities = frozenset({"budget", "sums"})

    def __init__(
        self, model: Stored, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        chart = ChartParser(model.grammar, budget=budget, shares=model.shares)
        super().__init__(model.grammar, chart, WordModel(model.grammar.lexicon), fallback, budget)
        self.model = model

    @property
    def contents(self) -> Stored:
        """The grammar, and what judges its forests."""
        return self.model


def _chosen(
    judged: JudgedForest, sentence: Sentence, wanted: Wanted
) -> Iterable[tuple[float, Derivation]]:
    """Return the wanted derivations with their costs."""
    if wanted.nbest is None:
        best = judged.best(wanted.objective)
        return [] if best is None else [best]
    if wanted.derivations:
        return islice(judged.ranked(), wanted.nbest)
    trees: dict[str, tuple[float, Derivation]] = {}
    for cost, derivation in judged.ranked():
        trees.setdefault(
            render(printed_tree(unbinarize(derivation), sentence), 1), (cost, derivation)
        )
        if len(trees) == wanted.nbest:
            break
    return trees.values()
