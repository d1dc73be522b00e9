"""Binarization: rules of rank 2 at the most, and the way back."""

from plcfrs.binarize.restore import restore
from plcfrs.binarize.rules import binarize

__all__ = ["binarize", "restore"]
