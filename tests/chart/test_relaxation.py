"""The component-split CFG against a naive one, written from its definition."""

from itertools import combinations, pairwise
from math import inf, isclose, log
from threading import Barrier, Thread
from unittest.mock import patch

import numpy as np
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import best_cost, best_costs, best_outside_costs
from quick import examples

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.bounds import Graph, Relaxation, _graph
from plcfrs.chart.compile import compile_grammar, scan_tags
from plcfrs.chart.estimates import Estimates
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.inside import cell_number
from plcfrs.chart.kernel.listing import find_entry
from plcfrs.chart.nbest import find_best
from plcfrs.chart.search import ChartSearch
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, proper_gaps, tag

# Costs of the relaxation are rounded down, once for each rule of a derivation.
ROUNDING = 1e-4

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


def computed_costs(grammar, sentence, margin=inf):
    """Return inside and outside costs of the kernels as a function of symbol and span."""
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    relaxation = Relaxation(compiled)
    estimates = Estimates(relaxation, scan_tags(compiled, sentence), ChartWorkspace(), lambda: None)
    if estimates.best < inf:
        estimates.raise_ceiling(estimates.best + margin)
    table = estimates.table

    def look_up(key):
        (symbol, component), left, right = key
        if symbol not in compiled.labels:
            return None
        port = relaxation.first_port[compiled.labels[symbol]] + component
        cell = cell_number(left, right)
        entry = find_entry(table.present, table.first_entry, cell, estimates.symbol_of[port])
        if entry < 0:
            return inf, inf
        outside = table.outside[entry] if estimates.best < inf else inf
        return table.unit * table.inside[entry], outside

    return look_up


def is_rounded_down(found, cost):
    return cost - ROUNDING <= found <= cost + 1e-9


@examples(30)
@given(CASES, st.sampled_from([0.5, 3.0, inf]))
def test_inside_and_outside_costs(case, margin):
    """Symbols over a span that are in no complete derivation may be missing."""
    grammar, sentence = case
    inside, outside = naive_costs(grammar, sentence)
    look_up = computed_costs(grammar, sentence, margin)
    best = inside.get(((grammar.start, 0), 0, len(sentence)), inf)
    for key, cost in inside.items():
        found = look_up(key)
        if found is not None and best < inf and outside.get(key, inf) < inf:
            assert is_rounded_down(found[0], cost)
            if cost + outside[key] <= best + margin - ROUNDING:
                assert is_rounded_down(found[1], outside[key])
            else:
                assert found[1] >= outside[key] - ROUNDING
        elif found is not None:
            assert found[1] == inf


SYMBOLS = [Nonterminal(name) for name in "ABCDEF"]
CHAINS = st.permutations(SYMBOLS).map(lambda order: list(pairwise(order)))
UNARY = st.dictionaries(
    st.tuples(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS)), st.integers(1, 100), min_size=12
)


@examples(50)
@given(UNARY, CHAINS, st.integers(1, 100))
def test_costs_in_cycles_of_unary_rules(edges, chain, count):
    """Whatever the order of the symbols, each gets the cost of its best chain of rules."""
    start, noun = Nonterminal("S"), tag("N")
    identity = ((0,),)
    rules = {Rule(start, (symbol,), identity): 1 for symbol in SYMBOLS}
    rules |= {Rule(mother, (child,), identity): number for (mother, child), number in edges.items()}
    rules |= {Rule(mother, (child,), identity): count for mother, child in chain}
    rules[Rule(chain[-1][1], (noun,), identity)] = count
    grammar, sentence = Grammar(rules, start=start), [{noun: 0.0}]
    inside, _ = naive_costs(grammar, sentence)
    look_up = computed_costs(grammar, sentence)
    for key, cost in inside.items():
        assert is_rounded_down(look_up(key)[0], cost)


def test_costs_that_are_too_high_for_their_unit_count_as_less():
    """The sums of a long sentence stay below the cost of what is not there."""
    start, noun = Nonterminal("S"), tag("N")
    rules = {Rule(start, (start, noun), ((0, 1),)): 1, Rule(start, (noun,), ((0,),)): 1}
    grammar, sentence = Grammar(rules, start=start), [{noun: 0.0}] * 40
    with patch("plcfrs.chart.estimates._RULES", 1 / len(sentence)):
        look_up = computed_costs(grammar, sentence)
        found = ChartParser(grammar).parse(sentence)
    assert 0 < look_up(((start, 0), 0, 40))[0] < 40 * log(2)
    assert isclose(found.cost, 40 * log(2))


