"""Trained parsers: from a sentence to a tree."""

from plcfrs.grammar.formats.kinds import is_refined, kind_of
from plcfrs.pipeline.learning import Learning
from plcfrs.pipeline.loading import load_model
from plcfrs.pipeline.model import Model
from plcfrs.pipeline.parse import Fallback, Parse, Sentence, Status
from plcfrs.pipeline.refined import RefinedModel
from plcfrs.pipeline.sentence_parser import GrammarParser, NBestParser, SentenceParser
from plcfrs.pipeline.transition import TransitionModel

__all__ = [
    "Fallback",
    "GrammarParser",
    "Learning",
    "Model",
    "NBestParser",
    "Parse",
    "RefinedModel",
    "Sentence",
    "SentenceParser",
    "Status",
    "TransitionModel",
    "is_refined",
    "kind_of",
    "load_model",
]
