"""Files of refined grammars: exactly the same when read again, errors that name bad ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from demo_trees import demo_trees
from hypothesis import given
from naive.refinements import cases
from nasty_grammars import same as same_grammar
from numpy.typing import NDArray
from quick import core
from refining import train_product

from plcfrs.errors import GrammarError
from plcfrs.parsers.refined.grammar import RefinedGrammar, compile_trees
from plcfrs.parsers.refined.training import Schedule
from plcfrs.storage.model_file import ModelFile, opened, save

SHORT = Schedule(cycles=2, iterations=2, merged_iterations=1, smoothed_iterations=1)


@pytest.fixture(scope="module")
def demo() -> RefinedGrammar:
    """A small product of two grammars."""
    trees = demo_trees()
    return train_product(compile_trees(trees[:30]), SHORT, [1, 2])


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "demo.model"


def save_refined(refined: RefinedGrammar, path: str | Path) -> None:
    save(path, ModelFile.of("refined", model=refined))


def load_refined(path: str | Path) -> RefinedGrammar:
    with opened(path) as file:
        return file.read("model", RefinedGrammar)


def same(one: RefinedGrammar, other: RefinedGrammar) -> bool:
    """Whether two grammars are the same to the last bit."""
    return (
        same_grammar(one.grammar, other.grammar)
        and one.classes == other.classes
        and list(one.pairs.items()) == list(other.pairs.items())
        and len(one.refinements) == len(other.refinements)
        and np.array_equal(shares_of(one), shares_of(other))
        and all(
            left.dtype == right.dtype and left.tobytes() == right.tobytes()
            for refinements in zip(one.refinements, other.refinements, strict=True)
            for left, right in zip(*refinements, strict=True)
        )
    )


def shares_of(refined: RefinedGrammar) -> NDArray[np.float64]:
    return np.empty(0) if refined.shares is None else refined.shares


def test_a_trained_grammar(demo, path):
    save_refined(demo, path)
    loaded = load_refined(path)
    assert same(loaded, demo)
    assert loaded.grammar.options == demo.grammar.options
    again = path.with_name("again.model")
    save_refined(loaded, again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.full
@given(case=cases(number=2))
def test_random_grammars(tmp_path_factory, case):
    path = tmp_path_factory.mktemp("models") / "random.model"
    save_refined(case.refined, path)
    assert same(load_refined(path), case.refined)


def load_or_error(path: Path) -> RefinedGrammar | None:
    """Return the grammar, or None if an error names the file."""
    try:
        return load_refined(path)
    except GrammarError as error:
        message = str(error)
    assert str(path) in message
    assert "\n" not in message
    return None


@core(1, "name", ["states", "rule_start", "state", "left", "probability"])
@core(1, "change", [lambda a: a[:-1], lambda a: a + 1, lambda a: a * -1])
def test_numbers_that_do_not_fit(demo, path, name, change):
    """Values that would make the kernels read other memory."""
    first, *others = demo.refinements
    changed = first._replace(**{name: change(getattr(first, name))})
    save_refined(replace(demo, refinements=(changed, *others)), path)
    assert load_or_error(path) is None


def test_numbers_whose_differences_overflow(demo, path):
    """Found by fuzzing: modulo 2^64 these rules have no negative numbers of entries."""
    first, *others = demo.refinements
    start = first.rule_start.copy()
    start[1:4], start[4:] = (2**62, -(2**63), -(2**62)), start[-1]
    changed = first._replace(rule_start=start)
    save_refined(replace(demo, refinements=(changed, *others)), path)
    assert load_or_error(path) is None
