"""The settings of networks: of all, and of set-based parsers.

PyTorch comes with an extra; `require_torch` checks that it is installed.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import Literal, TypeVar

from plcfrs.errors import InputError
from plcfrs.settings import check_settings, setting

WIDEST_BEAM = 1_000

AnySettings = TypeVar("AnySettings", bound="NetworkSettings")


@dataclass(frozen=True)
class NetworkSettings:
    """Settings of a network that encodes words, and of its training.

    Parameters
    ----------
    tags : str
        "given" if they are input.
    epochs, patience, batch, seed : int
    rate : float
        The step size of Adam in the first epoch.
    decay : float
        The factor of the step size after each epoch.
    dropout : float
    vectors : str, optional
        A file of word vectors, see `plcfrs.networks.vectors.read_word_vectors`.
    encoder : str, optional
        The name or the folder of a `plcfrs.networks.pretrained.PretrainedEncoder`.
    encoder_layers : int
    encoder_rate : float
        The step size for these layers.
    threads : int, optional
    device : str
        As PyTorch names it: "cpu", "cuda".
    word_size, character_size, tag_size : int
        The sizes of embeddings; a character LSTM has `character_size` units a direction.
    recurrent_size : int
        Units a direction of each of the two layers of LSTMs over words.
    hidden_size : int
        Units of the hidden layers of the scorers.

    Raises
    ------
    InputError
        If a value is not possible.
    """

    tags: str = "given"
    epochs: int = setting(40, "Number of passes over all trees.", least=1, stored=False)
    patience: int | None = setting(
        None,
        "Stop after so many epochs without a better F1 on the development set.",
        least=1,
        stored=False,
    )
    batch: int = setting(32, "Number of sentences that are learned from at once.", least=1)
    rate: float = setting(0.002, "The step size of the training.", least=0, fraction=True)
    decay: float = setting(
        0.97, "The factor of the step size after each epoch.", least=0, most=1, fraction=True
    )
    dropout: float = setting(
        0.33, "The part of the network that is left out.", least=0, most=0.9, fraction=True
    )
    vectors: str | None = setting(
        None, "A file of pretrained word vectors, as of word2vec, GloVe or fastText, as text."
    )
    encoder: str | None = setting(
        None, "A pretrained encoder of Hugging Face, such as BERT: its name or its folder."
    )
    encoder_layers: int = setting(
        0, "How many of its layers, from the last one, are trained, too.", least=0
    )
    encoder_rate: float = setting(
        0.00005, "The step size of the training of these layers.", least=0, fraction=True
    )
    seed: int = setting(1, "Seed of the network and of the order of the trees.", least=0)
    threads: int | None = setting(
        None, "Number of threads; by default, PyTorch decides.", least=1, stored=False
    )
    device: str = setting("cpu", "Where to train: cpu or cuda.", stored=False)
    word_size: int = 64
    character_size: int = 32
    tag_size: int = 32
    recurrent_size: int = 150
    hidden_size: int = 128

    def __post_init__(self) -> None:
        check_settings(self)
        for name in _SIZES:
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.encoder_layers and self.encoder is None:
            raise InputError("encoder-layers: there is no encoder")


@dataclass(frozen=True)
class Settings(NetworkSettings):
    """Settings of a set-based parser and its training.

    Parameters
    ----------
    tags : {"given", "own"}
    oracle : {"static", "dynamic"}
        What is learned from: the derivations of the trees alone, or also derivations that the
        network has sampled, with the actions of the dynamic oracle.
    explored : {"sentences", "steps"}
        What is sampled with the probability `exploration`: all steps of a sentence, as by Coavoux
        and Cohen (2019), or each step, as by Goldberg and Nivre (2013).
    exploration : float
    beam : int

    Raises
    ------
    InputError
        If a value is not possible.

    Examples
    --------
    >>> Settings(tags="own").oracle
    'dynamic'
    """

    tags: Literal["given", "own"] = setting(
        "given",
        "The tags: given, as in the trees; or own, predicted from the words by the same network, "
        "which then parses words alone.",
    )
    oracle: Literal["static", "dynamic"] = setting(
        "dynamic",
        "Learn from the derivations of the trees, or also from derivations that the network has "
        "sampled.",
    )
    explored: Literal["sentences", "steps"] = setting(
        "sentences", "What the dynamic oracle samples: whole derivations, or single steps."
    )
    exploration: float = setting(
        0.15, "The probability that it is sampled.", least=0, most=1, fraction=True
    )
    beam: int = setting(1, "How many derivations to keep at each step.", least=1, most=WIDEST_BEAM)


_SIZES = tuple(field.name for field in fields(NetworkSettings) if field.name.endswith("_size"))


def require_torch(encoder: str | None) -> None:
    """Raise an InputError if what trains a network is missing, before anything imports it."""
    if encoder is not None and None in map(find_spec, ("torch", "transformers")):
        raise InputError(
            f"the encoder {encoder} needs PyTorch and transformers: "
            "pip install 'plcfrs[transformers]'"
        )
    if find_spec("torch") is None:
        raise InputError(
            "a network is trained by PyTorch, which is not installed: pip install 'plcfrs[neural]'"
        )
