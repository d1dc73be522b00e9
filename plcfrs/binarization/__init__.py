"""Binarization to rank 2, and its inverse."""

from plcfrs.binarization.restore import restore, restore_grammar
from plcfrs.binarization.rules import binarize
from plcfrs.binarization.trees import (
    Markovization,
    Order,
    annotate_ancestors,
    binarize_tree,
    restore_tree,
)

__all__ = [
    "Markovization",
    "Order",
    "annotate_ancestors",
    "binarize",
    "binarize_tree",
    "restore",
    "restore_grammar",
    "restore_tree",
]
