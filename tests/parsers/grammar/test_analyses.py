"""Analyses of prefixes: against enumeration of all derivations of finite grammars."""

from collections import defaultdict
from itertools import product

import pytest
from prefix_examples import FINITE, S
from quick import core

from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.grammar.rules import apply
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.trees import Node
from plcfrs.trees.tree import positions


def derivations(grammar, symbol, path=()):
    """Yield probability, components (of paths to leaves) and children of each derivation."""
    if symbol.kind == "tag":
        yield 1.0, ((path,),), symbol, ()
        return
    for rule, p in grammar.probabilities().items():
        if rule.lhs == symbol:
            places = enumerate(rule.rhs)
            all_children = [list(derivations(grammar, child, (*path, i))) for i, child in places]
            for children in product(*all_children):
                total = p
                for child in children:
                    total *= child[0]
                found = apply(rule.yield_function, [child[1] for child in children])
                yield total, tuple(map(tuple, found)), symbol, children


def without_touching(components, order):
    """Join components that touch in the sentence."""
    joined = [components[0]]
    for part in components[1:]:
        if order.index(part[0]) == order.index(joined[-1][-1]) + 1:
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def known(derivation, position_of, order):
    """What is known of a derivation: label, open, awaited, positions, children; None if nothing."""
    _, components, symbol, children = derivation
    if symbol.kind == "tag":
        position = position_of.get(components[0][0])
        return None if position is None else (symbol.category, False, False, [position], [])
    components = without_touching(components, order)
    seen = [[leaf for leaf in part if leaf in position_of] for part in components]
    begun = [part for part in seen if part]
    if not begun:
        return None
    is_open = len(begun[-1]) < len(components[len(begun) - 1])
    below = [each for child in children if (each := known(child, position_of, order))]
    below.sort(key=lambda each: min(each[3]))
    positions = sorted(position_of[leaf] for part in begun for leaf in part)
    return symbol.category, is_open, len(begun) < len(components), positions, below


def nodes(part):
    yield part
    for child in part[4]:
        yield from nodes(child)


def described(part):
    """The brackets, the open constituents and the awaited ones."""
    inner = [each for each in nodes(part) if each[4]]
    return (
        brackets(part),
        tuple(each[0] for each in inner if each[1]),
        tuple((each[0], tuple(each[3])) for each in inner if each[2]),
    )


def brackets(part):
    label, _, _, positions, below = part
    return f"({label} {' '.join(map(brackets, below)) if below else positions[0]})"


def drawn(tree, part):
    if isinstance(part, Node):
        return f"({part.category} {' '.join(drawn(tree, child) for child in part.children)})"
    return f"({tree.tokens[part].tag} {part})"


@core(1, "name", FINITE)
def test_all_analyses_of_finite_grammars(name):
    grammar = Grammar(FINITE[name], start=S)
    model = GrammarModel(grammar)
    expected = defaultdict(lambda: defaultdict(float))
    for derivation in derivations(grammar, S):
        leaves = derivation[1][0]
        tags = tag_names(derivation, leaves)
        for length in range(1, len(leaves) + 1):
            position_of = {leaf: i for i, leaf in enumerate(leaves[:length])}
            part = known(derivation, position_of, leaves)
            expected[tags[:length]][described(part)] += derivation[0]
    found = analyses_of(model, expected)
    for tags, structures in expected.items():
        total = sum(structures.values())
        probabilities = {key(each): each.probability * total for each in found[tags]}
        in_order = sorted(probabilities.values(), reverse=True)
        assert [*probabilities.values()] == pytest.approx(in_order, rel=1e-9)
        if model.prefixes.originals:  # variants for touching ranges may look the same
            assert probabilities.keys() == structures.keys()
            assert all(p <= structures[each] * (1 + 1e-9) for each, p in probabilities.items())
        else:
            assert probabilities == {each: pytest.approx(p) for each, p in structures.items()}


def analyses_of(model, prefixes):
    """All analyses of each prefix; one reading of a sentence gives those of all its prefixes."""
    found = {}
    for tags in sorted(prefixes, key=len, reverse=True):
        new = [i for i in range(len(tags)) if tags[: i + 1] not in found]
        if new:
            words = model.surprisal([(each, each) for each in tags], analyses=1000, at=new)
            found |= {tags[: i + 1]: words[i].analyses for i in new}
    return found


def key(analysis):
    (top,) = analysis.tree.root.children
    return drawn(analysis.tree, top), analysis.open, tuple(map(tuple, analysis.awaited))


def tag_names(derivation, leaves):
    """The tags of leaves."""
    found = {}

    def walk(part):
        if part[2].kind == "tag":
            found[part[1][0][0]] = part[2].category
        for child in part[3]:
            walk(child)

    walk(derivation)
    return tuple(found[leaf] for leaf in leaves)


@core(1, "name", FINITE)
def test_where_open_and_awaited_constituents_are_in_the_tree(name):
    model = GrammarModel(Grammar(FINITE[name], start=S))
    (derivation, *_) = derivations(model.grammar, S)
    tags = tag_names(derivation, derivation[1][0])
    for word in model.surprisal([(each, each) for each in tags], analyses=9):
        for one in word.analyses:
            nodes = one.tree.nodes()
            assert [nodes[i].category for i in one.open_nodes] == list(one.open)
            found = [
                (nodes[i].category, tuple(positions(one.tree.yields()[nodes[i]])))
                for i in one.awaited_nodes
            ]
            assert found == list(one.awaited)


@pytest.mark.full
def test_analyses_after_some_words_only():
    model = GrammarModel.train("plcfrs:demo")
    everywhere = model.surprisal("What should we do ?", analyses=2)
    assert all(len(word.analyses) == 2 for word in everywhere)
    chosen = model.surprisal("What should we do ?", analyses=2, at=[1, 3])
    assert [len(word.analyses) for word in chosen] == [0, 2, 0, 2, 0]
    assert chosen[3].analyses == everywhere[3].analyses


def test_ranges_that_touch_and_copies():
    pair, other = Nonterminal("P", 2), Nonterminal("Q", 2)
    a, b = map(tag, "ab")
    rules = {
        Rule(S, (pair,), ((0, 0),)): 1,
        Rule(S, (other,), ((0, 0),)): 1,
        Rule(pair, (other, other), ((0, 1), (0, 1))): 1,
        Rule(pair, (other, other), ((0, 1), (1, 0))): 1,
        Rule(pair, (other, other), ((0,), (1, 0, 1))): 1,  # the same as the first if they touch
        Rule(other, (a, b), ((0,), (1,))): 1,
    }
    model = GrammarModel(Grammar(rules, start=S))
    assert model.prefixes.copies
    for word in model.surprisal([("x", "a"), ("y", "a"), ("z", "b"), ("z", "b")], analyses=9):
        for each in word.analyses:
            labels = [node.category for node in each.tree.nodes()]
            assert set(labels) <= {"ROOT", "S", "P", "Q"}
            assert all(
                node.category not in map(category, node.children) for node in each.tree.nodes()
            )
    assert {label for each in word.analyses for label in each.open} == set()
    assert [each.probability for each in word.analyses] == pytest.approx([1 / 3, 1 / 3])


def category(part):
    return part.category if isinstance(part, Node) else ""
