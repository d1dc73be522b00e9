"""Two parsers compared: significance tests against all possible samples."""

from itertools import count, product
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trace_examples import parse

from plcfrs.errors import InputError
from plcfrs.evaluation import ALL, FIELD, REPORTS, Counts, Scores, score
from plcfrs.evaluation.comparison import (
    MEASURES,
    ComparedSentence,
    Difference,
    compare_parsers,
    correct,
    difference,
    difference_table,
    f1,
    pair_table,
    score_table,
    sentence_table,
)
from plcfrs.trees import no_parse

GOLD = parse("(S (NP (PRP 0=I)) (VP (VBP 1=see) (NP (PRP 2=you))))")
WORSE = parse("(S (NP (PRP 0=I)) (X (VBP 1=see) (PRP 2=you)))")


def compare(gold, first, second, settings=FIELD):
    return list(compare_parsers(gold, {"first": first, "second": second}, settings))


def compared(*pairs):
    """Return sentences with the given labelled counts of both parsers."""
    return [
        ComparedSentence(str(number), tuple(Scores(labelled=Counts(*counts)) for counts in parsers))
        for number, parsers in enumerate(pairs, start=1)
    ]


PAIRS = [
    ((8, 8, 4), (8, 7, 6)),
    ((5, 6, 5), (5, 5, 3)),
    ((9, 3, 2), (9, 9, 7)),
    ((4, 4, 1), (4, 4, 4)),
    ((2, 2, 2), (2, 2, 2)),
]


def naive_f1(counts):
    gold, parsed, matched = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = matched / parsed, matched / gold
    return 100 * 2 * precision * recall / (precision + recall)


def naive_difference(pairs):
    first, second = zip(*pairs, strict=True)
    return naive_f1(second) - naive_f1(first)


def test_difference():
    result = difference(compared(*PAIRS), samples=10)
    assert result.first == pytest.approx(naive_f1([first for first, _ in PAIRS]))
    assert result.second == pytest.approx(naive_f1([second for _, second in PAIRS]))


def test_randomisation_against_all_exchanges():
    seen = naive_difference(PAIRS)
    exchanged = [
        naive_difference([pair[::step] for pair, step in zip(PAIRS, steps, strict=True)])
        for steps in product([1, -1], repeat=len(PAIRS))
    ]
    exact = np.mean([abs(one) >= abs(seen) - 1e-9 for one in exchanged])
    assert 0.1 < exact < 0.9
    result = difference(compared(*PAIRS), samples=4000)
    assert result.randomisation == pytest.approx(exact, abs=0.03)


def test_bootstrap_against_all_test_sets():
    seen = naive_difference(PAIRS)
    drawn = [naive_difference(sample) for sample in product(PAIRS, repeat=len(PAIRS))]
    exact = np.mean([abs(one - seen) >= abs(seen) - 1e-9 for one in drawn])
    result = difference(compared(*PAIRS), samples=4000)
    assert 0.01 < exact < 0.9
    assert result.bootstrap == pytest.approx(exact, abs=0.03)
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert (result.low, result.high) == pytest.approx((low, high), abs=1.5)


def test_the_same_seed_gives_the_same_result():
    one, same, other = (difference(compared(*PAIRS), samples=200, seed=s) for s in (1, 1, 2))
    assert one == same
    assert one[4:] != other[4:]


def test_parsers_that_are_equal():
    result = difference(compared(*[(first, first) for first, _ in PAIRS]), samples=50)
    assert result[2:] == (0, 0, 1, 1)


def test_a_parser_that_is_better_everywhere():
    result = difference(compared(*[((10, 10, 5), (10, 10, 9))] * 30), samples=999)
    assert (result.first, result.second) == (50, 90)
    assert result.bootstrap == result.randomisation == 1 / 1000
    assert (result.low, result.high) == pytest.approx((40, 40))


@pytest.mark.full
def test_chance_alone_is_significant_as_often_as_it_says():
    """Of pairs of parsers that differ by chance, about a tenth has p <= 0.1."""
    generator = np.random.default_rng(7)
    significant = 0
    for _ in range(200):
        matched = generator.binomial(20, 0.8, size=(40, 2))
        pairs = [((20, 20, int(one)), (20, 20, int(other))) for one, other in matched]
        significant += difference(compared(*pairs), samples=199).randomisation <= 0.1
    assert 8 <= significant <= 34


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=4))
def test_f1_as_in_scores(rows):
    counts = [Counts(gold, parsed, min(gold, parsed, both)) for gold, parsed, both in rows]
    total = Counts()
    for one in counts:
        total.add(one)
    array = np.array([(one.gold, one.parsed, one.matched) for one in counts])
    assert f1(array.sum(axis=0)) == total.f1


