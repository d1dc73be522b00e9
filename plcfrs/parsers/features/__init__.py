"""Weights of span features that judge a forest."""

from plcfrs.parsers.features.model import FAMILIES, FeatureModel

__all__ = ["FAMILIES", "FeatureModel"]
