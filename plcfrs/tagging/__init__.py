"""Words that a parser has rarely or never seen."""

from plcfrs.tagging.classes import WordClasses

__all__ = ["WordClasses"]
