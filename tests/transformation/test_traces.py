"""Rules for traces, each on a sentence of its own, with the tree it should give by hand."""

import re

from bracket import read, show
from quick import core

from plcfrs.transformation import TRACE_TYPES, Anomaly, find_traces, reattach_traces
from plcfrs.transformation.cleanup import remove_null_elements

CASES = {
    "wh-moved object": (
        """(SBARQ (WHNP-1 (WP What)) (SQ (MD should) (NP-SBJ (PRP we))
             (VP (VB sing) (NP (-NONE- *T*-1)))) (. ?))""",
        """(ROOT (SBARQ (SQ (VP (WHNP<*T*> 0=What) 3=sing) 1=should (NP-SBJ 2=we)) 4=?))""",
    ),
    "wh-moved subject": (
        """(NP (NP (DT the) (NN goat)) (SBAR (WHNP-1 (WP who))
             (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD sneezed)))))""",
        """(ROOT (NP (NP 0=the 1=goat) (SBAR (S (WHNP<*T*> 2=who) (VP 3=sneezed)))))""",
    ),
    "wh-moved adjunct": (
        """(SBARQ (WHADVP-1 (WRB Where)) (SQ (VBZ does) (NP-SBJ (DT the) (NN goat))
             (VP (VB sleep) (ADVP-LOC (-NONE- *T*-1)))) (. ?))""",
        """(ROOT (SBARQ (SQ (VP (WHADVP<*T*> 0=Where) 4=sleep) 1=does (NP-SBJ 2=the 3=goat))
             5=?))""",
    ),
    "deeply embedded": (
        """(SBARQ (WHNP-1 (WP Who)) (SQ (VBP do) (NP-SBJ (PRP you)) (VP (VB think)
             (SBAR (-NONE- 0) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD sneezed)))))) (. ?))""",
        """(ROOT (SBARQ (SQ (VP (SBAR (S (WHNP<*T*> 0=Who) (VP 4=sneezed))) 3=think) 1=do
             (NP-SBJ 2=you)) 5=?))""",
    ),
    "fronted, with function tags": (
        """(SINV (PP-LOC-TPC-1 (IN Under) (NP (NNS elms))) (VP (VBD slept) (PP-LOC
             (-NONE- *T*-1))) (NP-SBJ=2 (NNS goats)) (. .))""",
        """(ROOT (SINV (VP (PP-LOC-TPC<*T*> 0=Under (NP 1=elms)) 2=slept) (NP-SBJ 3=goats)
             4=.))""",
    ),
    "discontinuous constituent": (
        """(S (NP-SBJ (NP (DT A) (NN goat)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came)
             (SBAR-1 (IN with) (S (VP (VBG ringing))))) (. .))""",
        """(ROOT (S (NP-SBJ (NP 0=A 1=goat) (SBAR<*ICH*> 3=with (S (VP 4=ringing)))) (VP 2=came)
             5=.))""",
    ),
    "it-extraposition": (
        """(S (NP-SBJ (NP (PRP It)) (S (-NONE- *EXP*-1))) (VP (VBZ is) (ADJP-PRD (JJ odd))
             (S-1 (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB sing))))) (. .))""",
        """(ROOT (S (NP-SBJ (NP 0=It) (S<*EXP*> (VP 3=to (VP 4=sing)))) (VP 1=is (ADJP-PRD 2=odd))
             5=.))""",
    ),
    "right node raising: the last trace is the closest": (
        """(S (S (NP-SBJ (PRP She)) (VP (VBD bought) (NP (-NONE- *RNR*-1)))) (CC and)
             (S (NP-SBJ (PRP he)) (VP (VBD sold) (NP (-NONE- *RNR*-1))))
             (NP-1 (DT the) (NN goat)) (. .))""",
        """(ROOT (S (S (NP-SBJ 0=She) (VP 1=bought)) 2=and
             (S (NP-SBJ 3=he) (VP 4=sold (NP<*RNR*> 5=the 6=goat))) 7=.))""",
    ),
    "across the board: the first trace is the closest": (
        """(SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP she))
             (VP (VP (VB buy) (NP (-NONE- *T*-1))) (CC and)
                 (VP (VB sell) (NP (-NONE- *T*-1))))) (. ?))""",
        """(ROOT (SBARQ (SQ (VP (VP (WHNP<*T*> 0=What) 3=buy) 4=and (VP 5=sell)) 1=did
             (NP-SBJ 2=she)) 6=?))""",
    ),
    "a tie: the earlier trace": (
        """(S (VP (VBD saw) (NP (-NONE- *T*-1)) (RB twice)) (NP-1 (NNS goats))
             (VP (VBD fed) (NP (-NONE- *T*-1))))""",
        """(ROOT (S (VP 0=saw 1=twice (NP<*T*> 2=goats)) (VP 3=fed)))""",
    ),
    "the later trace, closer by one": (
        """(S (VP (VBD saw) (NP (-NONE- *T*-1)) (RB twice) (RB again)) (NP-1 (NNS goats))
             (VP (VBD fed) (NP (-NONE- *T*-1))))""",
        """(ROOT (S (VP 0=saw 1=twice 2=again) (VP (NP<*T*> 3=goats) 4=fed)))""",
    ),
    "null elements are no distance": (
        """(S (VP (VBD saw) (NP (-NONE- *T*-1)) (RB twice)) (NP-1 (NNS goats) (-NONE- 0))
             (VP (ADVP (-NONE- *)) (ADVP (-NONE- *?*)) (NP (-NONE- *T*-1)) (VBD sneezed)))""",
        """(ROOT (S (VP 0=saw 1=twice) (VP (NP<*T*> 2=goats) 3=sneezed)))""",
    ),
    "two types share a filler": (
        """(S (NP (NP (NNS hints)) (PP (-NONE- *RNR*-2))) (CC and) (NP (NP (NNS rumors))
             (PP (-NONE- *ICH*-2))) (VP (VBD spread) (PP-2 (IN about) (NP (NNS goats)))))""",
        """(ROOT (S (NP (NP 0=hints)) 1=and (NP (NP 2=rumors) (PP<*ICH*> 4=about (NP 5=goats)))
             (VP 3=spread)))""",
    ),
    "a quotation around its matrix clause": (
        """(S-1 (NP-SBJ (NNS Goats)) (PRN (, ,) (S (NP-SBJ (PRP she))
             (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,))
             (VP (VBP sing)) (. .))""",
        """(ROOT (PRN (S (VP (SBAR (S<*T*-PRN> (NP-SBJ 0=Goats) (VP 5=sing) 6=.)) 3=said)
             (NP-SBJ 2=she)) 1=, 4=,))""",
    ),
    "a quotation that is not at the top": (
        """(S (CC But) (S-TPC-1 (NP-SBJ (NNS goats)) (PRN (, ,) (S (NP-SBJ (PRP she))
             (VP (VBD said) (S (-NONE- *T*-1)))) (, ,)) (VP (VBP sing))) (. .))""",
        """(ROOT (S 0=But (PRN (S (VP (S-TPC<*T*-PRN> (NP-SBJ 1=goats) (VP 6=sing)) 4=said)
             (NP-SBJ 3=she)) 2=, 5=,) 7=.))""",
    ),
    "the highest PRN": (
        """(S-1 (NP-SBJ (NNS Goats)) (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBD said)
             (PRN (: --) (S (NP-SBJ (PRP I)) (VP (VBP think) (S (-NONE- *T*-1)))) (: --)))))
             (VP (VBP sing)))""",
        """(ROOT (PRN (S (VP (PRN (S (VP (S<*T*-PRN> (NP-SBJ 0=Goats) (VP 8=sing)) 6=think)
             (NP-SBJ 5=I)) 4=-- 7=--) 3=said) (NP-SBJ 2=he)) 1=,))""",
    ),
    "a filler with the trace of another, which is reattached first": (
        """(SBARQ (WHNP-1 (WP What)) (S-TPC-2 (NP-SBJ (PRP she)) (VP (VBD fed)
             (NP (-NONE- *T*-1)))) (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB say)
             (S (-NONE- *T*-2)))))""",
        """(ROOT (SBARQ (SQ (VP (S-TPC<*T*> (VP (WHNP<*T*> 0=What) 2=fed) (NP-SBJ 1=she)) 5=say)
             3=did (NP-SBJ 4=he))))""",
    ),
    "a filler with the trace of another, which is reattached second": (
        """(SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB say)
             (S (-NONE- *T*-2)))) (S-2 (NP-SBJ (PRP she)) (VP (VBD fed) (NP (-NONE- *T*-1)))))""",
        """(ROOT (SBARQ (SQ (VP (S<*T*> (VP (WHNP<*T*> 0=What) 5=fed) (NP-SBJ 4=she)) 3=say) 1=did
             (NP-SBJ 2=he))))""",
    ),
    "a filler inside another": (
        """(S (PP-TPC-2 (IN of) (SBAR (WHNP-1 (WP what)) (S (NP-SBJ (PRP she)) (VP (VBD fed)
             (NP (-NONE- *T*-1)))))) (NP-SBJ (PRP I)) (VP (VBD dreamt) (PP (-NONE- *T*-2))))""",
        """(ROOT (S (VP (PP-TPC<*T*> 0=of (SBAR (S (VP (WHNP<*T*> 1=what) 3=fed) (NP-SBJ 2=she))))
             5=dreamt) (NP-SBJ 4=I)))""",
    ),
    "a filler that is all of another, and leaves it first": (
        """(S (NP-TPC-2 (NP-1 (NNS Turnips))) (NP-SBJ (PRP I)) (VP (VBD saw) (NP (-NONE- *T*-1))
             (VP (VBD ate) (NP (-NONE- *T*-2)))))""",
        """(ROOT (S (VP (NP<*T*> 0=Turnips) 2=saw (VP 3=ate)) (NP-SBJ 1=I)))""",
    ),
    "a filler whose words arrive by another trace": (
        """(S (S (NP-SBJ (DT the) (NN goat) (SBAR (WHNP-5 (WHNP (-NONE- 0)) (SBAR (-NONE- *ICH*-4)))
             (S (NP-SBJ (PRP she)) (VP (VBD fed) (NP (-NONE- *T*-5)) (NP (NN today)))))) (VP
             (VBD sang) (SBAR-4 (IN that) (S (NP-SBJ (PRP he)) (VP (VBD sold)))))))""",
        """(ROOT (S (S (NP-SBJ 0=the 1=goat (SBAR (S (NP-SBJ 2=she) (VP 3=fed (NP 4=today)
             (WHNP<*T*> (SBAR<*ICH*> 6=that (S (NP-SBJ 7=he) (VP 8=sold)))))))) (VP 5=sang))))""",
    ),
    "a filler whose words arrive at the second remove, and from both sides": (
        """(S (NP-3 (NN hay)) (PP-1 (-NONE- 0) (NP (-NONE- *ICH*-2))) (VP (VBD ate)
             (PP (-NONE- *T*-1)) (NP-2 (NP (-NONE- *RNR*-3)) (NP (-NONE- *ICH*-4))))
             (NP-4 (NN straw)) (VP (VBD slept) (PP (-NONE- *T*-1))))""",
        """(ROOT (S (VP (PP<*T*> (NP<*ICH*> (NP<*RNR*> 0=hay) (NP<*ICH*> 2=straw))) 1=ate)
             (VP 3=slept)))""",
    ),
    "a word that looks like a null element": (
        """(S (NP-TPC-1 (SYM *)) (NP-SBJ (PRP I)) (VP (VBD typed) (NP (-NONE- *T*-1))))""",
        """(ROOT (S (VP (NP-TPC<*T*> 0=*) 2=typed) (NP-SBJ 1=I)))""",
    ),
}


