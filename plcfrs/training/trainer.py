"""What a family of parsers brings to its training; the runner does all else."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from numpy.typing import NDArray

from plcfrs.storage.model_file import ModelFile
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Tree


class Parsed(Protocol):
    """What a parser has made of a sentence."""

    @property
    def tree(self) -> Tree:
        """Its tree."""


class Model(Protocol):
    """A parser that can be scored, and saved."""

    def parse(self, sentence: Any, /) -> Parsed:  # noqa: ANN401 (what a sentence is, pipeline says)
        """Parse a sentence."""

    def save(self, path: str) -> None:
        """Write the parser into a file."""


AnyModel = TypeVar("AnyModel", bound=Model)
Step = Callable[[], object]
"""Called by a trainer after each of its steps."""


class Trainer(ABC, Generic[AnyModel]):
    """The training of one model, round by round.

    Attributes
    ----------
    unit : str
        What a round is called: "cycle", "epoch".
    rounds : range
        The numbers of the rounds.
    steps : int
        How many steps a round has, for a progress bar.
    can_resume : bool
        Whether `state` is all that is needed to go on.
    gold_tags : bool
        Whether the sentences of the development set are parsed with their tags.
    """

    unit: ClassVar[str] = "round"
    can_resume: ClassVar[bool] = False
    rounds: range = range(1, 2)
    steps: int = 1
    gold_tags: bool = True

    @abstractmethod
    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Do one round, and return its figures for people.

        Parameters
        ----------
        number : int
            Of the round.
        step : callable
            Called after each step; what it raises ends the training.
        """

    @abstractmethod
    def model(self) -> AnyModel:
        """Return the model after the rounds so far."""

    @property
    def facts(self) -> Mapping[str, float]:
        """What is known of the model whatever the rounds bring, such as the size of its grammar."""
        return {}

    @property
    def introduction(self) -> Sequence[str]:
        """What people are told of the training before it begins, line by line."""
        return ()

    @property
    def identity(self) -> Mapping[str, str]:
        """What the training depends on: a run that goes on must have the same."""
        return {}

    def state(self) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
        """Return what is needed to go on behind the last round, as texts and arrays."""
        return {}, {}

    def restore(self, texts: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a state.

        Raises
        ------
        KeyError, ValueError, TypeError
            If something is missing or damaged.
        """

    def load(self, contents: ModelFile) -> AnyModel:
        """Return the model of a checkpoint.

        Raises
        ------
        GrammarError
            If it is damaged.
        """
        raise ValueError(f"a {self.unit} cannot be gone on from: {contents.kind}")


def checksum(trees: Iterable[Tree]) -> str:
    """Return a number for trees, by which a training set is known again."""
    found = 0
    for tree in trees:
        found = zlib.crc32(render(tree, 1).encode("utf-8", "surrogatepass"), found)
    return f"{found:08x}"
