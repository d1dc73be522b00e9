"""Parsing as reduction: constituent trees as dependency trees, and back."""

from plcfrs.reduction.conversion import Encoding, Unaries, from_dependencies, to_dependencies
from plcfrs.reduction.properties import is_nested, is_projective
from plcfrs.reduction.unaries import without_unaries

__all__ = [
    "Encoding",
    "Unaries",
    "from_dependencies",
    "is_nested",
    "is_projective",
    "to_dependencies",
    "without_unaries",
]
