"""The component-split CFG against a naive one, written from its definition."""

from itertools import combinations, pairwise
from math import inf, isclose

import numpy as np
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.parser import best_cost

from plcfrs.binarize import binarize
from plcfrs.chart import ChartParser
from plcfrs.chart.compile import compile_grammar
from plcfrs.chart.kernel.relaxation import cell_number, find_entry, inside_costs, outside_costs
from plcfrs.chart.relaxation import compile_relaxation
from plcfrs.grammar import proper_gaps

CASES = grammars(touching=False).flatmap(
    lambda grammar: st.tuples(st.just(binarize(grammar)), sentences() | sentences_of(grammar))
)


def naive_rules(grammar):
    """Return the context-free rules: a symbol is a nonterminal with one of its components."""
    found = []
    for rule, cost in grammar.costs().items():
        seen = [0] * rule.rank
        for component, variables in enumerate(rule.yield_function):
            children = []
            for child in variables:
                children.append((rule.rhs[child], seen[child]))
                seen[child] += 1
            found.append(((rule.lhs, component), children, cost / rule.lhs.fanout))
    return found


def instances(rules, length):
    """Yield every rule over every way to cut every span into as many parts as it has children."""
    for mother, children, cost in rules:
        for cuts in combinations(range(length + 1), len(children) + 1):
            spans = list(pairwise(cuts))
            parts = [(child, *span) for child, span in zip(children, spans, strict=True)]
            yield (mother, cuts[0], cuts[-1]), parts, cost


def naive_costs(grammar, sentence):
    """Return inside and outside costs, by applying all instances until nothing changes."""
    applied = list(instances(naive_rules(grammar), len(sentence)))
    inside = {
        ((tag, 0), i, i + 1): cost for i, tags in enumerate(sentence) for tag, cost in tags.items()
    }
    outside = {((grammar.start, 0), 0, len(sentence)): 0.0}
    for _ in range(len(applied) + 1):
        before = dict(inside)
        for mother, parts, cost in applied:
            total = cost + sum(inside.get(part, inf) for part in parts)
            if total < inside.get(mother, inf) - 1e-12:
                inside[mother] = total
        if before == inside:
            break
    for _ in range(len(applied) + 1):
        before = dict(outside)
        for mother, parts, cost in applied:
            for number, part in enumerate(parts):
                sisters = parts[:number] + parts[number + 1 :]
                total = outside.get(mother, inf) + cost
                total += sum(inside.get(sister, inf) for sister in sisters)
                if total < outside.get(part, inf) - 1e-12:
                    outside[part] = total
        if before == outside:
            break
    return inside, outside


def computed_costs(grammar, sentence):
    """Return inside and outside costs of the kernels as functions of symbol and span."""
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    relaxation = compile_relaxation(compiled)
    first_port = compiled.arrays.first_port
    scanned = [
        (i, first_port[compiled.labels[tag]], cost)
        for i, tags in enumerate(sentence)
        for tag, cost in tags.items()
        if tag in compiled.labels
    ]
    cells = inside_costs(
        relaxation,
        len(sentence),
        np.array([i for i, _, _ in scanned], np.int32),
        np.array([port for _, port, _ in scanned], np.int32),
        np.array([cost for _, _, cost in scanned], np.float64),
    )
    outside = outside_costs(relaxation, len(sentence), *cells)

    def look_up(key):
        (symbol, component), left, right = key
        if symbol not in compiled.labels:
            return None
        port = first_port[compiled.labels[symbol]] + component
        entry = find_entry(cells[0], cells[1], cell_number(left, right), port)
        return (cells[2][entry], outside[entry]) if entry >= 0 else (inf, inf)

    return look_up


@settings(max_examples=100)
@given(CASES)
def test_inside_and_outside_costs(case):
    grammar, sentence = case
    inside, outside = naive_costs(grammar, sentence)
    look_up = computed_costs(grammar, sentence)
    has_parse = inside.get(((grammar.start, 0), 0, len(sentence)), inf) < inf
    for key, cost in inside.items():
        found = look_up(key)
        if found is not None:
            assert isclose(found[0], cost, rel_tol=1e-9, abs_tol=1e-9)
            expected = outside.get(key, inf) if has_parse else inf
            assert isclose(found[1], expected, rel_tol=1e-9, abs_tol=1e-9)


@settings(max_examples=100)
@given(CASES)
def test_the_relaxation_is_never_dearer_than_the_grammar(case):
    grammar, sentence = case
    look_up = computed_costs(grammar, sentence)
    goal, _ = look_up(((grammar.start, 0), 0, len(sentence)))
    assert goal <= best_cost(grammar, sentence) + 1e-9


@settings(max_examples=100)
@given(grammars(max_fan_out=1).flatmap(lambda g: st.tuples(st.just(g), sentences_of(g))))
def test_without_gaps_every_item_is_final_when_popped(case):
    grammar, sentence = case
    assert ChartParser(binarize(grammar)).parse(sentence).statistics.improved == 0


@settings(max_examples=100)
@given(CASES)
def test_both_strategies_agree(case):
    grammar, sentence = case
    guided = ChartParser(grammar, "astar").parse(sentence)
    plain = ChartParser(grammar, "knuth").parse(sentence)
    assert guided.status == plain.status
    assert guided.cost == plain.cost or isclose(guided.cost, plain.cost, rel_tol=1e-9, abs_tol=1e-9)
    if plain.status == "no parse":
        assert guided.statistics.items <= plain.statistics.items
