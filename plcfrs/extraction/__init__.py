"""From trees to rules with counts, and from derivations back to trees."""

from plcfrs.extraction.extraction import derivation_of, extract
from plcfrs.extraction.factorization import factored
from plcfrs.extraction.interpolation import interpolated
from plcfrs.extraction.rebuilding import rebuild
from plcfrs.extraction.recipes import PRESETS, Preset, Recipe

__all__ = [
    "PRESETS",
    "Preset",
    "Recipe",
    "derivation_of",
    "extract",
    "factored",
    "interpolated",
    "rebuild",
]
