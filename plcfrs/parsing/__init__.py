"""The contract of all parsers: a sentence in, a parse out. It names no family.

The models of the families are in `plcfrs.parsers`, and are imported on their first use.
"""

from __future__ import annotations

from plcfrs.budget import Budget
from plcfrs.grammar.grammar import Inspection
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.parse import Fallback, Parse, Status
from plcfrs.parsing.registry import (
    Family,
    Preset,
    families,
    family_of,
    find_family,
    load_model,
    train,
)
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import LearnedParser, SentenceParser

__all__ = [
    "Budget",
    "Explanation",
    "Fallback",
    "Family",
    "Inspection",
    "LearnedParser",
    "Parse",
    "Preset",
    "Sentence",
    "SentenceParser",
    "Status",
    "families",
    "family_of",
    "find_family",
    "load_model",
    "train",
]
