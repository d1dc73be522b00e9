"""The files of a document in a project: its text, and the trees of one person."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import shorten
from typing import IO, Any

from plcfrs.errors import InputError
from plcfrs.project.annotated_sentence import AnnotatedSentence
from plcfrs.storage.files import write_files
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Token

State = tuple[int, int]

_MOST_CHARACTERS = 80


def state_of(path: Path) -> State:
    """Return what tells whether another program has changed a file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


class Document:
    """The sentences of a document in order, with the trees that the person has annotated.

    Lines are read when their sentences are needed, and written as they were otherwise.
    """

    def __init__(self, text: Path, trees: Path) -> None:
        self.name = text.stem
        self.path = trees / text.name
        self.tokens: dict[str, list[Token]] = {}
        for chunk in _chunks(text):
            content = _content(chunk)
            try:
                tokens = [Token(tag="", **token) for token in content["tokens"]]
                "".join(token.form for token in tokens)
            except (LookupError, TypeError):
                raise chunk.error("expected the tokens of a sentence") from None
            self.tokens[content["id"]] = tokens
        self.read()

    def read(self) -> None:
        """Read the trees of the person."""
        self._chunks: dict[str, Chunk] = {}
        self._headers: dict[str, dict[str, Any]] = {}
        self._sentences: dict[str, AnnotatedSentence] = {}
        for chunk in _chunks(self.path) if self.path.exists() else ():
            content = _content(chunk)
            self._chunks[content["id"]] = chunk
            self._headers[content["id"]] = _header(content)

    def __getitem__(self, sentence_id: str) -> AnnotatedSentence:
        if sentence_id not in self._chunks:
            return AnnotatedSentence(sentence_id)
        if sentence_id not in self._sentences:
            self._sentences[sentence_id] = AnnotatedSentence.read(self._chunks[sentence_id])
        return self._sentences[sentence_id]

    def header(self, sentence_id: str) -> dict[str, Any]:
        """Return the status, note, revision and text of a sentence, and whether it has a tree."""
        return self._headers.get(sentence_id, _UNTOUCHED)

    def beginning(self, sentence_id: str) -> str:
        """Return the first words of a sentence."""
        header = self.header(sentence_id)
        return str(header["text"] or beginning_of(self.tokens.get(sentence_id, ())))

    def ids(self) -> list[str]:
        """Return the identifiers of the sentences that are there, in order."""
        order = list(self.tokens)
        for name, header in self._headers.items():
            if name not in self.tokens and header["behind"] in order:
                order.insert(order.index(header["behind"]) + 1, name)
        return [name for name in order if not self._is_gone(name)]

    def all_ids(self) -> Iterable[str]:
        """Return the identifiers of all sentences, joined ones included."""
        return {**self.tokens, **self._headers}

    def put(self, sentence: AnnotatedSentence) -> None:
        """Replace a sentence, or add it; `write` writes it."""
        line = sentence.line()
        self._sentences[sentence.id] = sentence
        self._chunks[sentence.id] = Chunk(str(self.path), 0, line, 0)
        self._headers[sentence.id] = _header(json.loads(line))

    def write(self) -> None:
        """Write the trees anew, in the order of the text; sentences without one have no line.

        Trees of sentences that the text no longer has come last.
        """
        names = [*dict.fromkeys([*self.ids(), *self._chunks])]
        lines = [self._chunks[name].text for name in names if self.header(name)["has_tree"]]

        def write(file: IO[bytes]) -> None:
            file.write("".join(lines).encode())
            file.flush()
            os.fsync(file.fileno())  # before it replaces the old file: the power may fail

        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_files({self.path: write})

    def _is_gone(self, sentence_id: str) -> bool:
        header = self.header(sentence_id)
        return header["revision"] > 0 and not header["has_tree"]


def _chunks(path: Path) -> Iterator[Chunk]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield Chunk(str(path), number, line.rstrip("\n") + "\n", number)
    except UnicodeDecodeError:
        raise InputError(f"{path}: a project must be in utf-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _content(chunk: Chunk) -> dict[str, Any]:
    try:
        content = json.loads(chunk.text)
        if isinstance(content["id"], str):
            return dict(content)
    except (ValueError, LookupError, TypeError):
        pass
    raise chunk.error("expected the line of a sentence, with its id") from None


def _header(content: dict[str, Any]) -> dict[str, Any]:
    header = {name: content.get(name, "") for name in ("status", "note", "behind")}
    tokens = [Token(token["form"], token.get("tag", "")) for token in content.get("tokens", ())]
    header["text"] = beginning_of(token for token in tokens if not token.is_null)
    return {**header, "revision": content.get("revision", 0), "has_tree": "tree" in content}


def beginning_of(tokens: Iterable[Token]) -> str:
    """Return the first words of a sentence as a text of up to 80 characters."""
    return shorten(" ".join(token.form for token in tokens), _MOST_CHARACTERS, placeholder=" …")


_UNTOUCHED = _header({})
