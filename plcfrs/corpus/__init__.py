"""Parsing and extraction at scale: several processes, or a cluster.

Names are loaded when they are first used: extraction and searching do not need Numba in any of
their processes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plcfrs.corpus.extraction import extract_corpus
    from plcfrs.corpus.indexing import open_treebank
    from plcfrs.corpus.parsing import Outcome, Shared, parse_all, parse_corpus
    from plcfrs.corpus.workers import map_in_order
    from plcfrs.parsing.parse import Wanted

__all__ = [
    "Outcome",
    "Shared",
    "Wanted",
    "extract_corpus",
    "map_in_order",
    "open_treebank",
    "parse_all",
    "parse_corpus",
]

_MODULES = {
    "extract_corpus": "extraction",
    "map_in_order": "workers",
    "open_treebank": "indexing",
}


def __getattr__(name: str) -> object:
    """Import a name on its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'plcfrs.corpus' has no attribute {name!r}")
    module = import_module(f"plcfrs.corpus.{_MODULES.get(name, 'parsing')}")
    return getattr(module, name)
