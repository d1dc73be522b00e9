"""The probabilities of the constituents of parses, and their calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from plcfrs.learning.calibration import Calibration, fit_calibration
from plcfrs.parsing.parse import Constituent, Posterior, Task
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.trees import ROOT, Tree
from plcfrs.trees.tree import positions, span_of


def posteriors_of(tree: Tree, chances: Mapping[Constituent, float]) -> list[Posterior]:
    """Return the probability of each constituent of a tree, or an empty list if none is known.

    The root is in every tree, and has the probability 1.

    >>> tree = Tree.from_string("(ROOT (S (NP (NNS 0=Dogs)) (VP (VBP 1=bark))))")
    >>> [tuple(each) for each in posteriors_of(tree, {("S", 3): 0.75, ("NP", 1): 0.5})]
    [('ROOT', (0, 1), 1.0), ('S', (0, 1), 0.75), ('NP', (0,), 0.5), ('VP', (1,), 0.0)]
    """
    if not chances:
        return []
    spans = tree.yields()
    posteriors = []
    for node in tree.nodes():
        chance = chances.get((node.category, spans[node]), 0.0)
        posteriors.append(Posterior(node.category, tuple(positions(spans[node])), chance))
    posteriors[0] = posteriors[0]._replace(probability=1.0)
    return posteriors


def calibration_of(
    parser: SentenceParser, sentences: Sequence[Tree], gold: Sequence[Tree]
) -> Calibration:
    """Return the calibration of the probabilities of a parser's constituents on a development set.

    Parameters
    ----------
    parser : SentenceParser
        Its probabilities are not calibrated yet.
    sentences : sequence of Tree
        With the tags that the parser gets.
    gold : sequence of Tree
    """
    parses = parser.parse_together(sentences, Task(posteriors=True))
    points = (
        each
        for (parse,), tree in zip(parses, gold, strict=True)
        for each in calibration_points(tree, parse.posteriors or [])
    )
    return fit_calibration(list(points))


def calibration_points(
    gold: Tree, constituents: Iterable[tuple[str, tuple[int, ...], float]]
) -> Iterator[tuple[float, bool]]:
    """Yield the probability of each constituent below ROOT, and whether the gold tree has it.

    >>> gold = Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")
    >>> list(calibration_points(gold, [("VP", (0, 2), 0.75), ("NP", (1,), 0.5)]))
    [(0.75, True), (0.5, False)]
    """
    spans = gold.yields()
    left = Counter((node.category, spans[node]) for node in gold.nodes())
    for category, tokens, probability in constituents:
        if category != ROOT:
            constituent = category, span_of(list(tokens))
            yield probability, left[constituent] > 0
            left[constituent] -= 1
