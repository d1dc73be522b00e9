"""Pretrained word vectors from text files."""

import gzip
import math
import subprocess
import sys

import numpy as np
import pytest

from plcfrs.errors import InputError
from plcfrs.networks.vectors import WordVectors, read_word_vectors
from plcfrs.storage.model_file import ModelFile, load, save

GLOVE = "the 1 2\n, -3 4e-1\nberlin 5 6\nzebra 7 8\n"
WORD2VEC = "4 2\n" + GLOVE
FASTTEXT = WORD2VEC.replace("\n", " \r\n")  # its lines end with a blank
NUMBERS = [[1, 2], [-3, 0.4], [5, 6], [7, 8]]


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "vectors.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("content", [GLOVE, WORD2VEC, FASTTEXT, "\ufeff" + WORD2VEC])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_formats(file, content, pack):
    vectors = read_word_vectors(file(pack(content.encode())), [])
    assert list(vectors.words) == ["the", ",", "berlin", "zebra"]
    assert vectors.table.dtype == np.float32
    assert vectors.size == 2
    assert vectors.table[0].tolist() == [0, 0]
    assert vectors.table[1:].std() == pytest.approx(1)
    np.testing.assert_allclose(vectors.table[1:] / vectors.table[1, 0], NUMBERS, rtol=1e-6)


def test_words_kept(file):
    path = file(GLOVE)
    assert list(read_word_vectors(path, ["zebra", "yak"], 2).words) == ["the", ",", "zebra"]
    assert list(read_word_vectors(path, ["Zebra"], 0).words) == ["zebra"]
    # The numbers of other words are not read.
    assert list(read_word_vectors(file(GLOVE + "yak x y\n"), [], 4).words)[-1] == "zebra"


def test_case_and_spelling(file):
    vectors = read_word_vectors(file("Apple 1 1\napple 2 2\n( 3 3\n1/2 4 4\nus 5 5\n"), [])
    words = ["Apple", "APPLE", "-LRB-", r"1\/2", "US", "(", "none", ""]
    assert vectors.rows(words).tolist() == [1, 2, 3, 4, 5, 3, 0, 0]
    encoded = vectors.encode([["Apple", "none"], ["US"], []])
    assert np.array_equal(encoded, vectors.table[[1, 0, 5]])
    assert vectors.encode([]).shape == (0, 2)


def test_odd_words(file):
    """Words of GloVe 840B: with blanks, with characters that str takes for line ends or blanks."""
    words = ["the", ". . .", "at name@domain.com", "\x85", "\xa0", "\u2028", "\x0c", "", "\u3000"]
    vectors = read_word_vectors(file("".join(f"{word} 1 -1\n" for word in words)), [])
    assert list(vectors.words) == words
    assert vectors.rows(words).tolist() == list(range(1, 10))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": there is no vector of any word in it"),
        ("0 300\n", ": there is no vector of any word in it"),
        ("word\n", ":1: expected a word and its numbers, with blanks between"),
        ("a 1 2\nb 1\n", ":2: expected 3 columns (a word and numbers), found 2"),
        ("a 1 2\n\nb 1 2\n", ":2: expected 3 columns (a word and numbers), found 1"),
        ("a 1 2\nb 1 2 3\n", ":2: more than 2 numbers, unlike the lines above"),
        ("1 2\na 1 2\nb c 2\n", ":3: 'c' is not a number"),
        ("a 1 2\nb 1 nan\n", ":2: a number is infinite or nan"),
        ("a 1 2\nb -inf 1\n", ":2: a number is infinite or nan"),
        ("a 1 2\nb 1e50 1\n", ":2: a number is infinite or nan"),
        ("a 1 2\nb 1 2\na 1 2\n", ":3: 'a' has a vector on line 1 already"),
        ("9 " + "9" * 5000, ":1: a number is infinite or nan"),
        (b"a 1 2\n\xe4 1 2\n", ":2: the word is not in UTF-8"),
        (b"2 2\na \0\1\2\n", ":2: the vectors are binary: convert them to text"),
        (gzip.compress(GLOVE.encode(), mtime=0)[:-9], ": the file is damaged or cut off"),
        (gzip.compress(GLOVE.encode(), mtime=0)[:10] + b"x", ": the file is damaged or cut off"),
    ],
)
def test_errors(file, content, message):
    path = file(content)
    with pytest.raises(InputError) as error:
        read_word_vectors(path, ["the"])
    assert str(error.value) == f"{path}{message}"


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match=str(path)):
            read_word_vectors(path, [])


def test_large_numbers(file):
    assert np.isfinite(read_word_vectors(file("a 1e38 2e38\n"), []).table).all()


def test_zeros(file):
    vectors = read_word_vectors(file("a 0 0\n"), [])
    assert vectors.table.tolist() == [[0, 0], [0, 0]]


def test_model_file(file, tmp_path):
    vectors = read_word_vectors(file(GLOVE + "\x85 1 1\n"), [])
    save(tmp_path / "model", ModelFile.of("set-based", model=vectors))
    again = load(tmp_path / "model").read("model", WordVectors)
    assert again.words == list(vectors.words)
    assert np.array_equal(again.table, vectors.table)
    with pytest.raises(ValueError, match="do not fit"):
        WordVectors(again.words, again.table[1:])


def test_no_torch():
    code = "import sys, plcfrs.networks.vectors; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_scale(file):
    """Files that differ by a factor give the same vectors."""
    small = "".join(f"w{n} {math.sin(n):.5f} {math.cos(n):.5f}\n" for n in range(9))
    large = "".join(f"w{n} {math.sin(n) * 100:.3f} {math.cos(n) * 100:.3f}\n" for n in range(9))
    tables = [read_word_vectors(file(content), []).table for content in (small, large)]
    np.testing.assert_allclose(*tables, atol=1e-5)
