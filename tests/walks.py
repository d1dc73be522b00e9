"""Walks through the kernels' states and the configurations of the reference at once."""

from prepared import SYSTEMS

from plcfrs.parsers.transition.features import (
    TransitionVocabulary,
    compile_templates,
    enlarge_search,
    for_sentence,
    new_search,
)
from plcfrs.parsers.transition.kernel.legality import find_legal
from plcfrs.parsers.transition.kernel.states import apply, begin
from plcfrs.parsers.transition.model import build_tree
from plcfrs.trees.labels import labels_of_chain

# The kernels know only two kinds of orders: left and others.
KINDS = [system for system in SYSTEMS if getattr(system, "order", "left") in ("left", "rightd")]


class Walk:
    """A state of the kernels and the corresponding configuration of the reference."""

    def __init__(self, system, transitions, tokens, templates=("s0w",)):
        self.system, name = system, name_of(system)
        self.vocabulary = TransitionVocabulary.of([tokens], transitions)
        self.actions = self.vocabulary.compile(is_left=getattr(system, "order", "") == "left")
        is_split = name in ("gap", "cgap")
        self.templates = compile_templates(templates, is_split=is_split)
        search = new_search(self.actions, self.templates, 8)
        words_and_tags = self.vocabulary.words_and_tags(tokens)
        self.search = for_sentence(search, self.templates, *words_and_tags)
        while len(self.search.stack) < 40 * len(tokens) ** 2:
            self.search = enlarge_search(self.search)
        self.tokens = tokens
        self.state = begin(self.search)
        self.configuration = system.initial(len(tokens))
        self.past = []

    def legal(self):
        ranges = self.search.legal[: find_legal(self.actions, self.search, self.state)]
        found = [self.vocabulary.actions[n] for start, end in ranges for n in range(start, end)]
        assert len(set(found)) == len(found)
        return set(found)

    def legal_in_reference(self):
        known = self.vocabulary.transitions
        return {each for each in known if self.system.legal(self.configuration, each)}

    def go(self, transition):
        number = self.vocabulary.number[transition]
        self.state = apply(self.actions, self.search, self.state, number, 0.0)
        self.configuration = self.system.apply(self.configuration, transition)
        self.past.append(transition)

    def is_final(self):
        return bool(self.search.states[self.state]["is_final"])

    def tree(self):
        symbols = self.vocabulary.symbols.items()
        chains = {number: labels_of_chain(label) for number, (label, _) in symbols}
        return build_tree(self.search, self.state, self.tokens, chains)


def name_of(system):
    return {"Gap": "gap", "CompoundGap": "cgap", "Swap": "swap", "SkipShift": "skipshift"}[
        type(system).__name__
    ]
