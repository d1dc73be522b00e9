"""UDPipe (Straka et al. 2016) as a parser of dependencies: the proof that any parser serves.

It is a library of its own, with a transition system and a feed-forward network. It is trained in
another process (`udpipe_training`), because nothing can interrupt it, and it writes to standard
error.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from plcfrs.errors import InputError, MissingError
from plcfrs.parsers.reduction.backbone import BackboneParse, Settings
from plcfrs.parsers.reduction.explanation import Attachment
from plcfrs.trees import DependencyTree, Token

# The swap system builds all trees; single_root: one word depends on the root.
_OPTIONS = (
    "transition_system=swap;transition_oracle=static_lazy;use_gold_tags=1;single_root=1;"
    "embedding_upostag=20;embedding_form=50;hidden_layer=200;iterations={epochs}"
)
_ITERATION = "Iteration"  # the first word of a line that UDPipe writes after each pass
_EMPTY = "_"
_CHANGED = str.maketrans("\t\r\n", "   ")


@dataclass(eq=False, repr=False)
class UDPipe:
    """A parser of dependencies that UDPipe has trained.

    The model is as UDPipe writes it. Raise a MissingError if UDPipe is not installed, and a
    ValueError if it cannot read the model.
    """

    model: bytes

    def __post_init__(self) -> None:
        if self._model is None:
            raise ValueError("UDPipe cannot read its model")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the objects of UDPipe when a parser is pickled."""
        return {"model": self.model}

    @classmethod
    def train(
        cls,
        trees: Iterable[DependencyTree],
        epochs: int,
        step: Callable[[], object] = lambda: None,
    ) -> UDPipe:
        """Train a parser in so many passes over all trees, and call a function after each.

        Relations are not learned.
        """
        _library()
        with TemporaryDirectory() as folder:
            treebank, model = Path(folder, "training.conllu"), Path(folder, "model")
            treebank.write_text("".join(map(_render, trees)), encoding="utf-8")
            command = [sys.executable, "-m", "plcfrs.parsers.reduction.udpipe_training"]
            with subprocess.Popen(
                [*command, treebank, model, _OPTIONS.format(epochs=epochs)],
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
            ) as process:
                try:
                    last = _follow(process, step)
                except BaseException:
                    process.kill()
                    raise
            if process.returncode:
                raise InputError(f"UDPipe cannot learn from these trees: {last}")
            return cls(model.read_bytes())

    def parse(self, tokens: Sequence[Token]) -> BackboneParse:
        """Return the head of each tagged token; UDPipe gives no scores."""
        library = _library()
        sentence = library.Sentence()
        for token in tokens:
            form, tag = _form_and_tag(token)
            sentence.addWord(form).upostag = tag
        error = library.ProcessingError()
        self._model.parse(sentence, library.Model.DEFAULT, error)
        if error.occurred():
            raise InputError(f"UDPipe cannot parse this sentence: {error.message}")
        heads = [sentence.words[number].head for number in range(1, len(tokens) + 1)]
        return BackboneParse(heads, 0.0, inf)

    def attachments(self, tokens: Sequence[Token]) -> list[Attachment]:
        """Return the head of each token; UDPipe says nothing of other heads."""
        return [Attachment(head, 0.0, None, 0.0) for head in self.parse(tokens).heads]

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 (UDPipe has no types)
        with TemporaryDirectory() as folder:  # UDPipe reads files only
            path = Path(folder, "model")
            path.write_bytes(self.model)
            return _library().Model.load(str(path))


class UDPipeState(NamedTuple):
    """What is stored of a training."""

    model: UDPipe | None


class UDPipeTraining:
    """Training of a parser with UDPipe, all at once.

    UDPipe has no seed; the seed is that of the order in which it gets the trees.
    """

    rounds = range(1, 2)

    def __init__(self, trees: Iterable[DependencyTree], settings: Settings) -> None:
        _library()
        self.steps = settings.epochs
        self._trees = list(trees)
        Random(settings.seed).shuffle(self._trees)
        self._model: UDPipe | None = None

    def run_epoch(self, step: Callable[[], object] = lambda: None) -> dict[str, float]:
        """Learn from all trees as often as the settings say; call a function after each time."""
        start = time.perf_counter()
        self._model = UDPipe.train(self._trees, self.steps, step)
        return {"seconds": round(time.perf_counter() - start, 2)}

    def model(self) -> UDPipe:
        """Return the parser, after the training."""
        if self._model is None:
            raise ValueError("UDPipe has not been trained yet")
        return self._model

    @property
    def state(self) -> UDPipeState:
        """The model."""
        return UDPipeState(self._model)

    def resume(self, state: UDPipeState) -> None:
        """Take the model of a training that has ended."""
        self._model = state.model


def _library() -> Any:  # noqa: ANN401 (UDPipe has no types)
    try:
        from ufal import udpipe
    except ImportError:
        raise MissingError("UDPipe is not installed: pip install 'plcfrs[udpipe]'") from None
    return udpipe


def _follow(process: subprocess.Popen[str], step: Callable[[], object]) -> str:
    """Call a function after each pass of a training, and return the last line that it wrote."""
    last = ""
    for line in process.stderr or ():
        last = line.strip() or last
        if line.startswith(_ITERATION):
            step()
    return last


def _form_and_tag(token: Token) -> tuple[str, str]:
    """Return them as CoNLL-U can hold them: not empty, in one line, tags without blanks."""
    return token.form.translate(_CHANGED) or _EMPTY, _EMPTY.join(token.tag.split()) or _EMPTY


def _render(tree: DependencyTree) -> str:
    """Return a tree in CoNLL-U, without relations and with any word."""
    lines = []
    for number, (token, head) in enumerate(zip(tree.tokens, tree.heads, strict=True), start=1):
        form, tag = _form_and_tag(token)
        relation = "dep" if head else "root"
        lines.append("\t".join([str(number), form, _EMPTY, tag, *"__", str(head), relation, *"__"]))
    return "\n".join([*lines, "\n"])
