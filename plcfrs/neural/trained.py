"""A trained network with its vocabulary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.inputs import Input, further_size
from plcfrs.neural.settings import AnySettings
from plcfrs.neural.shapes import Shapes, check_shapes
from plcfrs.neural.vocabulary import Vocabulary


@dataclass(eq=False, repr=False)
class TrainedNetwork(ABC, Generic[AnySettings]):
    """A trained network, without PyTorch.

    Parameters
    ----------
    network : mapping of str to array
        The weights by name.
    inputs : sequence of Input
        Those that the network was trained with.
    """

    settings: AnySettings
    vocabulary: Vocabulary
    network: Mapping[str, NDArray[np.float32]]
    inputs: Sequence[Input] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is computed again when a network is pickled."""
        return {name: value for name, value in self.__dict__.items() if name != "_forward"}

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        shapes = self._shapes_of(self.settings, self.vocabulary, further_size(self.inputs))
        check_shapes(self.network, shapes)

    @property
    def weights(self) -> int:
        """The number of weights of the network, without those of its inputs."""
        return sum(array.size for array in self.network.values())

    @staticmethod
    @abstractmethod
    def _shapes_of(settings: AnySettings, vocabulary: Vocabulary, further_size: int) -> Shapes:
        """Return the shapes of all arrays of the network."""