def crossing(text, types=TRACE_TYPES):
    """Return the printed tree after reattachment and clean-up, and the anomalies."""
    anomalies = []
    tree = reattach_traces(read(text, "goats:7"), types, anomalies)
    return show(remove_null_elements(tree)), anomalies


def one_line(text):
    return " ".join(text.split())


def second_style(text):
    """Move the indices of traces to their placeholders, as in OntoNotes."""
    return re.sub(r"\((\S+)\s+\(-NONE- (\*[A-Z]+\*)(-\d+)\)\)", r"(\1\3 (-NONE- \2))", text)


@core(1, "case", CASES)
def test_reattachment(case):
    """Also with the indices of traces on their placeholders."""
    text, expected = CASES[case]
    assert second_style(text) != text
    for style in (text, second_style(text)):
        assert crossing(style) == (one_line(expected), [])


def test_gap_degree_of_a_quotation_around_its_matrix_clause():
    tree = reattach_traces(read(CASES["a quotation around its matrix clause"][0]))
    assert remove_null_elements(tree).gap_degree() == 2


def test_gap_degree_of_a_wh_moved_subject():
    tree = reattach_traces(read(CASES["wh-moved subject"][0]))
    assert remove_null_elements(tree).gap_degree() == 0


def test_find_traces_in_both_styles():
    tree = read(
        "(S (NP-2 (-NONE- *T*)) (VP (VB sing) (NP-4 (-NONE- *ICH*-3)) (NP (-NONE- *RNR*))"
        "(NP (-NONE- *-2)) (SYM *T*-5)))"
    )
    assert [(str(trace), trace.position) for trace in find_traces(tree)] == [
        ("*T*-2", 0),
        ("*ICH*-3", 2),
    ]


