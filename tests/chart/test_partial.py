"""Covers of sentences by constituents, against all covers by all items of the naive parser."""

from collections import Counter
from math import inf, log

import pytest
from demo_trees import demo_trees
from grammar_strategies import TAGS, grammars, sentences
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import best_costs
from quick import examples

from plcfrs.budget import UNLIMITED
from plcfrs.chart import PartialParser, cover_by_tags, partial, piece_costs
from plcfrs.chart.partial import expected_symbols
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, extract, tag

A, B, C = TAGS
S, NP, VP = Nonterminal("S"), Nonterminal("NP"), Nonterminal("VP", 2)
FOREIGN = tag("z")  # that no grammar has


def coverings(pieces, length, start=0):
    """Yield the total of every sequence of pieces, by their ranges."""
    if start == length:
        yield 0.0
    for end in range(start + 1, length + 1):
        for cost in pieces.get((start, end), []):
            yield from (cost + rest for rest in coverings(pieces, length, end))


def cheapest_cover(grammar, candidates):
    """Return the cost of the best cover: of items, symbols and continuations."""
    symbols = piece_costs(grammar)
    pieces = {}
    for (symbol, ranges), cost in best_costs(grammar, candidates).items():
        if len(ranges) == 1 and symbol in symbols:
            pieces.setdefault(ranges[0], []).append(cost + symbols[symbol] + log(2))
    for position, tags in enumerate(candidates):
        if not any(symbol in symbols for symbol in tags):
            pieces[position, position + 1] = [min(tags.values())]
    return min(coverings(pieces, len(candidates)))


def cost_of_cover(grammar, candidates, cover):
    """Return the same for the cover that was found, and check that it is a cover."""
    symbols, rules = piece_costs(grammar), grammar.costs()
    leaves = [node.nonterminal for node in cover.bottom_up() if not node.children]
    order = cover.order()
    assert sorted(order) == list(range(len(candidates)))
    total = sum(rules[rule] for piece in cover.children for rule in piece.rules())
    total += sum(candidates[place][leaves[leaf]] for place, leaf in enumerate(order))
    known = [symbols[piece.nonterminal] for piece in cover.children if piece.nonterminal in symbols]
    return total + sum(known) + len(known) * log(2)


@given(grammars(), sentences(), st.sets(st.integers(0, 5), max_size=2))
@examples(60)
def test_no_other_items_cover_a_sentence_for_less(grammar, candidates, foreign):
    candidates = [
        {FOREIGN: 1.5} if position in foreign else tags for position, tags in enumerate(candidates)
    ]
    grammar = binarize(grammar)
    found = PartialParser(grammar, UNLIMITED).cover(candidates)
    expected = cheapest_cover(grammar, candidates)
    assert cost_of_cover(grammar, candidates, found) == pytest.approx(expected, abs=1e-6)


@given(grammars(), sentences(), st.sampled_from([inf, 0.0]), st.integers(1, 4), st.integers(1, 30))
@examples(30)
def test_a_cover_has_every_token_once_whatever_the_budget(
    grammar, candidates, max_seconds, longest, most_items
):
    grammar = binarize(grammar)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partial, "_LONGEST", longest)
        patch.setattr(partial, "_MOST_ITEMS", most_items)
        budget = UNLIMITED._replace(max_seconds=max_seconds)
        found = PartialParser(grammar, budget).cover(candidates)
    assert sorted(found.order()) == list(range(len(candidates)))
    assert cost_of_cover(grammar, candidates, found) < inf
    if not max_seconds:
        assert all(piece.nonterminal.kind == "tag" for piece in found.children)


def test_gaps_are_below_the_covering_constituents_only():
    rules = {
        Rule(S, (VP, B), ((0, 1, 0),)): 1,
        Rule(VP, (A, C), ((0,), (1,))): 1,
    }
    parser = PartialParser(Grammar(rules, start=S))
    cover = parser.cover([{symbol: 0.0} for symbol in (B, A, B, C, A, A, C)])
    assert [piece.nonterminal for piece in cover.children] == [B, S, A, A, C]
    assert cover.order() == [0, 1, 3, 2, 4, 5, 6]


def test_a_frequent_constituent_wins_over_a_rare_one():
    x, y, up = map(Nonterminal, "XYU")
    rules = {Rule(S, (x, up), ((0, 1),)): 9, Rule(S, (y, up), ((0, 1),)): 1}
    rules |= {Rule(symbol, (A, B), ((0, 1),)): 1 for symbol in (x, y)}
    rules[Rule(up, (C,), ((0,),))] = 1
    (piece,) = PartialParser(Grammar(rules, start=S)).cover([{A: 0.0}, {B: 0.0}]).children
    assert piece.nonterminal == x


def test_roots_and_intermediate_symbols_are_no_constituents():
    root = Nonterminal("ROOT")
    rules = {Rule(root, (A, B, C), ((0, 1, 2),)): 1}
    cover = PartialParser(binarize(Grammar(rules))).cover([{A: 0.0}, {B: 0.0}, {C: 0.0}])
    assert [piece.nonterminal for piece in cover.children] == [A, B, C]


def test_a_grammar_learned_from_sentences_without_a_parse():
    """Without Markovization, it has the symbol @NOPARSE, with which covers start otherwise."""
    whole, part = Nonterminal("NOPARSE"), Nonterminal("NOPARSE", kind="intermediate")
    rules = {
        Rule(S, (whole,), ((0,),)): 3,
        Rule(whole, (A, part), ((0, 1),)): 3,
        Rule(part, (B, part), ((0, 1),)): 1,
        Rule(part, (B,), ((0,),)): 2,
    }
    grammar = Grammar(rules, start=S)
    candidates = [{symbol: 0.0} for symbol in (B, A, B, B, A, B)]
    cover = PartialParser(grammar).cover(candidates)
    assert cover.order() == [0, 1, 2, 3, 4, 5]
    expected = cheapest_cover(grammar, candidates)
    assert cost_of_cover(grammar, candidates, cover) == pytest.approx(expected, abs=1e-6)


def test_expected_symbols_of_a_treebank_are_those_it_has():
    trees = demo_trees()
    grammar = extract(trees)
    seen = Counter()
    for rule, count in grammar.rules.items():
        seen.update(dict.fromkeys(rule.rhs, 0))
        for child in rule.rhs:
            seen[child] += count
    expected = expected_symbols(binarize(grammar))
    for symbol, count in seen.items():
        assert expected[symbol] == pytest.approx(count / len(trees), rel=1e-6)


def test_expected_symbols_of_a_grammar_that_never_ends_are_numbers():
    rules = {Rule(S, (S, S), ((0, 1),)): 9, Rule(S, (A,), ((0,),)): 1}
    assert all(0 < cost < inf for cost in piece_costs(Grammar(rules, start=S)).values())


def test_tags_by_frequency():
    rules = {Rule(S, (A, A, A, B), ((0, 1, 2, 3),)): 1}
    costs = piece_costs(Grammar(rules, start=S))
    candidates = [{A: 1.0, B: 0.9}, {A: 9.0, B: 0.0}, {B: 0.5, FOREIGN: 0.0}, {FOREIGN: 1.0}]
    cover = cover_by_tags(candidates, costs)
    assert [piece.nonterminal for piece in cover.children] == [A, B, B, FOREIGN]
    cover = cover_by_tags(candidates, {})
    assert [piece.nonterminal for piece in cover.children] == [B, B, FOREIGN, FOREIGN]
