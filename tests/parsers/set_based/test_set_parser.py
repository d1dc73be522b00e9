"""The parser and its file, which need no PyTorch."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from demo_trees import demo_trees
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.networks.encoding import Vocabulary
from plcfrs.parsers.set_based.configuration import constituents_of, inventory
from plcfrs.parsers.set_based.network import Settings, shapes_of
from plcfrs.parsers.set_based.parser import SetParser
from plcfrs.storage.model_file import ModelFile, load, save
from plcfrs.transformation import Options
from plcfrs.trees import Token

SMALL = {"word_size": 7, "character_size": 5, "recurrent_size": 6, "hidden_size": 8}


def trees():
    """The first trees; five of them are discontinuous."""
    options = Options(splits=())
    return demo_trees(options)[:16]


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


@pytest.mark.full
def test_no_torch():
    """A parser is loaded and parses without PyTorch."""
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import plcfrs.parsers.set_based.model\n"
        "assert not any(name.startswith('torch.') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("beam", [1, 3])
def test_batches(beam):
    """The order of sentences is kept, and each has the parse that it has alone."""
    one, several = parser(), sentences()
    found = one.k_best(several, 2, beam)
    for sentence, parses in zip(several, found, strict=True):
        (alone,) = one.k_best([sentence], 2, beam)
        assert [parse.tree for parse in parses] == [parse.tree for parse in alone]
        assert [parse.score for parse in parses] == pytest.approx([each.score for each in alone])
        assert parses[0].tree.tokens == sentence


def test_tags():
    """Tokens without tags get predicted ones; others keep theirs."""
    found = parser("own")
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
    save(tmp_path / "model", ModelFile.of("set-based", model=made))
    read = load(tmp_path / "model").read("model", SetParser)
    copied = pickle.loads(pickle.dumps(read))
    trees = [parse.tree for parse in made.parse(sentences())]
    assert [parse.tree for parse in read.parse(sentences())] == trees
    assert [parse.tree for parse in copied.parse(sentences())] == trees


def test_damaged():
    array = parser().network["first.from_left.weight_hh_l0"]
    name = "network.first.from_left.weight_hh_l0"
    network = dict.fromkeys(parser().network, 0)
    damaged = [
        ({}, {name: None}),
        ({"network": {key: 0 for key in network if f"network.{key}" != name}}, {}),
        ({"network": {**network, "other": 0}}, {"network.other": array}),
        ({}, {name: array[:-1]}),
        ({}, {name: array.astype(np.float64)}),
        ({}, {name: array * np.float32("inf")}),
        ({}, {name: array * np.float32(1e30)}),
        ({"vocabulary.labels": ["", "NP"]}, {}),
        ({"vocabulary.labels": ["ROOT"]}, {}),
        ({"vocabulary.words": [1]}, {}),
        ({"settings.word_size": 0}, {}),
        ({"settings.tags": "own"}, {}),
        ({"settings.beam": None}, {}),
    ]
    assert reread(parser(), {"network": network})
    for texts, arrays in damaged:
        with pytest.raises(REFUSED):
            reread(parser(), texts, arrays)


def test_no_weights_that_are_read_make_numbers_overflow():
    made = parser()
    for sign in (-1, 1):
        large = {name: np.full_like(array, sign * 9e14) for name, array in made.network.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read = reread(SetParser(made.settings, made.vocabulary, large))
            assert len(read.parse(sentences())) == len(sentences())


@pytest.mark.parametrize(
    "values", [{"beam": 0}, {"dropout": 1.0}, {"oracle": "best"}, {"hidden_size": 0}]
)
def test_settings(values):
    with pytest.raises(InputError):
        Settings(**values)
