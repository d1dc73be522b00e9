"""The family of joint parsers: one network tags, builds sets and scores spans, a grammar decodes.

The network reads a sentence once. What spans and the set-based derivation are sure of is right. For
the rest, tags make the forest of the grammar, in which the scores of spans, the votes of the
set-based derivations, the rules and the tags choose the best derivation. The parse has the better
parts of this one and of the set-based tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import partial
from math import exp
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.budget import DEFAULT, Budget, Deadline, OutOfTimeError, Statistics
from plcfrs.chart import Forest
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors, span_of_item
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.chart.results import ParseResult
from plcfrs.forest.derivations import explain_posteriors
from plcfrs.forest.forest_parser import StoredForestParser
from plcfrs.forest.judged_forest import JudgedForest, best_derivation
from plcfrs.forest.posteriors import calibration_of, posteriors_of
from plcfrs.forest.votes import (
    LOG_RATIO,
    MOST_ITEMS,
    Judge,
    Judgement,
    constituents_in,
    posteriors_in_trees,
    votes,
)
from plcfrs.grammar import Nonterminal, tag
from plcfrs.grammar.extraction import derivation_of
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.calibration import calibrated
from plcfrs.networks.encoding import require_torch
from plcfrs.parsers.joint.network import TAG_RATIO, JointGrammar, JointSettings, Reading
from plcfrs.parsers.joint.outline import (
    Chain,
    Chains,
    Outline,
    constituents_of,
    mixed,
    tree_of_chains,
)
from plcfrs.parsers.set_based.model import rows_of
from plcfrs.parsers.set_based.parser import BATCH
from plcfrs.parsing.beam import explain_transitions
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.parse import NOTHING_MORE, Parse, Posterior, Wanted
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.votes import Constituent
from plcfrs.settings import to_texts
from plcfrs.stopping import stoppable
from plcfrs.transformation import Options
from plcfrs.trees import Token, Tree
from plcfrs.trees.tree import fan_out
from plcfrs.wording import some

# How much the costs of tags and of rules and a vote count, if a span counts 1; chosen on files
# 0160-0179 of the Penn Treebank.
_TAGS, _RULES, _VOTE = 3.0, 0.5, 2.0

# Without a forest, the time grows linearly. Of the Penn Treebank's sample one sentence in 3,914 has
# more tokens that are not sure, and no other has more than 77.
_LONGEST = 100


class _Chosen(NamedTuple):
    """A tree, its score with the meaning, and the probabilities of constituents."""

    tree: Chains
    score: float
    meaning: str
    chances: Mapping[Constituent, float]
    statistics: Statistics = Statistics()


class JointModel(StoredForestParser[JointGrammar]):
    """A grammar and a network with several heads that are ready to parse.

    Every sentence has a parse: that of the set-based derivation, if there is no forest.
    """

    kind = "joint"
    contents_type = JointGrammar
    together = 1000

    def __init__(self, model: JointGrammar, budget: Budget = DEFAULT) -> None:
        super().__init__(model, budget=budget)
        self._readings: dict[tuple[str, ...], Reading] = {}
        self._symbols: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
        for symbol in model.grammar.nonterminals():
            if symbol.kind == "category" and symbol.fanout == 1:
                self._symbols[symbol.category][symbol] = 0.0

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**to_texts(self.model.network.settings), **super().about}

    @property
    def judges(self) -> Mapping[str, Judge]:
        """The heads that judge a forest: spans and tags, and the transitions, which vote."""
        return {"spans": self._judge_spans, "transitions": self._judge_by_transitions}

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return the scores of the constituents by both heads, without those of the rules."""
        scores = self._scores_of_items(self._reading(sentence), forest)
        return Judgement(np.zeros(len(forest.edge_rule)), scores)

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedForest:
        """Return a forest with the scores of the constituents, and those of rules and tags."""
        return self._judged(self._reading(sentence), forest)

    def calibrated(self, sentences: Sequence[Tree], gold: Sequence[Tree]) -> JointModel:
        """Return the parser with calibrated probabilities; see `SentenceParser.calibrated`."""
        found = copy(self)
        found.model = self.model._replace(calibration=None)
        calibration = calibration_of(found, sentences, gold)
        found.model = self.model._replace(calibration=calibration)
        return found

    def find_tags(self, sentence: Sentence) -> Sequence[Mapping[str, float]]:
        """Return the possible tags of each word by the network; see `SentenceParser.find_tags`."""
        return self._reading(sentence).tags

    def tags_of(self, sentence: Sentence) -> Candidates:
        """Return the given tags, or the possible ones by the network, with their costs."""
        given = self._reading(sentence).tags if sentence.tags is None else sentence.tags
        return [{tag(name): cost for name, cost in each.items()} for each in given]

    def _parse(self, sentences: Sequence[Sentence], wanted: Wanted) -> Iterator[list[Parse]]:
        for start in range(0, len(sentences), BATCH):
            batch = sentences[start : start + BATCH]
            if len(batch) > 1:
                self._read_together(batch)
            yield from super()._parse(batch, wanted)

    def _read_together(self, sentences: Sequence[Sentence]) -> None:
        """Read sentences at once; if that takes longer than one may take, each is read alone."""
        # Sentences of about the same length go well together.
        ordered = sorted(sentences, key=lambda sentence: len(sentence.tokens))
        self._readings = {}
        with suppress(OutOfTimeError), stoppable(Deadline(self._budget).check_time):
            readings = self.model.network.read([sentence.tokens for sentence in ordered])
            words = (tuple(sentence.words) for sentence in ordered)
            self._readings = dict(zip(words, readings, strict=True))

    def _parses(self, sentence: Sentence, tags: Candidates, wanted: Wanted) -> list[Parse]:
        """Return the parse; of n best ones, too, those of a forest in which nothing is sure.

        They have a lower score than the parse: by as much as their derivations score less than the
        best one of that forest.
        """
        try:
            best = self._best(sentence, tags, wanted)
        except OutOfTimeError:  # in what is wanted besides
            posteriors: list[Posterior] | None = [] if wanted.posteriors else None
            best = replace(self._best(sentence, tags, NOTHING_MORE), posteriors=posteriors)
        if (wanted.nbest or 1) == 1:
            return [best]
        found = super()._parses(sentence, tags, wanted)
        ranked = [each for each in found if each.status == "parsed" and each.optimality_gap is None]
        same = next((each for each in ranked if each.tree == best.tree), None)
        others = (
            replace(each, score=best.score + (each.score - ranked[0].score), meaning=best.meaning)
            for each in ranked
            if each is not same
        )
        return [best, *others][: wanted.nbest]

    def chances(self, posteriors: SymbolPosteriors) -> Mapping[Constituent, float]:
        """Return the calibrated probability of each constituent."""
        return calibrated(super().chances(posteriors), self.model.calibration)

    def _best(self, sentence: Sentence, tags: Candidates, wanted: Wanted) -> Parse:
        """Return the parse of the forest, or without one that of the set-based derivation."""
        tokens = self._tagged(sentence)
        chosen = self._chosen(sentence, tokens, tags, wanted)
        tree = tree_of_chains(chosen.tree, tokens, sentence.id)
        is_alone = wanted.trees_alone or chosen.meaning != self._meaning
        posteriors = None
        if wanted.posteriors:
            posteriors = posteriors_of(tree, calibrated(chosen.chances, self.model.calibration))
        return Parse(
            tree,
            "parsed",
            score=chosen.score,
            meaning=chosen.meaning,
            derivation=None if is_alone else derivation_of(tree),
            statistics=chosen.statistics,
            explanation=self._explained(sentence, tree, chosen) if wanted.explained else None,
            posteriors=posteriors,
        )

    def _chosen(
        self, sentence: Sentence, tokens: Sequence[Token], tags: Candidates, wanted: Wanted
    ) -> _Chosen:
        """Return the best tree by all heads.

        The grammar may lack rules that the transitions need. So the parse has the better parts of
        the best tree of its forest and of the set-based one, by the scores of spans and tags, and
        by the mean probability of each constituent in the forest and by the transitions.
        """
        network, full = self.model.network, self._reading(sentence)
        tree = network.tree_of_reading(full, [token.tag for token in tokens])
        outline, brackets = network.outline(full, tree)
        if max(tree) in outline.inside:  # all words
            return _Chosen(tree, 0.0, self._meaning, full.chances)
        reading, tags = full.within(outline), self._candidates(outline, tags)
        result, forest = ParseResult("no parse"), None
        if len(outline.borders) <= _LONGEST:
            result, forest = self._chart.parse_with_forest(tags, LOG_RATIO, MOST_ITEMS, brackets)
        if forest is None:
            (chances,) = network.chances([sentence.tokens]) if wanted.posteriors else ({},)
            score, meaning = full.derivation.log_probability, "log probability of the transitions"
            return _Chosen(tree, score, meaning, chances, result.statistics)
        judged = self._judged(reading, forest)
        best = best_derivation(forest, judged.scores)
        found, score = _tree_of_edges(forest, best.edges), best.score - judged.sums.log_probability
        in_forest = posteriors_in_trees(judged.constituents)
        if found != (other := outline.outside(tree)):
            score_of = partial(self._scores_of_chains, reading, tags, in_forest)
            found, score = mixed(found, other, score_of)
        chances = dict(full.chances)
        for (category, span), chance in in_forest.items():
            chances[category, outline.widened(span)] = chance
        return _Chosen(outline.restored(found), score, self._meaning, chances, result.statistics)

    def _explained(self, sentence: Sentence, tree: Tree, chosen: _Chosen) -> Explanation:
        """Return the probabilities of what is in a tree, or without a forest the transitions."""
        network, words = self.model.network, sentence.words
        if chosen.meaning != self._meaning:
            derivation = self._reading(sentence).derivation
            scorer = network.scorer([sentence.tokens])
            rows = rows_of(words, derivation, network.vocabulary.labels, scorer)
            return explain_transitions(words, rows)
        chances = {
            (Nonterminal(category, fan_out(span)), span): chance
            for (category, span), chance in chosen.chances.items()
        }
        for word, costs in enumerate(self.tags_of(sentence)):
            chances |= {(name, 1 << word): exp(-cost) for name, cost in costs.items()}
        return explain_posteriors(words, derivation_of(tree), chances)

    def _candidates(self, outline: Outline, tags: Candidates) -> Candidates:
        """Return the possible tags of the tokens of an outline: symbols of what one stands for."""
        found = []
        for place, word in enumerate(outline.borders[:-1]):
            chain = outline.inside.get(outline.widened(1 << place))
            found.append(self._symbols.get(chain[0], {}) if chain else tags[word])
        return found

    def _judged(self, reading: Reading, forest: Forest) -> JudgedForest:
        scores = self._scores_of_items(reading, forest)[forest.edge_mother]
        counts = np.where(forest.edge_rule < 0, _TAGS, _RULES)
        return JudgedForest(forest, scores - counts * forest.edge_cost)

    def _scores_of_items(self, reading: Reading, forest: Forest) -> Costs:
        """Return the scores of the constituents by both heads, float64 (I,)."""
        by_spans = self._scores(reading, constituents_in(forest))
        return by_spans + _VOTE * votes(forest, reading.chances).item_scores

    def _scores_of_chains(
        self,
        reading: Reading,
        tags: Candidates,
        in_forest: Mapping[Constituent, float],
        chains: Sequence[tuple[int, Chain]],
    ) -> list[float]:
        """Return the scores of chains over spans, by their spans, votes of all heads, and tags."""
        groups = [constituents_of(*item) for item in chains]
        scores = self._scores(reading, groups)
        for place, (span, chain) in enumerate(chains):
            for each in groups[place]:
                votes_for = in_forest.get(each, 0.0) + reading.chances.get(each, 0.0)
                scores[place] += _VOTE * (votes_for - 1)
            if not span & (span - 1):
                costs = tags[span.bit_length() - 1]
                scores[place] -= _TAGS * costs.get(tag(chain[-1]), TAG_RATIO)
        found: list[float] = scores.tolist()
        return found

    def _scores(self, reading: Reading, groups: Sequence[Sequence[Constituent]]) -> Costs:
        """Return the sums of the scores of constituents by their spans, higher for gaps."""
        gaps = [sum(fan_out(span) > 1 for _, span in group) for group in groups]
        network = self.model.network
        return network.scores(reading, groups) + network.settings.gap_bonus * np.array(gaps)

    def _judge_spans(self, sentence: Sentence, forest: Forest) -> Judgement:
        reading, tags = self._reading(sentence), self.tags_of(sentence)
        scores = self.model.network.scores(reading, constituents_in(forest))
        return Judgement(-_TAGS * _tag_costs(forest, tags), scores)

    def _judge_by_transitions(self, sentence: Sentence, forest: Forest) -> Judgement:
        return votes(forest, self._reading(sentence).chances)

    def _tagged(self, sentence: Sentence) -> list[Token]:
        """Return new tokens with the best tags."""
        tags = self._reading(sentence).tags
        best = [min(each, key=each.__getitem__) for each in tags]
        return sentence.best_tagged(lambda _: best)

    def _reading(self, sentence: Sentence) -> Reading:
        """Return what the network says; it has read what is parsed together already."""
        words = tuple(sentence.words)
        found = self._readings.get(words)
        if found is None:
            (found,) = self.model.network.read([sentence.tokens])
            self._readings = {words: found}
        return found


