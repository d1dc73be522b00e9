"""Pretrained encoders of Hugging Face, such as BERT, which turn words in sentences into vectors.

Loading an encoder imports PyTorch and transformers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError, MissingError
from plcfrs.networks.embedded import LAYERS, EmbeddedEncoder
from plcfrs.stopping import until_stopped
from plcfrs.text.spelling import in_running_text

if TYPE_CHECKING:
    from torch import Tensor

Float32 = NDArray[np.float32]

_BATCH = 32  # sentences to encode at once
_USUAL_LENGTH = 512  # pieces, for models that do not state their length
_PROBE = ("This", "sentence", "was", "encoded", "in", "1995", ".")
_TOLERANCE = 0.01


class _Stored(NamedTuple):
    name: str
    unfrozen: int
    probe: Float32
    weights: Mapping[str, Float32]


class PretrainedEncoder:
    """A pretrained encoder; the vector of a subword piece is the mean of the last layers.

    The vector of a word is the mean of its pieces: both endings and beginnings matter for syntax,
    and in tagging the mean does better than the first piece (Ács et al. 2021). With a frozen model,
    several last layers do better than the last one (Devlin et al. 2019, table 7).

    If a sentence is too long for the model, it is encoded in windows that overlap by half. A piece
    in two windows has both vectors. A word without pieces, such as a control character, is zero.

    Parameters
    ----------
    name : str
        A model of the Hugging Face hub, or the folder of one. A model that is already on this
        computer is loaded without the network.
    unfrozen : int
        The number of last layers to train.
    device : str
        As PyTorch names it: "cpu", "cuda".

    Attributes
    ----------
    weights : dict of str to Tensor
        The weights of the unfrozen layers, by name.
    """

    def __init__(self, name: str, unfrozen: int = 0, device: str = "cpu") -> None:
        # A full path works from any working directory.
        self.name = str(Path(name).resolve()) if Path(name).is_dir() else name
        self.unfrozen = unfrozen
        self._tokenizer, model = _load_model(self.name)
        if not self._tokenizer.is_fast:
            problem = "has no fast tokenizer, which finds the words of subword pieces"
            raise MissingError(f"the encoder {self.name} {problem}")
        self._model = model.float().to(device).requires_grad_(False).eval()
        self.weights = self._unfreeze()
        # While an encoder runs, its weights are in the model that it shares with others.
        self._lock = Lock()
        self._longest = _longest(self._tokenizer, self._model)

    def __reduce__(self) -> tuple[Any, ...]:
        """Load the model again in the other process: models of transformers cannot be pickled."""
        return _reloaded, (self.name, self.unfrozen, self._weights())

    @property
    def title(self) -> str:
        """A line about the encoder, for people."""
        learned = f"{self.unfrozen} of its layers learned"
        return f"pretrained encoder: {self.name}, {self.size} units, {learned}"

    @property
    def size(self) -> int:
        """The length of a vector."""
        return int(self._model.config.hidden_size)

    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of sentences, one after the other: (words, size)."""
        import torch

        with self._lock, torch.no_grad():
            self._model.eval()
            vectors: Float32 = self._encode_all(sentences).cpu().numpy()
        return vectors

    def encode_tensor(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Return the vectors as a tensor for training, with dropout and the weights' gradients."""
        self._model.train()
        return self._encode_all(sentences)

    def with_weights(self, weights: Mapping[str, NDArray[Any]]) -> PretrainedEncoder:
        """Return an encoder with other weights of the same names; it shares all frozen ones."""
        import torch

        changed = object.__new__(PretrainedEncoder)
        changed.__dict__ |= self.__dict__
        changed.weights = {
            name: torch.from_numpy(np.array(weights[name])).to(weight.device)
            for name, weight in self.weights.items()
        }
        return changed

    def check_embeddable(self) -> None:
        """Raise an InputError if only PyTorch can run this encoder."""
        config = self._model.config
        kind = getattr(config, "model_type", None), getattr(config, "hidden_act", None)
        place = getattr(config, "position_embedding_type", "absolute")
        if kind != ("bert", "gelu") or place != "absolute" or config.is_decoder:
            raise InputError(
                f"the encoder {self.name} does not fit into a model file: only encoders like BERT "
                f"do, with GELU and absolute positions; this one is of the type {kind[0]}"
            )

    def embedded(self) -> EmbeddedEncoder:
        """Return the same encoder with all its weights; it needs no PyTorch."""
        self.check_embeddable()
        weights = {**self._model.state_dict(), **self.weights}
        embedded = EmbeddedEncoder(
            Path(self.name).name if Path(self.name).is_dir() else self.name,
            self._model.config.num_attention_heads,
            self._model.config.layer_norm_eps,
            self._longest,
            self._tokenizer.backend_tokenizer.to_str().encode(),
            {
                name: weight.detach().cpu().numpy()
                for name, weight in weights.items()
                if not name.startswith("pooler.")
            },
        )
        embedded.check()
        return embedded

    def stored(self) -> _Stored:
        """Return the name, the trained layers, and the vectors of a known sentence."""
        return _Stored(self.name, self.unfrozen, self.encode([_PROBE]), self._weights())

    @classmethod
    def restored(cls, stored: _Stored) -> PretrainedEncoder:
        """Return the encoder of a file; raise a MissingError if its name has a new one."""
        encoder = cls(stored.name, stored.unfrozen)
        if not encoder._is_like(stored.weights, stored.probe):
            problem = "is not the one that the model was trained with"
            raise MissingError(f"the encoder {encoder.name} {problem}")
        return encoder.with_weights(stored.weights)

    def _is_like(self, weights: Mapping[str, NDArray[Any]], probe: Float32) -> bool:
        """Return whether this encoder with other weights encodes a sentence as in training."""
        shapes = {name: tuple(weight.shape) for name, weight in self.weights.items()}
        if shapes != {name: weight.shape for name, weight in weights.items()}:
            return False
        vectors = self.with_weights(weights).encode([_PROBE])
        return vectors.shape == probe.shape and np.allclose(vectors, probe, atol=_TOLERANCE)

    def _weights(self) -> dict[str, NDArray[Any]]:
        return {name: weight.detach().cpu().numpy() for name, weight in self.weights.items()}

    def _unfreeze(self) -> dict[str, Tensor]:
        """Let the last layers be trained, and return their weights by name."""
        layers = _layers_of(self._model) if self.unfrozen else []
        if self.unfrozen > len(layers):
            problem = f"cannot unfreeze {self.unfrozen} layers: it has {len(layers)}"
            raise MissingError(f"the encoder {self.name} {problem}")
        for layer in layers[len(layers) - self.unfrozen :]:
            layer.requires_grad_(True)
        weights = self._model.named_parameters()
        return {name: weight for name, weight in weights if weight.requires_grad}

    def _encode_all(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        import torch

        parts = [
            self._encode(sentences[start : start + _BATCH])
            for start in until_stopped(range(0, len(sentences), _BATCH))
        ]
        return torch.cat(parts) if parts else torch.zeros(0, self.size)

    def _encode(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        import torch

        pieces = self._tokenizer(
            [list(map(in_running_text, sentence)) for sentence in sentences],
            is_split_into_words=True,
            truncation=True,
            max_length=self._longest,
            stride=(self._longest - self._tokenizer.num_special_tokens_to_add()) // 2,
            return_overflowing_tokens=True,
            padding=True,
            return_tensors="pt",
        ).to(self._model.device)
        sentence_of = pieces.pop("overflow_to_sample_mapping").tolist()
        inputs = {**pieces, "output_hidden_states": True}
        states = torch.func.functional_call(self._model, self.weights, (), inputs).hidden_states
        vectors = torch.stack(states[1:][-LAYERS:]).mean(0)
        *starts, end = np.cumsum([0, *map(len, sentences)]).tolist()
        places = [
            (window, column, starts[sentence] + word)
            for window, sentence in enumerate(sentence_of)
            for column, word in enumerate(pieces.word_ids(window))
            if word is not None
        ]
        windows, columns, words = vectors.new_tensor(places, dtype=torch.long).view(-1, 3).T
        sums = vectors.new_zeros(end, self.size).index_add(0, words, vectors[windows, columns])
        return sums / words.bincount(minlength=end).clamp(min=1)[:, None]


def _reloaded(name: str, unfrozen: int, weights: Mapping[str, NDArray[Any]]) -> PretrainedEncoder:
    return PretrainedEncoder(name, unfrozen).with_weights(weights)


def _load_model(name: str) -> tuple[Any, Any]:
    """Return a tokenizer and a model."""
    try:
        import torch  # noqa: F401 (transformers can be imported without it)
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError:
        raise MissingError(
            "a pretrained encoder needs PyTorch and transformers: "
            "pip install 'plcfrs[transformers]'"
        ) from None

    def load(*, offline: bool) -> tuple[Any, Any]:
        # Never run the code of a model.
        options = {"local_files_only": offline, "trust_remote_code": False}
        model = AutoModel.from_pretrained(name, **options)
        # Tokenizers whose pieces have blanks, such as RoBERTa's, need a blank before a word.
        tokenizer = AutoTokenizer.from_pretrained(name, add_prefix_space=True, **options)
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        return tokenizer, model

    is_folder = Path(name).is_dir()
    if is_folder and not Path(name, "config.json").is_file():
        raise MissingError(f"{name}: not the folder of an encoder: it has no config.json")
    try:
        with _quiet_transformers(logging):
            return load(offline=True)
    except OSError as error:
        if is_folder:
            raise _loading_error(name, error) from None
    except Exception as error:  # for example, a damaged file or a missing library
        raise _loading_error(name, error) from None
    try:
        return load(offline=False)
    except OSError:
        raise MissingError(
            f"the encoder {name} is not a folder, and the Hugging Face hub does not have it or "
            "cannot be reached"
        ) from None
    except Exception as error:
        raise _loading_error(name, error) from None


@contextmanager
def _quiet_transformers(logging: Any) -> Iterator[None]:  # noqa: ANN401 (a module)
    """Keep transformers from reporting unused parts of a model."""
    verbosity, shows_progress = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if shows_progress:
            logging.enable_progress_bar()


def _loading_error(name: str, error: Exception) -> MissingError:
    reason = str(error).strip().partition("\n")[0].rstrip(" :.")
    return MissingError(f"the encoder {name} cannot be loaded: {reason}")


def _layers_of(model: Any) -> list[Any]:  # noqa: ANN401 (a model of transformers)
    """Return the layers of a model, from the first one; empty if they are not in one list."""
    from torch.nn import ModuleList

    number = model.config.num_hidden_layers
    lists = (module for module in model.modules() if isinstance(module, ModuleList))
    return list(next((layers for layers in lists if len(layers) == number), []))


def _longest(tokenizer: Any, model: Any) -> int:  # noqa: ANN401 (a model of transformers)
    """Return the most pieces that a model reads at once."""
    positions: int = getattr(model.config, "max_position_embeddings", 0)
    # RoBERTa's positions start after the padding's.
    unused = [
        module.padding_idx + 1
        for name, module in model.named_modules()
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None
    ]
    positions -= max(unused, default=0)
    longest: int = tokenizer.model_max_length
    return min(longest, positions if positions > 0 else _USUAL_LENGTH)
