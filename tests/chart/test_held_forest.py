"""The best derivation with what is fixed of a tree, against all derivations of small grammars."""

from collections import defaultdict
from math import inf, isclose
from random import Random

from demo_trees import demo_trees
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import goal, instances, scan
from quick import examples

from plcfrs import GrammarModel
from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.errors import InputError
from plcfrs.grammar import binarize, rebuild, tag, unbinarize
from plcfrs.transformation import transform_all
from plcfrs.trees import Fixed, FixedConstituent, Token
from plcfrs.trees.tree import span_of_runs

CASES = grammars().flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences() | sentences_of(grammar, longest=6))
)


def cheapest(grammar, candidates, fixed):
    """Return the lowest cost for each number of broken parts, by sets of constituents that count.

    A state of an item is the set of required constituents that are in a derivation of it, and the
    number of forbidden ones.
    """
    costs = grammar.costs()
    best = {(item, (frozenset(), 0)): cost for item, cost in scan(candidates).items()}
    changed = True
    while changed:
        changed = False
        states = defaultdict(list)
        for item, state in best:
            states[item].append(state)
        for rule in grammar.rules:
            for item, children in instances(rule, states):
                below = [(frozenset(), 0, 0.0)]
                for child in children:
                    below = [
                        (has | more, broken + others, cost + best[child, (more, others)])
                        for has, broken, cost in below
                        for more, others in states[child]
                    ]
                own = item[0].category, span_of_runs(item[1])
                has = {each for each in fixed.required if each.fits(*own)}
                broken = any(each.fits(*own) for each in fixed.forbidden)
                for more, others, cost in below:
                    state = more | has, min(others + broken, 9)
                    if costs[rule] + cost < best.get((item, state), inf) - 1e-12:
                        best[item, state] = costs[rule] + cost
                        changed = True
    totals = defaultdict(lambda: inf)
    for (item, (has, broken)), cost in best.items():
        if item == goal(grammar, candidates):
            number = len(set(fixed.required) - has) + broken
            totals[number] = min(totals[number], cost)
    return totals


def some_fixed(length, draw):
    spans = st.integers(1, 2**length - 1) | st.integers(0, length - 1).map(
        lambda first: 2**length - 2**first
    )
    categories = st.sampled_from(["S", "A", "B", "C", None])
    constituents = st.lists(st.builds(FixedConstituent, categories, spans), max_size=3)
    required, forbidden = draw(constituents), draw(constituents)
    named = {each.span for each in required if each.category}
    required = [each for each in required if each.category or each.span not in named]
    try:
        return Fixed(tuple(dict.fromkeys(required)), tuple(dict.fromkeys(forbidden)))
    except InputError:
        return None


@examples(1000)
@given(CASES, st.data())
def test_it_is_the_best_of_all(case, data):
    grammar, sentence = case
    fixed = some_fixed(len(sentence), data.draw)
    if fixed is None:
        return
    totals = cheapest(grammar, sentence, fixed)
    binarized = binarize(grammar)
    for strategy in ("astar", "knuth"):
        (found,) = ChartParser(binarized, strategy, UNLIMITED).parse_held(sentence, fixed)
        if not totals:
            assert found.status == "no parse"
            continue
        tokens = [Token("", "")] * len(sentence)
        tree = rebuild(unbinarize(found.derivation), tokens)
        spans = tree.yields()
        there = [(node.category, spans[node]) for node in tree.nodes()[1:]]
        broken = len(fixed.missing(there)) + sum(
            any(each.fits(*one) for each in fixed.forbidden) for one in there
        )
        assert (broken == 0) == (min(totals) == 0)
        if broken == 0:
            assert isclose(found.cost, totals[0], rel_tol=1e-9, abs_tol=1e-9)
            assert found.gap == 0


def test_no_edge_is_missing_below_a_ceiling():
    """An item is popped again with a lower cost, and only now there is an item above it."""
    trees = list(transform_all(demo_trees()))
    parser = ChartParser(GrammarModel.train(trees).grammar)
    tags = sorted({token.tag for tree in trees for token in tree.tokens})
    rng = Random(256)
    candidates = [{tag(name): rng.uniform(0, 9) for name in rng.sample(tags, 12)} for _ in range(9)]
    (held,) = parser.parse_held(candidates, Fixed())
    assert held.cost == parser.parse(candidates).cost
