"""The parser and its file, which need no PyTorch."""

import pickle
import subprocess
import sys
import warnings
from itertools import islice

import numpy as np
import pytest

from plcfrs.errors import InputError
from plcfrs.neural.parser import SetParser
from plcfrs.neural.settings import Settings
from plcfrs.neural.shapes import shapes_of
from plcfrs.neural.vocabulary import Vocabulary
from plcfrs.storage.model_file import ModelFile, load, save
from plcfrs.transformation import Options, transform
from plcfrs.transition.sets.constituents import constituents_of, inventory
from plcfrs.treebank import read_trees
from plcfrs.trees import Token

SMALL = {"word_size": 7, "character_size": 5, "recurrent_size": 6, "hidden_size": 8}


def trees():
    """The first trees; five of them are discontinuous."""
    options = Options(splits=())
    return [transform(tree, options) for tree in islice(read_trees("plcfrs:demo"), 16)]


def sentences():
    return [tree.tokens for tree in trees()]


def parser(tags="given"):
    """A parser with random weights."""
    settings = Settings(tags=tags, **SMALL)
    labels = inventory(map(constituents_of, trees()))
    vocabulary = Vocabulary.of(sentences(), labels)
    random = np.random.default_rng(1)
    shapes = shapes_of(settings, vocabulary)
    arrays = {name: random.normal(size=shape) for name, shape in shapes.items()}
    arrays = {name: array.astype(np.float32) for name, array in arrays.items()}
    return SetParser(settings, vocabulary, arrays)


def test_no_torch():
    """A parser is loaded and parses without PyTorch."""
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import plcfrs.neural.parser\n"
        "assert not any(name.startswith('torch.') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("beam", [1, 3])
def test_batches(beam):
    """The order of sentences is kept, and each has the parse that it has alone."""
    found = parser().k_best(sentences(), 2, beam)
    for sentence, parses in zip(sentences(), found, strict=True):
        (alone,) = parser().k_best([sentence], 2, beam)
        assert [parse.tree for parse in parses] == [parse.tree for parse in alone]
        assert [parse.score for parse in parses] == pytest.approx([each.score for each in alone])
        assert parses[0].tree.tokens == sentence


def test_tags():
    """Tokens without tags get predicted ones; others keep theirs."""
    found = parser("predicted")
    (parse,) = found.parse([[Token("She", ""), Token("runs", "VBZ")]])
    first, second = parse.tree.tokens
    assert first.tag in found.vocabulary.tags
    assert second.tag == "VBZ"
    (other,) = found.parse([[Token("She", "PRP"), Token("runs", "")]])
    assert other.score == parse.score  # tags are no input


def test_unknown():
    """Nothing of a sentence need be known."""
    (parse,) = parser().parse([[Token("\u2603" * 30, "?"), Token("", "")]])
    assert len(parse.tree.tokens) == 2


def test_no_words():
    with pytest.raises(InputError, match="no words"):
        parser().parse([[]])


def test_file(tmp_path):
    made = parser()
    save(tmp_path / "model", ModelFile.of("set-based", {}, {"parser.": made}))
    read = SetParser.from_arrays(*load(tmp_path / "model").part("parser.")[1:])
    copied = pickle.loads(pickle.dumps(read))
    trees = [parse.tree for parse in made.parse(sentences())]
    assert [parse.tree for parse in read.parse(sentences())] == trees
    assert [parse.tree for parse in copied.parse(sentences())] == trees


def test_damaged():
    header, arrays = parser().header(), parser().arrays()
    name = "first.from_left.weight_hh_l0"
    damaged = [
        (header, {key: array for key, array in arrays.items() if key != name}),
        (header, {**arrays, "other": arrays[name]}),
        (header, {**arrays, name: arrays[name][:-1]}),
        (header, {**arrays, name: arrays[name].astype(np.float64)}),
        (header, {**arrays, name: arrays[name] * np.float32("inf")}),
        (header, {**arrays, name: arrays[name] * np.float32(1e30)}),
        ({**header, "vocabulary.labels": '["", "NP"]'}, arrays),
        ({**header, "vocabulary.labels": '["ROOT"]'}, arrays),
        ({**header, "vocabulary.words": "[1]"}, arrays),
        ({**header, "word_size": "0"}, arrays),
        ({**header, "tags": "own"}, arrays),
        ({key: text for key, text in header.items() if key != "beam"}, arrays),
    ]
    for texts, each in damaged:
        with pytest.raises((KeyError, ValueError)):
            SetParser.from_arrays(texts, each)


def test_no_weights_that_are_read_make_numbers_overflow():
    header, arrays = parser().header(), parser().arrays()
    for sign in (-1, 1):
        large = {name: np.full_like(array, sign * 9e14) for name, array in arrays.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len(SetParser.from_arrays(header, large).parse(sentences())) == len(sentences())


@pytest.mark.parametrize(
    "values", [{"beam": 0}, {"dropout": 1.0}, {"oracle": "best"}, {"hidden_size": 0}]
)
def test_settings(values):
    with pytest.raises(InputError):
        Settings(**values)
