"""What becomes of a sentence: a parse, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from plcfrs.binarization import restore_tree
from plcfrs.chart import Statistics
from plcfrs.errors import InputError
from plcfrs.extraction import rebuild
from plcfrs.grammar import Derivation
from plcfrs.notebook import picture
from plcfrs.transformation import remove_splits
from plcfrs.trees import Token, Tree

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

Tags = str | Mapping[str, float]
"""The tag of a word, or several tags with their costs (``-log p``, natural logarithm)."""

Fallback = Literal["none", "flat", "partial"]
"""What to do with a sentence that has no parse; see `GrammarParser`."""

Sentence = Sequence[str] | Sequence[tuple[str, Tags]]

Tagger = Callable[[list[str]], Sequence[Tags]]
"""Gets the words of a sentence, returns the tags of each."""


@dataclass(frozen=True, slots=True)
class Parse:
    """What became of a sentence.

    Parameters
    ----------
    tree : Tree
        The parse without intermediate nodes and splits; without one, a node NOPARSE below ROOT,
        over the tokens or the constituents that cover them.
    status : str
        "parsed", "no parse", "unknown word", "unknown tag" or "empty"; "out of items", "out of
        time" or "out of memory" if the budget was used up: the tree is then the best one found,
        not proven to be the best of all, or NOPARSE. "crashed" if the process that
        parsed it died, or an error was raised that should not be (see `parse_corpus`).
    reason : str
        The unknown word or tag, or how the process died.
    cost : float
        ``-log p`` (natural logarithm) of the derivation; infinite without a parse. With a refined
        grammar, see `RefinedParser.parse`.
    derivation : Derivation or None
        Of the unbinarized grammar.
    statistics : Statistics
    lost_mass : float
        With ``objective="mcp"``, how much of the probability of all derivations the forest may
        lack, as a fraction, at the most.
    fallback : {"none", "flat", "partial"}
        What was done without a parse, see `GrammarParser`; "none" also with a parse.
    """

    tree: Tree
    status: Status
    reason: str = ""
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0
    fallback: Fallback = "none"

    @property
    def log_probability(self) -> float:
        """Natural logarithm of the probability of the derivation."""
        return -self.cost

    def _repr_svg_(self) -> str:
        """Return the picture of the tree for a notebook."""
        return picture(self.tree)


def tokens_of(sentence: Sentence) -> list[Token]:
    """Return the tokens of a sentence, without tags where it has none."""
    return [Token(word, tags if isinstance(tags, str) else "") for word, tags in _pairs(sentence)]


def tags_of(sentence: Sentence) -> list[Mapping[str, float]] | None:
    """Return the tags of each word with their costs, or None if a word has no tag.

    Raises
    ------
    InputError
        If a cost is not a number from 0 on.
    """
    pairs = _pairs(sentence)
    if not all(tags for _, tags in pairs):
        return None
    tagged = [{tags: 0.0} if isinstance(tags, str) else tags for _, tags in pairs]
    for tags in tagged:
        for name, cost in tags.items():
            if not 0.0 <= cost < inf:
                raise InputError(f"tag {name}: the cost {cost} is not a number from 0 on")
    return tagged


def tagged_by(tagger: Tagger, sentence: Sentence) -> Sentence:
    """Return the words of a sentence with the tags that a tagger has for them.

    Raises
    ------
    InputError
        If these are more or fewer than the words.
    """
    words = [word for word, _ in _pairs(sentence)]
    tags = tagger(words)
    if len(tags) != len(words):
        raise InputError(
            f"the tagger has tags for {len(tags)} words, the sentence has {len(words)}"
        )
    return list(zip(words, tags, strict=True))


def _pairs(sentence: Sentence) -> list[tuple[str, Tags]]:
    return [(word, "") if isinstance(word, str) else word for word in sentence]


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