@given(st.lists(trees(), min_size=1, max_size=3))
def test_scores_of_both_parsers_are_those_of_the_corpus(gold):
    failed = [no_parse(tree.tokens) for tree in gold]
    sentences = compare(gold, gold, failed, ALL)
    for measure, counts in MEASURES.items():
        result = difference(sentences, measure, samples=1)
        assert result.first == counts(score(gold, gold, ALL)).f1
        assert result.second == counts(score(gold, failed, ALL)).f1


def test_wrong_brackets():
    pairs = [((4, 4, 4), (4, 4, 3)), ((9, 9, 2), (9, 9, 2)), ((9, 9, 5), (9, 8, 8)), PAIRS[4]]
    assert [sentence.wrong for sentence in compared(*pairs)] == [(0, 2), (14, 14), (8, 1), (0, 0)]


def test_names_of_sentences():
    named = parse("(S (NP (PRP 0=I)) (VP (VBP 1=see) (NP (PRP 2=you))))")
    GOLD.id, named.id = "", "wsj:2"
    sentences = compare([GOLD, named, named], [GOLD] * 3, [WORSE] * 3)
    assert [sentence.name for sentence in sentences] == ["1", "wsj:2", "wsj:2 3"]
    # Of S, NP, VP, NP the second parser has S and NP, and X instead of VP.
    assert sentences[0].scores[1].labelled == Counts(4, 3, 2)


def test_different_files():
    with pytest.raises(InputError, match=r"sentence 2.* has a gold tree but no second parse"):
        compare([GOLD, GOLD], [GOLD, GOLD], [GOLD])
    with pytest.raises(InputError, match="word 1 is 'I' in the gold tree, 'we' in the first parse"):
        compare([GOLD], [parse("(S (PRP 0=we) (VBP 1=see) (PRP 2=you))")], [GOLD])
    with pytest.raises(InputError, match="no sentences"):
        compare([], [], [])


THREE = [(*pair, (9, 9, 9)) for pair in PAIRS]


def test_a_pair_of_three_parsers_is_compared_as_if_it_were_alone():
    for pair in [(0, 1), (0, 2), (1, 2), (2, 0)]:
        alone = [tuple(parsers[number] for number in pair) for parsers in THREE]
        found = difference(compared(*THREE), samples=300, pair=pair)
        assert found == difference(compared(*alone), samples=300)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_correction_rejects_what_holm_rejects(values):
    """His procedure: the smallest p is compared with alpha / m, the next with alpha / (m - 1)."""
    for alpha in (0.01, 0.05, 0.3, 0.9):
        rejected = set()
        for place, (value, number) in enumerate(sorted(zip(values, count()))):
            if value * (len(values) - place) > alpha:
                break
            rejected.add(number)
        assert {n for n, p in enumerate(correct(values)) if p <= alpha} == rejected


def test_tables_of_three_parsers():
    sentences = compared(*THREE)
    assert score_table("abc", sentences).rows["LF1"] == [
        pytest.approx(naive_f1([parsers[number] for parsers in THREE])) for number in range(3)
    ]
    result = Difference(50, 60.0, -0.4, 2.5, 0.02, 0.04)
    table = pair_table("LF1", {"a / b": result, "a / c": result._replace(bootstrap=0.01)})
    assert table.rows["a / b"] == [10, -0.4, 2.5, 0.02, 0.04, 0.02, 0.08]
    assert table.rows["a / c"] == [10, -0.4, 2.5, 0.01, 0.04, 0.02, 0.08]


def test_tables():
    table = difference_table({"LF1": Difference(88.888, 90.0, -0.4, 2.5, 0.25, 0.5)})
    assert table.rows["LF1"] == [88.888, 90, pytest.approx(1.112), -0.4, 2.5, 0.25, 0.5]
    assert REPORTS["text"]([table]) == dedent("""\
        Difference  first  second  difference  95% from    to  p bootstrap  p random.
        LF1         88.89   90.00        1.11     -0.40  2.50       0.2500     0.5000""")
    assert REPORTS["text"](
        [sentence_table(["first", "second"], compared(((4, 4, 4), (4, 4, 3))))]
    ) == dedent("""\
        Most different sentences  wrong: first  wrong: second  LF1: first  LF1: second
        1                                    0              2      100.00        75.00""")


def test_the_tests_can_be_stopped():
    drawn = []

    def some(samples):
        for sample in samples:
            if len(drawn) == 30:
                raise InterruptedError
            drawn.append(sample)
            yield sample

    with pytest.raises(InterruptedError):
        difference(compared(*PAIRS), samples=20, watched=some)
    assert len(drawn) == 30
