"""What parsers with a beam have in common: the width, what they know, and their n-best parses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.pipeline.parse import Parse
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import LearnedParser
from plcfrs.settings import check_settings, setting, texts_of
from plcfrs.transition.settings import WIDEST_BEAM
from plcfrs.treebank.discbracket import render

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


AnySearcher = TypeVar("AnySearcher", bound=Searcher)
Found = TypeVar("Found")


@dataclass(frozen=True)
class BeamOptions:
    """Options of parsing with a beam."""

    beam: int | None = setting(
        None,
        "Number of derivations that are kept at each step; by default as in training.",
        least=1,
        most=WIDEST_BEAM,
    )

    def __post_init__(self) -> None:
        check_settings(self)


class BeamModel(LearnedParser, Generic[AnySearcher, Found]):
    """A parser with a beam.

    Every sentence has a parse. The n-best parses are those in the beam, so there are at most as
    many as the beam is wide. There are no objectives to choose from.

    Parameters
    ----------
    parser : Searcher
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default that of the settings.
    """

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
    def about(self) -> Mapping[str, str]:
        """The settings, and how the model was made."""
        return {**texts_of(self.parser.settings), **self._about}

    @classmethod
    def of(
        cls,
        contents: Iterable[Any],
        beam: int | None = None,
        budget: Budget = DEFAULT,  # noqa: ARG003 (its time grows with the sentence alone)
    ) -> Self:
        """Return the parser with contents that have been read."""
        return super().of(*contents, beam=beam)  # type: ignore[no-any-return]

    def _parse(self, sentence: Sentence, objective: str | None, *, explained: bool) -> Parse:  # noqa: ARG002
        (best,) = self._parse_nbest(sentence, 1, derivations=False, explained=explained)
        return best

    def _wanted(self, number: int) -> int:
        """Return how many derivations to ask for: some of them may be the same tree."""
        return 1 if number == 1 else self.beam

    def _best_of(
        self,
        found: Iterable[Found],
        sentence: Sentence,
        number: int,
        *,
        derivations: bool,
        explained: bool,
    ) -> list[Parse]:
        """Return the parses of the best derivations, or of those with different trees."""
        parses: dict[str, Parse] = {}
        for place, each in enumerate(found):
            parse = self._parsed(each, sentence, explained=explained)
            key = str(place) if derivations or number == 1 else render(parse.tree, 1)
            parses.setdefault(key, parse)
        return list(parses.values())[:number]

    @abstractmethod
    def _parsed(self, found: Found, sentence: Sentence, *, explained: bool) -> Parse:
        """Return the parse of a derivation."""
