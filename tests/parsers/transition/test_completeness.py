"""Every legal prefix can be completed, no infinite run is legal, and trees have one derivation."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import SYSTEMS, prepared_trees, reflection, sentence, system_name
from quick import core, examples

from plcfrs.parsers.transition.gap import CompoundGap, Gap
from plcfrs.parsers.transition.stack_and_queue import SkipShift, Swap
from plcfrs.parsers.transition.system import (
    Kind,
    Transition,
    parse_transition,
    prepare,
    printed_tree,
    symbols,
)
from plcfrs.transformation import transform_all
from plcfrs.trees import Node
from plcfrs.trees.labels import is_axiom

SMALL = [
    Gap(),
    *map(CompoundGap, (0, 1, 2)),
    Swap(),
    Swap("right"),
    SkipShift(),
    SkipShift("right"),
]
LABELS = ("NP", "@NP", "@VP", "VP", "ROOT", "@ROOT")
IDLE = Transition(Kind.IDLE)


def small_name(system):
    return f"{system_name(system)}-{getattr(system, 'largest', '')}".rstrip("-")


def some_transitions(system):
    """Return transitions with a few labels, without trees."""
    kinds = (system.left, system.right)
    found = [parse_transition(f"{kind.value}-{label}") for kind in kinds for label in LABELS]
    found += [Transition(system.unary, label) for label in ("NP", "ROOT")]
    if isinstance(system, Swap):
        found += [Transition(Kind.SWAP, count=count) for count in (2, 3)]
    if isinstance(system, SkipShift):
        found += [Transition(Kind.SKIPSHIFT, count=count) for count in (1, 2, 3)]
    if isinstance(system, CompoundGap):
        found += [Transition(Kind.COMPOUNDGAP, count=count) for count in (1, 2, 3)]
    return [transition for transition in (*found, *system.always) if transition != IDLE]


def what_counts(configuration):
    """Return a configuration without the inside of constituents."""
    if isinstance(configuration, Node):
        return configuration.category, configuration.intermediate
    if isinstance(configuration, tuple):
        return tuple(map(what_counts, configuration))
    return configuration


@core(1, "length", [3, 1, 2, 4, 5])
@core(1, "system", SMALL, ids=small_name)
def test_all_runs_end_in_a_tree(system, length):
    transitions = some_transitions(system)
    done, open_ = set(), {}
    stack = [system.initial(length)]
    while stack:  # depth first: a configuration below itself would be a cycle
        configuration = stack[-1]
        key = what_counts(configuration)
        if key not in open_:
            legal = [each for each in transitions if system.legal(configuration, each)]
            assert bool(legal) != system.is_final(configuration), configuration
            open_[key] = [system.apply(configuration, each) for each in legal]
        while open_[key]:
            following = open_[key].pop()
            assert what_counts(following) not in open_ or what_counts(following) in done
            if what_counts(following) not in done:
                stack.append(following)
                break
        else:
            done.add(key)
            stack.pop()
    assert len(done) > length


@examples(60)
@given(st.sampled_from(SYSTEMS), st.lists(prepared_trees(6), min_size=1, max_size=3), st.data())
def test_every_legal_prefix_can_be_completed(system, trees, data):
    derivations = [system.oracle(tree) for tree in trees]
    transitions = system.inventory(derivations)
    if isinstance(system, CompoundGap):
        system = CompoundGap(max(each.count for each in transitions))
    start = data.draw(st.sampled_from(derivations))
    length = len(trees[derivations.index(start)].tokens)
    prefix = start[: data.draw(st.integers(0, len(start)))]
    run = complete(system, transitions, prefix, length, data.draw(st.randoms()))
    check_tree(system, run, length)


@examples(60)
@given(st.sampled_from(SYSTEMS), st.integers(1, 12), st.randoms())
def test_one_tree_is_enough_for_sentences_of_any_length(system, length, random):
    tree = prepare(reflection(), system.binarization)
    run = complete(system, system.inventory([system.oracle(tree)]), [], length, random)
    check_tree(system, run, length)


@pytest.mark.full
@pytest.mark.parametrize("system", SYSTEMS, ids=system_name)
def test_with_the_transitions_of_the_penn_treebank(penn_treebank, system):
    treebank = transform_all(penn_treebank[::10])
    trees = [prepare(tree, system.binarization) for tree in treebank]
    derivations = list(map(system.oracle, trees))
    transitions, random = system.inventory(derivations), Random(1)
    for tree, derivation in zip(trees, derivations, strict=True):
        if len(tree.tokens) <= 30:
            prefix = derivation[: random.randint(0, len(derivation))]
            run = complete(system, transitions, prefix, len(tree.tokens), random)
            check_tree(system, run, len(tree.tokens))


@core(1, "system", [Gap(), CompoundGap()], ids=small_name)
def test_different_derivations_make_different_trees(system):
    transitions = [each for each in some_transitions(system) if each.label not in ("VP", "@VP")]
    runs, found = [[]], []
    while runs:
        run = runs.pop()
        configuration = system.initial(3)
        for transition in run:
            configuration = system.apply(configuration, transition)
        runs += [[*run, each] for each in transitions if system.legal(configuration, each)]
        if system.is_final(configuration):
            found.append(system.build(run, sentence("a b c")))
    described = {
        str([(node.category, node.intermediate, node.children, node.head) for node in tree.nodes()])
        for tree in found
    }
    assert len(described) == len(found) > 100


def complete(system, transitions, prefix, length, random):
    """Continue a prefix at random until there is a tree; return all transitions."""
    configuration, run = system.initial(length), list(prefix)
    for transition in prefix:
        configuration = system.apply(configuration, transition)
    while not system.is_final(configuration):
        legal = [each for each in transitions if system.legal(configuration, each)]
        assert legal, (run, configuration)
        assert IDLE not in legal
        kind = random.choice(sorted({each.kind.value for each in legal}))
        run.append(random.choice([each for each in legal if each.kind.value == kind]))
        configuration = system.apply(configuration, run[-1])
        assert len(run) <= (length + 1) ** 2 + 2 * length
    return run


def check_tree(system, run, length):
    tree = system.build(run, sentence("a " * length))
    for node, symbol in symbols(tree).items():
        assert len(node.children) == 2 or isinstance(node.children[0], int)
        assert is_axiom(symbol) <= (node is tree.root or node.intermediate)
    assert is_axiom(symbols(tree)[tree.root])
    assert not tree.root.intermediate
    kinds = Counter(transition.kind for transition in run)
    assert kinds[system.left] + kinds[system.right] == length - 1
    assert not any(node.intermediate for node in printed_tree(tree).nodes())
    assert tree.yields()[tree.root] == (1 << length) - 1
