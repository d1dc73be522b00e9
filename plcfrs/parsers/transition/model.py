"""The family of transition parsers: a parser with its tagger, explanations, and the report.

An explanation has the transitions step by step, with scores that add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plcfrs.chart import Forest
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.tagger import Tagger
from plcfrs.learning.weights import count_averages
from plcfrs.parsers.transition.parser import TransitionParse, TransitionParser
from plcfrs.parsers.transition.settings import SYSTEMS, ReorderingSettings, Settings, find_system
from plcfrs.parsers.transition.system import Child
from plcfrs.parsing.beam import BeamModel, BeamOptions, explain_transitions, transition_row
from plcfrs.parsing.explanation import Row
from plcfrs.parsing.parse import Parse
from plcfrs.parsing.registry import Family
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.votes import Judgement, chances_of, shares_of, votes
from plcfrs.transformation import Options
from plcfrs.trees import Node
from plcfrs.trees.labels import parse_chain
from plcfrs.wording import some

if TYPE_CHECKING:
    from plcfrs.parsers.transition.training import TransitionTrainer


# How many derivations vote; more of them make no difference.
_VOTING = 8

# The temperature of their votes. The scores of perceptrons have no unit, so this is a share of the
# score of the best parse for each token. Any value from 0.1 to 0.3 is as good.
_TEMPERATURE = 0.2


class Contents(NamedTuple):
    """What is stored."""

    parser: TransitionParser
    tagger: Tagger
    about: Mapping[str, str]


class TransitionModel(BeamModel[TransitionParser, TransitionParse]):
    """A transition parser, and a tagger for words without tags.

    Every sentence has a parse. The n-best parses are those in the beam, so there are at most as
    many as the beam is wide. There are no objectives to choose from.

    Parameters
    ----------
    parser : TransitionParser
    tagger : Tagger
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default as in training.
    """

    contents_type = Contents

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
    def contents(self) -> Contents:
        """The parser and the tagger."""
        return Contents(self.parser, self.tagger, self._about)

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return votes of the best derivations in the beam, which count by their scores."""
        tokens = sentence.best_tagged(self.tagger)
        found = self.parser.k_best(tokens, min(_VOTING, self.beam), self.beam)
        temperature = _TEMPERATURE * abs(found[0].score) / len(tokens)
        shares = shares_of([each.score for each in found], temperature or 1.0)
        trees = [each.tree.forget_splits() for each in found]
        return votes(forest, chances_of(zip(shares, trees, strict=True)))

    def _found(self, sentences: Sequence[Sentence], number: int) -> Iterator[list[TransitionParse]]:
        for sentence in sentences:
            yield self.parser.k_best(sentence.best_tagged(self.tagger), number, self.beam)

    def _parsed(self, found: TransitionParse, sentence: Sentence, *, explained: bool) -> Parse:
        tree = found.tree.forget_splits()
        tree.id = sentence.id
        explanation = None
        if explained:
            rows = rows_of(self.parser.settings, found)
            explanation = explain_transitions(sentence.words, rows)
        return Parse(
            tree,
            "parsed",
            score=found.score,
            meaning="sum of the weights of the transitions",
            explanation=explanation,
        )


def rows_of(settings: Settings, parse: TransitionParse) -> list[Row]:
    """Return the transitions that led to a parse, made again by the readable transition system."""
    words = [token.form for token in parse.tree.tokens]
    system = find_system(settings.system, settings.order)
    configuration = system.initial(len(words))
    rows = []
    for transition, score in zip(parse.transitions, parse.scores, strict=True):
        configuration = system.apply(configuration, transition)
        parts, top = system.show(configuration, words)
        categories: tuple[str, ...] = ()
        if transition.label and not transition.intermediate:
            made = parse_chain(transition.label)
            categories = made.category, *(each.category for each in made.chain)
        rows.append(transition_row(str(transition), score, _positions(top), categories, parts))
    return rows


def _positions(element: Child | None) -> list[int]:
    if not isinstance(element, Node):
        return [] if element is None else [element]
    found = [child for node in element.preorder() for child in node.children]
    return sorted(child for child in found if isinstance(child, int))


def _trainer(*given: Any) -> TransitionTrainer:  # noqa: ANN401
    from plcfrs.parsers.transition.training import TransitionTrainer

    return TransitionTrainer(*given)


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
        _trainer,
        _inspect,
        ReorderingSettings(name) if system.reorders else Settings(name),
        BeamOptions(),
        (),
        TransitionModel.capabilities | {"resume"},
        # The features include the words around, which are more informative than category splits.
        transformation=Options(splits=()),
    )
    for name, system in SYSTEMS.items()
)
