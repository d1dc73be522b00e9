"""Networks that score spans of a forest."""

from plcfrs.parsers.spans.model import FAMILIES, SpanModel

__all__ = ["FAMILIES", "SpanModel"]
