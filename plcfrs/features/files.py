"""Files of grammars with the weights of features: the grammar as text, the weights as array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import GrammarError
from plcfrs.features.grammar import MOST_PLACES, FeatureGrammar
from plcfrs.grammar.formats import compressed
from plcfrs.linear.hashed import checked
from plcfrs.storage.model_file import ModelFile

KIND = "features"


def contents_of(model: FeatureGrammar) -> ModelFile:
    """Return the contents of the file of a grammar with weights."""
    arrays: dict[str, NDArray[Any]] = {
        "grammar": np.frombuffer(compressed.dumps(model.grammar).encode(), np.uint8),
        "weights": model.weights,
    }
    if model.shares is not None:
        arrays["shares"] = model.shares
    return ModelFile(KIND, {}, arrays)


def model_of(contents: ModelFile) -> FeatureGrammar:
    """Return the grammar with weights that has these contents of a file.

    Raises
    ------
    GrammarError
        If something is missing or damaged.
    """
    try:
        weights = contents.arrays["weights"]
        if contents.kind != KIND or not 0 < len(weights) <= MOST_PLACES:
            raise ValueError
        return FeatureGrammar(
            compressed.loads(contents.arrays["grammar"].tobytes().decode()),
            checked(weights, len(weights)),
            contents.arrays.get("shares"),
        )
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        raise GrammarError("not a grammar with features, or damaged; train it again") from None
