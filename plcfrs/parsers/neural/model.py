"""Neural parsers over the forest of a grammar: a network scores spans and, with both heads, votes.

The network reads a sentence once. With both heads, constituents of the set-based derivation with
high scores of spans are sure, and the parse has them. For the rest, tags make the forest of the
grammar. The scores of spans, the votes of the set-based derivations, the rules and the tags choose
its best derivation. The parse has the better parts of this derivation and of the set-based tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import exp, inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plcfrs.budget import DEFAULT, Budget, Deadline, OutOfTimeError, Statistics
from plcfrs.chart import ChartParser, Forest, ParseResult
from plcfrs.chart.cells import Bracket
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors, span_of_item
from plcfrs.chart.kernel.arrays import Int64
from plcfrs.completion.functions import FunctionScores
from plcfrs.forest.derivations import explain_posteriors
from plcfrs.forest.forest_parser import ForestParser, hold_in_wider
from plcfrs.forest.grammar_parser import with_fixed_tags
from plcfrs.forest.posteriors import calibrated, posteriors_of
from plcfrs.forest.scored_forest import ScoredForest, best_derivation
from plcfrs.forest.votes import (
    LOG_RATIO,
    ForestScores,
    Judge,
    posteriors_in_trees,
    votes,
)
from plcfrs.grammar import Inspection, Nonterminal, derivation_of, tag
from plcfrs.networks.encoding import require_torch
from plcfrs.parsers.neural.judging import HeadsJudge
from plcfrs.parsers.neural.network import BATCH, NeuralNetwork, Reading
from plcfrs.parsers.neural.oracle import lengths_of
from plcfrs.parsers.neural.outline import (
    Chain,
    Chains,
    Outline,
    chains_of,
    constituents_of,
    mixed,
    tree_of_chains,
)
from plcfrs.parsers.neural.parser import NeuralContents, NeuralOptions, NeuralParser
from plcfrs.parsers.neural.set_model import BY_TRANSITIONS, SetBasedModel, rows_of
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsing import Explanation, Sentence
from plcfrs.parsing.beam import explain_transitions
from plcfrs.parsing.parse import BEST_PARSE, Constituent, Fallback, Parse, Posterior, Task
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.settings import to_texts
from plcfrs.stopping import stoppable
from plcfrs.transformation import Options
from plcfrs.trees import Fixed, Token, Tree
from plcfrs.trees.tree import fan_out, runs
from plcfrs.wording import some

# The least score of a sure constituent of the set-based tree. With less, F1 falls on the parts
# `dev` of MASC and CRAFT; more is not better.
_SURE = 1.0

# The most tokens of an outline with a forest; without one, the time grows linearly. In the Penn
# Treebank's sample, one of 3,914 sentences has more, and no other has more than 77.
_LONGEST = 100

# A forest of an outline that takes more items has fewer derivations. With more items, one of 680
# trees in the parts `dev` of MASC and CRAFT changes, and long sentences take three times as long.
_MOST_ITEMS = 3000


# With and without what is fixed of a sentence, since the two are compared.
_KEPT_READINGS = 3

_NOTHING = Fixed()


class _Chosen(NamedTuple):
    """A tree, its score, and the probabilities of constituents, or the set-based tree alone."""

    tree: Chains
    score: float
    chances: Mapping[Constituent, float]
    statistics: Statistics = Statistics()
    is_set_based: bool = False


class Readings:
    """The readings of sentences; the network does not read the last ones again."""

    def __init__(self, network: NeuralNetwork, beam: int) -> None:
        self._network = network
        self._beam = beam
        self._last: dict[tuple[tuple[tuple[str, str], ...], Fixed | None], Reading] = {}

    def read_ahead(
        self, sentences: Sequence[list[Token]], fixed: Sequence[Fixed | None]
    ) -> list[Reading]:
        """Read sentences in batches, which is faster than one after the other."""
        readings = self._network.read(sentences, self._beam, fixed)
        kept = list(self._last.items())[-_KEPT_READINGS:]
        self._last = dict([*kept, *zip(map(_key, sentences, fixed), readings, strict=True)])
        return readings

    def of(self, tokens: list[Token], fixed: Fixed | None) -> Reading:
        """Return the reading of a sentence."""
        reading = self._last.get(_key(tokens, fixed))
        return reading or self.read_ahead([tokens], [fixed])[0]


def _key(
    tokens: list[Token], fixed: Fixed | None
) -> tuple[tuple[tuple[str, str], ...], Fixed | None]:
    return tuple((token.form, token.tag) for token in tokens), fixed


class NeuralModel(NeuralParser, ForestParser):
    """A grammar and a network that are ready to parse.

    With both heads, every sentence has a parse: without a forest, the set-based tree.

    Parameters
    ----------
    contents : NeuralContents
        With a grammar.
    beam : int, optional
        The width of the beam of the transitions; by default as in the settings.
    fallback, budget
        See `GrammarParser`.
    """

    capabilities = frozenset({"budget", "nbest", "sums"})
    batch_tokens = 2000

    def __init__(
        self,
        contents: NeuralContents,
        beam: int | None = None,
        fallback: Fallback = "none",
        budget: Budget = DEFAULT,
    ) -> None:
        grammar = contents.grammar
        assert grammar is not None
        chart = ChartParser(grammar, budget=budget, shares=contents.shares)
        super().__init__(grammar, chart, fallback, budget)
        self.model = contents
        self.network = contents.network
        self._has_transitions = self.network.settings.has_transitions
        self._heads = HeadsJudge(self.network)
        self._readings = Readings(self.network, beam or self.network.settings.beam)
        self._symbols: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
        for symbol in grammar.nonterminals():
            if symbol.kind == "category" and symbol.fanout == 1:
                self._symbols[symbol.category][symbol] = 0.0

    @classmethod
    def of(cls, contents: NeuralContents, **options: Any) -> NeuralParser:  # noqa: ANN401
        """Return the parser with these contents; without a grammar, it is set-based."""
        if contents.grammar is None:
            return SetBasedModel.of(contents, **options)
        return cls(contents, **options)

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, the options of the grammar, and how the model was made."""
        return {**to_texts(self.network.settings), **super().about, **self.model.about}

    @property
    def judges(self) -> Mapping[str, Judge]:
        """The heads that judge a forest: spans with tags, and transitions, which vote."""
        if not self._has_transitions:
            return {"": self._judge_spans}
        return {"spans": self._judge_spans, "transitions": self._judge_by_transitions}

    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores:
        """Return all heads' scores of the constituents, without those of the rules."""
        scores = self._heads.constituents(self._reading(sentence), forest)
        return ForestScores(np.zeros(len(forest.edge_rule)), scores)

    def scored(self, sentence: Sentence, forest: Forest) -> ScoredForest:
        """Return a forest with the scores of constituents, rules and tags."""
        return self._heads.scored(self._reading(sentence), forest)

    def find_tags(self, sentence: Sentence) -> Sequence[Mapping[str, float]] | None:
        """Return the network's possible tags of each word; see `SentenceParser.find_tags`."""
        return None if self.model.tagger else self._reading(sentence).tags

    def tags_of(self, sentence: Sentence) -> Candidates | Parse:
        """Return the given tags, or the network's possible ones, with their costs.

        Without transitions, a sentence with an unknown tag has no parse.
        """
        if sentence.tags is not None and not self._has_transitions:
            return super().tags_of(sentence)
        return self._possible(sentence)

    def chances(self, posteriors: SymbolPosteriors) -> Mapping[Constituent, float]:
        """Return the calibrated probability of each constituent."""
        return calibrated(super().chances(posteriors), self.model.calibration)

    def cost_of_fixed(self, sentence: Sentence, free: Parse, parse: Parse) -> float:
        """Return how much less a parse with something fixed scores than the best parse.

        With both heads, they have different forests: the scores are those of their constituents.
        """
        if not self._has_transitions or parse.score == -inf:
            return super().cost_of_fixed(sentence, free, parse)
        reading, tags = self._reading(sentence), self._possible(sentence)
        scores = (
            sum(self._heads.chains(reading, tags, reading.chances, list(chains_of(tree).items())))
            for tree in (free.tree, parse.tree)
        )
        return max(0.0, next(scores) - next(scores))

    def log_odds(self, sentence: Sentence, constituents: Sequence[Constituent]) -> Sequence[float]:
        """Return the log-odds of constituents by their spans."""
        groups = [[each] for each in constituents]
        found: list[float] = self.network.scores(self._reading(sentence), groups, inf).tolist()
        return found

    def function_scores(self, sentence: Sentence, tree: Tree) -> FunctionScores | None:
        """Return the network's scores of functions; see `SentenceParser.function_scores`."""
        return self.network.function_scores(self._reading(sentence), tree)

    def _parse(self, sentences: Sequence[Sentence], task: Task) -> Iterator[list[Parse]]:
        for start in range(0, len(sentences), BATCH):
            batch = sentences[start : start + BATCH]
            if len(batch) > 1:
                # If this takes longer than a sentence may take, the network reads each alone.
                with suppress(OutOfTimeError), stoppable(Deadline(self._budget).check_time):
                    inputs, fixed = map(self._input, batch), [each.fixed for each in batch]
                    self._readings.read_ahead(list(inputs), fixed)
            yield from super()._parse(batch, task)

    def _parse_tagged(self, sentence: Sentence, tags: Candidates, task: Task) -> list[Parse]:
        """Return the parses; with both heads, all after the first come from a forest alone.

        In this forest nothing is sure. They score less than the first parse by as much as their
        derivations score less than the best one of the forest.
        """
        if not self._has_transitions:
            return super()._parse_tagged(sentence, tags, task)
        reading = self._reading(sentence)
        try:
            best = self._best(sentence, reading, tags, task)
        except OutOfTimeError:  # in the extras of the task
            posteriors: list[Posterior] | None = [] if task.posteriors else None
            best = replace(self._best(sentence, reading, tags, BEST_PARSE), posteriors=posteriors)
        if (task.nbest or 1) == 1:
            return [best]
        parses = super()._parse_tagged(sentence, tags, task)
        ranked = [
            each for each in parses if each.status == "parsed" and each.optimality_gap is None
        ]
        same = next((each for each in ranked if each.tree == best.tree), None)
        others = (
            replace(each, score=best.score + (each.score - ranked[0].score), meaning=best.meaning)
            for each in ranked
            if each is not same
        )
        return [best, *others][: task.nbest]

    def _best(self, sentence: Sentence, reading: Reading, tags: Candidates, task: Task) -> Parse:
        """Return the parse of the forest or, without one, of the set-based derivation."""
        tokens = self._tagged(sentence, reading)
        chosen = self._chosen(reading, tokens, tags, sentence.fixed or _NOTHING)
        if chosen.is_set_based and task.posteriors:
            (chances,) = self.network.chances([self._input(sentence)], [sentence.fixed])
            chosen = chosen._replace(chances=chances)
        tree = tree_of_chains(chosen.tree, tokens, sentence.id)
        explanation = posteriors = None
        if task.explained:
            explanation = self._explained(sentence, reading, tree, chosen)
        if task.posteriors:
            posteriors = posteriors_of(tree, calibrated(chosen.chances, self.model.calibration))
        is_alone = task.trees_alone or chosen.is_set_based
        return Parse(
            tree,
            "parsed",
            score=chosen.score,
            meaning=BY_TRANSITIONS if chosen.is_set_based else self._meaning,
            derivation=None if is_alone else derivation_of(tree),
            statistics=chosen.statistics,
            explanation=explanation,
            posteriors=posteriors,
        )

    def _chosen(
        self, full: Reading, tokens: Sequence[Token], tags: Candidates, fixed: Fixed
    ) -> _Chosen:
        """Return the best tree by all heads.

        The grammar may lack rules that the transitions need. So the parse has the better parts of
        the forest's best tree and of the set-based tree. Parts are scored by spans and tags, and by
        the mean probability of each constituent in the forest and in the set-based derivations.
        """
        tree = self._set_based_tree(full, [token.tag for token in tokens])
        outline, brackets = self._outline(full, tree, fixed)
        if max(tree) in outline.inside:  # the set of all words is sure
            return _Chosen(tree, 0.0, full.chances)
        reading, tags = within(full, outline), self._candidates(outline, tags)
        result, forest = ParseResult("no parse"), None
        if len(outline.borders) <= _LONGEST:
            result, forest = self._held_forest(tags, brackets, outline.fixed(fixed))
        if forest is None:
            score = full.derivations[0].log_probability
            return _Chosen(tree, score, {}, result.statistics, is_set_based=True)
        scored = self._heads.scored(reading, forest)
        best = best_derivation(forest, scored.scores)
        chains, score = _tree_of_edges(forest, best.edges), best.score - scored.sums.log_probability
        in_forest = posteriors_in_trees(scored.constituents)
        if chains != (set_based := outline.outside(tree)):
            score_of = partial(self._heads.chains, reading, tags, in_forest)
            chains, score = mixed(chains, set_based, score_of)
        chances = dict(full.chances)
        for (category, span), chance in in_forest.items():
            chances[category, outline.widened(span)] = chance
        return _Chosen(outline.restored(chains), score, chances, result.statistics)

    def _held_forest(
        self, tags: Candidates, brackets: Sequence[Bracket], fixed: Fixed
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse by rules, and the forest with what is fixed of an outline."""
        parse = self._chart.parse_with_forest
        result, forest = parse(tags, LOG_RATIO, _MOST_ITEMS, brackets)
        if forest is None or fixed == _NOTHING:
            return result, forest
        _, held = hold_in_wider(
            forest,
            fixed,
            lambda factor: parse(tags, factor * LOG_RATIO, _MOST_ITEMS, brackets, fixed)[1],
        )
        return result, held.forest

    def _set_based_tree(self, reading: Reading, tags: Sequence[str]) -> dict[int, Chain]:
        """Return the set-based tree with these tags, see `plcfrs.parsers.neural.outline`."""
        labels = reading.derivations[0].constituents
        chains = {span: self.network.chains[label] for span, label in labels.items()}
        for token, name in enumerate(tags):
            chains[1 << token] = (*chains.get(1 << token, ()), name)
        return chains

    def _outline(
        self, reading: Reading, tree: Chains, fixed: Fixed
    ) -> tuple[Outline, list[Bracket]]:
        """Return the outline of a tree, and the sure spans of its tokens; required ones are."""
        constituents = [each for item in tree.items() for each in constituents_of(*item)]
        scores = self.network.scores(reading, [[each] for each in constituents])
        sure = {span for _, span in constituents if fan_out(span) == 1}
        sure -= {span for (_, span), low in zip(constituents, scores < _SURE, strict=True) if low}
        sure |= {each.span for each in fixed.required if fan_out(each.span) == 1}
        outline = Outline.of(len(reading.tags), tree, sure)
        spans = sure | {each.span for each in fixed.required}
        return outline, sorted({run for span in spans for run in runs(outline.narrowed(span))})

    def _candidates(self, outline: Outline, tags: Candidates) -> Candidates:
        """Return the possible tags of an outline's tokens: of sure constituents, their symbols."""
        candidates = []
        for place, word in enumerate(outline.borders[:-1]):
            chain = outline.inside.get(outline.widened(1 << place))
            candidates.append(self._symbols.get(chain[0], {}) if chain else tags[word])
        return candidates

    def _explained(
        self, sentence: Sentence, reading: Reading, tree: Tree, chosen: _Chosen
    ) -> Explanation:
        """Return the probabilities of the parts of a tree or, without a forest, the transitions."""
        words = sentence.words
        if chosen.is_set_based:
            labels, scorer = self.network.vocabulary.labels, self.network.scorer([tree.tokens])
            return explain_transitions(
                words, rows_of(words, reading.derivations[0], labels, scorer)
            )
        chances = {
            (Nonterminal(category, fan_out(span)), span): chance
            for (category, span), chance in chosen.chances.items()
        }
        for word, costs in enumerate(self._possible(sentence)):
            chances |= {(name, 1 << word): exp(-cost) for name, cost in costs.items()}
        return explain_posteriors(words, derivation_of(tree), chances)

    def _judge_spans(self, sentence: Sentence, forest: Forest) -> ForestScores:
        return self._heads.spans(self._reading(sentence), forest, self._possible(sentence))

    def _judge_by_transitions(self, sentence: Sentence, forest: Forest) -> ForestScores:
        return votes(forest, self._reading(sentence).chances)

    def _possible(self, sentence: Sentence) -> Candidates:
        """Return the given tags, or the network's possible ones, with their costs."""
        tags = self._reading(sentence).tags if sentence.tags is None else sentence.tags
        possible = [{tag(name): cost for name, cost in each.items()} for each in tags]
        return with_fixed_tags(sentence, possible)

    def _reading(self, sentence: Sentence) -> Reading:
        """Return the network's reading of a sentence."""
        return self._readings.of(self._input(sentence), sentence.fixed)


def within(reading: Reading, outline: Outline) -> Reading:
    """Return the reading of an outline's tokens; tags and derivations stay as they are."""
    spans = {span for _, span in reading.chances}
    tokens = {span: outline.narrowed(span) for span in spans if outline.has_whole(span)}
    chances = {
        (category, tokens[span]): chance
        for (category, span), chance in reading.chances.items()
        if span in tokens
    }
    return reading._replace(borders=reading.borders[outline.borders], chances=chances)


def _tree_of_edges(forest: Forest, edges: Int64) -> dict[int, Chain]:
    """Return the tree of the derivation with these edges, -1 for items outside."""
    symbols = list(forest.compiled.labels)
    chains: dict[int, Chain] = {}
    for item in np.flatnonzero(edges >= 0).tolist():  # children come first
        symbol = symbols[forest.label[item]]
        if symbol.kind != "intermediate":
            span = span_of_item(forest, item)
            chains[span] = (symbol.category, *chains.get(span, ()))
    return chains


def _inspect(path: Path) -> Inspection:
    model = NeuralModel.load(path)
    contents = model.contents
    network = contents.network
    labels, tags = network.vocabulary.labels[1:], network.vocabulary.tags
    lines = network.lines(
        model.about,
        f"characters: {len(network.vocabulary.characters)} seen at least twice",
        f"tags: {len(tags)} ({some(tags)})",
        *([f"labels of sets: {len(labels)} ({some(labels)})"] if labels else []),
        *(
            [f"labels of spans: {len(network.parts)} ({some(network.parts)})"]
            if network.parts
            else []
        ),
    )
    return Inspection(contents.grammar, lines)


FAMILIES = (
    Family(
        NeuralModel.kind,
        NeuralModel.kind,
        "a neural network that builds sets (Coavoux and Cohen 2019), scores spans (Stern, Andreas "
        "and Klein 2017), or both",
        NeuralModel.load,
        trained_by("plcfrs.parsers.neural.training", "new_trainer", require_torch),
        _inspect,
        NeuralSettings(),
        NeuralOptions(),
        capabilities=NeuralModel.capabilities | {"resume"},
        # The network sees the whole sentence, which says more than category splits.
        transformation=Options(splits=()),
        lengths=lengths_of,
    ),
)
