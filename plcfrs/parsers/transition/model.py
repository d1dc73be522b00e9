"""The family of transition parsers: beam search with averaged weights, trees, explanations.

An explanation has the transitions step by step, with scores that add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.kernel.arrays import Averages
from plcfrs.learning.sequences import Tagger
from plcfrs.learning.weights import count_averages, weights_of
from plcfrs.parsers.transition.features import (
    TransitionVocabulary,
    compile_templates,
    enlarge_search,
    for_sentence,
    new_search,
    texts_of,
)
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import BeamSearch, TransitionTemplates
from plcfrs.parsers.transition.kernel.beam import (
    A_PART,
    A_TOKEN,
    COLUMNS,
    collect_tree,
    parse,
    trace,
)
from plcfrs.parsers.transition.settings import (
    SYSTEMS,
    ReorderingSettings,
    TransitionSettings,
    find_system,
    lengths_of,
)
from plcfrs.parsers.transition.system import Child, Transition
from plcfrs.parsing.beam import BeamModel, BeamOptions, transition_row
from plcfrs.parsing.explanation import Row
from plcfrs.parsing.parse import Constituent, chances_of, shares_of
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.parsing.sentence import Sentence
from plcfrs.transformation import Options
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.labels import Label, labels_of_chain
from plcfrs.trees.tree import nodes_of
from plcfrs.wording import some

# The number of derivations that vote; more make no difference.
_VOTING = 8

# The temperature of their votes, as a share of the score of the best parse per token: the scores of
# perceptrons have no unit. Values from 0.1 to 0.3 are equally good.
_TEMPERATURE = 0.2


class TransitionParse(NamedTuple):
    """A tree with heads and its derivation; the scores of its transitions add up to its score."""

    tree: Tree
    score: float
    transitions: list[Transition]
    scores: list[float]


@dataclass(eq=False, repr=False)
class TransitionParser:
    """A trained transition parser.

    Raise a ValueError if the averages of the weights are damaged, or if it lacks transitions that
    complete trees.
    """

    settings: TransitionSettings
    vocabulary: TransitionVocabulary
    averages: Averages

    def __post_init__(self) -> None:
        vocabulary, settings = self.vocabulary, self.settings
        if not find_system(settings.system).can_complete(vocabulary.transitions):
            raise ValueError("the transition parser lacks transitions that complete trees")
        self.weights = weights_of(self.averages, len(vocabulary.actions))
        self._chains = {
            number: labels_of_chain(label) for number, (label, _) in vocabulary.symbols.items()
        }
        self._actions = vocabulary.compile(is_left=settings.order == "left")
        self._templates = compile_settings(settings)
        self._idle: dict[int, list[BeamSearch]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the memory of searches when a parser is pickled."""
        return {**self.__dict__, "_idle": {}}

    @property
    def categories(self) -> set[str]:
        """The categories of the training set."""
        return {label.category for chain in self._chains.values() for label in chain}

    def parse(self, tokens: list[Token], beam: int | None = None) -> TransitionParse:
        """Return the best parse that beam search finds for tagged tokens.

        The beam is the one of the settings by default. Raise an InputError if there are no tokens.
        """
        return self.k_best(tokens, 1, beam)[0]

    def k_best(
        self, tokens: list[Token], number: int, beam: int | None = None
    ) -> list[TransitionParse]:
        """Return up to `number` complete parses in the last beam, the best first.

        In a system with a queue the search ends when the best one is complete. The beam is the one
        of the settings by default, or as wide as the number of parses if that is more.
        """
        if not tokens:
            raise InputError("the sentence has no words")
        beam = beam or max(number, self.settings.beam)
        idle = self._idle.setdefault(beam, [])
        search = idle.pop() if idle else new_search(self._actions, self._templates, beam)
        words, tags = self.vocabulary.words_and_tags(tokens)
        search = for_sentence(search, self._templates, words, tags)
        while parse(self._actions, self._templates, self.weights, search) != arrays.DONE:
            search = enlarge_search(search)
        last = search.beam[: search.counters[arrays.BEAM]]
        final = [state for state in last if search.states[state]["is_final"]]
        parses = [self._parse_of(search, state, tokens) for state in final[:number]]
        idle.append(search)
        return parses

    def _parse_of(self, search: BeamSearch, state: int, tokens: list[Token]) -> TransitionParse:
        numbers = np.empty(search.states[state]["steps"], np.int32)
        scores = np.empty(len(numbers), np.float64)
        trace(search, state, numbers, scores)
        transitions = [self.vocabulary.actions[number] for number in numbers.tolist()]
        tree = build_tree(search, state, tokens, self._chains)
        return TransitionParse(
            tree, float(search.states[state]["score"]), transitions, scores.tolist()
        )


def compile_settings(settings: TransitionSettings) -> TransitionTemplates:
    """Return the templates of settings as arrays for the kernels."""
    system = find_system(settings.system)
    return compile_templates(
        texts_of(system.templates, settings.features), is_split=system.is_split
    )


