"""Beam search and learning against plain Python, weight by weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.transition_features import key
from naive.transition_search import Learner
from prepared import prepared_trees, system_name
from quick import core, examples
from walks import KINDS, name_of
from weights_by_key import learned_weights

from plcfrs.learning.weights import enlarge_weights, new_weights
from plcfrs.parsers.transition.features import (
    TransitionVocabulary,
    compile_templates,
    enlarge_search,
    for_sentence,
    new_search,
)
from plcfrs.parsers.transition.gap import CompoundGap
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.beam import find_violation, parse, trace, update
from plcfrs.parsers.transition.system import Kind, Transition

each_system = core(1, "system", KINDS, ids=system_name)
TEMPLATES = {
    "gap": ["q0w", "d0cs0c", "s0ws1c", "d0cw_ls0w_r", "d1cs0lw"],
    "skipshift": ["q0w", "s0cs1c", "s0ws2c", "s0xs1y", "s0lw", "q*w"],
}
HUGE = 100_000


class Both:
    """The kernels and the naive learner, learning from the same sentences."""

    def __init__(self, system, trees, beam, how="early", importance=1):
        name = name_of(system)
        if name == "cgap":
            gaps = [each.count for tree in trees for each in system.oracle(tree)]
            system = CompoundGap(max(gaps, default=0))
        self.how, self.importance = how, importance
        derivations = [system.oracle(tree) for tree in trees]
        self.vocabulary = TransitionVocabulary.of(
            [tree.tokens for tree in trees], system.inventory(derivations)
        )
        texts = TEMPLATES["gap" if name in ("gap", "cgap") else "skipshift"]
        self.naive = Learner(system, self.vocabulary, texts, beam)
        self.actions = self.vocabulary.compile(is_left=getattr(system, "order", "") == "left")
        self.templates = compile_templates(texts, is_split=name in ("gap", "cgap"))
        self.search = new_search(self.actions, self.templates, beam)
        self.weights = new_weights(len(self.actions.kind), 4, 4)
        idle = [Transition(Kind.IDLE)] if name != "cgap" else []
        self.examples = [
            (tree.tokens, [*derivation, *idle])
            for tree, derivation in zip(trees, derivations, strict=True)
        ]

    def start(self, tokens):
        words_and_tags = self.vocabulary.words_and_tags(tokens)
        self.search = for_sentence(self.search, self.templates, *words_and_tags)

    def learn(self, tokens, gold):
        """Let the kernels learn a sentence, and return whether an update was necessary."""
        self.start(tokens)
        numbers = np.array([self.vocabulary.number[each] for each in gold], np.int32)
        while find_violation(*self.model(), numbers, self.how == "early") != arrays.DONE:
            self.search = enlarge_search(self.search)
        is_mistake = self.search.counters[arrays.GOLD] != self.search.counters[arrays.BEST]
        while update(*self.model(), 0.0, float(self.importance)) != arrays.DONE:
            self.weights = enlarge_weights(self.weights)
        return bool(is_mistake)

    def parse(self, tokens):
        """Return the transitions of the best derivation of the kernels, and its score."""
        self.start(tokens)
        while parse(*self.model()) != arrays.DONE:
            self.search = enlarge_search(self.search)
        best = self.search.states[self.search.counters[arrays.BEST]]
        numbers, scores = np.zeros(best["steps"], np.int32), np.zeros(best["steps"])
        trace(self.search, self.search.counters[arrays.BEST], numbers, scores)
        assert scores.sum() == best["score"]
        return [self.vocabulary.actions[number] for number in numbers], best["score"]

    def model(self):
        return self.actions, self.templates, self.weights, self.search

    def kernel_weights(self):
        return {
            (key, self.vocabulary.actions[action]): value
            for (key, action), value in learned_weights(self.weights).items()
            if value != 0
        }

    def naive_weights(self):
        seeds = {}
        for texts, numbers, factors in (
            (
                [text for text in self.naive.templates if "*" not in text],
                self.templates.seeds,
                self.templates.factors,
            ),
            (
                [text for text in self.naive.templates if "*" in text],
                self.templates.queue_seeds,
                self.templates.queue_factors,
            ),
        ):
            seeds |= dict(zip(texts, zip(numbers, factors, strict=True), strict=True))
        return {
            (key(text, *seeds[text], values), transition): float(weight)
            for ((text, values), transition), weight in self.naive.weights.items()
            if weight != 0
        }


def check_learning(system, trees, beam, how="early", importance=1):
    both = Both(system, trees, beam, how, importance)
    for _ in range(3):
        for tokens, gold in both.examples:
            is_mistake = both.learn(tokens, gold)
            assert is_mistake == both.naive.learn(tokens, gold, how, importance)
            assert both.kernel_weights() == both.naive_weights()
            transitions, score = both.parse(tokens)
            best = both.naive.search(tokens)[0]
            assert (transitions, score) == (best.transitions, best.score)


@each_system
@examples(10)
@given(
    trees=st.lists(prepared_trees(5), min_size=1, max_size=3),
    beam=st.sampled_from([1, 2, 3, 8]),
    how=st.sampled_from(["early", "max-violation"]),
    importance=st.sampled_from([1, 2]),
)
def test_learning_and_parsing_are_those_of_plain_python(system, trees, beam, how, importance):
    check_learning(system, trees, beam, how, importance)


@pytest.mark.full
@each_system
@examples(5)
@given(trees=st.lists(prepared_trees(3), min_size=1, max_size=2))
def test_with_a_beam_for_all_nothing_is_missed(system, trees):
    check_learning(system, trees, HUGE)
