"""Classes of errors: an example of each by hand, then random trees against the definitions."""

import copy
from collections import Counter
from textwrap import dedent

import pytest
import trace_examples as examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trace_examples import context_free, corpora, discontinuous, parse

from plcfrs.evaluation import ALL, FIELD, REPORTS, Settings, score
from plcfrs.evaluation.attachment import dependencies
from plcfrs.evaluation.errors_by_type import (
    ATTACHMENT,
    ERROR_TYPES,
    LABEL,
    MISSED_GAP,
    NO_PARSE,
    OTHER,
    SPURIOUS_GAP,
    UNARY,
    error_table,
    example_table,
    find_errors,
    summarize_errors,
)
from plcfrs.trees import no_parse

WITHOUT_COMMAS = Settings(frozenset(["ROOT"]), frozenset([","]), {"PRT": "ADVP"})

TO_NOUN = """(S (NP (PRP 0=I)) (VP (VBP 1=see) (NP (NP (DT 2=the) (NN 3=man))
    (PP (IN 4=with) (NP (NNS 5=glasses))))))"""
TO_VERB = """(S (NP (PRP 0=I)) (VP (VBP 1=see) (NP (DT 2=the) (NN 3=man))
    (PP (IN 4=with) (NP (NNS 5=glasses)))))"""
HIGH = "(S (VP (VBP 0=sing) (NP (NNS 1=songs))) (ADVP (RB 2=often)))"
LOW = "(S (VP (VBP 0=sing) (NP (NNS 1=songs)) (ADVP (RB 2=often))))"


def errors(gold, other):
    """Return the errors of a parse as (class, description)."""
    gold, other = (tree if not isinstance(tree, str) else parse(tree) for tree in (gold, other))
    return [(error.type, str(error)) for error in find_errors([gold], [other])]


def count_errors(found):
    """Return how many constituents were missed and how many are spurious, by class."""
    return {name: tuple(row) for name, row in error_table(summarize_errors(found)).rows.items()}


def test_attachment_to_a_phrase_or_the_one_above():
    assert errors(TO_NOUN, TO_VERB) == [(ATTACHMENT, "NP missed: 'the man with glasses'")]
    assert errors(TO_VERB, TO_NOUN) == [(ATTACHMENT, "NP spurious: 'the man with glasses'")]


def test_attachment_inside_of_a_phrase_or_outside():
    assert errors(HIGH, LOW) == [(ATTACHMENT, "VP of 'sing': with 'often'")]
    assert errors(LOW, HIGH) == [(ATTACHMENT, "VP of 'sing': without 'often'")]


def test_wrong_label():
    assert errors(HIGH, HIGH.replace("ADVP", "NP")) == [(LABEL, "NP for ADVP: 'often'")]


def test_equal_labels_are_not_wrong():
    assert errors(HIGH, HIGH.replace("ADVP", "PRT")) == []


def test_unary():
    without = HIGH.replace("(ADVP (RB 2=often))", "(RB 2=often)")
    assert errors(HIGH, without) == [(UNARY, "ADVP missed: 'often'")]
    assert errors(without, HIGH) == [(UNARY, "ADVP spurious: 'often'")]
    assert errors(HIGH, f"(SBAR {HIGH})") == [(UNARY, "SBAR spurious: 'sing songs often'")]
    assert errors(f"(S {HIGH})", HIGH) == [(UNARY, "S missed: 'sing songs often'")]


def test_missed_gap():
    gold, other = discontinuous(examples.WH), context_free(examples.WH)
    assert errors(gold, other) == [
        (MISSED_GAP, "VP of 'do': without 'What'"),
        (ATTACHMENT, "SQ of 'should': without 'What'"),
    ]


def test_spurious_gap():
    gold, other = context_free(examples.WH), discontinuous(examples.WH)
    assert errors(gold, other) == [
        (SPURIOUS_GAP, "VP of 'do': with 'What'"),
        (ATTACHMENT, "SQ of 'should': with 'What'"),
    ]


def test_gaps_without_counterpart():
    gold = "(S (X (NN 0=a) (NN 2=c)) (NN 1=b) (NN 3=d))"
    other = "(S (NN 0=a) (NN 2=c) (Y (NN 1=b) (NN 3=d)))"
    assert errors(gold, other) == [
        (MISSED_GAP, "X missed: 'a ... c'"),
        (SPURIOUS_GAP, "Y spurious: 'b ... d'"),
    ]


