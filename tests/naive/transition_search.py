"""Beam search and the structured perceptron on configurations of the reference, in plain Python."""

from collections import Counter
from typing import Any, NamedTuple

from naive.transition_features import Features
from plcfrs.parsers.transition.system import Kind


class Item(NamedTuple):
    """A configuration, its score, and each step to it: the features there and the transition."""

    configuration: Any
    score: float
    steps: tuple

    @property
    def transitions(self):
        return [transition for _, transition in self.steps]


class Learner:
    """A parser that keeps its weights in a dictionary.

    Parameters
    ----------
    system : System
    vocabulary : TransitionVocabulary
    templates : list of str
    beam : int
    """

    def __init__(self, system, vocabulary, templates, beam):
        self.system, self.vocabulary, self.templates = system, vocabulary, templates
        self.beam = beam
        self.weights = Counter()
        self.stops_at_best = system.name in ("swap", "skipshift")

    def search(self, tokens):
        """Return the final beam, the best first."""
        beam = [self.first(tokens)]
        while not self.is_over(beam):
            beam = self.successors(beam, tokens)
        return beam

    def first(self, tokens):
        return Item(self.system.initial(len(tokens)), 0, ())

    def is_over(self, beam):
        considered = beam[:1] if self.stops_at_best else beam
        return all(self.system.is_final(item.configuration) for item in considered)

    def successors(self, beam, tokens):
        found = [
            self.step(item, transition, tokens)
            for item in beam
            for transition in self.vocabulary.actions
            if self.system.legal(item.configuration, transition)
        ]
        return sorted(found, key=lambda item: -item.score)[: self.beam]

    def step(self, item, transition, tokens):
        features = self.features(item, tokens)
        score = sum(self.weights[feature, transition] for feature in features)
        after = self.system.apply(item.configuration, transition)
        return Item(after, item.score + score, (*item.steps, (features, transition)))

    def features(self, item, tokens):
        words, tags = (
            list(map(int, each[1:-1])) for each in self.vocabulary.words_and_tags(tokens)
        )
        symbols = {symbol: number for number, symbol in self.vocabulary.symbols.items()}
        configuration = item.configuration
        stack = configuration.stack
        if getattr(configuration, "result", None):
            stack = (configuration.result,)  # the kernel leaves it on the stack
        deque = getattr(configuration, "deque", ())
        queue = configuration.buffer if hasattr(configuration, "buffer") else configuration.queue
        seen = Features(stack[::-1], deque[::-1], queue, words, tags, symbols)
        return [(text, values) for text in self.templates for values in seen.values(text)]

    def violation(self, tokens, gold, update):
        """Return the items to punish and to reward, None if the best is the gold one.

        With early update, at the step where the gold item is lost, or at the end; with
        max-violation, where it is behind by most.
        """
        beam = [self.first(tokens)]
        right = beam[0]
        pairs = []
        while not self.is_over(beam):
            number = min(len(right.steps), len(gold) - 1)
            right = self.step(right, gold[number], tokens)
            beam = self.successors(beam, tokens)
            pairs.append((beam[0], right))
            if update == "early" and all(right.transitions != item.transitions for item in beam):
                break
        if beam[0].transitions == right.transitions:
            return None
        if update == "early":
            return pairs[-1]
        return max(reversed(pairs), key=lambda pair: pair[0].score - pair[1].score)

    def learn(self, tokens, gold, update="early", importance=1):
        """Update the weights, and return whether that was necessary."""
        violation = self.violation(tokens, gold, update)
        if violation is None:
            return False
        wrong, right = violation
        common = 0
        while wrong.steps[common][1] == right.steps[common][1]:
            common += 1
        for bad, good in zip(wrong.steps[common:], right.steps[common:], strict=True):
            change = importance if reorders(bad[1]) or reorders(good[1]) else 1
            for features, transition, sign in ((*good, 1), (*bad, -1)):
                for feature in features:
                    self.weights[feature, transition] += sign * change
        return True


def reorders(transition):
    """Whether a transition swaps or skips tokens."""
    is_skip = transition.kind == Kind.SKIPSHIFT and transition.count > 0
    return transition.kind == Kind.SWAP or is_skip
