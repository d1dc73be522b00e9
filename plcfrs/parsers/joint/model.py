"""The family of joint parsers: one network tags, builds sets and scores spans, a grammar decodes.

The network reads a sentence once. Its tags make the forest of the grammar, in which the scores of
spans, the votes of the set-based derivations, the rules and the tags choose the best derivation. Of
this, the set-based tree, and all that their rules derive, spans and tags choose the parse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Nonterminal, tag, unbinarize
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.calibration import calibrated
from plcfrs.networks.encoding import require_torch
from plcfrs.parsers.joint.network import TAG_RATIO, JointGrammar, JointSettings, Reading
from plcfrs.parsers.set_based.model import rows_of
from plcfrs.parsers.spans.parts import parts_of
from plcfrs.parsing.beam import explain_transitions
from plcfrs.parsing.forest_parser import JudgedForest, StoredForestParser
from plcfrs.parsing.forests import forest_of_parses
from plcfrs.parsing.grammar_parser import printed_tree
from plcfrs.parsing.parse import NOTHING_MORE, Parse, Wanted
from plcfrs.parsing.posteriors import calibration_of, posteriors_of
from plcfrs.parsing.registry import Family
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import Judge
from plcfrs.parsing.votes import (
    MOST_ITEMS,
    Constituent,
    Judgement,
    chances_of,
    scores_of_edges,
    votes,
)
from plcfrs.settings import texts_of
from plcfrs.transformation import Options
from plcfrs.trees import Tree
from plcfrs.wording import some

if TYPE_CHECKING:
    from plcfrs.parsers.joint.training import JointTrainer

KIND = "joint"

# How much the costs of tags and of rules and a vote count, if a span counts 1; chosen on files
# 0160-0179 of the Penn Treebank.
_TAGS, _RULES, _VOTE = 3.0, 0.5, 2.0

# The score of a constituent with a gap is the sum over its parts, each of which is rare: without
# this much more, too few are found. Chosen on the parts `dev` of MASC and CRAFT.
_GAP = 2.0

_BATCH = 256  # sentences that are read at once

# What two parses and all that their rules derive may be less probable by a grammar of these rules.
_LOG_RATIO = 100.0


class _Both(JudgedForest):
    """A forest of two parses, whose probabilities are the means of its own and of another one's."""

    def __init__(self, forest: Forest, scores: Costs, other: JudgedForest) -> None:
        super().__init__(forest, scores)
        self._other = other

    @property
    def constituents(self) -> Mapping[tuple[Nonterminal, int], float]:
        own, others = super().constituents, self._other.constituents
        return {
            each: (own.get(each, 0.0) + others.get(each, 0.0)) / 2 for each in {**others, **own}
        }


