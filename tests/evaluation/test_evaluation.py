"""Subsets of sentences and kinds of constituents: counted by hand, and sums that must agree."""

import tracemalloc
from dataclasses import replace
from random import Random

import pytest
from damage import damaged
from demo_trees import raw_demo_trees
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.errors import InputError
from plcfrs.evaluation import (
    ALL,
    FIELD,
    Counts,
    Scores,
    Settings,
    compare_sentences,
    evaluate,
    score,
    summarize,
)
from plcfrs.evaluation.bracketing import gap_degree
from plcfrs.treebank import write_trees
from plcfrs.treebank.format import Chunk
from plcfrs.treebank.format import parse_positions as read
from plcfrs.trees import Node, Token, Tree, no_parse


def tree(text: str) -> Tree:
    return read(Chunk("test", 1, text, 1))


CROSSING = tree("(ROOT (SQ (VP (WHNP (WP 0=what)) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))))")
LINEAR = tree("(ROOT (SQ (WHNP (WP 0=what)) (MD 1=should) (NP (PRP 2=I)) (VP (VB 3=do))))")
SHORT_TEXT = "(ROOT (S (NP-SBJ (PRP 0=you)) (VP (VBP 1=see))))"
SHORT = tree(SHORT_TEXT)
GOLD, PARSES = [CROSSING, SHORT], [LINEAR, SHORT]


def test_subsets_by_the_gold_trees():
    found = evaluate(GOLD, PARSES, replace(ALL, cutoff=3))
    assert found.all.labelled == Counts(7, 7, 6)
    assert found.discontinuous.labelled == Counts(4, 4, 3)
    assert found.continuous.labelled == Counts(3, 3, 3)
    assert found.short == found.continuous
    assert list(found.subsets()) == ["All", "D", "C", "With parse", "<= 3"]


def test_subsets_by_a_reference():
    # Te is scored, and the sentences are those that have a discontinuity in Te'.
    found = evaluate(PARSES, PARSES, ALL, reference=GOLD)
    assert (found.discontinuous.sentences, found.continuous.sentences) == (1, 1)
    assert found.discontinuous.labelled_discontinuous == Counts()
    assert list(found.by_gap_degree) == [1, 0]
    assert evaluate(PARSES, PARSES).discontinuous == Scores()


def test_a_gap_over_a_null_element_is_none():
    reference = tree("(ROOT (S (NP (NN 0=a) (NN 2=b)) (-NONE- 1=*T*) (VB 3=c)))")
    gold = tree("(ROOT (S (NP (NN 0=a) (NN 1=b)) (VB 2=c)))")
    assert evaluate([gold], [gold], reference=[reference]).discontinuous.sentences == 0


def test_with_and_without_sentences_that_have_no_parse():
    found = evaluate(GOLD, [LINEAR, no_parse(SHORT.tokens)])
    assert found.all.labelled == Counts(7, 4, 3)
    assert (found.all.sentences, found.all.without_parse) == (2, 1)
    assert found.parsed.labelled == Counts(4, 4, 3)
    assert (found.parsed.sentences, found.parsed.without_parse) == (1, 0)


def test_kinds_of_constituents():
    found = evaluate(GOLD, PARSES)
    assert found.by_category == {
        "WHNP": Counts(1, 1, 1),
        "VP": Counts(2, 2, 1),
        "NP": Counts(2, 2, 2),
        "SQ": Counts(1, 1, 1),
        "S": Counts(1, 1, 1),
    }
    assert found.by_fan_out == {1: Counts(6, 7, 6), 2: Counts(1, 0, 0)}


def test_length_counts_punctuation_and_not_what_the_settings_say():
    gold = tree("(ROOT (S (NP (NN 0=a)) (, 1=,) (VP (VB 2=b)) (. 3=.)))")
    (found,) = compare_sentences([gold], [gold])
    assert found.length == 4
    (found,) = compare_sentences([gold], [gold], replace(FIELD, uncounted_tags=frozenset(".")))
    assert found.length == 3
    lengths = [Tree(Node("ROOT", children=list(range(n))), [Token("a", "NN")] * n) for n in (1, 10)]
    longer = Tree(Node("ROOT", children=list(range(11))), [Token("a", "NN")] * 11)
    by_length = evaluate([*lengths, longer], [*lengths, longer]).by_length
    assert {length: scores.sentences for length, scores in by_length.items()} == {10: 2, 20: 1}


def test_function_tags_of_what_is_right():
    gold = tree("(ROOT (S (NP-SBJ (PRP 0=he)) (VP (VB 1=ran) (NP-TMP (NN 2=today)))))")
    parse = tree("(ROOT (S (NP-OBJ (PRP 0=he)) (VP (VB 1=ran) (ADVP-TMP (NN 2=today)))))")
    gold.tokens[0].function = parse.tokens[0].function = "HD"
    gold.tokens[1].function, parse.tokens[1].function = "HD", "OC"
    parse.tokens[1].tag = "NN"  # then its function does not count
    # The category of the ADVP is wrong, so its TMP does not count, neither does that of the NP.
    found = evaluate([gold], [parse])
    assert found.all.functions == Counts(2, 2, 1)
    assert found.by_function == {
        "SBJ": Counts(1, 0, 0),
        "OBJ": Counts(0, 1, 0),
        "HD": Counts(1, 1, 1),
    }


