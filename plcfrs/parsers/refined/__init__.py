"""Refined grammars: substates learned from a treebank."""

from plcfrs.parsers.refined.model import FAMILIES, RefinedModel

__all__ = ["FAMILIES", "RefinedModel"]