@examples(30)
@given(CASES)
def test_estimates_are_never_above_the_best_parse_of_an_item(case):
    """``f(I) - in(I) <= out(I)``, with the outside costs of a brute-force search."""
    grammar, sentence = case
    look_up = computed_costs(grammar, sentence)
    inside = best_costs(grammar, sentence)
    outside = best_outside_costs(grammar, sentence, inside)
    for (symbol, spans), cost in inside.items():
        rest = outside.get((symbol, spans), inf)
        if rest < inf:
            estimates = [
                look_up(((symbol, component), *span))[1] for component, span in enumerate(spans)
            ]
            priority = (cost + sum(estimates)) / len(spans)
            assert priority - cost <= rest + 1e-9


@examples(30)
@given(CASES)
def test_the_relaxation_is_never_dearer_than_the_grammar(case):
    grammar, sentence = case
    look_up = computed_costs(grammar, sentence)
    goal, _ = look_up(((grammar.start, 0), 0, len(sentence)))
    assert goal <= best_cost(grammar, sentence) + 1e-9


@examples(30)
@given(grammars(max_fan_out=1).flatmap(lambda g: st.tuples(st.just(g), sentences_of(g))))
def test_without_gaps_every_item_is_final_when_popped(case):
    grammar, sentence = case
    assert ChartParser(binarize(grammar), budget=UNLIMITED).parse(sentence).statistics.improved == 0


class Watched(ChartSearch):
    """Records the cost of each item when it is first popped, one pop after another."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.first_costs = {}
        self._check_time = self.note_costs

    def note_costs(self):
        if self._chart is not None:
            for item in range(self._chart.counters[arrays.ITEMS]):
                if self._chart.items[item]["is_entered"]:
                    self.first_costs.setdefault(item, self._chart.items[item]["cost"])


@examples(30)
@given(CASES)
def test_items_of_fan_out_1_are_final_when_first_popped(case):
    grammar, sentence = case
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    search = Watched(compiled, Relaxation(compiled), sentence, UNLIMITED, ChartWorkspace())
    with patch("plcfrs.chart.search._ITEMS_PER_CHECK", 1):
        find_best(search)
        if search.derivation is None:
            return
        search.first_costs = {}
        search.collect_all(inf)
    items = search._chart.items[: search._chart.counters[arrays.ITEMS]]
    fan_outs = compiled.arrays.labels["fan_out"][items["label"]]
    for item, cost in search.first_costs.items():
        if fan_outs[item] == 1:
            assert items[item]["cost"] == cost


@examples(30)
@given(CASES)
def test_both_strategies_agree(case):
    grammar, sentence = case
    guided = ChartParser(grammar, "astar", UNLIMITED).parse(sentence)
    plain = ChartParser(grammar, "knuth", UNLIMITED).parse(sentence)
    assert guided.status == plain.status
    assert guided.cost == plain.cost or isclose(guided.cost, plain.cost, rel_tol=1e-9, abs_tol=1e-9)


@given(st.integers(1, 70), st.lists(st.tuples(st.integers(0, 69), st.integers(0, 69))), st.data())
def test_what_is_reached_in_a_graph(size, edges, data):
    edges = np.array([(a % size, b % size) for a, b in edges], np.int64).reshape(-1, 2)
    reachable = np.eye(size, dtype=np.bool_)
    reachable[edges[:, 0], edges[:, 1]] = True
    for middle in range(size):
        reachable |= reachable[:, middle, None] & reachable[middle]
    graph = _graph(*edges.T, size)
    hub, below = np.unpackbits(graph.hub.view(np.uint8), axis=1, bitorder="little")[:, :size] > 0
    assert (reachable[hub] == below).all()
    assert hub.sum() == (reachable & reachable.T).sum(axis=1).max()
    symbols = data.draw(st.sets(st.integers(0, size - 1)))
    found = np.unpackbits(graph.reached(symbols).view(np.uint8), bitorder="little")[:size] > 0
    assert (found == reachable[sorted(symbols)].any(axis=0)).all()


def test_threads_together_do_not_make_it_remember_more_and_more():
    s, a = Nonterminal("S"), tag("A")
    grammar = Grammar({Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    relaxation = Relaxation(compile_grammar(proper_gaps(grammar).grammar))
    reached, meeting = Graph.reached, Barrier(2)

    def reached_together(graph, symbols):
        """Make two threads meet between looking into the cache and adding to it."""
        meeting.wait(timeout=60)
        return reached(graph, symbols)

    with patch("plcfrs.chart.bounds._MOST_KEPT", 3):
        relaxation.ending_before((0,))
        relaxation.ending_before((0, 0))
        threads = [
            Thread(target=relaxation.ending_before, args=((0,) * length,)) for length in (3, 4)
        ]
        with patch.object(Graph, "reached", reached_together):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        for length in range(5, 50):
            relaxation.ending_before((0,) * length)
    assert len(relaxation._ending) <= 4
