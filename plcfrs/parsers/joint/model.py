"""The family of joint parsers: one network tags, builds sets and scores spans, a grammar decodes.

The network reads a sentence once. Its tags make the forest of the grammar, in which the scores of
spans, the votes of the set-based derivation, the rules and the tags choose the best derivation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.compile import Candidates
from plcfrs.grammar import Nonterminal, tag
from plcfrs.grammar.grammar import Inspection
from plcfrs.networks.encoding import require_torch
from plcfrs.parsers.joint.network import JointGrammar, JointSettings, Reading
from plcfrs.parsers.set_based.configuration import tree_of
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.forest_parser import JudgedForest, StoredForestParser
from plcfrs.parsing.parse import Parse, Wanted
from plcfrs.parsing.registry import Family
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import Judge
from plcfrs.parsing.votes import Judgement, chances_of, scores_of_edges, votes
from plcfrs.settings import texts_of
from plcfrs.transformation import Options
from plcfrs.trees import Tree
from plcfrs.wording import some

if TYPE_CHECKING:
    from plcfrs.parsers.joint.training import JointTrainer

KIND = "joint"

# How much the costs of tags and of rules count, if a span counts 1 and a vote 1; chosen on files
# 0160-0179 of the Penn Treebank.
_TAGS, _RULES = 3.0, 0.5


class JointModel(StoredForestParser[JointGrammar]):
    """A grammar and a network with several heads that are ready to parse.

    Every sentence has a parse: that of the set-based derivation, if there is no forest.
    """

    kind = KIND
    contents_type = JointGrammar
    together = 2_000

    def __init__(self, model: JointGrammar, budget: Budget = DEFAULT) -> None:
        super().__init__(model, budget=budget)
        self._readings: dict[tuple[str, ...], Reading] = {}

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**texts_of(self.model.network.settings), **super().about}

    @property
    def judges(self) -> Mapping[str, Judge]:
        """The heads that judge a forest: the spans, and the transitions, which vote."""
        return {"spans": self._judge_spans, "transitions": self._judge_by_transitions}

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return the scores of the constituents by both heads, without those of the rules."""
        spans = self._judge_spans(sentence, forest)
        sets = self._judge_by_transitions(sentence, forest)
        return Judgement(spans.edge_scores, spans.item_scores + sets.item_scores)

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedForest:
        """Return a forest with the scores of the constituents, and those of rules and tags."""
        scores = scores_of_edges(forest, self.judge(sentence, forest))
        counts = np.where(forest.edge_rule < 0, _TAGS, _RULES)
        return JudgedForest(forest, scores - counts * forest.edge_cost)

    def tags_of(self, sentence: Sentence) -> Candidates:
        """Return the given tags, or the possible ones by the network, with their costs."""
        return self._possible_tags(sentence)

    def _possible_tags(self, sentence: Sentence) -> Candidates:
        given = self._reading(sentence).tags if sentence.tags is None else sentence.tags
        return [{tag(name): cost for name, cost in each.items()} for each in given]

    def _parse(self, sentences: Sequence[Sentence], wanted: Wanted) -> Iterator[list[Parse]]:
        # Sentences of about the same length go well together.
        ordered = sorted(sentences, key=lambda sentence: len(sentence.tokens))
        readings = self.model.network.read([sentence.tokens for sentence in ordered])
        words = (tuple(sentence.words) for sentence in ordered)
        self._readings = dict(zip(words, readings, strict=True))
        return super()._parse(sentences, wanted)

    def _parsed(
        self,
        result: ParseResult,
        sentence: Sentence,
        tags: Candidates,
        explanation: Explanation | None = None,
        posteriors: Mapping[tuple[Nonterminal, int], float] | None = None,
    ) -> Parse:
        """Return the parse of a result, or without a forest that of the set-based derivation."""
        if result.derivation is not None and result.gap != inf:
            return super()._parsed(result, sentence, tags, explanation, posteriors)
        return Parse(
            self._tree(sentence),
            "parsed",
            score=self._reading(sentence).derivation.log_probability,
            meaning="log probability of the transitions",
            statistics=result.statistics,
            posteriors=None if posteriors is None else [],
        )

    def _judge_spans(self, sentence: Sentence, forest: Forest) -> Judgement:
        scores = self.model.network.scores(self._reading(sentence), forest)
        return Judgement(np.zeros(len(forest.edge_rule)), scores)

    def _judge_by_transitions(self, sentence: Sentence, forest: Forest) -> Judgement:
        return votes(forest, chances_of([(1.0, self._tree(sentence))]))

    def _tree(self, sentence: Sentence) -> Tree:
        """Return the tree of the set-based derivation."""
        reading, labels = self._reading(sentence), self.model.network.vocabulary.labels
        constituents = {
            tokens: labels[label] for tokens, label in reading.derivation.constituents.items()
        }
        best = [min(each, key=each.__getitem__) for each in reading.tags]
        tree = tree_of(constituents, sentence.best_tagged(lambda _: best)).forget_splits()
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


def _trainer(trees: Any, settings: Any, about: Any) -> JointTrainer:  # noqa: ANN401
    require_torch(settings.encoder)
    from plcfrs.parsers.joint.training import JointTrainer

    return JointTrainer(trees, settings, about)


def _inspect(path: Path) -> Inspection:
    model = JointModel.load(path)
    network = model.model.network
    return Inspection(
        model.grammar,
        [
            *(f"  {key}: {value}" for key, value in texts_of(network.settings).items()),
            f"  words: {len(network.vocabulary.words)} seen at least twice",
            f"  labels of sets: {len(network.vocabulary.labels) - 1} "
            f"({some(network.vocabulary.labels[1:])})",
            f"  labels of spans: {len(network.parts)} ({some(network.parts)})",
            f"  weights: {network.weights:,}",
            *(f"  {each.title}" for each in network.inputs),
        ],
    )


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
