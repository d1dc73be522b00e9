"""Linear span features: a conditional random field over the forest of an unrefined PLCFRS.

The probability of a derivation is proportional to the exponential of a sum over its edges and
items: ``log p`` of the rule, and the weights of features of the words around (Finkel et al. 2008;
Hall, Durrett and Klein 2014).
"""

from plcfrs.features.grammar import FeatureGrammar
from plcfrs.features.settings import Settings

__all__ = ["FeatureGrammar", "Settings"]
