"""A trained network with its vocabulary: what is saved of it, and how it is loaded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from plcfrs.neural.inputs import WordInput, contents_of, further_size, split_inputs
from plcfrs.neural.settings import AnySettings
from plcfrs.neural.shapes import Shapes, check_shapes
from plcfrs.neural.vocabulary import Vocabulary

AnyTrained = TypeVar("AnyTrained", bound="TrainedNetwork[Any]")


class TrainedNetwork(ABC, Generic[AnySettings]):
    """A trained network, without PyTorch.

    Parameters
    ----------
    settings : NetworkSettings
    vocabulary : Vocabulary
    network : mapping of str to array
        The weights by name.
    inputs : sequence of WordInput
        Those that the network was trained with.
    """

    def __init__(
        self,
        settings: AnySettings,
        vocabulary: Vocabulary,
        network: Mapping[str, NDArray[Any]],
        inputs: Sequence[WordInput] = (),
    ) -> None:
        self.settings = settings
        self.vocabulary = vocabulary
        self.inputs = inputs
        self._arrays = dict(network)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is computed again when a network is pickled."""
        return {name: value for name, value in self.__dict__.items() if name != "_forward"}

    def header(self) -> dict[str, str]:
        """Return the settings and the vocabulary as text, and the texts of the inputs."""
        texts = self.settings.header() | self.vocabulary.header()
        return texts | contents_of(self.inputs).header

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights, and the arrays of the inputs."""
        return self._arrays | contents_of(self.inputs).arrays

    @classmethod
    def from_arrays(
        cls: type[AnyTrained], header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]
    ) -> AnyTrained:
        """Return the network with a header and arrays, which may be memory-mapped.

        Raises
        ------
        InputError
            If it needs a pretrained encoder that cannot be loaded.
        KeyError, ValueError
            If something is missing or damaged.
        """
        settings = cls._settings_of(header)
        vocabulary = Vocabulary.from_header(header)
        cls._check(vocabulary)
        inputs, network = split_inputs(header, arrays)
        check_shapes(network, cls._shapes_of(settings, vocabulary, further_size(inputs)))
        return cls(settings, vocabulary, network, inputs)

    @property
    def weights(self) -> int:
        """The number of weights of the network, without those of its inputs."""
        return sum(array.size for array in self._arrays.values())

    @staticmethod
    @abstractmethod
    def _settings_of(header: Mapping[str, str]) -> AnySettings:
        """Return the settings of a header; a ValueError if they are damaged."""

    @staticmethod
    @abstractmethod
    def _shapes_of(settings: AnySettings, vocabulary: Vocabulary, further_size: int) -> Shapes:
        """Return the shapes of all arrays of the network."""

    @staticmethod
    def _check(vocabulary: Vocabulary) -> None:
        """Raise a ValueError if the vocabulary cannot be that of such a network."""
