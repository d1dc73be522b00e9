"""From sentences to vectors and scores with NumPy: settings, vocabulary and forward pass.

The vocabulary turns sentences into numbers, the input of a network. The results equal those of
PyTorch up to 1e-5. The shapes of arrays reveal a damaged model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from math import ceil
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError
from plcfrs.learning.templates import frequent
from plcfrs.networks.quantization import LARGEST_WEIGHT, MOST_BITS, Matrix, Quantized, rows_of
from plcfrs.networks.rounded import RoundedLinear
from plcfrs.settings import check_settings, setting
from plcfrs.stopping import until_stopped
from plcfrs.threads import one_thread
from plcfrs.trees import Token

AnySettings = TypeVar("AnySettings", bound="NetworkSettings")


ENOUGH_TREES = 3000
_ENOUGH_STEPS = 3000
_SMALLEST_BATCH = 4


class UsualSizes(NamedTuple):
    """The default numbers of epochs, of trees in a batch, and of LSTM units per direction."""

    epochs: int
    batch: int
    recurrent_size: int


@dataclass(frozen=True)
class NetworkSettings:
    """Settings of a network that encodes words, and of its training.

    Parameters
    ----------
    tags : str
        "given" if they are an input.
    epochs, batch : int, optional
        None for `schedule`.
    patience : int, optional
    seed : int
    rate : float
        The step size of Adam in the first epoch.
    decay : float
        The factor of the step size after each epoch.
    dropout : float
    encoder : str, optional
        The name or the folder of a `plcfrs.networks.pretrained.PretrainedEncoder`.
    encoder_layers : int
    encoder_rate : float
        The step size for these layers.
    half : bool
    embed : bool
    threads : int, optional
    device : str
        As PyTorch names it: "cpu", "cuda".
    word_size, character_size, tag_size : int
        The sizes of embeddings; a character LSTM has `character_size` units per direction.
    recurrent_size : int, optional
        Units per direction of the two layers of LSTMs over words; None for the `usual` number.
    hidden_size : int
        Units of the hidden layers of the scorers.

    Raises
    ------
    InputError
        If a value is not possible.
    """

    tags: str = "given"
    epochs: int | None = None
    patience: int | None = setting(
        None,
        "Stop after this number of epochs without a better F1 on the development set.",
        least=1,
        stored=False,
    )
    batch: int | None = None
    rate: float = setting(0.002, "The step size of the training.", least=0, fraction=True)
    decay: float = setting(
        0.97, "The factor of the step size after each epoch.", least=0, most=1, fraction=True
    )
    dropout: float = setting(
        0.33,
        "The share of the network that each step leaves out.",
        least=0,
        most=0.9,
        fraction=True,
    )
    encoder: str | None = setting(
        None, "A pretrained encoder of Hugging Face, such as BERT: its name or its folder."
    )
    encoder_layers: int = setting(0, "Number of its last layers to train, too.", least=0)
    encoder_rate: float = setting(
        0.00005, "The step size of the training of these layers.", least=0, fraction=True
    )
    half: bool = setting(
        False,
        "Train these layers in half precision (bfloat16), twice as fast on recent processors.",
    )
    embed: bool = setting(
        False,
        "Put the encoder into the model file, which then parses without PyTorch and transformers.",
        stored=False,
    )
    seed: int = setting(1, "Seed of the network and of the order of the trees.", least=0)
    threads: int | None = setting(
        None, "Number of threads; by default, PyTorch decides.", least=1, stored=False
    )
    device: str = setting("cpu", "Where to train: cpu or cuda.", stored=False)
    word_size: int = 64
    character_size: int = 32
    tag_size: int = 32
    recurrent_size: int | None = None
    hidden_size: int = 128

    def __post_init__(self) -> None:
        check_settings(self)
        for name, value in vars(self).items():
            if name.endswith("_size") and value is not None and value < 1:
                raise InputError(f"{name} must be at least 1, not {value}")
        if self.encoder_layers and self.encoder is None:
            raise InputError("encoder-layers: there is no encoder")
        if self.embed and self.encoder is None:
            raise InputError("embed: there is no encoder")

    @property
    def usual(self) -> UsualSizes:
        """The sizes that apply where a setting is None."""
        return UsualSizes(12, 16, 200)

    @property
    def units(self) -> int:
        """Units per direction of the two layers of LSTMs over words."""
        return self.recurrent_size or self.usual.recurrent_size

    def schedule(self, trees: int) -> tuple[int, int]:
        """Return the number of epochs and the size of batches for a number of trees.

        From 3,000 trees on, the defaults are `usual`. Fewer trees have smaller batches, and at
        least about 3,000 steps.

        >>> NetworkSettings().schedule(110), NetworkSettings().schedule(3000)
        ((108, 4), (12, 16))
        >>> NetworkSettings(epochs=12).schedule(1500)
        (12, 8)
        """
        share = min(1.0, trees / ENOUGH_TREES)
        batch = self.batch or max(_SMALLEST_BATCH, round(share * self.usual.batch))
        steps = _ENOUGH_STEPS if share < 1 else 0
        epochs = self.epochs or max(self.usual.epochs, ceil(steps / ceil(trees / batch)))
        return epochs, batch


def require_torch(settings: NetworkSettings) -> None:
    """Raise an InputError if a library for training networks is missing, before any import."""
    if settings.encoder is not None and None in map(find_spec, ("torch", "transformers")):
        raise InputError(
            f"the encoder {settings.encoder} needs PyTorch and transformers: "
            "pip install 'plcfrs[transformers]'"
        )
    if find_spec("torch") is None:
        raise InputError("training a network needs PyTorch: pip install 'plcfrs[neural]'")


Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
Shapes = dict[str, tuple[int, ...]]
"""The shapes of arrays by their names."""

UNKNOWN = 0
_END = 1  # the number of the end of a word, so that no spelling is empty
_FIRST_CHARACTER = 2
_LONGEST = 20  # characters that the network reads of a word


class Numbers(NamedTuple):
    """A batch of sentences as numbers; their tokens are consecutive.

    Parameters
    ----------
    lengths : array of (sentences,)
        The number of tokens of each sentence.
    words, tags : array of (tokens,)
    spellings : array of (tokens,)
        The number of the spelling of each token; each spelling is in the batch once.
    spelling_lengths : array of (spellings,)
        The number of characters of each spelling.
    characters : array of (characters of all spellings,)
    """

    lengths: Int32
    words: Int32
    tags: Int32
    spellings: Int32
    spelling_lengths: Int32
    characters: Int32


@dataclass(frozen=True)
class NetworkVocabulary:
    """The words, characters, tags and labels of the training trees.

    Parameters
    ----------
    words, characters : tuple of str
        Seen at least twice; all others are unknown.
    labels : tuple of str
        See `plcfrs.parsers.neural.configuration.inventory`; the first one is empty.
    """

    words: tuple[str, ...]
    characters: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[Token]], labels: Sequence[str]) -> NetworkVocabulary:
        """Return the vocabulary of training sentences and the labels of their trees.

        >>> sentence = [Token("to", "TO"), Token("be", "VB"), Token("to", "TO")]
        >>> NetworkVocabulary.of([sentence], ("",))
        NetworkVocabulary(words=('to',), characters=('o', 't'), tags=('TO', 'VB'), labels=('',))
        """
        tokens = [token for sentence in sentences for token in sentence]
        return cls(
            frequent(token.form for token in tokens),
            frequent(character for token in tokens for character in token.form),
            tuple(sorted({token.tag for token in tokens})),
            tuple(labels),
        )

    def numbers(self, sentences: Iterable[Sequence[Token]]) -> Numbers:
        """Return sentences as numbers."""
        sentences = list(sentences)
        tokens = [token for sentence in sentences for token in sentence]
        place: dict[str, int] = {}
        spellings = [place.setdefault(token.form, len(place)) for token in tokens]
        characters = [self._spelling(form) for form in place]
        return Numbers(
            _as_int32(map(len, sentences)),
            _as_int32(self._words.get(token.form, UNKNOWN) for token in tokens),
            _as_int32(self._tags.get(token.tag, UNKNOWN) for token in tokens),
            _as_int32(spellings),
            _as_int32(map(len, characters)),
            _as_int32(chain.from_iterable(characters)),
        )

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The numbers of different words, characters and tags, unknown ones included."""
        return len(self.words) + 1, len(self.characters) + _FIRST_CHARACTER, len(self.tags) + 1

    def _spelling(self, form: str) -> list[int]:
        if len(form) > _LONGEST:
            form = form[: _LONGEST // 2] + form[-_LONGEST // 2 :]
        number_of = self._characters.get
        return [*[number_of(character, UNKNOWN) for character in form], _END]

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=1)}

    @cached_property
    def _tags(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, start=1)}

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {
            character: number
            for number, character in enumerate(self.characters, start=_FIRST_CHARACTER)
        }


