"""Pretrained word vectors, as word2vec, GloVe and fastText write them to text files."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError
from plcfrs.text.spelling import in_running_text

MOST_FREQUENT = 100_000

_GZIP_MAGIC = b"\x1f\x8b"
_LINE_END = b" \r\n"
_HEADER = re.compile(rb"[0-9]{1,9} ([0-9]{1,6})")  # the numbers of words and of their numbers


class _Stored(NamedTuple):
    words: bytes
    table: NDArray[np.float32]


class WordVectors:
    """A table of word vectors; training does not change it.

    So words of the training trees and words that occur only in the file stay comparable.

    Parameters
    ----------
    words : sequence of str
        No word has a line end.
    table : array of float32, (words + 1, size)
        The vector of an unknown word, and that of each word.

    Examples
    --------
    >>> vectors = WordVectors(["the", "("], np.float32([[0, 0], [1, 2], [3, 4]]))
    >>> vectors.rows(["The", "-LRB-", "zebra"])
    array([1, 2, 0], dtype=int32)
    >>> vectors.encode([["The"], ["the", "zebra"]]).tolist()
    [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]
    """

    def __init__(self, words: Sequence[str], table: NDArray[np.float32]) -> None:
        if table.ndim != 2 or len(table) != len(words) + 1:
            raise ValueError("the word vectors do not fit their words")
        self.words = words
        self.table = table
        self._rows = {word: row for row, word in enumerate(words, start=1)}

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"word vectors: {len(self.words):,} of {self.size} numbers"

    @property
    def size(self) -> int:
        """The length of a vector."""
        return int(self.table.shape[1])

    def rows(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Return the rows of the table for words, 0 for an unknown one.

        A word that the table does not have as it is written gets the row of the word in the
        spelling of running text, or else in lower case.
        """
        return np.fromiter(map(self._row, words), np.int32)

    def encode(self, sentences: Iterable[Iterable[str]]) -> NDArray[np.float32]:
        """Return the vectors of all words of sentences, one after the other: (words, size)."""
        return self.table[self.rows(chain.from_iterable(sentences))]

    def stored(self) -> _Stored:
        """Return the words as UTF-8, since there may be too many for a header, and the table."""
        return _Stored("\n".join(self.words).encode(), self.table)

    @classmethod
    def restored(cls, stored: _Stored) -> WordVectors:
        """Return the vectors of a file."""
        return cls(stored.words.decode().split("\n"), stored.table)

    def _row(self, word: str) -> int:
        return next((self._rows[form] for form in _forms(word) if form in self._rows), 0)


def read_word_vectors(
    path: str | Path, words: Iterable[str], most_frequent: int = MOST_FREQUENT
) -> WordVectors:
    """Read the vectors of words, and of the first words of a file, which are the most frequent.

    The latter serve for new words of the sentences to parse. All other words of the file are
    skipped without reading their numbers, so a file may be larger than the memory.

    Parameters
    ----------
    path : str or Path
        A text file in UTF-8, compressed by gzip or not. Each line has a word, which may have
        blanks, and its numbers. A first line with two whole numbers is a header, as of word2vec
        and fastText; GloVe has none.
    words : iterable of str
        Those of the training trees.

    Returns
    -------
    WordVectors
        All numbers are divided by their standard deviation, as by Dozat and Manning (2017), since
        files differ in it by a factor of ten. The vector of an unknown word is zero.
    """
    wanted = {form.encode(errors="replace") for word in words for form in _forms(word)}
    found: dict[bytes, int] = {}
    table = bytearray()
    size = 0
    for place, (line, parts) in enumerate(_split_lines(Path(path))):
        word, *columns = parts
        if place >= most_frequent and word not in wanted:
            continue
        if word in found:
            raise _error(path, line, f"{_text(word)} has a vector on line {found[word]} already")
        size = len(columns)
        found[word] = line
        table += _numbers(path, line, parts).tobytes()
    if not found:
        raise InputError(f"{path}: there is no vector of any word in it")
    try:
        kept = [word.decode() for word in found]
    except UnicodeDecodeError as error:
        raise _error(path, found[error.object], "the word is not in UTF-8") from None
    numbers = np.frombuffer(table, np.float32).reshape(-1, size)
    numbers /= numbers.std(dtype=np.float64) or 1
    return WordVectors(kept, np.vstack([np.zeros((1, size), np.float32), numbers]))


def _forms(word: str) -> Iterable[str]:
    """Return the forms in which a word is looked up, in order."""
    written = in_running_text(word)
    return dict.fromkeys((word, written, word.lower(), written.lower()))


def _split_lines(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the number and the columns of each line with a vector."""
    size = None
    for number, line in _numbered_lines(path):
        if size is None:
            header = _HEADER.fullmatch(line)
            size = int(header[1]) if header else line.count(b" ")
            if size < 1:
                raise _error(path, number, "expected a word and its numbers, with blanks between")
            if header:
                continue
        parts = line.rsplit(b" ", size)
        if len(parts) <= size:
            if b"\0" in line:
                raise _error(path, number, "the vectors are binary: convert them to text")
            problem = f"expected {size + 1} columns (a word and numbers), found {len(parts)}"
            raise _error(path, number, problem)
        yield number, parts


def _numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines without blanks at their end.

    They are bytes, since str takes other characters for line ends, which are words of GloVe.
    """
    try:
        with path.open("rb") as file:
            is_packed = file.peek(2).startswith(_GZIP_MAGIC)
            lines = cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if is_packed else file
            for number, line in enumerate(lines, start=1):
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                yield number, text.rstrip(_LINE_END)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise InputError(f"{path}: the file is damaged or cut off") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _numbers(path: str | Path, line: int, parts: list[bytes]) -> NDArray[np.float32]:
    word, *columns = parts
    last = word.rpartition(b" ")[2]
    if last != word and _is_number(last):
        raise _error(path, line, f"more than {len(columns)} numbers, unlike the lines above")
    try:
        with np.errstate(over="ignore"):
            numbers = np.array(columns, np.float32)
    except ValueError:
        wrong = next(column for column in columns if not _is_number(column))
        raise _error(path, line, f"{_text(wrong)} is not a number") from None
    if not np.isfinite(numbers).all():
        raise _error(path, line, "a number is infinite or nan")
    return numbers


def _is_number(column: bytes) -> bool:
    try:
        float(column)
    except ValueError:
        return False
    return True


def _text(column: bytes) -> str:
    return repr(column.decode(errors="replace"))


def _error(path: str | Path, line: int, problem: str) -> InputError:
    return InputError(f"{path}:{line}: {problem}")
