"""Searching trees with queries: the operators of tgrep2 and a few more."""

from plcfrs.query.matching import Query, find, parse_query

__all__ = ["Query", "find", "parse_query"]
