"""Trained parsers: from a sentence to a tree."""

from plcfrs.grammar.formats.kinds import is_refined
from plcfrs.pipeline.loading import load_model
from plcfrs.pipeline.model import Model
from plcfrs.pipeline.parse import Fallback, Parse, Sentence, Status
from plcfrs.pipeline.refined import RefinedModel
from plcfrs.pipeline.sentence_parser import SentenceParser

__all__ = [
    "Fallback",
    "Model",
    "Parse",
    "RefinedModel",
    "Sentence",
    "SentenceParser",
    "Status",
    "is_refined",
    "load_model",
]
