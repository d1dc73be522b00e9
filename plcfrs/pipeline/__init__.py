"""Trained parsers of all families: from sentences to trees."""

from plcfrs.chart.budget import Budget
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.family import Family, Preset
from plcfrs.pipeline.grammar import GrammarModel
from plcfrs.pipeline.grammar_parser import GrammarParser
from plcfrs.pipeline.parse import Explanation, Fallback, Parse, Status
from plcfrs.pipeline.refined import RefinedModel
from plcfrs.pipeline.registry import families, family_of, find_family, load_model, train
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import LearnedParser, SentenceParser
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
    "families",
    "family_of",
    "find_family",
    "load_model",
    "train",
]
