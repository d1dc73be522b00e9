"""The training of any backbone: a parser of this package, or UDPipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from plcfrs.dependency.backbone import Backbone
from plcfrs.dependency.settings import Settings
from plcfrs.dependency.training import Training
from plcfrs.dependency.udpipe import UDPipe, UDPipeTraining
from plcfrs.trees import DependencyTree


class AnyTraining(Protocol):
    """The training of a backbone, epoch by epoch."""

    rounds: range
    steps: int

    def run_epoch(self, step: Callable[[], object], /) -> Mapping[str, float]:
        """Learn from all trees, call a function after each step, and return figures for people."""

    def model(self) -> Backbone | UDPipe:
        """Return the backbone after the epochs so far."""

    @property
    def state(self) -> object:
        """What is stored of it."""

    def resume(self, state: Any, /) -> None:  # noqa: ANN401 (its own state)
        """Continue from a state."""


def begin_training(trees: Sequence[DependencyTree], settings: Settings) -> AnyTraining:
    """Return the training of a backbone on trees."""
    return (UDPipeTraining if settings.backbone == "udpipe" else Training)(trees, settings)
