"""What becomes of a sentence: a parse, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from plcfrs.binarize import restore_tree
from plcfrs.chart import Statistics
from plcfrs.extract import rebuild
from plcfrs.grammar import Derivation
from plcfrs.transform import remove_splits
from plcfrs.trees import Token, Tree

Status = Literal[
    "parsed", "no parse", "out of items", "out of time", "unknown word", "unknown tag", "empty"
]

Sentence = Sequence[str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Parse:
    """What became of a sentence.

    Parameters
    ----------
    tree : Tree
        The parse without intermediate nodes and splits, or a flat NOPARSE tree.
    status : str
        "parsed", "no parse", "unknown word", "unknown tag" or "empty"; "out of items" or "out of
        time" if the budget was used up: the tree is then the best one found, not proven to
        be the best of all, or NOPARSE.
    reason : str
        The unknown word or tag.
    cost : float
        ``-log p`` (natural logarithm) of the derivation; infinite without a parse. With a refined
        grammar, see `RefinedParser.parse`.
    derivation : Derivation or None
        Of the unbinarized grammar.
    statistics : Statistics
    lost_mass : float
        With ``objective="mcp"``, how much of the probability of all derivations the forest may
        lack, as a fraction, at the most.
    """

    tree: Tree
    status: Status
    reason: str = ""
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0

    @property
    def log_probability(self) -> float:
        """Natural logarithm of the probability of the derivation."""
        return -self.cost


def tokens_of(sentence: Sentence) -> list[Token]:
    """Return the tokens of a sentence, without tags where it has none."""
    return [Token(word, "") if isinstance(word, str) else Token(*word) for word in sentence]


def printed_tree(derivation: Derivation, tokens: list[Token], sentence: str) -> Tree:
    """Return the tree of a derivation, as it is printed."""
    return restore_tree(remove_splits(rebuild(derivation, _tagged(tokens, derivation), sentence)))


def _tagged(tokens: list[Token], derivation: Derivation) -> list[Token]:
    """Return the tokens with the tags of a derivation."""
    tags = [node.nonterminal.category for node in derivation.bottom_up() if not node.children]
    return [
        replace(token, tag=tags[leaf])
        for token, leaf in zip(tokens, derivation.order(), strict=True)
    ]