def test_empty_filler_is_reported_and_cleaned():
    text = """(NP (NP (DT the) (NN goat)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP she))
        (VP (VBD fed) (NP (-NONE- *T*-1))))))"""
    expected = "(ROOT (NP (NP 0=the 1=goat) (SBAR (S (NP-SBJ 2=she) (VP 3=fed)))))"
    assert crossing(text) == (expected, [Anomaly("empty filler", "goats:7", "*T*-1")])


def test_words_that_go_to_a_closer_trace_do_not_arrive():
    text = """(S (WHNP-5 (WHNP (-NONE- 0)) (SBAR (-NONE- *ICH*-4))) (S (NP-SBJ (PRP she)) (VP
        (VBD fed) (NP (-NONE- *T*-5)))) (NP (NN goat) (SBAR (-NONE- *ICH*-4)))
        (SBAR-4 (IN that) (VBD sang)))"""
    expected = (
        """(ROOT (S (S (NP-SBJ 0=she) (VP 1=fed)) (NP 2=goat (SBAR<*ICH*> 3=that 4=sang))))"""
    )
    anomalies = [Anomaly("empty filler", "goats:7", "*T*-5")]
    assert crossing(text) == (one_line(expected), anomalies)


def test_words_that_arrive_with_the_trace_of_their_goal():
    text = """(S (NP (DT the) (NN goat) (SBAR (WHNP-5 (WHNP (-NONE- 0)) (SBAR (-NONE- *ICH*-4))) (VP
        (VBZ sings)))) (SBAR-4 (IN that) (NP (-NONE- *T*-5)) (VBD fed)))"""
    expected = (
        """(ROOT (S (NP 0=the 1=goat (SBAR (VP 2=sings) (WHNP (SBAR<*ICH*> 3=that 4=fed))))))"""
    )
    anomalies = [Anomaly("cycle without PRN", "goats:7", "*T*-5")]
    assert crossing(text) == (one_line(expected), anomalies)


