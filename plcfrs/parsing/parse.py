"""What a parser is asked, and what it returns: a parse, or the reason why none was found.

The chances of constituents, given parses of a sentence, are votes for other parsers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf
from typing import Literal, NamedTuple

import numpy as np

from plcfrs.budget import Statistics
from plcfrs.errors import InputError
from plcfrs.grammar import Derivation
from plcfrs.parsing.explanation import Explanation
from plcfrs.transformation.cleanup import remove_constituents
from plcfrs.trees import Fixed, Tree
from plcfrs.trees.tree import positions

Status = Literal[
    "parsed",
    "no parse",
    "out of items",
    "out of time",
    "out of memory",
    "unknown word",
    "unknown tag",
    "empty",
    "crashed",
]

Fallback = Literal["none", "flat", "partial"]
"""What to do with a sentence that has no parse; see `GrammarParser`."""

LOG_PROBABILITY = "log probability"
"""The meaning of a score that is the natural logarithm of the probability of the derivation."""


Capability = Literal["budget", "nbest", "sums", "surprisal", "resume"]
"""What a family can do.

"budget": a budget bounds its search. "nbest": it finds n-best parses. "sums": it sums over
derivations. "surprisal": it says how surprising words are (see `PrefixReader`). "resume": its
training can be resumed.
"""
Constituent = tuple[str, int]
"""A category, and a span as a bitset (see `plcfrs.trees.tree`)."""


class Task(NamedTuple):
    """What a parser is asked for each sentence.

    Parameters
    ----------
    objective : str, optional
        One of the objectives of the parser; by default the first.
    nbest : int, optional
        How many parses; without it, there is one by the objective.
    derivations : bool
        Whether n-best parses may have the same tree, with different derivations.
    explained : bool
        Whether parses get their explanations.
    posteriors : bool
        Whether parses get the probabilities of their constituents.
    trees_alone : bool
        Whether parses may lack their derivations, which take longer to send than trees.
    compared : bool
        Whether parses with something fixed are compared with those without: see `Parse`.
    functions : bool
        Whether trees get the functions and null elements that the parser has learned.
    """

    objective: str | None = None
    nbest: int | None = None
    derivations: bool = False
    explained: bool = False
    posteriors: bool = False
    trees_alone: bool = False
    compared: bool = False
    functions: bool = True


BEST_PARSE = Task()
"""Only the best parse."""

BARE_PARSE = Task(functions=False)
"""Only the best parse, with categories alone."""


class Posterior(NamedTuple):
    """How probable a constituent of a parse is, given the sentence.

    Parameters
    ----------
    positions : tuple of int
        Of its tokens, from 0.
    probability : float
        Of the category over these tokens, summed over the parses that have it.
    """

    category: str
    positions: tuple[int, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Parse:
    """The result of parsing a sentence.

    It is what ``model(sentence)`` and ``model.parse(sentence)`` return.

    Parameters
    ----------
    tree : Tree
        The parse without intermediate nodes and splits; if there is no parse, a node NOPARSE below
        ROOT, over the tokens or the constituents that cover them.
    status : str
        "parsed", "no parse", "unknown word", "unknown tag" or "empty"; "out of items", "out of
        time" or "out of memory" if the budget was used up before any parse was found. "crashed" if
        the process that parsed it died, or after an internal error (see `parse_corpus`).
    reason : str
        The unknown word or tag, or how the process died.
    score : float
        Higher is better; minus infinity without a parse, and if no parse was found that has what
        is fixed of its tree.
    meaning : str
        What the score is: "log probability" (natural logarithm, of the derivation), or another
        quantity that the parser maximizes.
    derivation : Derivation or None
        The derivation of the unbinarized grammar, if there is one.
    statistics : Statistics
    lost_mass : float
        With ``objective="mcp"``, the largest fraction of the probability of all derivations that
        the forest may lack.
    fallback : {"none", "flat", "partial"}
        The fallback that was used, see `GrammarParser`; "none" if there is a parse.
    optimality_gap : float or None
        How much higher the score of a better parse may be: 0 if this parse is proven to be the
        best, infinite if nothing is known. It is above 0 only if the budget was used up. Of n-best
        parses, this is about the parse of the same rank. None without a parse, and if the parser
        proves nothing: with objectives other than "mpd", and in all families except grammars. If
        the budget of a refined grammar was used up, the parse is the best one found without
        substates, and the gap is infinite.
    explanation : Explanation, optional
        Why this is the parse, if asked for.
    posteriors : list of Posterior, optional
        One for each node of the tree, in the order of ``tree.nodes()``, if asked for; 1 for the
        root. Empty if nothing is known: without a parse, and if there was no forest of parses
        to compare with, because the budget was used up or the sentence is too long.
    fixed_cost : float, optional
        How much less it scores than the best parse without what is fixed of its tree, if asked for;
        infinite if no parse was found that has it.
    """

    tree: Tree
    status: Status
    reason: str = ""
    score: float = -inf
    meaning: str = LOG_PROBABILITY
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0
    fallback: Fallback = "none"
    explanation: Explanation | None = None
    optimality_gap: float | None = None
    posteriors: list[Posterior] | None = None
    fixed_cost: float | None = None

    @property
    def log_probability(self) -> float | None:
        """Natural logarithm of the probability of the derivation, if the score is that."""
        return self.score if self.meaning == LOG_PROBABILITY else None

    @property
    def probability(self) -> float | None:
        """Probability of the derivation, if the score is its logarithm."""
        return exp(self.score) if self.meaning == LOG_PROBABILITY else None

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        reason = f" {self.reason}" if self.reason else ""
        score = f", {self.meaning} {self.score:.4f}" if self.score > -inf else ""
        gap = f", gap {self.optimality_gap:.4f}" if self.optimality_gap else ""
        return f"<Parse {self.tree.id}: {self.status}{reason}{score}{gap}>".replace(" :", ":")

    def safe_tree(self, least: float) -> Tree:
        """Return the tree without the constituents that are not probable enough.

        Their children go to their mothers. The root stays. If nothing is known about a parse, no
        constituent is safe; a tree that is not a parse stays as it is.

        Parameters
        ----------
        least : float
            The least probability of the constituents that stay.

        Raises
        ------
        InputError
            If the posteriors were not asked for.
        """
        if self.posteriors is None:
            raise InputError("the posteriors are missing: parse with posteriors=True")
        if self.status != "parsed":
            return self.tree
        tree = self.tree.copy()
        nodes = tree.nodes()
        chances = [each.probability for each in self.posteriors] or [0.0] * len(nodes)
        unsafe = {node for node, chance in zip(nodes, chances, strict=True) if chance < least}
        return remove_constituents.in_place(tree, unsafe.__contains__)

    def pretty(self) -> str:
        """Return the tree drawn as text."""
        return self.tree.pretty()

    def _repr_svg_(self) -> str:
        """Return the picture of the tree for a notebook."""
        return self.tree._repr_svg_()


def held(parse: Parse, fixed: Fixed | None) -> Parse:
    """Return a parse with all that is fixed of its tree, even if its parser could not find it."""
    if fixed is None:
        return parse
    tree = fixed.hold(parse.tree)
    constituents = constituents_of(tree)
    if constituents == constituents_of(parse.tree):
        return replace(parse, tree=tree)
    posteriors = parse.posteriors
    if posteriors:
        known = {(each.category, each.positions): each for each in posteriors}
        names = [(category, tuple(positions(span))) for category, span in constituents]
        posteriors = [known.get(each, Posterior(*each, 1.0)) for each in names]
    return replace(
        parse,
        tree=tree,
        score=-inf,
        derivation=None,
        optimality_gap=None,
        posteriors=posteriors,
    )


def constituents_of(tree: Tree) -> list[Constituent]:
    """Return the constituents of a tree, mothers before their children."""
    spans = tree.yields()
    return [(node.category, spans[node]) for node in tree.nodes()]


def describe_gap(gap: float) -> str:
    """Return in words what a gap above 0 says about a parse.

    Examples
    --------
    >>> describe_gap(0.25)
    'not proven to be the best: a better parse would be at most 0.25 nats better'
    """
    better = "nothing is known about better parses"
    if gap < inf:
        better = f"a better parse would be at most {gap:.2g} nats better"
    return f"not proven to be the best: {better}"


def chances_of(trees: Iterable[tuple[float, Tree]]) -> dict[Constituent, float]:
    """Return the chance of each constituent, given trees of one sentence with their chances.

    Parameters
    ----------
    trees : iterable of (float, Tree)
        The chances add up to at most 1.

    Examples
    --------
    >>> tree = Tree.from_string("(ROOT (S (NP (NNS 0=Dogs)) (VP (VBP 1=bark))))")
    >>> chances_of([(0.75, tree)])
    {('ROOT', 3): 0.75, ('S', 3): 0.75, ('NP', 1): 0.75, ('VP', 2): 0.75}
    """
    chances: dict[Constituent, float] = defaultdict(float)
    for chance, tree in trees:
        spans = tree.yields()
        for constituent in dict.fromkeys((node.category, spans[node]) for node in tree.nodes()):
            chances[constituent] += chance
    return dict(chances)


def shares_of(scores: Sequence[float], temperature: float) -> list[float]:
    """Return how much each parse of an n-best list counts.

    The shares are proportional to the exponentials of the scores, divided by a temperature.

    Parameters
    ----------
    scores : sequence of float
        At least one; higher is better.
    temperature : float
        In the unit of the scores, more than 0; 1 for the natural logarithms of probabilities.

    Returns
    -------
    list of float
        They add up to 1.

    Examples
    --------
    >>> [round(share, 2) for share in shares_of([300.0, 250.0, 100.0], 50.0)]
    [0.72, 0.27, 0.01]
    """
    weights = np.exp((np.array(scores) - max(scores)) / temperature)
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares
