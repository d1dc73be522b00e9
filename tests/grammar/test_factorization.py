"""Expansions and separations: sums, seen and unseen rules, by hand and naively."""

from collections import defaultdict
from fractions import Fraction
from math import prod

import pytest
from grammar_strategies import grammars
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.errors import GrammarError
from plcfrs.grammar import (
    Grammar,
    Lexicon,
    Markovization,
    Nonterminal,
    Rule,
    binarize,
    binarize_tree,
    extract,
    proper_gaps,
    tag,
)
from plcfrs.grammar.probabilities import factored
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import transform_all
from plcfrs.trees.heads import mark_heads

EXTRACTED = st.lists(trees(), min_size=1, max_size=5).map(extract)
THRESHOLDS = st.sampled_from([0, 1e-3, 0.1, 1])

S, VP, VP_2, PP = Nonterminal("S"), Nonterminal("VP"), Nonterminal("VP", 2), Nonterminal("PP")
VB, NN, WP, IN = (tag(name) for name in ("VB", "NN", "WP", "IN"))
SEEN = {
    Rule(S, (VP,), ((0,),)): 2,
    Rule(S, (VP_2, NN), ((0, 1, 0),)): 1,
    Rule(VP, (VB, NN), ((0, 1),)): 3,
    Rule(VP, (VB, PP), ((0, 1),)): 1,
    Rule(VP_2, (WP, VB), ((0,), (1,))): 1,
    Rule(PP, (IN, NN), ((0, 1),)): 1,
}


@given(EXTRACTED | grammars(max_rank=4), THRESHOLDS)
def test_probabilities_sum_to_one(grammar, threshold):
    smoothed = factored(grammar, threshold)
    smoothed.check()
    totals = defaultdict(float)
    for rule, probability in smoothed.rules.items():
        totals[rule.lhs] += probability
    assert totals == pytest.approx(dict.fromkeys(totals, 1.0), rel=1e-9)
    assert totals.keys() == {rule.lhs for rule in grammar.rules}


@given(EXTRACTED | grammars(max_rank=4), THRESHOLDS)
def test_what_was_seen_stays(grammar, threshold):
    smoothed = factored(grammar, threshold)
    assert grammar.rules.keys() <= smoothed.rules.keys()
    assert smoothed.rules.keys() <= factored(grammar, 0).rules.keys()
    assert set(smoothed.nonterminals()) == set(grammar.nonterminals())
    words = grammar.lexicon.words if grammar.lexicon.signatures else grammar.lexicon.probabilities()
    assert smoothed.lexicon == Lexicon(words, grammar.lexicon.signatures)
    smoothed.check()


@given(EXTRACTED)
def test_new_rules_are_like_extracted_ones(grammar):
    smoothed = factored(grammar, 0)
    assert proper_gaps(smoothed).grammar is smoothed  # no two ranges of a child touch
    yield_functions = {rule.yield_function for rule in grammar.rules}
    assert {rule.yield_function for rule in smoothed.rules} == yield_functions


def test_by_hand():
    found = {str(rule): p for rule, p in factored(Grammar(SEEN, start=S)).rules.items()}
    # Of five VP one has fan-out 2. Witten and Bell: p(2 | WP VB) = (1 + 1/5) / 2 = 3/5,
    # p(2 | VB NN) = (0 + 1/5) / (3 + 1) = 1/20, p(2 | VB PP) = 1/10. Times counts: 12 : 3 : 2.
    # VP_2 was seen once, so half is from there, half is WP VB.
    assert found["VP_2 -> WP VB [0, 1]"] == pytest.approx(29 / 34)
    assert found["VP_2 -> VB NN [0, 1]"] == pytest.approx(3 / 34)
    assert found["VP_2 -> VB PP [0, 1]"] == pytest.approx(2 / 34)
    # p(1 | VB NN) = (3 + 4/5) / 4, p(1 | VB PP) = 9/10, p(1 | WP VB) = 2/5: 57 : 18 : 8.
    # VP was seen four times with two expansions: 4/6 as counted, 2/6 as expected.
    assert found["VP -> VB NN [0 1]"] == pytest.approx((3 + 2 * 57 / 83) / 6)
    assert found["VP -> VB PP [0 1]"] == pytest.approx((1 + 2 * 18 / 83) / 6)
    assert found["VP -> WP VB [0 1]"] == pytest.approx((0 + 2 * 8 / 83) / 6)
    # Of fan-out 1 and rank 2, one in six has a child around the other, and the S that there is:
    # (1 + 1/6) / 2 = 7/12. VP has fan-out 2 with 1/5: 7/12 * 1/5 : 5/12 * 4/5 is 7 : 20.
    assert found["S -> VP_2 NN [0 1 0]"] == pytest.approx(1 / 3 * (1 + 7 / 27) / 2)
    assert found["S -> VP NN [0 1]"] == pytest.approx(1 / 3 * (0 + 20 / 27) / 2)
    assert found["S -> VP [0]"] == pytest.approx(2 / 3)
    assert found["PP -> IN NN [0 1]"] == 1
    assert len(found) == 10


def test_gaps_that_were_never_seen_are_possible():
    rule = Rule(VP_2, (VB, NN), ((0,), (1,)))
    assert rule not in SEEN
    assert factored(Grammar(SEEN, start=S)).rules[rule] > 0.01


def test_rare_new_rules_are_left_out():
    # VP -> WP VB has 16/498.
    kept = factored(Grammar(SEEN, start=S), 0.05).rules
    assert Rule(VP, (WP, VB), ((0, 1),)) not in kept
    assert kept[Rule(VP, (VB, PP), ((0, 1),))] == pytest.approx(119 / (119 + 363))


def test_what_is_common_without_a_gap_is_unlikely_with_one():
    seen = {**SEEN, Rule(VP, (VB, NN), ((0, 1),)): 3000}
    found = factored(Grammar(seen, start=S), 0).rules
    common, rare = (found[Rule(VP_2, (VB, child), ((0,), (1,)))] for child in (NN, PP))
    assert rare < common < 3 * rare  # not 3000 times as much


@given(EXTRACTED | grammars(max_rank=3))
def test_naively(grammar):
    expected = {rule: p for rule, p in naively_factored(grammar).items() if p}
    assert factored(grammar, 0).rules == pytest.approx(expected, rel=1e-9)


def naively_factored(grammar):
    """Every expansion of a category with every separation, from lists of seen ones."""
    seen = [(*split(rule), Fraction(count)) for rule, count in grammar.rules.items()]
    rules = {}
    for lhs in dict.fromkeys(rule.lhs for rule in grammar.rules):
        category, fan_out = lhs._replace(fanout=1), lhs.fanout
        expansions = {e for c, e, _, _ in seen if c == category}
        separations = {s for _, _, s, _ in seen}
        of_expansion = {
            e: p_separations(seen, category, e, fan_out, separations) for e in expansions
        }
        weights = {
            e: total(seen, category, e) * p_fan_out(seen, category, e, fan_out)
            for e in expansions
            if of_expansion[e]
        }
        expected = {e: weight / sum(weights.values()) for e, weight in weights.items()}
        events = [(e, n) for c, e, s, n in seen if c == category and len(s[1]) == fan_out]
        for e in expected:
            for s, p in of_expansion[e].items():
                rhs = tuple(child._replace(fanout=k) for child, k in zip(e, s[0], strict=True))
                rules[Rule(lhs, rhs, s[1])] = float(witten_bell(events, e, expected[e]) * p)
    return rules


def split(rule):
    expansion = tuple(child._replace(fanout=1) for child in rule.rhs)
    separation = tuple(child.fanout for child in rule.rhs), rule.yield_function
    return rule.lhs._replace(fanout=1), expansion, separation


def total(seen, category, expansion=None):
    return sum(n for c, e, _, n in seen if c == category and expansion in (None, e))


def p_fan_out(seen, category, expansion, fan_out):
    events = [(len(s[1]), n) for c, e, s, n in seen if (c, e) == (category, expansion)]
    return witten_bell(events, fan_out, p_of_category(seen, category, fan_out))


def p_of_category(seen, category, fan_out):
    if not total(seen, category):
        return Fraction(fan_out == 1)
    wide = sum(n for c, _, s, n in seen if c == category and len(s[1]) == fan_out)
    return wide / total(seen, category)


def p_separations(seen, category, expansion, fan_out, separations):
    alike = [
        (c, e, s, n) for c, e, s, n in seen if len(e) == len(expansion) and len(s[1]) == fan_out
    ]
    of_all = sum(n for *_, n in alike)
    weights = {}
    for separation in separations:
        if len(separation[0]) == len(expansion) and len(separation[1]) == fan_out:
            general = sum(n for _, _, s, n in alike if s == separation) / of_all
            of_lhs = [(s, n) for c, _, s, n in alike if c == category]
            weights[separation] = witten_bell(of_lhs, separation, general) * prod(
                p_of_category(seen, child, k)
                for child, k in zip(expansion, separation[0], strict=True)
            )
    if not sum(weights.values(), Fraction(0)):
        return {}
    own = [(s, n) for c, e, s, n in alike if (c, e) == (category, expansion)]
    whole = sum(weights.values())
    return {s: p for s in weights if (p := witten_bell(own, s, weights[s] / whole))}


def witten_bell(events, event, backoff):
    whole = sum(n for _, n in events)
    distinct = len({e for e, _ in events})
    if not whole:
        return backoff
    weight = whole / (whole + distinct)
    return weight * sum(n for e, n in events if e == event) / whole + (1 - weight) * backoff


def test_intermediate_symbols_are_like_categories():
    one, two = Nonterminal("VP", kind="intermediate"), Nonterminal("VP", 2, kind="intermediate")
    rules = {
        Rule(one, (VB, NN), ((0, 1),)): 1,
        Rule(two, (WP, VB), ((0,), (1,))): 1,
        Rule(VP, (VB, VB), ((0, 1),)): 1,
        Rule(VP, (two, NN), ((0, 1, 0),)): 1,
    }
    found = {str(rule) for rule in factored(Grammar(rules, start=S)).rules}
    assert {"@VP_2 -> VB NN [0, 1]", "VP -> @VP NN [0 1]"} <= found
    assert "@VP_2 -> VB VB [0, 1]" not in found


@given(st.lists(trees(), min_size=1, max_size=4))
def test_markovized_grammars_stay_binary(treebank):
    markovization = Markovization("head-outward", 1, 2)
    grammar = extract(binarize_tree(mark_heads(tree), markovization) for tree in treebank)
    smoothed = factored(grammar)
    smoothed.check()
    assert smoothed.rank() <= 2


def test_probabilities_have_no_counts():
    with pytest.raises(GrammarError, match="no counts"):
        factored(Grammar(weights="probabilities"))


@pytest.mark.full
def test_the_penn_treebank(penn_treebank):
    treebank = list(transform_all(penn_treebank))
    grammar = extract(treebank[:3396])
    smoothed = factored(grammar)
    assert smoothed.options["estimator"] == "factored"
    assert len(grammar.rules) == 4003
    assert len(smoothed.rules) == 4536
    model = GrammarModel(binarize(smoothed))
    test = [tree for tree in treebank[3396:] if len(tree.tokens) <= 15]
    parses = [model.parse(tree) for tree in test]
    assert all(parse.status == "parsed" for parse in parses)
