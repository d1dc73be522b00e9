"""From trees to rules and counts, and from derivations back to trees."""

from plcfrs.extract.extraction import derivation_of, extract
from plcfrs.extract.interpolated import interpolated
from plcfrs.extract.rebuilding import rebuild

__all__ = ["derivation_of", "extract", "interpolated", "rebuild"]
