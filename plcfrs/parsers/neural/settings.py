"""The settings of a neural parser and its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plcfrs.forest.forests import MarkovizationSettings
from plcfrs.networks.encoding import ENOUGH_TREES, NetworkSettings, UsualSizes
from plcfrs.settings import setting

Heads = Literal["both", "transitions", "spans"]

WIDEST_BEAM = 1_000

_USUAL = {
    "both": UsualSizes(epochs=12, batch=16, recurrent_size=200),
    "transitions": UsualSizes(epochs=40, batch=32, recurrent_size=150),
    "spans": UsualSizes(epochs=18, batch=24, recurrent_size=200),
}


@dataclass(frozen=True)
class NeuralSettings(NetworkSettings, MarkovizationSettings):
    """Settings of a neural parser and its training.

    Parameters
    ----------
    heads : {"both", "transitions", "spans"}
        The spans need a grammar; transitions alone have none.
    tags : {"given", "own"}
    oracle : {"static", "dynamic"}
        What the transitions learn from: only the derivations of the trees, or also derivations that
        the network samples, with the actions of the dynamic oracle.
    explored : {"sentences", "steps"}
        What the network samples with the probability `exploration`: all steps of a sentence, as in
        Coavoux and Cohen (2019), or each step, as in Goldberg and Nivre (2013).
    exploration : float
    beam : int
    gap_bonus : float
    span_size : int
        Units of the hidden layer of the head of spans.

    Raises
    ------
    InputError
        If a value is not possible.

    Examples
    --------
    >>> NeuralSettings(heads="transitions").schedule(3000)
    (40, 32)
    """

    heads: Heads = setting(
        "both",
        "What the network predicts: the transitions of a set-based parser, the scores of spans in "
        "the forest of a grammar, or both.",
    )
    tags: Literal["given", "own"] = setting(
        "own",
        "The tags: own, which the same network predicts from the words; or given, as in the "
        "trees, as an input of the network.",
    )
    oracle: Literal["static", "dynamic"] = setting(
        "dynamic",
        "Learn transitions from the derivations of the trees (static), or also from derivations "
        "that the network samples (dynamic).",
    )
    explored: Literal["sentences", "steps"] = setting(
        "sentences", "What the dynamic oracle samples: whole derivations, or single steps."
    )
    exploration: float = setting(
        0.15, "The probability of a sample.", least=0, most=1, fraction=True
    )
    beam: int = setting(1, "Number of derivations to keep at each step.", least=1, most=WIDEST_BEAM)
    # The score of a constituent with a gap is the sum over its parts, and each part is rare. The
    # default was chosen on the parts `dev` of MASC and CRAFT.
    gap_bonus: float = setting(
        2.0,
        "What a constituent with a gap scores in addition to its spans; without a bonus, parsers "
        "with both heads find too few.",
        least=0,
        fraction=True,
    )
    epochs: int | None = setting(
        None,
        "Number of passes over all trees; by default 12, with transitions alone 40, with spans "
        f"alone 18, and more for fewer than {ENOUGH_TREES:,} trees.",
        least=1,
        stored=False,
    )
    batch: int | None = setting(
        None,
        "Number of sentences in a batch; by default 16, with transitions alone "
        f"32, with spans alone 24, and fewer for fewer than {ENOUGH_TREES:,} trees.",
        least=1,
    )
    span_size: int = 250

    @property
    def usual(self) -> UsualSizes:
        """The sizes for these heads, where a setting is None."""
        return _USUAL[self.heads]

    @property
    def has_transitions(self) -> bool:
        """Whether the network predicts transitions."""
        return self.heads != "spans"

    @property
    def has_spans(self) -> bool:
        """Whether the network scores spans in the forest of a grammar."""
        return self.heads != "transitions"