class JointModel(StoredForestParser[JointGrammar]):
    """A grammar and a network with several heads that are ready to parse.

    Every sentence has a parse: that of the set-based derivation, if there is no forest.
    """

    kind = KIND
    contents_type = JointGrammar
    together = 500

    def __init__(self, model: JointGrammar, budget: Budget = DEFAULT) -> None:
        super().__init__(model, budget=budget)
        self._readings: dict[tuple[str, ...], Reading] = {}

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**texts_of(self.model.network.settings), **super().about}

    @property
    def judges(self) -> Mapping[str, Judge]:
        """The heads that judge a forest: spans and tags, and the transitions, which vote."""
        return {"spans": self._judge_spans, "transitions": self._judge_by_transitions}

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return the scores of the constituents by both heads, without those of the rules."""
        sets = self._judge_by_transitions(sentence, forest)
        scores = self._scores_of_items(sentence, forest) + _VOTE * sets.item_scores
        return Judgement(np.zeros(len(forest.edge_rule)), scores)

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedForest:
        """Return a forest with the scores of the constituents, and those of rules and tags."""
        scores = scores_of_edges(forest, self.judge(sentence, forest))
        counts = np.where(forest.edge_rule < 0, _TAGS, _RULES)
        return JudgedForest(forest, scores - counts * forest.edge_cost)

    def search(
        self, sentence: Sentence, tags: Candidates, wanted: Wanted = NOTHING_MORE
    ) -> tuple[list[ParseResult], JudgedForest | None]:
        """Return the best result, and the forest that it was chosen from, if there is one.

        The grammar may lack rules that the transitions need. So the best derivation of its forest
        and the set-based tree make a forest of their own, in which spans and tags choose; what
        only one of them has gets no vote.
        """
        results, judged = super().search(sentence, tags, wanted)
        result = results[0]
        if judged is None or result.derivation is None:
            return [result], judged
        trees = [printed_tree(unbinarize(result.derivation), sentence), self._tree(sentence)]
        if _is_same(*trees):
            return [result], judged
        _, forest = forest_of_parses(trees, _LOG_RATIO)
        if forest is None:
            return [result], judged
        scores = self._scores_of_items(sentence, forest)
        scores += _VOTE * votes(forest, chances_of((0.5, tree) for tree in trees)).item_scores
        edge_scores = scores[forest.edge_mother] - _TAGS * _tag_costs(forest, tags)
        both = _Both(forest, edge_scores, judged)
        best = both.best(None)
        assert best is not None  # there are two, at least
        return [replace(result, cost=best[0], derivation=best[1])], both

    def chances(
        self, posteriors: Mapping[tuple[Nonterminal, int], float]
    ) -> Mapping[Constituent, float]:
        """Return the probability of each constituent, calibrated if there was a development set."""
        return calibrated(super().chances(posteriors), self.model.calibration)

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
        for start in range(0, len(sentences), _BATCH):
            batch = sentences[start : start + _BATCH]
            # Sentences of about the same length go well together.
            ordered = sorted(batch, key=lambda sentence: len(sentence.tokens))
            readings = self.model.network.read([sentence.tokens for sentence in ordered])
            words = (tuple(sentence.words) for sentence in ordered)
            self._readings = dict(zip(words, readings, strict=True))
            yield from super()._parse(batch, wanted)

    def _parses(self, sentence: Sentence, tags: Candidates, wanted: Wanted) -> list[Parse]:
        """Return the parse of the forest, or without one that of the set-based derivation."""
        (parse,) = super()._parses(sentence, tags, wanted)
        if parse.status == "parsed" and parse.optimality_gap is None:
            return [parse]
        network, tree = self.model.network, self._tree(sentence)
        explanation, posteriors = None, None
        if wanted.posteriors:
            (chances,) = network.chances([sentence.tokens])
            posteriors = posteriors_of(tree, calibrated(chances, self.model.calibration))
        if wanted.explained:
            derivation = self._reading(sentence).derivation
            scorer = network.scorer([sentence.tokens])
            rows = rows_of(sentence.words, derivation, network.vocabulary.labels, scorer)
            explanation = explain_transitions(sentence.words, rows)
        found = Parse(
            tree,
            "parsed",
            score=self._reading(sentence).derivation.log_probability,
            meaning="log probability of the transitions",
            statistics=parse.statistics,
            explanation=explanation,
            posteriors=posteriors,
        )
        return [found]

    def _forest(
        self, sentence: Sentence, tags: Candidates, log_ratio: float
    ) -> tuple[ParseResult, Forest | None]:
        """Return the forest without items that cross a constituent of which both heads are sure."""
        parts = parts_of(self._tree(sentence), "factored")
        sure = self.model.network.sure(self._reading(sentence), parts)
        brackets = sorted({(part.borders[0], part.borders[1]) for part in sure})
        return self._chart.parse_with_forest(tags, log_ratio, MOST_ITEMS, brackets)

    def _scores_of_items(self, sentence: Sentence, forest: Forest) -> Costs:
        """Return the scores of constituents by their spans, higher for gaps, float64 (I,)."""
        is_category = np.array([each.kind == "category" for each in forest.compiled.labels])
        has_gap = forest.compiled.arrays.labels["fan_out"] > 1
        scores = self.model.network.scores(self._reading(sentence), forest)
        return scores + _GAP * (is_category & has_gap)[forest.label]

    def _judge_spans(self, sentence: Sentence, forest: Forest) -> Judgement:
        scores = self.model.network.scores(self._reading(sentence), forest)
        return Judgement(-_TAGS * _tag_costs(forest, self.tags_of(sentence)), scores)

    def _judge_by_transitions(self, sentence: Sentence, forest: Forest) -> Judgement:
        return votes(forest, self._reading(sentence).chances)

    def _tree(self, sentence: Sentence) -> Tree:
        """Return the tree of the set-based derivation."""
        reading = self._reading(sentence)
        best = [min(each, key=each.__getitem__) for each in reading.tags]
        tokens = sentence.best_tagged(lambda _: best)
        tree = self.model.network.tree_of(reading.derivation, tokens).forget_splits()
        tree.id = sentence.id
        return tree

    def _reading(self, sentence: Sentence) -> Reading:
        """Return what the network says; it has read what is parsed together already."""
        words = tuple(sentence.words)
        found = self._readings.get(words)
        if found is None:
            (found,) = self.model.network.read([sentence.tokens])
            self._readings = {words: found}
        return found


def _is_same(one: Tree, other: Tree) -> bool:
    """Whether two trees of a sentence have the same constituents and tags."""
    return one.tokens == other.tokens and chances_of([(1.0, one)]) == chances_of([(1.0, other)])


def _tag_costs(forest: Forest, tags: Candidates) -> Costs:
    """Return the costs of the tags at the edges of a forest, float64 (E,); others cost 0."""
    symbols, costs = list(forest.compiled.labels), np.zeros(len(forest.edge_rule))
    for edge in np.flatnonzero(forest.edge_rule < 0):
        item = int(forest.edge_mother[edge])
        token = span_of_item(forest, item).bit_length() - 1
        costs[edge] = tags[token].get(symbols[forest.label[item]], TAG_RATIO)
    return costs


def _trainer(trees: Any, settings: Any, about: Any) -> JointTrainer:  # noqa: ANN401
    require_torch(settings.encoder)
    from plcfrs.parsers.joint.training import JointTrainer

    return JointTrainer(trees, settings, about)


def _inspect(path: Path) -> Inspection:
    model = JointModel.load(path)
    network = model.model.network
    labels = network.vocabulary.labels[1:]
    lines = network.lines(
        texts_of(network.settings),
        f"labels of sets: {len(labels)} ({some(labels)})",
        f"labels of spans: {len(network.parts)} ({some(network.parts)})",
    )
    return Inspection(model.grammar, lines)


FAMILIES = (
    Family(
        KIND,
        KIND,
        "one network with several heads over the forest of a grammar",
        JointModel.load,
        _trainer,
        _inspect,
        JointSettings(),
        capabilities=JointModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
    ),
)
