"""A grammar whose best parse is found late: an expensive one is found before."""

from itertools import pairwise

from plcfrs.grammar import Grammar, Nonterminal, Rule, tag

_S, _DEAR, *_WAY = (Nonterminal(name) for name in "SDEFGHIJ")
_TAG = tag("A")

GRAMMAR = Grammar(
    {
        Rule(_S, (_DEAR,), ((0,),)): 0.1,
        Rule(_DEAR, (_TAG,), ((0,),)): 1.0,
        Rule(_S, (_WAY[0],), ((0,),)): 0.9,
        **{Rule(lhs, (rhs,), ((0,),)): 1.0 for lhs, rhs in pairwise([*_WAY, _TAG])},
    },
    start=_S,
    weights="probabilities",
)
WORD, CANDIDATES = [("a", "A")], [{_TAG: 0.0}]
ITEMS = 6
"""So many items are too few for the best parse, with the strategy "knuth"."""
