"""Trained parsers of all families: from sentences to trees.

The models of single families are imported on their first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from plcfrs.chart.budget import Budget
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.explanation import Explanation
from plcfrs.pipeline.family import Family, Preset
from plcfrs.pipeline.grammar_parser import GrammarParser
from plcfrs.pipeline.parse import Fallback, Parse, Status, Wanted
from plcfrs.pipeline.registry import families, family_of, find_family, load_model, train
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import LearnedParser, SentenceParser

if TYPE_CHECKING:
    from plcfrs.pipeline.grammar import GrammarModel
    from plcfrs.pipeline.refined import RefinedModel
    from plcfrs.pipeline.transition import TransitionModel

__all__ = [
    "Budget",
    "Explanation",
    "Fallback",
    "Family",
    "GrammarModel",
    "GrammarParser",
    "Inspection",
    "LearnedParser",
    "Parse",
    "Preset",
    "RefinedModel",
    "Sentence",
    "SentenceParser",
    "Status",
    "TransitionModel",
    "Wanted",
    "families",
    "family_of",
    "find_family",
    "load_model",
    "train",
]

_MODULES = {"GrammarModel": "grammar", "RefinedModel": "refined", "TransitionModel": "transition"}


def __getattr__(name: str) -> object:
    """Import the model of a family on its first use."""
    if name not in _MODULES:
        raise AttributeError(f"module 'plcfrs.pipeline' has no attribute {name!r}")
    return getattr(import_module(f"plcfrs.pipeline.{_MODULES[name]}"), name)
