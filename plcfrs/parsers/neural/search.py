"""The search for derivations, which knows no network: its scores come from a `SetScorer`.

It parses many sentences in lockstep, so one call scores the candidates of all of them. Labels never
influence the structure; the search chooses them at the end, for the sets that it built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from plcfrs.parsers.neural.configuration import (
    SHIFT,
    CombineSets,
    Configuration,
    LabelFocus,
    NoLabel,
    SetState,
    Shift,
    Transition,
    narrowed,
    slots,
)
from plcfrs.parsers.neural.held_sets import HeldSets
from plcfrs.stopping import until_stopped
from plcfrs.trees import Fixed
from plcfrs.trees.labels import is_axiom
from plcfrs.trees.tree import runs

Int32 = NDArray[np.int32]
Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]


class SetScorer(Protocol):
    """Scores the choices in a batch of sentences.

    Token t of sentence j has the number ``sum(lengths[:j]) + t`` in `slots`; -1 stands for no gap.
    """

    def structure(self, rows: Int32) -> Float32:
        """Return unnormalised scores of candidates, from rows of (candidates, 8).

        A row has the slots of a set, then the slots of the focus. The set is the next token for
        SHIFT, or a set to combine with the focus. Only the next token is to the right of the focus.
        """

    def labels(self, rows: Int32) -> Float32:
        """Return unnormalised scores (sets, labels) from slots; column 0 is NO-LABEL."""


class Choice(NamedTuple):
    """The options of a state, and the logarithms of their probabilities."""

    options: tuple[int, ...]
    scores: list[float]


class SetBatch:
    """Sentences of these lengths, parsed in lockstep, with what is fixed of their trees."""

    def __init__(
        self, lengths: Sequence[int], scorer: SetScorer, fixed: Sequence[Fixed | None] = ()
    ) -> None:
        self.lengths = lengths
        self.scorer = scorer
        self._held = {
            place: HeldSets(each, lengths[place]) for place, each in enumerate(fixed) if each
        }
        self.offsets = np.cumsum([0, *lengths], dtype=np.int32)

    def choices(
        self, states: Sequence[tuple[int, SetState]], noise: np.random.Generator | None = None
    ) -> list[Choice]:
        """Return the options of states, given with the numbers of their sentences, and the scores.

        A single option has the score 0 and needs no scorer. With noise, the best option is a sample
        from the softmax of all (Gumbel 1954).
        """
        options = [self._options(sentence, state) for sentence, state in states]
        choices = [Choice(each, [0.0]) for each in options]
        open_places = [place for place, each in enumerate(options) if len(each) > 1]
        if not open_places:
            return choices
        counts = [len(options[place]) for place in open_places]
        focuses = self._rows(
            [(states[place][0], (states[place][1].focus,)) for place in open_places]
        )
        rows = np.empty((sum(counts), 8), np.int32)
        rows[:, :4] = self._rows([(states[place][0], options[place]) for place in open_places])
        rows[:, 4:] = np.repeat(focuses, counts, axis=0)
        scores = _log_softmax(self.scorer.structure(rows), counts)
        if noise is not None:
            scores += noise.gumbel(size=len(scores))
        values, end = scores.tolist(), 0
        for place, count in zip(open_places, counts, strict=True):
            choices[place] = Choice(options[place], values[end : end + count])
            end += count
        return choices

    def _options(self, sentence: int, state: SetState) -> tuple[int, ...]:
        options = state.options(self.lengths[sentence])
        held = self._held.get(sentence)
        return held.options(state, options) if held else options

    def label_scores(self, sets: Sequence[Sequence[int]], labels: Sequence[str]) -> Float64:
        """Return the natural log probabilities of all labels, as an array of (sets, labels)."""
        is_full = [
            mask.bit_count() == length
            for length, masks in zip(self.lengths, sets, strict=True)
            for mask in masks
        ]
        rows = self._rows(list(enumerate(sets)))
        scores: Float64 = self.scorer.labels(rows).astype(np.float64)
        is_top = [is_axiom(label) for label in labels]
        scores[np.not_equal.outer(is_full, is_top)] = -np.inf
        self._hold_labels(scores, sets, labels)
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        return scores

    def _hold_labels(
        self, scores: Float64, sets: Sequence[Sequence[int]], labels: Sequence[str]
    ) -> None:
        """Forbid the labels of sets that break more of what is fixed than others."""
        starts = np.cumsum([0, *map(len, sets)])
        for sentence, held in self._held.items():
            for row, mask in zip(scores[starts[sentence] :], sets[sentence], strict=False):
                broken = held.broken(mask, labels)
                if broken is not None:
                    row[broken > broken[row > -np.inf].min()] = -np.inf

    def _rows(self, sets: Sequence[tuple[int, Sequence[int]]]) -> Int32:
        """Return the slots of sets of some sentences; token numbers run through the batch."""
        masks = chain.from_iterable(masks for _, masks in sets)
        rows = np.fromiter(chain.from_iterable(map(slots, masks)), np.int32).reshape(-1, 4)
        sentences = np.repeat(
            np.array([sentence for sentence, _ in sets], np.int32),
            [len(masks) for _, masks in sets],
        )
        rows += self.offsets[sentences][:, None] * (rows >= 0)
        return rows


def _log_softmax(scores: Float32, counts: Sequence[int]) -> Float64:
    """Return the logarithms of probabilities of groups with these numbers of candidates."""
    starts = np.cumsum([0, *counts[:-1]])
    exact: Float64 = scores.astype(np.float64)
    exact -= np.repeat(np.maximum.reduceat(exact, starts), counts)
    exact -= np.repeat(np.log(np.add.reduceat(np.exp(exact), starts)), counts)
    return exact


class SetDerivation(NamedTuple):
    """A derivation; each field has 2n - 1 elements, one for each pair of steps.

    A step is `SHIFT` or the first token of the set that combines with the focus. A set is the focus
    after a step, and label 0 is NO-LABEL. Scores are natural logarithms of probabilities, and 0 if
    there is no choice.
    """

    steps: list[int]
    sets: list[int]
    labels: list[int]
    step_scores: list[float]
    label_scores: list[float]

    @property
    def constituents(self) -> dict[int, int]:
        """The sets with labels, and the numbers of the labels."""
        return {mask: label for mask, label in zip(self.sets, self.labels, strict=True) if label}

    def named(self, labels: Sequence[str]) -> dict[int, str]:
        """Return the labels of these sets."""
        return {mask: labels[number] for mask, number in self.constituents.items()}

    @property
    def log_probability(self) -> float:
        """Natural logarithm of the probability of all steps."""
        return sum(self.step_scores) + sum(self.label_scores)


class _Item(NamedTuple):
    """A derivation in the making."""

    state: SetState
    step: int
    step_score: float
    total: float  # of the scores of all steps so far
    before: _Item | None


class Found(NamedTuple):
    """What the search finds for a sentence.

    Parameters
    ----------
    derivations : list of SetDerivation
    sets : list of int
        All sets of the derivations.
    label_scores : float64 array (sets, labels)
        The natural log probabilities of all labels of each set.
    """

    derivations: list[SetDerivation]
    sets: list[int]
    label_scores: Float64


def search(
    lengths: Sequence[int],
    scorer: SetScorer,
    labels: Sequence[str],
    beam: int = 1,
    fixed: Sequence[Fixed | None] = (),
) -> list[Found]:
    """Return up to `beam` derivations of each sentence, given the numbers of tokens.

    The best come first, by their structure steps; several can give the same tree. The labels are in
    the order of the scorer (see `inventory`). Only whole sentences get labels that begin with ROOT.
    All derivations have the sets that are fixed of a sentence.
    """
    batch = SetBatch(lengths, scorer, fixed)
    beams = [[_Item(SetState(), 0, 0.0, 0.0, None)] for _ in lengths]
    for number in until_stopped(range(2 * max(lengths, default=0) - 1)):
        active = [place for place, length in enumerate(lengths) if number < 2 * length - 1]
        items = [(place, item) for place in active for item in beams[place]]
        choices = iter(batch.choices([(place, item.state) for place, item in items]))
        for place in active:
            beams[place] = _best([(item, next(choices)) for item in beams[place]], beam)
    histories = [[_history(item) for item in items] for items in beams]
    sets = [
        list(dict.fromkeys(item.state.focus for history in each for item in history))
        for each in histories
    ]
    scores = batch.label_scores(sets, labels)
    ends = np.cumsum(list(map(len, sets)), dtype=np.int64)[:-1]
    return [_found(*each) for each in zip(histories, sets, np.split(scores, ends), strict=False)]


def chances_of_sets(found: Found) -> Float64:
    """Return the probabilities of all labels of each set (sets, labels), over all derivations.

    If only some derivations build a set, its probabilities add up to less than 1. The labels of a
    set do not depend on how it was built.
    """
    scores = np.array([sum(each.step_scores) for each in found.derivations])
    shares = np.exp(scores - scores.max())
    share_of = dict.fromkeys(found.sets, 0.0)
    for derivation, share in zip(found.derivations, (shares / shares.sum()).tolist(), strict=True):
        for mask in dict.fromkeys(derivation.sets):
            share_of[mask] += share
    chances: Float64 = np.exp(found.label_scores)
    chances *= np.array([*share_of.values()])[:, None]
    return chances


def sample(
    lengths: Sequence[int],
    scorer: SetScorer,
    random: np.random.Generator,
    golds: Sequence[Mapping[int, str]] | None = None,
    follow: float = 1.0,
) -> list[list[int]]:
    """Return the structure steps of a random derivation of each sentence.

    A step is drawn from the softmax of its candidates with the probability `follow` (Coavoux and
    Cohen 2019 draw all steps); otherwise the dynamic oracle chooses it (Goldberg and Nivre 2013).
    """
    batch = SetBatch(lengths, scorer)
    states = [SetState() for _ in lengths]
    reachable = [sorted(gold) for gold in golds or ()]
    steps: list[list[int]] = [[] for _ in lengths]
    for number in range(2 * max(lengths, default=0) - 1):
        active = [place for place, length in enumerate(lengths) if number < 2 * length - 1]
        choices = batch.choices([(place, states[place]) for place in active], random)
        for place, (options, scores) in zip(active, choices, strict=True):
            state = states[place]
            option = options[scores.index(max(scores))]
            if golds and random.random() >= follow:
                option = state.right_option(reachable[place])
            steps[place].append(state.step(option))
            states[place] = state.after(option)
            if golds:
                reachable[place] = narrowed(reachable[place], states[place].focus)
    return steps


def _best(choices: Sequence[tuple[_Item, Choice]], beam: int) -> list[_Item]:
    """Return the best items after a step."""
    if beam == 1:
        ((item, (options, scores)),) = choices
        score = max(scores)
        successors = [(item.total + score, score, item, options[scores.index(score)])]
    else:
        successors = [
            (item.total + score, score, item, option)
            for item, (options, scores) in choices
            for option, score in zip(options, scores, strict=True)
        ]
        successors.sort(key=itemgetter(0), reverse=True)
    return [
        _Item(item.state.after(option), item.state.step(option), score, total, item)
        for total, score, item, option in successors[:beam]
    ]


def _history(item: _Item) -> list[_Item]:
    """Return the items of a derivation in order, without the first one, which has no sets."""
    found = []
    while item.before is not None:
        found.append(item)
        item = item.before
    return found[::-1]


def _found(histories: Sequence[Sequence[_Item]], sets: list[int], scores: Float64) -> Found:
    """Return derivations with the best label of each set."""
    best_labels = zip(scores.argmax(1).tolist(), scores.max(1).tolist(), strict=True)
    best = dict(zip(sets, best_labels, strict=True))
    return Found([_derivation(each, best) for each in histories], sets, scores)


def _derivation(history: Sequence[_Item], best: Mapping[int, tuple[int, float]]) -> SetDerivation:
    sets = [item.state.focus for item in history]
    return SetDerivation(
        [item.step for item in history],
        sets,
        [best[mask][0] for mask in sets],
        [item.step_score for item in history],
        [best[mask][1] for mask in sets],
    )


# The most sets of the memory to show, and words of a run of tokens.
_SHOWN_SETS, _SHOWN_WORDS = 4, 4


def transitions_of(derivation: SetDerivation, labels: Sequence[str]) -> list[Transition]:
    """Return the transitions of a derivation from `search`."""
    transitions: list[Transition] = []
    for step, label in zip(derivation.steps, derivation.labels, strict=True):
        transitions.append(Shift() if step == SHIFT else CombineSets(step))
        transitions.append(LabelFocus(labels[label]) if label else NoLabel())
    return transitions


def show(configuration: Configuration, words: Sequence[str]) -> dict[str, str]:
    """Return the focus and the memory as text, with the newest sets at the end.

    A labelled set shows its label before its words. ``...`` stands for a gap, and ``..`` for the
    words inside a long run.

    >>> from plcfrs.parsers.neural.configuration import run
    >>> from plcfrs.parsers.neural.oracle import static_oracle
    >>> derivation = static_oracle({0b111: "ROOT+SQ", 0b101: "VP"}, 3)
    >>> for after in run(derivation, 3)[7:10]:
    ...     print(show(after, ["What", "we", "do"]))
    {'focus': '{What ... do}', 'memory': '{we}'}
    {'focus': 'VP{What ... do}', 'memory': '{we}'}
    {'focus': '{What we do}', 'memory': ''}
    """
    labels = dict(configuration.constituents)

    def text(tokens: int) -> str:
        parts = (_shortened(words[left:right]) for left, right in runs(tokens))
        return f"{labels.get(tokens, '')}{{{' ... '.join(parts)}}}"

    memory, focus = configuration.memory, configuration.focus
    dots = [".."] * (len(memory) > _SHOWN_SETS)
    return {
        "focus": text(focus) if focus else "",
        "memory": " ".join([*dots, *map(text, memory[-_SHOWN_SETS:])]),
    }


def _shortened(words: Sequence[str]) -> str:
    """Return words as text; a long run is shortened."""
    return " ".join(words) if len(words) <= _SHOWN_WORDS else f"{words[0]} .. {words[-1]}"
