"""Parsing as reduction to dependencies."""

from plcfrs.parsers.reduction.model import FAMILIES, ReductionModel

__all__ = ["FAMILIES", "ReductionModel"]
