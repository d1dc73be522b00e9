"""Neural parsers: transitions without a stack, scores of spans over a grammar, or both."""

from plcfrs.parsers.neural.model import FAMILIES, NeuralModel
from plcfrs.parsers.neural.set_model import SetBasedModel

__all__ = ["FAMILIES", "NeuralModel", "SetBasedModel"]
