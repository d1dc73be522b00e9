"""Features: templates as text, and as the kernel finds them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.transition_features import Features, key
from prepared import prepared_trees, system_name
from quick import core
from walks import KINDS, Walk, name_of

from plcfrs.errors import InputError
from plcfrs.parsers.transition.features import compile_templates, parse_template, texts_of
from plcfrs.parsers.transition.gap import GAP_TEMPLATES, QUEUE_TEMPLATES
from plcfrs.parsers.transition.kernel.states import fill_keys
from plcfrs.parsers.transition.settings import TransitionSettings

each_system = core(1, "system", KINDS, ids=system_name)


def all_templates(system):
    name = name_of(system)
    sets = GAP_TEMPLATES if name in ("gap", "cgap") else QUEUE_TEMPLATES
    return texts_of(sets, sets)


def features_of(walk):
    """Return what the naive extraction finds in the configuration of the reference."""
    words, tags = (list(map(int, each[1:-1])) for each in (walk.search.words, walk.search.tags))
    symbols = {symbol: number for number, symbol in walk.vocabulary.symbols.items()}
    configuration = walk.configuration
    deque = getattr(configuration, "deque", ())
    queue = configuration.buffer if hasattr(configuration, "buffer") else configuration.queue
    return Features(configuration.stack[::-1], deque[::-1], queue, words, tags, symbols)


def expected_keys(walk, templates):
    features, compiled = features_of(walk), walk.templates
    single = [text for text in templates if "*" not in text]
    repeated = [text for text in templates if "*" in text]
    tables = [
        (single, compiled.seeds, compiled.factors),
        (repeated, compiled.queue_seeds, compiled.queue_factors),
    ]
    return [
        key(text, seed, row, values)
        for texts, seeds, factors in tables
        for text, seed, row in zip(texts, seeds, factors, strict=True)
        for values in features.values(text)
    ]


@each_system
@given(tree=prepared_trees(8), data=st.data())
def test_the_kernel_finds_the_features_of_the_reference(system, tree, data):
    templates = all_templates(system)
    walk = Walk(system, system.inventory([system.oracle(tree)]), tree.tokens, templates)
    while not walk.is_final():
        found = walk.search.keys[: fill_keys(walk.templates, walk.search, walk.state)]
        assert list(map(int, found)) == expected_keys(walk, templates)
        walk.go(data.draw(st.sampled_from(sorted(walk.legal(), key=str))))


def test_the_numbers_of_templates_are_those_of_the_papers():
    sizes = {name: len(text.split()) for name, text in GAP_TEMPLATES.items()}
    assert sizes == {"baseline": 40, "extended": 11, "spans": 25}  # one occurs twice in table 2
    sizes = {
        name: len(text.split())
        for name, text in QUEUE_TEMPLATES.items()
        if name not in ("spans", "skips")  # not in the papers
    }
    assert sizes == {"baseline": 42, "extended": 15, "disco": 26, "full-queue": 1}


def test_each_template_is_there_once():
    for system in ("gap", "skipshift"):
        sets = GAP_TEMPLATES if system == "gap" else QUEUE_TEMPLATES
        assert len(texts_of(sets, sets)) == sum(len(text.split()) for text in sets.values())


def test_what_is_behind_the_end_of_the_stack():
    features = Features([2, 0], [], [1, 3], [11, 12, 13, 14], [21, 22, 23, 24], {})
    assert features.values("n0itw") == [(1, 24, 14)]
    assert features.values("q0tn1t") == [(22, 0)]


@pytest.mark.full
def test_no_two_features_have_the_same_key():
    compiled = compile_templates(texts_of(GAP_TEMPLATES, GAP_TEMPLATES), is_split=True)
    keys = {
        key("s0wc", seed, factors, (first, second, 5, 6))
        for seed, factors in zip(compiled.seeds, compiled.factors, strict=True)
        for first in range(40)
        for second in range(40)
    }
    assert len(keys) == len(compiled.seeds) * 1600


def test_keys_are_the_same_on_all_machines():
    compiled = compile_templates(["s0wc"], is_split=True)
    assert [hex(compiled.seeds[0]), hex(compiled.factors[0, 1])] == [
        "0x5c94ca9f426e39fc",
        "0xb9e73f64f47c01cb",
    ]


@core(1, "text", ["", "s0", "x0w", "s0w_x", "s0wq", "s0 w", "sw", "s0i", "n1i", "s0cd0cs1cd1cs2c"])
def test_what_is_no_template(text):
    with pytest.raises(InputError, match="feature template"):
        parse_template(text)


def test_sets_that_a_system_does_not_have():
    with pytest.raises(InputError, match="features of gap: 'disco' is not one of baseline, ext"):
        TransitionSettings("gap", ("baseline", "disco"))
