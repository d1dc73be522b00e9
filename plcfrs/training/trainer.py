"""The part of the training that a family of parsers defines; the runner does the rest."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from plcfrs.errors import TreebankError
from plcfrs.settings import texts_of
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Tree


class Parsed(Protocol):
    """A parse of a sentence."""

    @property
    def tree(self) -> Tree:
        """The tree of the parse."""


class Model(Protocol):
    """A parser that can be scored and saved."""

    def parse_together(self, sentences: Sequence[Any], /) -> Sequence[Sequence[Parsed]]:
        """Return the parses of each sentence, the best first."""

    def save(self, path: str) -> None:
        """Write the parser to a file."""


AnyModel = TypeVar("AnyModel", bound=Model)
Step = Callable[[], object]
"""Called by a trainer after each of its steps."""


class Trainer(ABC, Generic[AnyModel]):
    """The training of one model, round by round.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees.
    settings : dataclass
        Of the family.
    about : mapping of str to str
        How the trees were made, for people.

    Attributes
    ----------
    unit : str
        The name of a round: "cycle", "epoch".
    rounds : range
        The numbers of the rounds.
    steps : int
        The number of steps in a round, for a progress bar.
    can_resume : bool
        Whether training can be resumed from `state`.
    parser : type
        The class of the model of a training that can be resumed.
    gold_tags : bool
        Whether the sentences of the development set are parsed with their tags.
    patience : int or None
        Training ends after so many rounds without a better score; None if it never does so early.

    Raises
    ------
    TreebankError
        If there are no trees.
    """

    unit: ClassVar[str] = "round"
    can_resume: ClassVar[bool] = False
    parser: ClassVar[Any] = None
    rounds: range = range(1, 2)
    steps: int = 1
    gold_tags: bool = True
    patience: int | None = None

    def __init__(self, trees: Sequence[Tree], settings: Any, about: Mapping[str, str]) -> None:  # noqa: ANN401 (a dataclass)
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to train on")
        self.settings = settings
        self.about = dict(about)
        self.steps = len(trees)
        self._checksum = checksum(trees) if self.can_resume else ""

    @abstractmethod
    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Run one round, and return its figures for people.

        Parameters
        ----------
        number : int
            The number of the round.
        step : callable
            Called after each step; an exception from it ends the training.
        """

    @abstractmethod
    def model(self) -> AnyModel:
        """Return the model after the rounds so far."""

    @property
    def facts(self) -> Mapping[str, float]:
        """The facts about the model that no round changes, such as the size of its grammar."""
        return {}

    @property
    def introduction(self) -> Sequence[str]:
        """The lines about the training that people see before it starts."""
        return ()

    @property
    def identity(self) -> Mapping[str, str]:
        """Everything that the training depends on: it must be the same when a run is resumed."""
        if not self.can_resume:
            return {}
        return {**self._decisive(), "training set": self._checksum}

    def _decisive(self) -> Mapping[str, str]:
        """Return the settings on which a round depends."""
        return texts_of(self.settings)

    @property
    def state(self) -> Any:  # noqa: ANN401 (each family has its own)
        """What is stored after a round, so that training can be resumed."""
        return None

    def restore(self, state: Any) -> None:  # noqa: ANN401
        """Continue from a state.

        Raises
        ------
        Exception
            Of any kind, if it is damaged.
        """


def checksum(trees: Iterable[Tree]) -> str:
    """Return a checksum of trees, by which a training set is recognized."""
    found = 0
    for tree in trees:
        found = zlib.crc32(render(tree, 1).encode("utf-8", "surrogatepass"), found)
    return f"{found:08x}"