@core(1, "null", ["0", "*0*"])
def test_a_null_element_of_either_spelling_is_an_empty_filler(null):
    text = f"(NP (NN goat) (SBAR (WHNP-1 (-NONE- {null})) (S (PRP I) (NP (-NONE- *T*-1)))))"
    assert crossing(text)[1] == [Anomaly("empty filler", "goats:7", "*T*-1")]


def test_missing_filler_is_reported_with_its_sentence():
    text = "(S (NP-SBJ-2 (PRP She)) (VP (VBD fed) (NP (-NONE- *ICH*-1))))"
    expected = "(ROOT (S (NP-SBJ 0=She) (VP 1=fed)))"
    assert crossing(text) == (expected, [Anomaly("missing filler", "goats:7", "*ICH*-1")])


def test_several_fillers_choose_one_that_does_not_dominate_the_trace():
    text = """(S (NP-SBJ-1 (NP (DT The) (NN goat)) (SBAR (WHNP-1 (WDT which))
        (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ sings))))) (VP (VBD slept)))"""
    expected = """(ROOT (S (NP-SBJ (NP 0=The 1=goat) (SBAR (S (WHNP<*T*> 2=which)
        (VP 3=sings)))) (VP 4=slept)))"""
    anomalies = [Anomaly("several fillers", "goats:7", "*T*-1")]
    assert crossing(text) == (one_line(expected), anomalies)


def test_several_fillers_choose_the_category_of_the_placeholder():
    text = """(SBARQ (WHADVP-1 (WRB Why)) (WHNP-1 (WP what)) (SQ (NP-SBJ (PRP she))
        (VP (VBD fed) (NP (-NONE- *T*-1)))))"""
    expected = """(ROOT (SBARQ (WHADVP 0=Why) (SQ (VP (WHNP<*T*> 1=what) 3=fed)
        (NP-SBJ 2=she))))"""
    assert crossing(text)[0] == one_line(expected)


def test_several_fillers_choose_among_the_tree_as_read():
    text = """(S (S-TPC-2 (NP-1 (NNS Turnips))) (NP-1 (NNS goats)) (VP (VBD said)
        (S (-NONE- *T*-2)) (NP (-NONE- *T*-1))))"""
    assert crossing(text)[0] == "(ROOT (S (VP (NP<*T*> 0=Turnips) 2=said) (NP 1=goats)))"