def _tree_of_edges(forest: Forest, edges: Int64) -> dict[int, Chain]:
    """Return the tree of the derivation with these edges, -1 for items outside."""
    symbols = list(forest.compiled.labels)
    found: dict[int, Chain] = {}
    for item in np.flatnonzero(edges >= 0).tolist():  # children come first
        symbol = symbols[forest.label[item]]
        if symbol.kind != "intermediate":
            span = span_of_item(forest, item)
            found[span] = (symbol.category, *found.get(span, ()))
    return found


def _tag_costs(forest: Forest, tags: Candidates) -> Costs:
    """Return the costs of the tags at the edges of a forest, float64 (E,); others cost 0."""
    symbols, costs = list(forest.compiled.labels), np.zeros(len(forest.edge_rule))
    for edge in np.flatnonzero(forest.edge_rule < 0):
        item = int(forest.edge_mother[edge])
        token = span_of_item(forest, item).bit_length() - 1
        costs[edge] = tags[token].get(symbols[forest.label[item]], TAG_RATIO)
    return costs


def _inspect(path: Path) -> Inspection:
    model = JointModel.load(path)
    network = model.model.network
    labels = network.vocabulary.labels[1:]
    lines = network.lines(
        to_texts(network.settings),
        f"labels of sets: {len(labels)} ({some(labels)})",
        f"labels of spans: {len(network.parts)} ({some(network.parts)})",
    )
    return Inspection(model.grammar, lines)


FAMILIES = (
    Family(
        JointModel.kind,
        JointModel.kind,
        "one network with several heads over the forest of a grammar",
        JointModel.load,
        trained_by("plcfrs.parsers.joint.training", "JointTrainer", require_torch),
        _inspect,
        JointSettings(),
        capabilities=JointModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
    ),
)
