"""The arrays of a network and their shapes, by which a damaged model is recognized."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.settings import NetworkSettings, Settings
from plcfrs.neural.vocabulary import Vocabulary

Shapes = dict[str, tuple[int, ...]]

# No trained number comes near it, and sums of products of two numbers below it are finite.
_LARGEST = 1e15


def encoder_shapes(
    settings: NetworkSettings, vocabulary: Vocabulary, further_size: int = 0
) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.neural.encoder.Encoder`."""
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
    shapes |= _lstm("spelling", spelled, spelled)
    shapes |= _lstm("first", size, settings.recurrent_size)
    shapes |= _lstm("second", 2 * settings.recurrent_size, settings.recurrent_size)
    return shapes


def shapes_of(settings: Settings, vocabulary: Vocabulary, further_size: int = 0) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.neural.network.Network`."""
    units, hidden = 2 * settings.recurrent_size, settings.hidden_size
    shapes = encoder_shapes(settings, vocabulary, further_size)
    shapes |= {"no_gap": (2, units), "shift": (hidden,)}
    if settings.tags != "given":
        shapes |= linear_shapes("tagger", units, len(vocabulary.tags) + 1)
    for name, slots, outputs in (("structure", 8, 1), ("labels", 4, len(vocabulary.labels))):
        shapes |= {f"{name}.rows.weight": (slots * hidden, units), f"{name}.bias": (hidden,)}
        shapes |= linear_shapes(f"{name}.hidden", hidden, hidden)
        shapes |= linear_shapes(f"{name}.output", hidden, outputs)
    return shapes


def check_shapes(arrays: Mapping[str, NDArray[Any]], shapes: Shapes) -> None:
    """Check that arrays are those of a network.

    Raises
    ------
    ValueError
        If one is missing, too many, or has another shape or type, or a number is not finite or
        immense.
    """
    if arrays.keys() != shapes.keys():
        raise ValueError("arrays of the network are missing, or it has too many")
    for name, shape in shapes.items():
        array = arrays[name]
        is_right = array.shape == shape and array.dtype == np.float32
        if not is_right or not (np.abs(array) < _LARGEST).all():  # nor is nan below it
            raise ValueError(f"the array {name} of the network is damaged")


def linear_shapes(name: str, size: int, outputs: int) -> Shapes:
    """Return the shapes of the arrays of a layer."""
    return {f"{name}.weight": (outputs, size), f"{name}.bias": (outputs,)}


def _lstm(name: str, size: int, units: int) -> Shapes:
    return {
        f"{name}.{way}.{part}_l0": (4 * units, *rest)
        for way in ("from_left", "from_right")
        for part, rest in (
            ("weight_ih", (size,)),
            ("weight_hh", (units,)),
            ("bias_ih", ()),
            ("bias_hh", ()),
        )
    }
