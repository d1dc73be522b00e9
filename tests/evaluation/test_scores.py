"""Bracket scores: examples counted by hand, then random trees against a naive reference."""

import copy
from collections import Counter

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.errors import InputError
from plcfrs.evaluation import ALL, FIELD, Counts, score
from plcfrs.interop import from_nltk
from plcfrs.trees import Tree, no_parse


def parse_tree(text: str, words: str) -> Tree:
    """Return the tree of a bracketing whose leaves are positions in the sentence."""
    return from_nltk(nltk.Tree.fromstring(text, read_leaf=int), words.split())


WORDS = "What should I do ?"
CROSSING = parse_tree("(SBARQ (SQ (VP (WHNP (WP 0)) (VB 3)) (MD 1) (NP-SBJ (PRP 2))) (. 4))", WORDS)
CONTINUOUS = parse_tree("(SBARQ (WHNP (WP 0)) (SQ (MD 1) (NP (PRP 2)) (VP (VB 3))) (. 4))", WORDS)


def test_crossing_branches():
    # The parse has SBARQ, WHNP and NP right; SQ covers 123 instead of 0123, VP 3 instead of 03.
    scores = score([CROSSING], [CONTINUOUS])
    assert scores.labelled == Counts(gold=5, parsed=5, matched=3)
    # SBARQ and SQ have the same words without the question mark: both gold brackets are 0123.
    assert scores.unlabelled == Counts(gold=5, parsed=5, matched=3)
    assert scores.labelled_discontinuous == Counts(gold=1, parsed=0, matched=0)
    assert scores.exact == 0
    assert scores.labelled.f1 == pytest.approx(60)


def test_with_punctuation():
    scores = score([CROSSING], [CONTINUOUS], ALL)
    assert scores.labelled == Counts(gold=5, parsed=5, matched=3)
    assert scores.words == 5


def test_wrong_label_of_a_discontinuous_constituent():
    parse = parse_tree("(SBARQ (SQ (PP (WHNP (WP 0)) (VB 3)) (MD 1) (NP (PRP 2))) (. 4))", WORDS)
    scores = score([CROSSING], [parse])
    assert scores.labelled == Counts(5, 5, 4)
    assert scores.unlabelled == Counts(5, 5, 5)
    assert scores.labelled_discontinuous == Counts(1, 1, 0)
    assert scores.unlabelled_discontinuous == Counts(1, 1, 1)


def test_unary_duplicates_count_as_often_as_they_occur():
    gold = parse_tree("(NP (NP (NP (NN 0))) (NN 1))", "a b")
    parse = parse_tree("(NP (NP (NN 0)) (NN 1))", "a b")
    assert score([gold], [parse]).labelled == Counts(gold=3, parsed=2, matched=2)


def test_punctuation_in_a_gap_closes_it():
    gold = parse_tree("(S (NP (NN 0) (NN 2)) (, 1) (VB 3))", "a , b c")
    assert score([gold], [gold]).labelled_discontinuous == Counts(0, 0, 0)
    assert score([gold], [gold], ALL).labelled_discontinuous == Counts(1, 1, 1)


def test_attachment_of_punctuation_does_not_count():
    gold = parse_tree("(S (NP (NN 0)) (, 1) (VP (VB 2)))", "a , b")
    parse = parse_tree("(S (NP (NN 0) (, 1)) (VP (VB 2)))", "a , b")
    assert score([gold], [parse]).exact_match == 100
    assert score([gold], [parse], ALL).exact_match == 0


def test_gold_tags_decide_what_is_punctuation():
    gold = parse_tree("(S (NP (NN 0)) (: 1))", "a *")
    parse = parse_tree("(S (NP (NN 0)) (X (SYM 1)))", "a *")
    scores = score([gold], [parse])
    assert scores.labelled == Counts(gold=2, parsed=2, matched=2)
    assert (scores.words, scores.right_tags) == (1, 1)
    assert score([parse], [gold]).labelled == Counts(gold=3, parsed=2, matched=2)


def test_prt_counts_as_advp():
    gold = parse_tree("(VP (VB 0) (PRT (RP 1)))", "give up")
    parse = parse_tree("(VP (VB 0) (ADVP (RB 1)))", "give up")
    assert score([gold], [parse]).labelled == Counts(2, 2, 2)
    assert score([gold], [parse], ALL).labelled == Counts(2, 2, 1)
    assert score([gold], [parse]).tagging_accuracy == 50


def test_function_tags_and_splits_do_not_count():
    gold = parse_tree("(S^WH (NP-SBJ-1 (NN 0)))", "a")
    parse = parse_tree("(S (NP (NN 0)))", "a")
    assert score([gold], [parse]).exact == 1


def test_sentence_without_a_parse():
    failed = no_parse(CROSSING.tokens)
    scores = score([CROSSING, CROSSING], [failed, CROSSING])
    assert scores.labelled == Counts(gold=10, parsed=5, matched=5)
    assert (scores.sentences, scores.without_parse, scores.exact) == (2, 1, 1)
    assert (scores.labelled.precision, scores.labelled.recall) == (100, 50)


