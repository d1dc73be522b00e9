"""From trees to rules and counts, and from derivations back to trees."""

from plcfrs.extract.extraction import derivation_of, extract
from plcfrs.extract.factorization import factored
from plcfrs.extract.interpolation import interpolated
from plcfrs.extract.rebuilding import rebuild
from plcfrs.extract.recipes import PRESETS, Preset, Recipe

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
