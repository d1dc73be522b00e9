"""Prefix probabilities of PLCFRS: the sum over all sentences that begin with some words."""

from plcfrs.prefix.chart import PrefixChart, PrefixGrammar

__all__ = ["PrefixChart", "PrefixGrammar"]
