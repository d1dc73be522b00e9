"""All backbones: the parsers of this package, and UDPipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from plcfrs.dependency.backbone import Backbone, BackboneParse
from plcfrs.dependency.explanation import Attachment
from plcfrs.dependency.settings import BackboneName, Settings
from plcfrs.dependency.training import Training
from plcfrs.dependency.udpipe import UDPipe, UDPipeTraining
from plcfrs.trees import DependencyTree, Token


class AnyBackbone(Protocol):
    """A parser that finds the head of each word."""

    def parse(self, tokens: Sequence[Token], /) -> BackboneParse:
        """Return the head of each token, from 1; 0 is the root."""

    def attachments(self, tokens: Sequence[Token], /) -> list[Attachment]:
        """Return the head of each token with its score, and the second best with its cost."""

    def header(self) -> dict[str, str]:
        """Return the texts of its file."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of its file."""


class AnyTraining(Protocol):
    """The training of a backbone, epoch by epoch."""

    rounds: range
    steps: int

    def run_epoch(self, step: Callable[[], object], /) -> Mapping[str, float]:
        """Learn from all trees, call a function after each step, and return figures for people."""

    def model(self) -> AnyBackbone:
        """Return the backbone after the epochs so far."""

    def header(self) -> dict[str, str]:
        """Return the state of the training as text."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state of the training in arrays."""

    def resume(self, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]], /) -> None:
        """Continue from a state."""


def begin_training(trees: Sequence[DependencyTree], settings: Settings) -> AnyTraining:
    """Return the training of a backbone on trees.

    Raises
    ------
    InputError
        If it is UDPipe, which is not installed.
    """
    return (UDPipeTraining if settings.backbone == "udpipe" else Training)(trees, settings)


def backbone_from_arrays(
    name: BackboneName, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]
) -> AnyBackbone:
    """Return the backbone of a file.

    Raises
    ------
    InputError
        If it is UDPipe, which is not installed.
    KeyError, ValueError
        If something is missing or damaged.
    """
    return (UDPipe if name == "udpipe" else Backbone).from_arrays(header, arrays)
