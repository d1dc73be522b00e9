"""What parsers with a beam share: the width, the known words and tags, and the n-best parses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from plcfrs.budget import DEFAULT, Budget
from plcfrs.parsing.explanation import SCORE, Cell, Column, Explanation, Row, sum_line
from plcfrs.parsing.parse import Parse, Task
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import LearnedParser
from plcfrs.settings import Checked, setting, to_texts
from plcfrs.trees import Tree
from plcfrs.trees.notation import render_discbracket

if TYPE_CHECKING:
    from typing_extensions import Self


class _Settings(Protocol):
    @property
    def beam(self) -> int: ...


class _Vocabulary(Protocol):
    @property
    def words(self) -> tuple[str, ...]: ...

    @property
    def tags(self) -> tuple[str, ...]: ...


class Searcher(Protocol):
    """A trained parser that searches with a beam."""

    @property
    def settings(self) -> _Settings:
        """The settings of its training."""

    @property
    def vocabulary(self) -> _Vocabulary:
        """The words and tags of the training set."""

    @property
    def categories(self) -> Collection[str]:
        """The categories of the training set."""


class _Derivation(Protocol):
    @property
    def tree(self) -> Tree: ...

    @property
    def score(self) -> float: ...


AnySearcher = TypeVar("AnySearcher", bound=Searcher)
AnyDerivation = TypeVar("AnyDerivation", bound=_Derivation)


@dataclass(frozen=True)
class BeamOptions(Checked):
    """Options of parsing with a beam."""

    beam: int | None = setting(
        None,
        "Number of derivations that are kept at each step; by default as in training.",
        least=1,
        most=10_000,
    )


class BeamModel(LearnedParser, Generic[AnySearcher, AnyDerivation]):
    """A parser with a beam.

    Every sentence has a parse. The n-best parses are those in the beam, so there are at most as
    many as the beam is wide. There are no objectives to choose from.

    Parameters
    ----------
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default that of the settings.
    """

    capabilities = frozenset({"nbest"})
    _meaning: ClassVar[str]  # of the score of a derivation

    def __init__(
        self, parser: AnySearcher, about: Mapping[str, str], beam: int | None = None
    ) -> None:
        BeamOptions(beam)
        self.parser = parser
        self.beam = beam or parser.settings.beam
        self._about = dict(about)

    @property
    def words(self) -> Collection[str]:
        """The words seen at least twice in training."""
        return self.parser.vocabulary.words

    @property
    def tags(self) -> Collection[str]:
        """The tags of the training set."""
        return self.parser.vocabulary.tags

    @property
    def categories(self) -> Collection[str]:
        """The categories of the training set."""
        return self.parser.categories

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and how the model was made."""
        return {**to_texts(self.parser.settings), **self._about}

    @classmethod
    def of(
        cls,
        contents: Iterable[Any],
        beam: int | None = None,
        budget: Budget = DEFAULT,  # noqa: ARG003 (its time grows with the sentence alone)
    ) -> Self:
        """Return the parser with contents that have been read."""
        return super().of(*contents, beam=beam)  # type: ignore[no-any-return]

    def _parse(self, sentences: Sequence[Sentence], task: Task) -> Iterator[list[Parse]]:
        # Some derivations may be the same tree.
        number = self.beam if task.nbest and task.nbest > 1 else 1
        beams = self._derivations(sentences, number)
        for sentence, derivations in zip(sentences, beams, strict=True):
            parses: dict[str, Parse] = {}
            for place, derivation in enumerate(derivations):
                parse = self._parsed(derivation, sentence, explained=task.explained)
                is_own = task.derivations or number == 1
                parses.setdefault(str(place) if is_own else render_discbracket(parse.tree), parse)
            yield list(parses.values())[: task.nbest or 1]

    @abstractmethod
    def _derivations(
        self, sentences: Sequence[Sentence], number: int
    ) -> Iterable[list[AnyDerivation]]:
        """Return the best derivations of each sentence, up to `number`."""

    @abstractmethod
    def _rows(self, derivation: AnyDerivation) -> list[Row]:
        """Return the rows of the explanation of a derivation, see `transition_row`."""

    def _parsed(self, derivation: AnyDerivation, sentence: Sentence, *, explained: bool) -> Parse:
        """Return the parse of a derivation."""
        tree = derivation.tree.forget_splits()
        tree.id = sentence.id
        explanation = None
        if explained:
            explanation = explain_transitions(sentence.words, self._rows(derivation))
        return Parse(
            tree, "parsed", score=derivation.score, meaning=self._meaning, explanation=explanation
        )


def transition_row(
    transition: str,
    score: float,
    positions: list[int],
    categories: tuple[str, ...],
    configuration: dict[str, str],
) -> Row:
    """Return the row of a transition.

    Parameters
    ----------
    score : float
        Of this transition alone.
    positions : list of int
        The tokens of the element on top of the stack, or of the focus.
    categories : tuple of str
        Of the new constituents, unless they are intermediate.
    configuration : dict of str to str
        After the transition: the stack, the deque and the buffer, or the stack and the queue, each
        with its next elements, where a constituent has its head word in brackets; or the focus and
        the memory, and the best other transition.
    """
    cells: list[Cell] = [score, transition, *configuration.values()]
    return Row(transition, transition, score, positions, cells, categories, configuration)


def explain_transitions(words: list[str], rows: list[Row]) -> Explanation:
    """Return the explanation of transitions, with the sum of their scores."""
    titles = map(Column, ("transition", *rows[0].details))
    return Explanation(words, "transition", "score", [SCORE, *titles], rows, [sum_line(rows)])
