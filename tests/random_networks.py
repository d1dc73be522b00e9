"""Networks with random weights, for which no PyTorch is needed."""

import numpy as np
from demo_trees import demo_trees

from plcfrs.forest.forests import grammar_of
from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoding import Vocabulary
from plcfrs.parsers.joint.model import JointModel
from plcfrs.parsers.joint.network import JointGrammar, JointNetwork, JointSettings, joint_shapes
from plcfrs.parsers.set_based.configuration import constituents_of, inventory
from plcfrs.parsers.set_based.model import SetBasedModel
from plcfrs.parsers.set_based.network import Settings, shapes_of
from plcfrs.parsers.set_based.parser import SetParser
from plcfrs.parsers.spans.model import SpanModel
from plcfrs.parsers.spans.parts import parts_of
from plcfrs.parsers.spans.scorer import SpanGrammar, SpanScorer, SpanSettings, span_shapes
from plcfrs.transformation import Options

SIZES = {
    f"{name}_size": size
    for name, size in zip(
        ("word", "character", "tag", "recurrent", "hidden"), (6, 4, 4, 8, 8), strict=True
    )
}


def demo():
    return demo_trees(Options(splits=()))


def random_model(tags="given", beam=None, seed=1) -> SetBasedModel:
    """Return a model of the words and labels of the demo treebank."""
    trees = demo()
    sentences = [tree.tokens for tree in trees]
    settings = Settings(tags=tags, **SIZES)
    vocabulary = Vocabulary.of(sentences, inventory(map(constituents_of, trees)))
    arrays = random_arrays(shapes_of(settings, vocabulary), seed)
    tagger = Tagger.train(sentences, 1) if tags == "given" else None
    return SetBasedModel(
        SetParser(settings, vocabulary, arrays), tagger, {"epochs": "0"}, beam=beam
    )


def random_span_model(seed=1, **settings) -> SpanModel:
    """Return a span scorer with the grammar, the words and the labels of the demo treebank."""
    trees = demo()
    chosen = SpanSettings(**settings, **SIZES)
    labels = sorted({part.label for tree in trees for part in parts_of(tree, chosen.gaps)})
    vocabulary = Vocabulary.of([tree.tokens for tree in trees], labels)
    arrays = random_arrays(span_shapes(chosen, vocabulary), seed)
    return SpanModel(SpanGrammar(grammar_of(trees), SpanScorer(chosen, vocabulary, arrays)))


def random_joint_model(seed=1, **settings) -> JointModel:
    """Return a joint parser with the grammar, the words and the labels of the demo treebank."""
    trees = demo()
    chosen = JointSettings(**settings, **SIZES, span_size=8)
    parts = tuple(sorted({part.label for tree in trees for part in parts_of(tree, "factored")}))
    labels = inventory(map(constituents_of, trees))
    vocabulary = Vocabulary.of([tree.tokens for tree in trees], labels)
    arrays = random_arrays(joint_shapes(chosen, vocabulary, parts), seed)
    network = JointNetwork(chosen, vocabulary, arrays, parts=parts)
    return JointModel(JointGrammar(grammar_of(trees), network))


def random_arrays(shapes, seed):
    random = np.random.default_rng(seed)
    return {name: random.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}