def test_no_parse_is_no_exact_match_even_of_a_flat_tree():
    flat = parse_tree("(ROOT (UH 0))", "Yes")
    assert score([flat], [no_parse(flat.tokens)]).exact == 0
    assert score([flat], [flat]).exact == 1


def test_null_elements_are_no_words():
    gold = parse_tree("(S (NP (-NONE- 0)) (VP (TO 1) (VB 2) (NP (-NONE- 3))))", "* to go *T*")
    parse = parse_tree("(S (VP (TO 0) (VB 1)))", "to go")
    for settings in (FIELD, ALL):
        scores = score([gold], [parse], settings)
        assert scores.labelled == Counts(2, 2, 2)
        assert scores.words == 2


def test_nothing_to_find():
    assert (Counts().precision, Counts().recall, Counts().f1) == (100, 100, 100)
    missed, invented = Counts(gold=2), Counts(parsed=2)
    assert (missed.precision, missed.recall, missed.f1) == (0, 0, 0)
    assert (invented.precision, invented.recall, invented.f1) == (0, 0, 0)


def test_different_words():
    gold = parse_tree("(S (NN 0) (NN 1))", "a b")
    gold.id = "wsj_0001.2"
    with pytest.raises(InputError, match=r"sentence 1 \(wsj_0001.2\): word 2 is 'b' .* 'c'"):
        score([gold], [parse_tree("(S (NN 0) (NN 1))", "a c")])
    with pytest.raises(InputError, match=r"word 2 is 'b' in the gold tree, missing in the parse"):
        score([gold], [parse_tree("(S (NN 0))", "a")])


def test_one_pair_at_a_time():
    drawn = []

    def stream():
        for number in range(3):
            drawn.append(number)
            yield CROSSING

    def parses():
        for number in range(3):
            assert drawn == list(range(number + 1))
            yield CROSSING

    assert score(stream(), parses()).sentences == 3


@st.composite
def pairs(draw):
    """Two trees over the same words: in the second, labels and tags differ, words trade places."""
    gold = draw(trees())
    parse = copy.deepcopy(gold)
    positions = list(range(len(gold.tokens)))
    places = draw(st.just(positions) | st.permutations(positions))
    for node in parse.nodes():
        node.category = draw(st.sampled_from([node.category, "NP", "PRT", "ADVP"]))
        node.children = [places[c] if isinstance(c, int) else c for c in node.children]
    for tree in (gold, parse):
        for token in tree.tokens:
            token.tag = draw(st.sampled_from(["NN", "VB", ",", "$."]))
    parse.root.category = "ROOT"
    parse.sort_children()
    return gold, parse


def naive_constituents(tree: Tree, gold: Tree) -> list[tuple[str, frozenset[int]]]:
    kept = [
        position
        for position, token in enumerate(gold.tokens)
        if token.tag not in FIELD.ignored_tags and token.form not in FIELD.ignored_words
    ]

    def words(node):
        below = [{c} if isinstance(c, int) else words(c) for c in node.children]
        return {position for part in below for position in part if position in kept}

    return [
        (
            "ADVP" if node.category == "PRT" else node.category,
            frozenset(map(kept.index, words(node))),
        )
        for node in tree.nodes()
        if node.category not in FIELD.ignored_labels and words(node)
    ]


def naive_counts(gold: list, parsed: list) -> Counts:
    left = list(parsed)
    for constituent in gold:
        if constituent in left:
            left.remove(constituent)
    return Counts(len(gold), len(parsed), len(parsed) - len(left))


@given(pairs())
def test_against_naive_reference(pair):
    gold, parsed = (naive_constituents(tree, pair[0]) for tree in pair)
    gold_gaps, parsed_gaps = (
        [(label, words) for label, words in found if max(words) - min(words) >= len(words)]
        for found in (gold, parsed)
    )
    scores = score([pair[0]], [pair[1]])
    assert scores.labelled == naive_counts(gold, parsed)
    assert scores.labelled_discontinuous == naive_counts(gold_gaps, parsed_gaps)
    assert scores.unlabelled == naive_counts([w for _, w in gold], [w for _, w in parsed])
    assert scores.exact == (Counter(gold) == Counter(parsed))


@given(trees())
def test_a_tree_is_its_own_best_parse(tree):
    for settings in (FIELD, ALL):
        scores = score([tree], [tree], settings)
        assert scores.labelled.f1 == scores.unlabelled.f1 == 100
        assert scores.exact_match == scores.tagging_accuracy == 100


@given(pairs())
def test_swapping_exchanges_precision_and_recall(pair):
    gold, parse = pair
    there, back = score([gold], [parse], ALL), score([parse], [gold], ALL)
    for one, other in (
        (there.labelled, back.labelled),
        (there.unlabelled_discontinuous, back.unlabelled_discontinuous),
    ):
        assert (one.precision, one.recall) == (other.recall, other.precision)
        assert one.f1 == other.f1


@given(st.lists(pairs(), max_size=3))
def test_counts_of_a_corpus_add_up(corpus):
    together = score(*zip(*corpus, strict=True)) if corpus else score([], [])
    alone = [score([gold], [parse]) for gold, parse in corpus]
    assert together.labelled.matched == sum(scores.labelled.matched for scores in alone)
    assert together.exact == sum(scores.exact for scores in alone)
    assert together.sentences == len(corpus)