def test_another_phrase_with_the_same_gap_is_an_attachment_error():
    gold = "(S (VP (WP 0=what) (VB 3=do)) (MD 1=can) (NP (PRP 2=I)) (RB 4=now))"
    other = "(S (VP (WP 0=what) (VB 3=do) (RB 4=now)) (MD 1=can) (NP (PRP 2=I)))"
    assert errors(gold, other) == [(ATTACHMENT, "VP of 'do': with 'now'")]


def test_other():
    gold = "(S (DT 0=a) (X (NN 1=b) (NN 2=c)))"
    other = "(S (Y (DT 0=a) (NN 1=b)) (NN 2=c))"
    assert errors(gold, other) == [
        (OTHER, "X missed: 'b c'"),
        (OTHER, "Y spurious: 'a b'"),
    ]


def test_sentence_without_a_parse():
    gold = discontinuous(examples.WH)
    found = list(find_errors([gold], [no_parse(gold.tokens)]))
    assert {error.type for error in found} == {NO_PARSE}
    assert count_errors(found)[NO_PARSE] == (5, 0)


def test_punctuation_in_a_gap_is_none():
    gold = "(S (NP (NN 0=a) (NN 2=b)) (, 1=,))"
    other = "(S (X (NN 0=a) (NN 2=b)) (, 1=,))"
    assert errors(gold, other) == [(LABEL, "X for NP: 'a b'")]


def test_null_elements_are_no_heads():
    for words in ("(-NONE- *?*) (FW b)", "(NP (-NONE- *)) (VB b) (RB not)"):
        gold = examples.read(f"(S (VP {words}) (FW c))")
        other = examples.read(f"(S (VP {words} (FW c)))")
        assert errors(gold, other) == [(ATTACHMENT, "VP of 'b': with 'c'")]


def test_report():
    gold = [parse(HIGH), discontinuous(examples.WH), parse(HIGH)]
    gold[0].id = "first"
    gold[2].id = ""
    parses = [parse(LOW), context_free(examples.WH), parse(LOW)]
    found = list(find_errors(gold, parses))
    summary = summarize_errors(found, examples=2)
    assert REPORTS["text"]([error_table(summary), example_table(summary)]) == dedent("""\
        Errors           missed  spurious
        attachment            3         3
        wrong label           0         0
        missed gap            1         1
        spurious gap          0         0
        unary                 0         0
        other                 0         0
        without a parse       0         0
        total                 4         4

        Examples of errors  sentence  what is wrong
        attachment 1        first     VP of 'sing': with 'often'
        attachment 2        example   SQ of 'should': without 'What'
        missed gap 1        example   VP of 'do': without 'What'""")
    assert found[-1].sentence == "3"


@st.composite
def pairs(draw):
    """Two trees over the same words: the second has other labels, its words trade places."""
    gold = draw(trees())
    other = copy.deepcopy(gold)
    places = list(range(len(gold.tokens)))
    places = draw(st.just(places) | st.permutations(places))
    for node in other.nodes()[1:]:
        node.category = draw(st.sampled_from([node.category, "NP", "PRT", "ADVP"]))
        node.children = [places[c] if isinstance(c, int) else c for c in node.children]
    other.root.children = [places[c] if isinstance(c, int) else c for c in other.root.children]
    other.sort_children()
    return gold, draw(st.sampled_from([other] * 9 + [no_parse(gold.tokens)]))


@given(pairs(), st.sampled_from([FIELD, ALL]))
def test_every_bracket_error_is_in_one_class(pair, settings):
    gold, other = pair
    found = list(find_errors([gold], [other], settings))
    assert {error.type for error in found} <= set(ERROR_TYPES)
    counts = score([gold], [other], settings).labelled
    missed = [error.missed for error in found if error.missed]
    spurious = [error.spurious for error in found if error.spurious]
    assert len(missed) == counts.gold - counts.matched
    assert len(spurious) == counts.parsed - counts.matched
    assert not {(one.label, one.span) for one in missed} & {
        (one.label, one.span) for one in spurious
    }
    by_type = count_errors(found)
    assert by_type.pop("total") == (len(missed), len(spurious))
    assert tuple(map(sum, zip(*by_type.values(), strict=True))) == (len(missed), len(spurious))