def _as_int32(numbers: Iterable[int]) -> Int32:
    return np.fromiter(numbers, np.int32)


class Encoded(NamedTuple):
    """The tokens of a batch before and after each layer of LSTMs, as arrays of (tokens, units)."""

    words: Float32
    first: Float32
    second: Float32


class Encoding:
    """The layers of a trained network from words to vectors.

    The names of the arrays are those of `plcfrs.networks.learning.Encoder`.
    """

    def __init__(self, arrays: Mapping[str, Matrix]) -> None:
        self._arrays = arrays
        self._spelling, self._first, self._second = (
            TwoWayLSTM(arrays, f"{name}.") for name in ("spelling", "first", "second")
        )

    @one_thread
    def encode(self, numbers: Numbers, further: Float32 | None = None) -> Encoded:
        """Return the vectors of all tokens; further vectors have the shape (tokens, size)."""
        arrays = self._arrays
        spelled = self._spelling.run(
            rows_of(arrays["characters.weight"], numbers.characters), numbers.spelling_lengths
        )
        ends = np.cumsum(numbers.spelling_lengths)
        from_left, from_right = np.hsplit(spelled, 2)
        spelled = np.hstack([from_left[ends - 1], from_right[ends - numbers.spelling_lengths]])
        parts = [rows_of(arrays["words.weight"], numbers.words), spelled[numbers.spellings]]
        if "tags.weight" in arrays:
            parts.append(rows_of(arrays["tags.weight"], numbers.tags))
        if further is not None:
            parts.append(further)
        words = np.hstack(parts)
        first = self._first.run(words, numbers.lengths)
        return Encoded(words, first, self._second.run(first, numbers.lengths))


