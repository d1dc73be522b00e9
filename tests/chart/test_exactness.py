"""The chart parser finds the best derivation: compared with the naive reference."""

from collections import defaultdict
from math import inf, isclose, log
from pathlib import Path

import pytest
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import example, given
from hypothesis import strategies as st
from naive.binarization import chains
from naive.parser import best_cost
from quick import core, examples

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser, ParseResult
from plcfrs.grammar import Grammar, Nonterminal, binarize, cost, rebuild, tag, unbinarize
from plcfrs.grammar.report import useless_symbols
from plcfrs.trees import Token
from plcfrs.trees.tree import positions

GRAMMARS = Path(__file__).parents[2] / "grammars"
WITH_SENTENCES = grammars().flatmap(
    lambda grammar: st.tuples(
        st.just(grammar),
        st.lists(sentences() | sentences_of(grammar), min_size=1, max_size=3),
    )
)
A_B_C_D = ChartParser(binarize(Grammar.load(GRAMMARS / "anbncndn.yaml")), budget=UNLIMITED)
COPY_GRAMMAR = binarize(Grammar.load(GRAMMARS / "copy-language.yaml"))
COPIES = ChartParser(COPY_GRAMMAR, budget=UNLIMITED)

Sentence = list[dict[Nonterminal, float]]


def check(grammar: Grammar, sentence: Sentence, result: ParseResult, expected: float) -> None:
    """Check that a result has the expected cost, and that its derivation really has it."""
    assert result.status == ("no parse" if expected == inf else "parsed")
    assert isclose(result.cost, expected, rel_tol=1e-9, abs_tol=1e-11)
    if expected == inf:
        assert result.derivation is None
        return
    derivation = result.derivation
    assert derivation.nonterminal == grammar.start
    costs = grammar.costs()
    leaves = [part.nonterminal for part in derivation.bottom_up() if not part.children]
    order = derivation.order()
    assert sorted(order) == list(range(len(sentence)))
    own = sum(costs[rule] for rule in derivation.rules())
    own += sum(tags[leaves[leaf]] for leaf, tags in zip(order, sentence, strict=True))
    assert isclose(own, expected, rel_tol=1e-9, abs_tol=1e-11)


def check_exactness(grammar: Grammar, sentences: list[Sentence]) -> None:
    binarized = binarize(grammar)
    parsers = [ChartParser(binarized, strategy, UNLIMITED) for strategy in ("astar", "knuth")]
    for sentence in sentences:
        expected = best_cost(grammar, sentence)
        for parser in parsers:
            result = parser.parse(sentence)
            check(binarized, sentence, result, expected)
            if result.derivation:
                assert set(result.derivation.rules()) <= set(binarized.rules)
                assert set(unbinarize(result.derivation).rules()) <= set(chains(binarized))


@examples(2000)
@given(WITH_SENTENCES)
def test_costs_are_exact(case):
    check_exactness(*case)


def load(name: str) -> Grammar:
    return Grammar.load(GRAMMARS / f"{name}.yaml")


def tagged(tags: str) -> Sentence:
    """Return a sentence of tags of one letter."""
    return [{tag(letter): 0.0} for letter in tags]


def with_words(grammar: Grammar, words: str) -> Sentence:
    """Return a sentence of words with the tags and costs of the lexicon."""
    lexicon = grammar.lexicon.probabilities()
    return [{tag: cost(p) for tag, p in lexicon[word].items()} for word in words.split()]


def test_a_n_b_n_c_n_d_n():
    # One rule for S and n rules for A, which are two of equal count; at most 80 tokens.
    grammar = binarize(load("anbncndn"))
    parser = ChartParser(grammar, budget=UNLIMITED)
    for n in range(1, 21):
        sentence = tagged(n * "a" + n * "b" + n * "c" + n * "d")
        check(grammar, sentence, parser.parse(sentence), n * log(2))


@given(st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(lambda n: len(set(n)) > 1))
@example([20, 20, 20, 19])
@example([16, 17, 16, 16])
def test_other_numbers_of_a_b_c_d_have_no_parse(numbers):
    sentence = tagged("".join(n * letter for n, letter in zip(numbers, "abcd", strict=True)))
    assert A_B_C_D.parse(sentence).status == "no parse"


@given(st.text("abcd", max_size=12))
@example(5 * "abcd")
@example("aabbccdd" * 2)
def test_other_orders_of_a_b_c_d_have_no_parse(text):
    n = len(text) // 4
    expected = "parsed" if text and text == n * "a" + n * "b" + n * "c" + n * "d" else "no parse"
    assert A_B_C_D.parse(tagged(text)).status == expected


@examples(30)
@given(st.text("ab", min_size=1, max_size=12))
@example(17 * "ab")
def test_copies(text):
    sentence = tagged(2 * text)
    check(COPY_GRAMMAR, sentence, COPIES.parse(sentence), len(text) * log(4))


