"""The family of grammars with a neural span scorer (Stern, Andreas and Klein 2017)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from plcfrs.chart import Forest
from plcfrs.forest.forest_parser import StoredForestParser
from plcfrs.forest.grammar_parser import FallbackOptions
from plcfrs.forest.judged_forest import JudgedForest, best_tags
from plcfrs.forest.votes import Judgement, scores_of_edges
from plcfrs.grammar.grammar import Inspection
from plcfrs.networks.encoding import require_torch
from plcfrs.parsers.spans.scorer import SpanGrammar, SpanSettings
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.parsing.sentence import Sentence
from plcfrs.settings import to_texts
from plcfrs.transformation import Options
from plcfrs.trees import Token
from plcfrs.wording import some


class SpanModel(StoredForestParser[SpanGrammar]):
    """A grammar with a span scorer that is ready to parse."""

    kind = "spans"
    contents_type = SpanGrammar

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return the scores of the constituents, without those of the rules.

        The tags that the network sees are those of the most probable derivation.
        """
        tokens = list(map(Token, sentence.words, best_tags(forest)))
        nothing = np.zeros(len(forest.edge_rule))
        return Judgement(nothing, self.model.scorer.scores(tokens, forest))

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedForest:
        """Return a forest with the scores of the constituents and ``log p`` of the rules."""
        scores = scores_of_edges(forest, self.judge(sentence, forest))
        return JudgedForest(forest, scores - forest.edge_cost)

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**to_texts(self.model.scorer.settings), **super().about}


def _inspect(path: Path) -> Inspection:
    model = SpanModel.load(path)
    scorer = model.model.scorer
    labels = scorer.vocabulary.labels
    about = to_texts(scorer.settings)
    return Inspection(model.grammar, scorer.lines(about, f"labels: {len(labels)} ({some(labels)})"))


FAMILIES = (
    Family(
        SpanModel.kind,
        SpanModel.kind,
        "a grammar with a neural span scorer (Stern, Andreas and Klein 2017)",
        SpanModel.load,
        trained_by("plcfrs.parsers.spans.training", "SpanTrainer", require_torch),
        _inspect,
        SpanSettings(),
        FallbackOptions(),
        capabilities=SpanModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
    ),
)