class TwoWayLSTM:
    """An LSTM over sequences from the left, and one from the right, in the same matrix products.

    A sigmoid is ``(1 + tanh(x / 2)) / 2``. Its factor is already in the weights, so one call of
    `tanh` serves all gates. The names of the arrays begin with the prefix.
    """

    def __init__(self, arrays: Mapping[str, Matrix], prefix: str) -> None:
        ways = [f"{prefix}{way}." for way in ("from_left", "from_right")]
        self._units = units = arrays[f"{ways[0]}weight_hh_l0"].shape[1]
        # PyTorch's order is input, forget, cell and output gates.
        order = np.r_[: 2 * units, 3 * units : 4 * units, 2 * units : 3 * units]
        factor = np.repeat(np.array([0.5, 1], np.float32), [3 * units, units])

        def gates(name: str) -> Float32:
            parts = [rows_of(arrays[f"{way}{name}_l0"])[order].T * factor for way in ways]
            return np.ascontiguousarray(np.stack(parts))

        self._states = gates("weight_hh")
        self._bias = (gates("bias_ih") + gates("bias_hh"))[:, None]
        inputs = [arrays[f"{way}weight_ih_l0"] for way in ways]
        # Inputs of weights with 8 bits would have 7, which costs F1.
        rounded = [
            each.scaled(order, factor)
            for each in inputs
            if isinstance(each, Quantized) and each.bits < MOST_BITS
        ]
        self._rounded = RoundedLinear(rounded, self._bias.ravel()) if rounded else None
        self._inputs = gates("weight_ih")

    def run(self, rows: Float32, lengths: Int32) -> Float32:
        """Return the vectors of all elements of consecutive sequences."""
        units = self._units
        longest_first = np.argsort(-lengths, kind="stable")
        ends = np.cumsum(lengths)[longest_first]
        lengths = lengths[longest_first]
        starts = ends - lengths
        inputs = self._gates_of(rows)
        outputs = np.empty((2, len(rows), units), np.float32)
        states, cells = np.zeros((2, 2, len(lengths), units), np.float32)
        ways = np.arange(2)[:, None]
        for step in until_stopped(range(lengths.max(initial=0))):
            active = np.searchsorted(-lengths, -step)  # the sequences that are longer
            places = np.stack([starts[:active] + step, ends[:active] - 1 - step])
            gates = np.matmul(states[:, :active], self._states)
            gates += inputs[ways, places]
            np.tanh(gates, out=gates)
            gates[..., : 3 * units] += 1
            gates[..., : 3 * units] *= 0.5
            put, keep, show, new = np.split(gates, 4, axis=2)
            cells = keep * cells[:, :active] + put * new
            states = show * np.tanh(cells)
            outputs[ways, places] = states
        return np.hstack(list(outputs))

    def _gates_of(self, rows: Float32) -> Float32:
        """Return what the inputs add to the gates of both ways, as an array of (2, rows, gates)."""
        if self._rounded:
            return self._rounded(rows).reshape(len(rows), 2, 4 * self._units).swapaxes(0, 1)
        gates: Float32 = np.matmul(rows, self._inputs) + self._bias
        return gates


