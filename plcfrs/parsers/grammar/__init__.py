"""Grammars: PLCFRS and their exact parser."""

from plcfrs.parsers.grammar.model import FAMILIES, GrammarModel

__all__ = ["FAMILIES", "GrammarModel"]