@given(trees())
def test_a_tree_has_no_errors_against_itself(tree):
    assert list(find_errors([tree], [tree], ALL)) == []


@given(pairs())
def test_the_other_way_round_missed_is_spurious(pair):
    gold, other = pair
    for token in [*gold.tokens, *other.tokens]:
        token.tag = "NN"
    if not any(node.category == "NOPARSE" for node in other.root.nodes):
        there = count_errors(find_errors([gold], [other], WITHOUT_COMMAS))
        back = count_errors(find_errors([other], [gold], WITHOUT_COMMAS))
        mirrored = {MISSED_GAP: SPURIOUS_GAP, SPURIOUS_GAP: MISSED_GAP}
        for type_ in ERROR_TYPES:
            assert there[type_] == back[mirrored.get(type_, type_)][::-1]


def naive_constituents(tree, gold):
    """Return (label, words, head) of all nodes except the root, the lowest first, the slow way."""
    kept = [position for position, token in enumerate(gold.tokens) if token.tag != ","]
    governors = dependencies(tree)

    def below(node):
        return {i for c in node.children for i in ({c} if isinstance(c, int) else below(c))}

    found = []
    for node in tree.nodes()[:0:-1]:
        words = below(node)
        (head,) = [word for word in words if governors.get(word) not in words]
        if words & set(kept):
            label = "ADVP" if node.category == "PRT" else node.category
            found.append((label, frozenset(kept.index(w) for w in words if w in kept), head))
    return found


def naive_classes(gold, parsed):
    """Count the brackets of each class, following the definitions word by word."""
    missed, spurious = list(gold), list(parsed)
    for one in gold:
        same = [other for other in spurious if other[:2] == one[:2]]
        if same:
            missed.remove(one)
            spurious.remove(same[0])
    missed.sort(key=lambda one: len(one[1]))
    spurious.sort(key=lambda one: len(one[1]))
    found = Counter()

    def gaps(words):
        return sum(word + 1 not in words for word in words) - 1

    for same in (lambda one: one[1], lambda one: (one[0], one[2])):
        for one in list(missed):
            partners = [other for other in spurious if same(other) == same(one)]
            if partners:
                missed.remove(one)
                spurious.remove(partners[0])
                fewer = gaps(partners[0][1]) - gaps(one[1])
                type_ = MISSED_GAP if fewer < 0 else SPURIOUS_GAP if fewer > 0 else ATTACHMENT
                found[LABEL if one[1] == partners[0][1] else type_] += 2
    for remaining, others, gap in ((missed, parsed, MISSED_GAP), (spurious, gold, SPURIOUS_GAP)):
        for one in remaining:
            if len(one[1]) == 1 or one[1] in [other[1] for other in others]:
                found[UNARY] += 1
            elif gaps(one[1]):
                found[gap] += 1
            else:
                same = [other for other in others if (other[0], other[2]) == (one[0], one[2])]
                found[ATTACHMENT if same else OTHER] += 1
    return found


@given(pairs())
def test_as_naive(pair):
    gold, other = pair
    if not any(node.category == "NOPARSE" for node in other.root.nodes):
        expected = naive_classes(*(naive_constituents(tree, gold) for tree in pair))
        counts = count_errors(find_errors([gold], [other], WITHOUT_COMMAS))
        for type_ in ERROR_TYPES:
            assert sum(counts[type_]) == expected[type_]


@pytest.mark.full
def test_penn_treebank_sample(penn_treebank):
    gold, without_crossing = corpora(penn_treebank)
    gold, without_crossing = (
        [tree for tree in corpus if tree.tokens] for corpus in (gold, without_crossing)
    )
    assert list(find_errors(gold, gold)) == []
    found = list(find_errors(gold, without_crossing))
    counts = score(gold, without_crossing).labelled
    assert sum(error.missed is not None for error in found) == counts.gold - counts.matched
    assert sum(error.spurious is not None for error in found) == counts.parsed - counts.matched
    by_type = count_errors(found)
    assert by_type[SPURIOUS_GAP] == (0, 0)
    # All constituents with a gap are missed gaps, and nothing else is.
    gaps = score(gold, without_crossing).labelled_discontinuous
    assert by_type[MISSED_GAP][0] == gaps.gold == 1034