def linear(arrays: Mapping[str, NDArray[Any]], name: str, rows: Float32) -> Float32:
    """Return the outputs of the layer with this name, which ends with a dot."""
    sums: Float32 = rows @ arrays[f"{name}weight"].T
    sums += arrays[f"{name}bias"]
    return sums


def encoder_shapes(
    settings: NetworkSettings, vocabulary: NetworkVocabulary, further_size: int = 0
) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.networks.learning.Encoder`."""
    words, characters, tags = vocabulary.sizes
    spelled = settings.character_size
    size = settings.word_size + 2 * spelled + further_size
    shapes: Shapes = {
        "words.weight": (words, settings.word_size),
        "characters.weight": (characters, spelled),
    }
    if settings.tags == "given":
        size += settings.tag_size
        shapes["tags.weight"] = (tags, settings.tag_size)
    shapes |= _lstm_shapes("spelling", spelled, spelled)
    shapes |= _lstm_shapes("first", size, settings.units)
    shapes |= _lstm_shapes("second", 2 * settings.units, settings.units)
    return shapes


def check_shapes(arrays: Mapping[str, NDArray[Any]], shapes: Shapes) -> None:
    """Raise a ValueError unless arrays fit a network.

    They must have exactly these names and shapes, be float32, and have finite and not huge numbers.
    """
    if arrays.keys() != shapes.keys():
        raise ValueError("the network has missing or unknown arrays")
    for name, shape in shapes.items():
        array = arrays[name]
        is_right = array.shape == shape and array.dtype == np.float32
        if not is_right or not (np.abs(array) < LARGEST_WEIGHT).all():  # a nan fails, too
            raise ValueError(f"the array {name} of the network is damaged")


def linear_shapes(name: str, size: int, outputs: int) -> Shapes:
    """Return the shapes of the arrays of a layer."""
    return {f"{name}.weight": (outputs, size), f"{name}.bias": (outputs,)}


def _lstm_shapes(name: str, size: int, units: int) -> Shapes:
    gates = 4 * units
    one_way: Shapes = {"weight_ih": (gates, size), "weight_hh": (gates, units)}
    one_way |= {"bias_ih": (gates,), "bias_hh": (gates,)}
    return {
        f"{name}.{way}.{part}_l0": shape
        for way in ("from_left", "from_right")
        for part, shape in one_way.items()
    }
