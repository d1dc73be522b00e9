"""A grammar with a span scorer that is ready to parse, and its training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.errors import GrammarError
from plcfrs.grammar.formats import compressed
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import some
from plcfrs.neural.requirement import require_torch
from plcfrs.neural.spans.parser import SpanGrammar, SpanParser
from plcfrs.neural.spans.scorer import SpanScorer
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.judging import LogLinearModel
from plcfrs.pipeline.kernels import JUDGEMENT, SEARCH, TIGHTENING
from plcfrs.pipeline.parse import Fallback
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import ModelFile, load
from plcfrs.transformation import Options

if TYPE_CHECKING:
    from plcfrs.pipeline.span_training import SpanTrainer

KIND = "spans"

_SCORER = "scorer."  # the prefix of the names of its texts and arrays in a file


class SpanModel(LogLinearModel):
    """A grammar with a span scorer that is ready to parse.

    Parameters
    ----------
    model : SpanGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = KIND

    def __init__(
        self, model: SpanGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(model.grammar, fallback, budget)
        self.model = model
        self._parser = SpanParser(model, budget)

    @classmethod
    def load(
        cls, path: str | Path, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> SpanModel:
        """Read a saved grammar with a span scorer; the other parameters are those of `SpanModel`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or something else.
        InputError
            If it needs a pretrained encoder that cannot be loaded.
        """
        contents = load(path)
        with errors_name(path):
            return cls.of(contents, fallback, budget)

    @classmethod
    def of(
        cls, contents: ModelFile, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> SpanModel:
        """Return the model with the contents of a file.

        Raises
        ------
        GrammarError
            If something is missing or damaged.
        InputError
            If it needs a pretrained encoder that cannot be loaded.
        """
        try:
            if contents.kind != cls.kind:
                raise ValueError
            grammar = compressed.loads(contents.arrays["grammar"].tobytes().decode())
            scorer = SpanScorer.from_arrays(*contents.part(_SCORER)[1:])
        except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
            raise GrammarError("the span scorer is damaged; train it again") from None
        return cls(SpanGrammar(grammar, scorer, contents.arrays.get("shares")), fallback, budget)

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**self.model.scorer.settings.header(), **super().about}

    def contents(self) -> ModelFile:
        """Return the grammar and the span scorer."""
        contents = ModelFile.of(self.kind, {}, {_SCORER: self.model.scorer})
        grammar = compressed.dumps(self.grammar).encode()
        contents.arrays["grammar"] = np.frombuffer(grammar, np.uint8)
        if self.model.shares is not None:
            contents.arrays["shares"] = self.model.shares
        return contents


def _trainer(*given: Any) -> SpanTrainer:  # noqa: ANN401
    require_torch()
    from plcfrs.pipeline.span_training import SpanTrainer

    return SpanTrainer(*given)


def _inspect(path: Path) -> Inspection:
    model = SpanModel.load(path)
    scorer = model.model.scorer
    return Inspection(
        model.grammar,
        [
            *(f"  {key}: {value}" for key, value in scorer.settings.header().items()),
            f"  words: {len(scorer.vocabulary.words)} seen at least twice",
            f"  labels: {len(scorer.vocabulary.labels)} ({some(scorer.vocabulary.labels)})",
            f"  weights: {scorer.weights:,}",
            *(f"  {each.title}" for each in scorer.inputs),
        ],
    )


FAMILIES = (
    Family(
        KIND,
        KIND,
        "a grammar with a neural span scorer (Stern, Andreas and Klein 2017)",
        SpanModel.load,
        _trainer,
        _inspect,
        SpanSettings(),
        FallbackOptions(),
        (),
        frozenset({"budget", "sums", "resume"}),
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
        # The forest of every sentence is found with tighter bounds.
        kernels={"parsing": (SEARCH, TIGHTENING._replace(modules=()), JUDGEMENT)},
    ),
)
