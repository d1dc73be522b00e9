"""Transition parsers: every sentence gets a tree; contents of a parse; damaged parsers."""

from copy import deepcopy

import pytest
from demo_trees import demo_trees
from hypothesis import example, given
from hypothesis import strategies as st
from quick import core
from stored import reread
from weights_by_key import renumbered

from plcfrs.errors import InputError
from plcfrs.parsers.transition.settings import TransitionSettings, find_system
from plcfrs.parsers.transition.system import printed_tree
from plcfrs.parsers.transition.training import TransitionTrainer
from plcfrs.trees import ROOT, Token

SYSTEMS = ("gap", "cgap", "swap", "skipshift")
each_system = core(1, "system", SYSTEMS)


@pytest.fixture(scope="module")
def parsers():
    trees = demo_trees()[:60]
    found = {}
    for system in SYSTEMS:
        training = TransitionTrainer(deepcopy(trees), TransitionSettings(system), {})
        training.run(1, lambda: None)
        found[system] = training.model().parser
    return found


@st.composite
def sentences(draw):
    """Sentences with known and unknown words and tags, in any order."""
    words = ["the", "cook", "sees", "what", "zyzzyva", "?"]
    tags = ["DT", "NN", "VBZ", "WP", "XYZ", "."]
    pairs = st.tuples(st.sampled_from(words), st.sampled_from(tags))
    return [Token(*pair) for pair in draw(st.lists(pairs, min_size=1, max_size=14))]


@each_system
@given(tokens=sentences(), beam=st.sampled_from([1, 2, 4, 9]))
def test_every_sentence_gets_a_tree(parsers, system, tokens, beam):
    parse = parsers[system].parse(tokens, beam)
    assert parse.tree.tokens == tokens
    assert parse.tree.root.category == ROOT
    assert all(node.category != ROOT for node in parse.tree.nodes()[1:])
    leaves = [child for node in parse.tree.nodes() for child in node.children]
    assert sorted(child for child in leaves if isinstance(child, int)) == list(range(len(tokens)))
    assert all(0 <= node.head < len(node.children) for node in parse.tree.nodes())
    assert parse.score == pytest.approx(sum(parse.scores))


@each_system
@given(tokens=sentences())
def test_the_transitions_build_the_tree(parsers, system, tokens):
    parse = parsers[system].parse(tokens)
    built = printed_tree(find_system(system).build(parse.transitions, tokens))
    assert built == parse.tree
    assert [node.head for node in built.nodes()] == [node.head for node in parse.tree.nodes()]


@each_system
@given(tokens=sentences())
@example(tokens=[Token("the", "DT"), Token("cook", "DT")])  # others were not complete
def test_the_best_ones_are_those_of_the_beam(parsers, system, tokens):
    parses = parsers[system].k_best(tokens, 5)
    assert 1 <= len(parses) <= 5
    scores = [parse.score for parse in parses]
    assert scores == sorted(scores, reverse=True)
    assert len({tuple(parse.transitions) for parse in parses}) == len(parses)
    assert parses[0].score == parsers[system].parse(tokens, 5).score


@each_system
def test_a_long_sentence(parsers, system):
    tokens = [Token("cook", "NN"), Token("zyzzyva", "XYZ")] * 150
    assert len(parsers[system].parse(tokens).tree.tokens) == 300


def test_a_sentence_without_words(parsers):
    with pytest.raises(InputError, match="the sentence has no words"):
        parsers["gap"].parse([])


@pytest.mark.full
@each_system
def test_without_a_transition_trees_are_complete_or_the_file_is_refused(parsers, system):
    parser = parsers[system]
    known = list(map(str, parser.vocabulary.transitions))
    averages = renumbered(parser.averages, len(parser.vocabulary.actions) - 1)
    arrays = {f"averages.{name}": array for name, array in averages._asdict().items()}
    refused = []
    for missing in known:
        rest = [each for each in known if each != missing]
        try:
            changed = reread(parser, {"vocabulary.transitions": rest}, arrays)
        except ValueError:
            refused.append(missing)
            continue
        for length in (1, 2, 3, 7, 20):
            tokens = [Token(f"w{number}", "NN") for number in range(length)]
            assert len(changed.parse(tokens).tree.tokens) == length
    assert 0 < len(refused) < len(known)
