"""Networks with random weights, for which no PyTorch is needed."""

import numpy as np
from demo_trees import demo_trees

from plcfrs.completion.functions import FunctionScores
from plcfrs.forest.forests import grammar_of
from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoding import NetworkVocabulary
from plcfrs.parsers.neural import NeuralModel
from plcfrs.parsers.neural.configuration import constituents_of, inventory
from plcfrs.parsers.neural.functions import Functions
from plcfrs.parsers.neural.heads import parts_of
from plcfrs.parsers.neural.network import NeuralNetwork, neural_shapes
from plcfrs.parsers.neural.parser import NeuralContents, NeuralParser
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.transformation import Options

SIZES = {
    "word_size": 6,
    "character_size": 4,
    "tag_size": 4,
    "recurrent_size": 8,
    "hidden_size": 8,
    "span_size": 8,
}


def demo():
    return demo_trees(Options(splits=()))


def random_network(heads="both", tags="own", seed=1, **settings) -> NeuralNetwork:
    """Return a network of the words and labels of the demo treebank."""
    trees = demo()
    chosen = NeuralSettings(heads=heads, tags=tags, **SIZES | settings)
    parts = {part.label for tree in trees for part in parts_of(tree)} if chosen.has_spans else ()
    labels = inventory(map(constituents_of, trees) if chosen.has_transitions else ())
    vocabulary = NetworkVocabulary.of([tree.tokens for tree in trees], labels)
    parts = tuple(sorted(parts))
    functions = Functions.of(trees) if chosen.has_spans else None
    shapes = neural_shapes(chosen, vocabulary, parts, functions=functions)
    arrays = random_arrays(shapes, seed)
    return NeuralNetwork(chosen, vocabulary, arrays, parts=parts, functions=functions)


def random_model(heads="both", tags="own", beam=None, seed=1, **settings) -> NeuralParser:
    """Return a parser with such a network, and with the grammar of the demo treebank."""
    network = random_network(heads, tags, seed, **settings)
    sentences = [tree.tokens for tree in demo()]
    tagger = Tagger.train(sentences, 1) if tags == "given" else None
    grammar = grammar_of(demo()) if network.settings.has_spans else None
    contents = NeuralContents(network, {"epochs": "0"}, tagger, grammar)
    return NeuralModel.of(contents, beam=beam)


def random_set_model(tags="given", beam=None, seed=1) -> NeuralParser:
    return random_model("transitions", tags, beam, seed)


def random_span_model(tags="given", seed=1) -> NeuralParser:
    return random_model("spans", tags, seed=seed)


def random_arrays(shapes, seed):
    random = np.random.default_rng(seed)
    return {name: random.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def sure_of_none(_reading, tree) -> FunctionScores:
    """Return the scores of a network that is sure that a tree has no functions."""
    return FunctionScores({"": 0}, {node: [0.0] for node in tree.nodes()})
