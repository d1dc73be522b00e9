"""Parsing and extraction at scale: several processes, or a cluster.

The names that need Numba are loaded when they are first used: extraction does not need it in any
of its processes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from plcfrs.corpus.extraction import extract_corpus
from plcfrs.corpus.workers import map_in_order

if TYPE_CHECKING:
    from plcfrs.corpus.parsing import Outcome, Shared, parse_all, parse_corpus
    from plcfrs.parsing.parse import Wanted

__all__ = [
    "Outcome",
    "Shared",
    "Wanted",
    "extract_corpus",
    "map_in_order",
    "parse_all",
    "parse_corpus",
]

_LAZY = ("Outcome", "Shared", "Wanted", "parse_all", "parse_corpus")


def __getattr__(name: str) -> object:
    """Import a name that needs Numba on its first use."""
    if name not in _LAZY:
        raise AttributeError(f"module 'plcfrs.corpus' has no attribute {name!r}")
    return getattr(import_module("plcfrs.corpus.parsing"), name)