def build_tree(
    search: BeamSearch, state: int, tokens: list[Token], chains: Mapping[int, tuple[Label, ...]]
) -> Tree:
    """Return the tree of a final state, without intermediate nodes and with unary chains.

    This is the inverse of `prepare`. `chains` has the chain of labels of each symbol.
    """
    rows = np.empty((3 * len(tokens), COLUMNS), np.int32)
    lines = rows[: collect_tree(search, state, rows)].tolist()
    lines.sort()  # children by their first token, after their mothers
    lowest: dict[int, Node] = {}
    for first, number, symbol, mother, is_head, _ in lines:
        if symbol == A_PART:
            continue
        child: Node | int = first - 1
        if symbol != A_TOKEN:
            chain = nodes_of(chains[symbol])
            child, lowest[number] = chain[0], chain[-1]
        if mother >= 0:
            if is_head:
                lowest[mother].head = len(lowest[mother].children)
            lowest[mother].children.append(child)
        else:
            root = child
    assert isinstance(root, Node)
    return Tree(root, tokens)


class TransitionContents(NamedTuple):
    """What a model file of a transition parser contains."""

    parser: TransitionParser
    tagger: Tagger
    about: Mapping[str, str]


class TransitionModel(BeamModel[TransitionParser, TransitionParse]):
    """A transition parser, and a tagger for words without tags.

    Every sentence has a parse. The n-best parses come from the beam, so the beam must be at least
    as wide. There are no objectives to choose from.

    Parameters
    ----------
    parser : TransitionParser
    tagger : Tagger
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default as in training.
    """

    contents_type = TransitionContents
    _meaning = "sum of the weights of the transitions"

    def __init__(
        self,
        parser: TransitionParser,
        tagger: Tagger,
        about: Mapping[str, str],
        beam: int | None = None,
    ) -> None:
        super().__init__(parser, about, beam)
        self.tagger = tagger

    @property
    def kind(self) -> str:
        """The name of the transition system."""
        return self.parser.settings.system

    @property
    def contents(self) -> TransitionContents:
        """The parser and the tagger."""
        return TransitionContents(self.parser, self.tagger, self._about)

    def vote(self, sentence: Sentence) -> Mapping[Constituent, float]:
        """Return the votes of the best derivations in the beam, weighted by their scores."""
        tokens = sentence.best_tagged(self.tagger)
        parses = self.parser.k_best(tokens, min(_VOTING, self.beam), self.beam)
        temperature = _TEMPERATURE * abs(parses[0].score) / len(tokens)
        shares = shares_of([parse.score for parse in parses], temperature or 1.0)
        trees = [parse.tree.forget_splits() for parse in parses]
        return chances_of(zip(shares, trees, strict=True))

    def _derivations(
        self, sentences: Sequence[Sentence], number: int
    ) -> Iterator[list[TransitionParse]]:
        for sentence in sentences:
            yield self.parser.k_best(sentence.best_tagged(self.tagger), number, self.beam)

    def _rows(self, found: TransitionParse) -> list[Row]:
        return rows_of(self.parser.settings, found)


def rows_of(settings: TransitionSettings, parse: TransitionParse) -> list[Row]:
    """Return the transitions that led to a parse, replayed by the readable transition system."""
    words = [token.form for token in parse.tree.tokens]
    system = find_system(settings.system, settings.order)
    configuration = system.initial(len(words))
    rows = []
    for transition, score in zip(parse.transitions, parse.scores, strict=True):
        configuration = system.apply(configuration, transition)
        parts, top = system.show(configuration, words)
        made = () if transition.intermediate else labels_of_chain(transition.label)
        categories = tuple(label.category for label in made)
        rows.append(transition_row(str(transition), score, _positions(top), categories, parts))
    return rows


def _positions(element: Child | None) -> list[int]:
    if not isinstance(element, Node):
        return [] if element is None else [element]
    found = [child for node in element.preorder() for child in node.children]
    return sorted(child for child in found if isinstance(child, int))


def transition_lines(
    parser: TransitionParser, tagger: Tagger, about: Mapping[str, str]
) -> list[str]:
    """Return lines about a transition parser: its training, vocabulary and weights."""
    vocabulary = parser.vocabulary
    kinds = Counter(transition.kind.value for transition in vocabulary.transitions)
    labels: dict[str, None] = {each.label: None for each in vocabulary.transitions if each.label}
    return [
        *(f"  {key}: {value}" for key, value in about.items()),
        f"  words: {len(vocabulary.words)} seen at least twice",
        f"  tags: {len(vocabulary.tags)} ({some(vocabulary.tags)})",
        f"  transitions: {len(vocabulary.transitions)} "
        f"({', '.join(f'{kind}: {count}' for kind, count in sorted(kinds.items()))})",
        f"  labels: {len(labels)} ({some(list(labels))})",
        "  weights: {}, of {} features".format(*count_averages(parser.weights)),
        "  weights of the tagger: {}, of {} features".format(*count_averages(tagger.weights)),
    ]


def _inspect(path: Path) -> Inspection:
    model = TransitionModel.load(path)
    return Inspection(None, transition_lines(model.parser, model.tagger, model.about))


FAMILIES = tuple(
    Family(
        name,
        name,
        system.title,
        TransitionModel.load,
        trained_by("plcfrs.parsers.transition.training", "TransitionTrainer"),
        _inspect,
        ReorderingSettings(name) if system.reorders else TransitionSettings(name),
        BeamOptions(),
        capabilities=TransitionModel.capabilities | {"resume"},
        # The features include the words around, which say more than category splits.
        transformation=Options(splits=()),
        lengths=partial(lengths_of, name),
    )
    for name, system in SYSTEMS.items()
)
