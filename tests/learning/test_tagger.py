"""The averaged-perceptron tagger, and jackknifed tags."""

from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from stored import reread
from weights_by_key import KEY, averages, learned_weights

from plcfrs.learning.kernel import sequences
from plcfrs.learning.sequences import Tagger, _all, _steps, features, jackknifed_tags, new_beams
from plcfrs.learning.weights import new_weights
from plcfrs.treebank import read_trees
from plcfrs.trees import Token


def tagged(text: str) -> list[Token]:
    return [Token(*word.split("/")) for word in text.split()]


DEMO = [tree.tokens for tree in read_trees("plcfrs:demo")]
FERRIES = [
    tagged("The/DT ferry/NN leaves/VBZ ./."),
    tagged("She/PRP leaves/VBZ the/DT island/NN ./."),
    tagged("The/DT leaves/NNS fall/VBP ./."),
    tagged("The/DT old/JJ leaves/NNS burn/VBP ./."),
]


@pytest.fixture(scope="module")
def demo() -> Tagger:
    return Tagger.train(DEMO)


def accuracy(sentences: list[list[Token]], found: list[list[str]]) -> float:
    right = [
        token.tag == tag
        for tokens, tags in zip(sentences, found, strict=True)
        for token, tag in zip(tokens, tags, strict=True)
    ]
    return sum(right) / len(right)


def tags_of(tagger: Tagger, sentences: list[list[Token]]) -> list[list[str]]:
    return [tagger([token.form for token in tokens]) for tokens in sentences]


def test_it_learns_its_training_sentences(demo):
    assert accuracy(DEMO, tags_of(demo, DEMO)) > 0.99


def test_the_context_decides():
    tagger = Tagger.train(FERRIES * 2)
    assert tags_of(tagger, FERRIES) == [[token.tag for token in tokens] for tokens in FERRIES]


def test_unknown_words_by_their_form(demo):
    assert demo(["Who", "brewkled", "the", "zimmering", "?"]) == ["WP", "VBD", "DT", "NN", "."]


def test_a_sentence_of_any_length(demo):
    assert demo([]) == []
    assert len(demo(["x"])) == 1
    assert len(demo(["x"] * 2000)) == 2000


def test_the_same_seed_gives_the_same_tagger():
    one, two, other = (Tagger.train(DEMO[:60], seed) for seed in (1, 1, 2))
    for array, same in zip(one.averages, two.averages, strict=True):
        assert array.tobytes() == same.tobytes()
    assert other.averages.cells.tobytes() != one.averages.cells.tobytes()


def rows_of(weights: dict[tuple[int, int], float]) -> dict[int, dict[int, float]]:
    """Return for each feature the weights of its tags."""
    rows = defaultdict(dict)
    for (key, tag), weight in weights.items():
        rows[key][tag] = weight
    return rows


def combined(key: int, label: int) -> int:
    """Return the key of a feature that is combined with a label."""
    key = (key + (label + 1) * 0x9E3779B97F4A7C15) % 2**64
    key = (key ^ key >> 32) * 0xD6E8FEB86659FD93 % 2**64
    return key ^ key >> 32


def keys_of_tags(before: int, previous: int) -> list[int]:
    """Return the features of the two tags before a token."""
    return [combined(1, previous), combined(combined(2, before), previous)]


@pytest.mark.full
def test_the_search_finds_the_best_sequence(demo):
    """Against all sequences of tags of short sentences, with the weights of the tagger."""
    rows, size = rows_of(averages(demo.weights)), len(demo.tags)

    def score(keys: list[int], tag: int) -> float:
        return sum(rows.get(key % KEY, {}).get(tag, 0.0) for key in keys)

    for words in (["The", "leaves"], ["She", "can"], ["xyz", "who"]):
        first, second = features(words).tolist()
        scores = {
            (demo.tags[one], demo.tags[two]): score(first + keys_of_tags(size, size), one)
            + score(second + keys_of_tags(size, one), two)
            for one, two in product(range(size), repeat=2)
        }
        assert tuple(demo(words)) == max(scores, key=lambda tags: scores[tags])


def test_one_step_of_the_perceptron():
    """The first sentence is tagged by weights of 0: the first tag wins, and others are learned."""
    words = ["Red", "12"]  # which have no feature in common
    keys = features(words)
    weights = new_weights(actions=99)  # so many that no row is dense
    tags = [f"{number:02}" for number in range(99)]
    gold = np.array([0, 1], np.int32)
    told = _steps([0, 2], keys).compiled(np.ones(keys.shape, np.bool_), gold)
    counters = np.zeros(sequences.COUNTERS, np.int64)
    beams = new_beams(told, _all(tags), len(tags))
    sequences.learn_labels(weights, told, _all(tags), beams, np.array([0]), 0.0, counters)
    assert counters.tolist() == [1, 1]
    found = rows_of(learned_weights(weights))
    for key in keys[1].tolist():
        assert found[key] == {0: -1.0, 1: 1.0}
    assert not any(key in found for key in keys[0].tolist())
    learned = {key: row for key, row in found.items() if key not in keys[1].tolist()}
    assert sorted(map(sorted, (row.items() for row in learned.values()))) == [
        [(0, -1.0), (1, 1.0)],
        [(0, -1.0), (1, 1.0)],
    ]


def test_jackknifed_tags_are_those_of_other_taggers():
    sentences = DEMO[:50]
    found = list(jackknifed_tags(sentences, folds=5))
    tagger = Tagger.train([*sentences[:20], *sentences[30:]])
    assert found[20:30] == tags_of(tagger, sentences[20:30])
    assert 0.5 < accuracy(sentences, found) < accuracy(sentences, tags_of(tagger, sentences))


def test_jackknifing_few_sentences():
    assert len(list(jackknifed_tags(FERRIES))) == 4
    assert list(jackknifed_tags(FERRIES[:1])) == [["DT", "NN", "VBZ", "."]]
    assert list(jackknifed_tags([])) == []


def test_fewer_tags_than_the_weights_have(demo):
    with pytest.raises(ValueError, match="damaged"):
        reread(demo, {"tags": ["NN", "VB"]})


@pytest.mark.full
def test_accuracy_on_the_penn_treebank(penn_treebank):
    """Better than the most frequent tag of each word, and than 96% on both sets."""
    from plcfrs.transformation import remove_null_elements

    trees = [remove_null_elements(tree) for tree in penn_treebank]
    training = [tree.tokens for tree in trees if tree.id < "wsj_0160"]
    tagger = Tagger.train(training)
    seen = defaultdict(Counter)
    for tokens in training:
        for token in tokens:
            seen[token.form][token.tag] += 1
    for first, last in (("wsj_0160", "wsj_0180"), ("wsj_0180", "wsj_0200")):
        test = [tree.tokens for tree in trees if first <= tree.id < last]
        usual = [
            [
                seen[token.form].most_common(1)[0][0] if token.form in seen else "NN"
                for token in each
            ]
            for each in test
        ]
        reached = accuracy(test, tags_of(tagger, test))
        assert reached > 0.962
        assert reached > accuracy(test, usual) + 0.02


@pytest.mark.full
def test_accuracy_on_german(potsdam):
    sentences = [tree.tokens for tree in read_trees([str(potsdam)])]
    tagger = Tagger.train(sentences[: len(sentences) * 9 // 10])
    test = sentences[len(sentences) * 9 // 10 :]
    assert accuracy(test, tags_of(tagger, test)) > 0.935
