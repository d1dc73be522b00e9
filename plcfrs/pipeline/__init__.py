"""Trained parsers: from a sentence to a tree."""

from plcfrs.pipeline.learning import Learning
from plcfrs.pipeline.loading import load_model
from plcfrs.pipeline.model import Model
from plcfrs.pipeline.parse import Fallback, Parse, Sentence, Status
from plcfrs.pipeline.refined import RefinedModel
from plcfrs.pipeline.sentence_parser import GrammarParser, NBestParser, SentenceParser
from plcfrs.pipeline.transition import TransitionModel
from plcfrs.storage.model_file import kind_of

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
    "kind_of",
    "load_model",
]
