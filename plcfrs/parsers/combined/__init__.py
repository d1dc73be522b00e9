"""Several parsers that judge one forest together."""

from plcfrs.parsers.combined.model import CombinedModel
from plcfrs.parsers.combined.training import FAMILIES

__all__ = ["FAMILIES", "CombinedModel"]