def test_ignored_words_go_whatever_their_tag():
    gold = tree("(ROOT (S (NP (NN 0=a) (NN 2=b)) (SYM 1=/) (VB 3=c)))")
    assert evaluate([gold], [gold], ALL).all.labelled_discontinuous == Counts(1, 1, 1)
    settings = Settings(frozenset(["ROOT"]), ignored_words=frozenset(["/"]))
    found = evaluate([gold], [gold], settings).all
    assert found.labelled_discontinuous == Counts()
    assert found.words == 3


def test_tokens_at_the_root():
    gold = tree("(ROOT (S (NN 0=a) (NN 1=b)) (. 2=!))")
    parse = tree("(ROOT (S (NN 0=a) (NN 1=b) (. 2=!)))")
    assert evaluate([gold], [parse], ALL).all.labelled.matched == 0
    settings = replace(ALL, ignore_root_tokens=True)
    assert evaluate([gold], [parse], settings).all.labelled == Counts(1, 1, 1)


def test_discontinuous_constituents_alone():
    settings = replace(ALL, discontinuous_only=True)
    found = evaluate(GOLD, GOLD, settings).all
    assert found.labelled == Counts(1, 1, 1)
    # The other sentence has nothing to find.
    assert (found.sentences, found.exact, found.words) == (1, 1, 6)


def test_without_categories():
    parse = tree("(ROOT (X (Y (PRP 0=you)) (Z (VBP 1=see))))")
    found = evaluate([SHORT], [parse], replace(ALL, labelled=False)).all
    assert found.labelled == found.unlabelled == Counts(3, 3, 3)
    assert evaluate([SHORT], [parse], ALL).all.labelled == Counts(3, 3, 0)


@given(st.lists(trees(), min_size=1, max_size=4), st.integers(0, 9))
def test_parts_add_up(gold, seed):
    parses = [damaged(tree, Random(seed)) for tree in gold]
    for settings in (FIELD, ALL):
        sentences = list(compare_sentences(gold, parses, settings))
        found = summarize(sentences, settings)
        for parts in (
            [found.discontinuous, found.continuous],
            found.by_gap_degree.values(),
            found.by_length.values(),
            [sentence.scores() for sentence in sentences],
        ):
            assert total(parts) == found.all
        for kinds in (found.by_category, found.by_fan_out):
            assert total_counts(kinds.values()) == found.all.labelled
        gaps = [counts for fan_out, counts in found.by_fan_out.items() if fan_out > 1]
        assert total_counts(gaps) == found.all.labelled_discontinuous
        assert total_counts(found.by_function.values()) == found.all.functions


def total(parts) -> Scores:
    found = Scores()
    for part in parts:
        found.add(part)
    return found


def total_counts(parts) -> Counts:
    found = Counts()
    for part in parts:
        found.add(part)
    return found


@given(trees())
@example(Tree.from_string("(ROOT (S (VP (V 0=saw) (R 2=off)) (N 1=them)))"))
def test_gap_degree(tree):
    assert gap_degree(tree) == tree.gap_degree()


@pytest.mark.full
def test_memory_does_not_grow_with_the_number_of_sentences():
    def peak(number):
        tracemalloc.start()
        evaluate(*((tree(SHORT_TEXT) for _ in range(number)) for _ in range(2)))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    # If sentences were kept, it would take megabytes. Other threads may allocate meanwhile.
    few, many = min(peak(50) for _ in range(3)), min(peak(2000) for _ in range(3))
    assert many < few + 100_000


def test_only_sums_are_kept():
    # The memory of an evaluation does not grow with the number of sentences.
    once, often = evaluate(GOLD, PARSES), evaluate(GOLD * 50, PARSES * 50)
    assert often.all.labelled == Counts(350, 350, 300)
    for kinds in ("by_category", "by_fan_out", "by_function", "by_gap_degree", "by_length"):
        assert getattr(once, kinds).keys() == getattr(often, kinds).keys()


def test_names_of_treebanks_and_of_settings(tmp_path):
    gold = raw_demo_trees()
    parses = [no_parse(tree.tokens, tree.id) for tree in gold[:3]] + gold[3:]
    path = tmp_path / "parses.mrg"
    write_trees(parses, path)
    assert score("plcfrs:demo", path, "all") == score(gold, parses, ALL)
    assert score(gold, str(path)) == score(gold, parses, FIELD) != score(gold, path, "all")
    with pytest.raises(InputError, match=r"nowhere: cannot be read: .* settings are field, all"):
        score(gold, parses, "nowhere")
