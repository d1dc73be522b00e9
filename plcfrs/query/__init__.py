"""Finding trees: what a sentence must have, said in tgrep2's operators and a few more."""

from plcfrs.query.matching import Query, find, parse_query

__all__ = ["Query", "find", "parse_query"]