def test_placeholder_is_never_a_filler():
    text = """(SBAR (WHNP-1 (WP who)) (S (NP-SBJ-2 (-NONE- *T*-1)) (VP (VBD sang)
        (NP (-NONE- *T*-2)))))"""
    expected = "(ROOT (SBAR (S (WHNP<*T*> 0=who) (VP 1=sang))))"
    assert crossing(text) == (expected, [Anomaly("missing filler", "goats:7", "*T*-2")])


def test_understood_subject_with_the_index_of_the_wh_phrase_is_no_filler():
    text = """(SBAR (WHNP-1 (WP who)) (S (NP-SBJ-1 (-NONE- *T*)) (VP (VBD had) (S
        (NP-SBJ-1 (-NONE- *PRO*)) (VP (TO to) (VP (VB sing)))))))"""
    expected = "(ROOT (SBAR (S (WHNP<*T*> 0=who) (VP 1=had (S (VP 2=to (VP 3=sing)))))))"
    assert crossing(text) == (expected, [])


def test_cycle_without_prn_is_reported_and_the_filler_stays():
    text = """(PRN (S-1 (NP-SBJ (NNS Goats)) (S (NP-SBJ (PRP she)) (VP (VBD said)
        (S (-NONE- *T*-1)))) (PRN (RB really)) (VP (VBP sing))))"""
    expected = """(ROOT (PRN (S (NP-SBJ 0=Goats) (S (NP-SBJ 1=she) (VP 2=said)) (PRN 3=really)
        (VP 4=sing))))"""
    anomalies = [Anomaly("cycle without PRN", "goats:7", "*T*-1")]
    assert crossing(text) == (one_line(expected), anomalies)


def test_two_fillers_with_the_trace_of_each_other():
    text = """(S (S-1 (NN one) (NP (-NONE- *T*-2))) (NP-2 (NN two) (S (-NONE- *T*-1)))
        (NN three))"""
    expected = "(ROOT (S (S 0=one (NP<*T*> 1=two)) 2=three))"
    anomalies = [Anomaly("cycle without PRN", "goats:7", "*T*-1")]
    assert crossing(text) == (expected, anomalies)


def test_placeholder_with_more_than_its_trace_stays():
    text = """(S (NP-SBJ (DT the) (NN goat) (-NONE- *ICH*-1)) (VP (VBD sang)
        (PP-1 (IN with) (NP (DT the) (NN bell)))))"""
    expected = """(ROOT (S (NP-SBJ 0=the 1=goat (PP<*ICH*> 3=with (NP 4=the 5=bell)))
        (VP 2=sang)))"""
    assert crossing(text) == (one_line(expected), [])


def test_filler_that_stands_beside_its_trace():
    text = "(S (NP (NP-1 (NNS goats)) (-NONE- *ICH*-1)) (VP (VBP sing)))"
    assert crossing(text) == ("(ROOT (S (NP (NP<*ICH*> 0=goats)) (VP 1=sing)))", [])


def test_a_node_that_loses_all_its_children_is_removed():
    text = "(S (NP (NN goats) (NP (-NONE- *ICH*-1))) (VP (VBP sing)) (S (S (S-1 (VB eat)))))"
    (clause,) = reattach_traces(read(text)).root.nodes
    assert [node.category for node in clause.nodes] == ["NP", "VP"]


def test_types_that_are_not_asked_for_stay_where_they_are():
    text = """(SBARQ (WHNP-1 (WP What)) (SQ (VBZ is) (NP-SBJ (NP (PRP it)) (S (-NONE- *EXP*-2)))
        (ADJP (JJ odd) (NP (-NONE- *ICH*-3))) (S-2 (NP-SBJ (-NONE- *)) (VP (TO to)
        (VP (VB feed) (NP (-NONE- *T*-1)))))))"""
    expected = """(ROOT (SBARQ (SQ (S (VP (VP (WHNP<*T*> 0=What) 5=feed) 4=to)) 1=is
        (NP-SBJ (NP 2=it)) (ADJP 3=odd))))"""
    assert crossing(text, ("*T*", "*RNR*")) == (one_line(expected), [])


def test_types_that_are_not_asked_for_do_not_share_a_filler():
    text, _ = CASES["two types share a filler"]
    expected = """(ROOT (S (NP (NP 0=hints) (PP<*RNR*> 4=about (NP 5=goats))) 1=and
        (NP (NP 2=rumors)) (VP 3=spread)))"""
    assert crossing(text, ("*RNR*",)) == (one_line(expected), [])


def test_an_index_of_thousands_of_digits_is_none():
    tree = read(f"(S (NP (PRP it)) (VP (VBZ rains) (NP (-NONE- *T*-{'1' * 5000}))))")
    assert not find_traces(tree)