@pytest.mark.full
@examples(30)
@given(st.text("ab", max_size=16))
@example(16 * "ab" + "a" + 17 * "ab")
@example(17 * "ab" + 17 * "ba")
def test_what_is_no_copy(text):
    half = len(text) // 2
    expected = "parsed" if text and text[:half] == text[half:] else "no parse"
    assert COPIES.parse(tagged(text)).status == expected


@core(1, "name", sorted(path.stem for path in GRAMMARS.glob("*.yaml")))
def test_every_grammar_is_sound(name):
    grammar = load(name)
    assert useless_symbols(grammar) == []
    assert {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"} == set(
        grammar.lexicon.totals()
    )
    for weights in (grammar.probabilities(), grammar.lexicon.probabilities()):
        assert weights
    totals: dict[Nonterminal, float] = defaultdict(float)
    for rule, probability in grammar.probabilities().items():
        totals[rule.lhs] += probability
    assert list(totals.values()) == pytest.approx([1] * len(totals))


@core(
    1,
    ("name", "words", "has_parse"),
    [
        ("evang-kallmeyer-figure-6", "What should I do ?", True),
        ("evang-kallmeyer-figure-7", "What should I do ?", True),
        ("evang-kallmeyer-figure-6", "should I do What ?", False),
        ("evang-kallmeyer-figure-7", "What do should I ?", False),
        ("swiss-german", "das mir s Gatter flicked", True),
        ("swiss-german", "das mir em Gatter flicked", False),
        ("swiss-german", "das mir em Wiib s Gatter hälfed flicke", True),
        ("swiss-german", "das mir s Gatter em Wiib hälfed flicke", False),  # nested, not crossing
        ("swiss-german", "das mir em Wiib s Gatter lönd flicke", False),
        ("swiss-german", "das mir d Magd em Wiib s Gatter lönd hälfe flicke", True),
        ("swiss-german", "das mir em Wiib d Magd s Gatter lönd hälfe flicke", False),
        ("swiss-german", "das mir d Magd em Wiib s Gatter lönd flicke hälfe", False),
        ("swiss-german", "das si de Magd de Chnächt em Wiib d Geiss hälfed laa hälfe fuete", True),
        ("swiss-german", "das si em Wiib em Wiib em Wiib em Wiib hälfed hälfe hälfe folge", True),
        ("swiss-german", "das si em Wiib em Wiib em Wiib em Wiib hälfed hälfe folge", False),
        ("swiss-german", "das si em Wiib em Wiib s Wiib hälfed hälfe folge", False),
        ("wh-english", "what should they buy ?", True),
        ("wh-english", "which boat do you see in the harbour ?", True),
        ("wh-english", "what do you think she said they should buy ?", True),
        ("wh-english", "what do you think the captain from the harbour said she bought ?", True),
        ("wh-english", "who said you should think they saw a boat in the harbour ?", True),
        ("wh-english", "she bought the boat in the harbour .", True),
        ("wh-english", "she should buy what .", False),
        ("wh-english", "do you think she said they should buy ?", False),
        ("wh-english", "should what they buy ?", False),
        ("wh-english", "what do you think she said they should buy the boat ?", False),
    ],
)
def test_sentences_of_the_grammars(name, words, has_parse):
    grammar = load(name)
    sentence = with_words(grammar, words)
    assert (best_cost(grammar, sentence) < inf) == has_parse
    check_exactness(grammar, [sentence])


def test_verbs_and_noun_phrases_cross():
    grammar = load("swiss-german")
    words = "das mir d Magd em Wiib s Gatter lönd hälfe flicke"
    parse = ChartParser(binarize(grammar), budget=UNLIMITED).parse(with_words(grammar, words))
    tokens = [Token(word, "") for word in words.split()]
    tree = rebuild(unbinarize(parse.derivation), tokens)
    verb_phrases = {
        " ".join(words.split()[position] for position in positions(span))
        for node, span in tree.yields().items()
        if node.category == "VP"
    }
    assert verb_phrases == {
        "d Magd em Wiib s Gatter lönd hälfe flicke",
        "em Wiib s Gatter hälfe flicke",
        "s Gatter flicke",
    }


def test_a_wh_phrase_belongs_to_the_deepest_verb():
    grammar = load("wh-english")
    words = "what do you think she said they should buy ?"
    parse = ChartParser(binarize(grammar), budget=UNLIMITED).parse(with_words(grammar, words))
    tree = rebuild(unbinarize(parse.derivation), [Token(word, "") for word in words.split()])
    discontinuous = [
        " ".join(words.split()[position] for position in positions(tree.yields()[node]))
        for node in tree.discontinuous_nodes()
        if node.category == "VP"
    ]
    assert discontinuous == [
        "what think she said they should buy",
        "what said they should buy",
        "what buy",
    ]
