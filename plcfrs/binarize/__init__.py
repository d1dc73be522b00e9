"""Binarization: rules of rank 2 at the most, and the way back."""

from plcfrs.binarize.restore import restore
from plcfrs.binarize.rules import binarize
from plcfrs.binarize.trees import Markovization, Order, binarize_tree, restore_tree

__all__ = ["Markovization", "Order", "binarize", "binarize_tree", "restore", "restore_tree"]
