"""Other contents of grammar files: examples, comments, undefined symbols."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from nasty_grammars import nasty_grammars, same
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, binarize, tag, unbinarize_grammar
from plcfrs.grammar.formats import native as compressed
from plcfrs.grammar.formats import yaml as readable
from plcfrs.grammar.rules import RuleExample, in_paper_notation

FORMS = pytest.mark.parametrize("form", [readable, compressed], ids=["yaml", "compressed"])
S, VP, NP, B = Nonterminal("S"), Nonterminal("VP", 2), Nonterminal("NP"), tag("b")
AROUND = Rule(S, (VP, B), ((0, 1, 0),))
HEAD = "plcfrs: 1\nstart: S\nrules: |\n  S -> b [0] 1\n  VP_2 -> b b [0, 1] 1\nexamples: |\n"


@st.composite
def grammars_with_examples(draw):
    grammar = draw(nasty_grammars())
    for rule in draw(st.lists(st.sampled_from(list(grammar.rules)), unique=True)):
        ranges = tuple((2 * n, 2 * n + 1) for n in range(rule.lhs.fanout))
        words = draw(st.lists(texts(), min_size=ranges[-1][1], max_size=ranges[-1][1] + 2))
        name = draw(texts() | st.just(""))
        grammar.examples[rule] = (RuleExample(tuple(words), ranges, name),) * draw(
            st.integers(1, 2)
        )
    return grammar


@given(grammars_with_examples())
def test_examples_round_trip(grammar):
    assert same(readable.loads(readable.dumps(grammar)), grammar)
    assert same(compressed.loads(compressed.dumps(grammar)), grammar)


@given(nasty_grammars(), st.data())
def test_a_selection_of_rules_round_trips_with_comments(grammar, data):
    """For any symbols without rules, and any comments."""
    chosen = data.draw(st.lists(st.sampled_from(list(grammar.rules)), unique=True))
    selection = Grammar(
        {rule: grammar.rules[rule] for rule in chosen},
        Lexicon(),
        grammar.start,
        grammar.weights,
        grammar.options,
    )
    comments = {rule: f"{in_paper_notation(rule)} # ] [ 1" for rule in chosen}
    assert same(readable.loads(readable.dumps(selection, comments)), selection)
    assert same(compressed.loads(compressed.dumps(selection)), selection)


@pytest.mark.full
@given(grammars_with_examples())
def test_binarization_keeps_examples(grammar):
    grammar.rules = {rule: weight for rule, weight in grammar.rules.items() if _is_plain(rule)}
    grammar.examples = {
        rule: found for rule, found in grammar.examples.items() if rule in grammar.rules
    }
    binarized = binarize(grammar)
    assert sorted(map(str, binarized.examples.values())) == sorted(
        map(str, grammar.examples.values())
    )
    assert all(
        rule.lhs.fanout == len(example.ranges)
        for rule, found in binarized.examples.items()
        for example in found
    )
    assert set(binarized.examples) <= set(binarized.rules)
    restored = unbinarize_grammar(binarized)
    assert len(restored.examples) == len(grammar.examples)


def _is_plain(rule):
    return rule.lhs.kind != "intermediate" and all(
        child.kind != "intermediate" for child in rule.rhs
    )


@FORMS
def test_without_examples_files_are_as_before(form):
    text = form.dumps(Grammar({AROUND: 1}, Lexicon({"x": {B: 1}}), S))
    assert "examples" not in text
    assert form.loads(text).examples == {}


@FORMS
def test_undefined_symbols_are_named(form):
    grammar = Grammar({AROUND: 1}, start=S)
    assert "undefined" in form.dumps(grammar)
    assert form.loads(form.dumps(grammar)) == grammar


def test_examples_that_people_write():
    grammar = readable.loads(
        HEAD + "  # the first one\n  S -> b\n    x:1 a [b]\n\n  VP_2 -> b b [0, 1]  # (X,Y)\n"
        "    - [a] b [c]\n    - [a] [b]\n"
    )
    small, wide = grammar.rules
    assert grammar.examples[small] == (RuleExample(("a", "b"), ((1, 2),), "x:1"),)
    assert [str(example) for example in grammar.examples[wide]] == ["[a] b [c]", "[a] [b]"]


def test_a_dump_has_the_notation_of_the_paper():
    grammar = Grammar({AROUND: 2}, start=S)
    text = readable.dumps(grammar, {AROUND: in_paper_notation(AROUND)})
    assert "  S -> VP_2 b [0 1 0] 2  # S(XYZ) -> VP(X,Z) b(Y)\n" in text


@core(
    1,
    ("lines", "message"),
    [
        ("  NP -> b\n    - [a]\n", "line 1 of the examples: NP -> b .0. is not among the rules"),
        ("  S -> b\n    - a\n", "line 2 of the examples: '- a' should be like"),
        ("  S -> b\n    - [a] [b]\n", "line 2 of the examples: the brackets do not fit"),
        ("  S -> b [0] 3\n    - [a]\n", "line 1 of the examples"),
        ("  S > b\n", "line 1 of the examples: .* should be like"),
    ],
)
def test_wrong_examples_are_reported(lines, message):
    with pytest.raises(GrammarError, match=message):
        readable.loads(HEAD + lines)
