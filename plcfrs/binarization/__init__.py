"""Binarization to rank 2, and its inverse."""

from plcfrs.binarization.rules import binarize
from plcfrs.binarization.trees import (
    Markovization,
    Order,
    annotate_ancestors,
    binarize_tree,
    unbinarize_tree,
)
from plcfrs.binarization.unbinarize import unbinarize, unbinarize_grammar

__all__ = [
    "Markovization",
    "Order",
    "annotate_ancestors",
    "binarize",
    "binarize_tree",
    "unbinarize",
    "unbinarize_grammar",
    "unbinarize_tree",
]
