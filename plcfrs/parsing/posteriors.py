"""The probabilities of the constituents of parses, and their calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plcfrs.learning.calibration import Calibration, fit_calibration
from plcfrs.parsing.parse import Posterior, Wanted
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.parsing.votes import Constituent, chances_of
from plcfrs.trees import ROOT, Tree
from plcfrs.trees.tree import positions, span_of


def posteriors_of(tree: Tree, chances: Mapping[Constituent, float]) -> list[Posterior]:
    """Return the probability of each constituent of a tree; empty if none is known.

    The root is in every tree, and has the probability 1.

    >>> tree = Tree.from_string("(ROOT (S (NP (NNS 0=Dogs)) (VP (VBP 1=bark))))")
    >>> [tuple(each) for each in posteriors_of(tree, {("S", 3): 0.75, ("NP", 1): 0.5})]
    [('ROOT', (0, 1), 1.0), ('S', (0, 1), 0.75), ('NP', (0,), 0.5), ('VP', (1,), 0.0)]
    """
    if not chances:
        return []
    spans = tree.yields()
    found = [
        Posterior(
            node.category,
            tuple(positions(spans[node])),
            chances.get((node.category, spans[node]), 0.0),
        )
        for node in tree.nodes()
    ]
    found[0] = found[0]._replace(probability=1.0)
    return found


def calibration_of(
    parser: SentenceParser, sentences: Sequence[Tree], gold: Sequence[Tree]
) -> Calibration:
    """Return the calibration of the probabilities of a parser's constituents on a development set.

    Parameters
    ----------
    parser : SentenceParser
        Whose probabilities are not calibrated.
    sentences : sequence of Tree
        With the tags that the parser gets.
    gold : sequence of Tree
    """
    parses = parser.parse_together(sentences, Wanted(posteriors=True))
    observed = []
    for (parse,), tree in zip(parses, gold, strict=True):
        right = chances_of([(1.0, tree)])
        observed += [
            (each.probability, (each.category, span_of(list(each.positions))) in right)
            for each in parse.posteriors or []
            if each.category != ROOT
        ]
    return fit_calibration(observed)
