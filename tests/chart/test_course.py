"""The course of a search: against figure 3, written naively."""

from itertools import combinations, product

import pytest
from quick import core

from plcfrs.chart import ChartParser
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.trees.tree import runs

S, T, X = Nonterminal("S"), Nonterminal("T", 2), Nonterminal("X")
A, B = tag("A"), tag("B")
RULES = {
    Rule(S, (T, X), ((0, 1, 0),)): 3,
    Rule(S, (X, S), ((0, 1),)): 2,
    Rule(S, (T, T), ((0, 1, 0, 1),)): 2,
    Rule(T, (X, X), ((0,), (1,))): 2,
    Rule(T, (T, X), ((0, 1), (0,))): 1,
    Rule(X, (A,), ((0,),)): 2,
    Rule(X, (B,), ((0,),)): 1,
    Rule(S, (X,), ((0,),)): 1,
}
GRAMMAR = Grammar(RULES, start=S)
SENTENCES = [list(word) for length in (2, 3, 4) for word in product("AB", repeat=length)]


def candidates(sentence):
    return [{tag(name): 0.0} for name in sentence]


def consequences(chart, item):
    """All that the rules of figure 2 deduce from an item and those of a chart."""
    symbol, span = item
    for rule, cost in GRAMMAR.costs().items():
        if rule.rhs == (symbol,):
            yield (rule.lhs, span), chart[item] + cost
        for other in chart:
            for children in {(item, other), (other, item)}:
                if rule.rhs == tuple(child for child, _ in children) and item != other:
                    whole = compose(rule, [runs(child_span) for _, child_span in children])
                    if whole is not None:
                        yield (rule.lhs, whole), chart[item] + chart[other] + cost


def compose(rule, ranges):
    following = [iter(each) for each in ranges]
    last, span = -1, 0
    for component in rule.yield_function:
        end = None
        for child in component:
            left, right = next(following[child])
            if (end is not None and left != end) or (end is None and left <= last):
                return None
            end = right
            span |= (1 << right) - (1 << left)
        last = end
    return span


def knuth(sentence):
    """Figure 3: the items in the order of their costs, up to the goal."""
    goal = S, (1 << len(sentence)) - 1
    agenda = {(tag(name), 1 << position): 0.0 for position, name in enumerate(sentence)}
    chart = {}
    while agenda and goal not in chart:
        item = min(agenda, key=agenda.get)
        chart[item] = agenda.pop(item)
        for made, cost in consequences(chart, item):
            if made not in chart:
                agenda[made] = min(cost, agenda.get(made, cost))
    return chart


def popped(course):
    return {course.items[step.popped.item]: step.popped.cost for step in course.pops}


@core(1, "sentence", SENTENCES, ids="".join)
def test_without_a_relaxation_all_items_up_to_the_cost_of_the_goal_are_popped(sentence):
    expected = knuth(sentence)
    course = ChartParser(GRAMMAR, "knuth").follow(candidates(sentence), 1000)
    found = popped(course)
    costs = [step.popped.cost for step in course.pops]
    assert costs == sorted(costs)
    goal = S, (1 << len(sentence)) - 1
    assert (course.status == "goal") == (goal in expected)
    last = expected[goal] if goal in expected else max(expected.values())
    below = {item for item, cost in expected.items() if cost < last - 1e-9}
    assert below <= set(found)
    for item in below:
        assert found[item] == pytest.approx(expected[item])


@core(1, "sentence", SENTENCES, ids="".join)
def test_bounds_are_below_the_best_parse_with_an_item(sentence):
    parser = ChartParser(GRAMMAR)
    best = parser.parse(candidates(sentence))
    course = parser.follow(candidates(sentence), 1000)
    assert (course.status == "goal") == (best.status == "parsed")
    if course.status == "goal":
        last = course.pops[-1].popped
        assert [last.cost, last.bound] == pytest.approx([best.cost, best.cost])
        assert course.relaxed <= best.cost + 1e-9
        assert all(step.popped.bound <= best.cost + 1e-9 for step in course.pops)


def test_each_item_follows_from_items_before_it():
    course = ChartParser(GRAMMAR).follow(candidates("ABAB"), 1000)
    costs = GRAMMAR.costs()
    known = {each.item: each.cost for each in course.scanned}
    for step in course.pops:
        assert known[step.popped.item] == step.popped.cost
        for made in step.following:
            assert step.popped.item in made.children
            parts = costs[made.rule] + sum(known[child] for child in made.children)
            assert made.cost == pytest.approx(parts)
            symbol, span = course.items[made.item]
            assert symbol == made.rule.lhs
            spans = [course.items[child][1] for child in made.children]
            assert span == sum(spans)
            assert not any(one & other for one, other in combinations(spans, 2))
            known[made.item] = made.cost


def test_the_first_steps_only():
    parser = ChartParser(GRAMMAR)
    whole = parser.follow(candidates("ABAB"), 1000)
    part = parser.follow(candidates("ABAB"), 3)
    assert part.status == "unfinished"
    assert part.pops == whole.pops[:3]
    assert parser.follow(candidates("ABAB"), len(whole.pops)).status == "goal"


def test_nothing_is_left_without_a_parse():
    course = ChartParser(GRAMMAR, "knuth").follow([{tag("C"): 0.0}], 10)
    assert course.status == "exhausted"
    assert course.pops == []
