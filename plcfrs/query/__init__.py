"""Queries over trees: a language like that of tgrep2, and the search for matches."""

from plcfrs.query.hits import Hit, Hits
from plcfrs.query.language import Query, parse_query
from plcfrs.query.treebank import Treebank, find

__all__ = ["Hit", "Hits", "Query", "Treebank", "find", "parse_query"]
