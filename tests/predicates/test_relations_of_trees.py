"""Who does what to whom in trees of each construction, and in the Penn Treebank."""

from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import accumulate

import pytest
from bracket import read
from trace_examples import EXP, FRONTED, ICH, RAISING, SURROUNDING, WH, WH_SUBJECT

import plcfrs
from plcfrs import TreebankError, transform
from plcfrs.transformation import transform_reversibly
from plcfrs.trees import Tree
from plcfrs.trees.tree import null_parts


def told(tree):
    """Return each predicate with its arguments, as text."""
    return [
        " ".join(
            [
                predicate.token.form + "*" * (predicate.voice == "passive"),
                *("(gapped)" for _ in range(predicate.is_gapped)),
                "; ".join(
                    f"{each.function} {each.text}{f' ({each.how})' * (each.how != 'explicit')}"
                    for each in predicate.arguments
                ),
            ]
        )
        for predicate in plcfrs.relations(read(tree) if isinstance(tree, str) else tree)
    ]


PASSIVE = """(S (NP-SBJ-1 (DT the) (NN gate)) (VP (VBD was) (RB not) (VP (VBN shut)
    (NP (-NONE- *-1)) (PP (IN by) (NP-LGS (NNP Ada))) (NP-TMP (NN today)))) (. .))"""
DATIVE = """(S (NP-SBJ-1 (PRP they)) (VP (VBD were) (VP (VBN given) (NP (-NONE- *-1))
    (NP (NN hope)))))"""
CONTROL = """(S (NP-SBJ-1 (PRP she)) (VP (VBD told) (NP-2 (PRP him)) (S (NP-SBJ (-NONE- *-2))
    (VP (TO to) (VP (VB wait))))))"""
RAISED = """(S (NP-SBJ-1 (NNS doors)) (VP (VBP seem) (S (NP-SBJ (-NONE- *-1)) (VP (TO to)
    (VP (VB close))))))"""
PROMOTED = """(S (NP-SBJ-1 (PRP he)) (VP (VBD was) (VP (VBN seen) (NP-2 (-NONE- *-1))
    (S (NP-SBJ (-NONE- *-2)) (VP (VBG running))))))"""
SMALL = """(S (NP-SBJ (PRP we)) (VP (VBP call) (S (NP-SBJ (PRP it)) (NP-PRD (NN art)))))"""
EXCEPTIONAL = """(S (NP-SBJ (PRP we)) (VP (VBD saw) (S (NP-SBJ (PRP them)) (VP (VB fall)
    (PRT (RP down))))))"""
EMPTY_PRONOUN = """(S (NP-SBJ (NP (DT the) (NN hat)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP I))
    (VP (VBD lost) (NP (-NONE- *T*-1)))))) (VP (VBD was) (ADJP-PRD (JJ red))))"""
FAR = """(NP (NP (DT a) (NN man)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (PRP they)) (VP (VBP think)
    (SBAR (-NONE- 0) (S (NP-SBJ-2 (-NONE- *T*-1)) (VP (VBD wanted) (S (NP-SBJ (-NONE- *-2))
    (VP (TO to) (VP (VB go)))))))))))"""
REDUCED = (
    """(NP (NP (NNS songs)) (VP (VBN sung) (NP (-NONE- *)) (PP-LOC (IN in) (NP (NN rain)))))"""
)
PLACE = """(NP (NP (DT the) (NN town)) (SBAR (WHADVP-1 (WRB where)) (S (NP-SBJ (PRP he))
    (VP (VBD lived) (ADVP-LOC (-NONE- *T*-1))))))"""
SHARED = """(S (NP-SBJ (PRP we)) (VP (VBD had) (VP (VP (VBN cooked)) (CC and) (VP (VBN eaten)
    (NP (NN soup))))))"""
FLAT = """(S (NP-SBJ (PRP we)) (VP (VBD bought) (, ,) (VBD fixed) (CC and) (VBD sold)
    (NP (NNS bikes)) (PP-TMP (IN in) (NP (NNP May)))))"""
GAPPED = """(S (S (NP-SBJ-1 (NNP Ada)) (VP (VBD ate) (NP-2 (NN rice)))) (, ,) (CC and)
    (S (NP-SBJ=1 (NNP Bo)) (NP=2 (NN bread))))"""
THERE = """(S (NP-SBJ (EX there)) (VP (VBP are) (NP-PRD (NNS bears)) (PP-LOC (IN in)
    (NP (DT the) (NN wood)))))"""
DITRANSITIVE = """(S (NP-SBJ (PRP he)) (VP (VBD sent) (NP (PRP us)) (NP (NNS flowers))))"""
FIRST_OBJECT = """(NP (NP (NNS flowers)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (PRP he)) (VP
    (VBD sent) (NP (PRP us)) (NP (-NONE- *T*-1))))))"""
ANNOUNCED = """(S (NP-SBJ (PRP it)) (VP (VBD pleased) (NP (PRP us)) (SBAR (IN that)
    (S (NP-SBJ (PRP she)) (VP (VBD came))))))"""
PARTICIPLE = """(S (NP-SBJ (PRP she)) (VP (VBD stopped) (VP (VBG singing) (NP (NNS songs)))))"""
UNTRACED = """(SBARQ (WHNP (WP Whom)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB ask))))"""
UNTRACED_SUBJECT = (
    """(NP (NP (NN rain)) (SBAR (WHNP (WDT that)) (S (VP (VBD fell) (ADVP-TMP (RB now))))))"""
)
INDEX_ON_NODE = """(S (NP-SBJ-1 (NN tea)) (VP (VBZ is) (VP (VBN made) (NP-1 (-NONE- *)))))"""


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            PASSIVE,
            ["shut* SBJ the gate; OBJ the gate (passive); LGS by Ada; ADV not; TMP today"],
        ),
        (DATIVE, ["given* SBJ they; OBJ hope; IOBJ they (passive)"]),
        (CONTROL, ["told SBJ she; OBJ him; OPRD to wait", "wait SBJ him (controlled)"]),
        (RAISED, ["seem SBJ doors; OPRD to close", "close SBJ doors (controlled)"]),
        (
            PROMOTED,
            ["seen* SBJ he; OBJ he (passive); OBJ running", "running SBJ he (controlled)"],
        ),
        (SMALL, ["call SBJ we; OBJ it; OPRD art"]),
        (
            EXCEPTIONAL,
            ["saw SBJ we; OBJ them; OPRD fall down", "fall SBJ them (controlled); PRT down"],
        ),
        (WH, ["do SBJ I; OBJ What"]),
        (WH_SUBJECT, ["fell SBJ rain (relativized)"]),
        (
            EMPTY_PRONOUN,
            ["lost SBJ I; OBJ the hat (relativized)", "was SBJ the hat I lost; PRD red"],
        ),
        (
            FAR,
            [
                "think SBJ they; OBJ who ... wanted to go",
                "wanted SBJ a man (relativized); OPRD to go",
                "go SBJ a man (relativized)",
            ],
        ),
        (
            REDUCED,
            ["sung* SBJ songs (relativized); OBJ songs (passive); LOC in rain"],
        ),
        (PLACE, ["lived SBJ he; LOC the town (relativized)"]),
        (SHARED, ["cooked SBJ we", "eaten SBJ we; OBJ soup"]),
        (
            FLAT,
            [
                "bought SBJ we; OBJ bikes; TMP in May",
                "fixed SBJ we (shared); OBJ bikes (shared)",
                "sold SBJ we (shared); OBJ bikes (shared)",
            ],
        ),
        (
            GAPPED,
            ["ate SBJ Ada; OBJ rice", "ate (gapped) SBJ Bo (gapped); OBJ bread (gapped)"],
        ),
        (THERE, ["are SBJ there; PRD bears; LOC in the wood"]),
        (DITRANSITIVE, ["sent SBJ he; OBJ flowers; IOBJ us"]),
        (FIRST_OBJECT, ["sent SBJ he; OBJ flowers (relativized); IOBJ us"]),
        (FRONTED, ["rained SBJ it", "said SBJ she; OBJ it rained"]),
        (SURROUNDING, ["said SBJ she; OBJ it ... rained", "rained SBJ it"]),
        (
            RAISING,
            [
                "sell SBJ they; OBJ old books (shared)",
                "lend SBJ they (shared); OBJ old books; ADV perhaps",
            ],
        ),
        (ICH, ["came SBJ a man ... who sang", "sang SBJ a man (relativized)"]),
        (EXP, ["is SBJ it; PRD good; EXTR to sing", "sing "]),
        (ANNOUNCED, ["pleased SBJ it; OBJ us; EXTR that she came", "came SBJ she"]),
        (
            PARTICIPLE,
            ["stopped SBJ she; OPRD singing songs", "singing SBJ she (controlled); OBJ songs"],
        ),
        (UNTRACED, ["ask SBJ she; OBJ Whom"]),
        (UNTRACED_SUBJECT, ["fell SBJ rain (relativized); TMP now"]),
        (INDEX_ON_NODE, ["made* SBJ tea; OBJ tea (passive)"]),
    ],
)
def test_constructions(tree, expected):
    given = read(tree)
    assert told(given) == expected
    assert given == read(tree)


def test_gaps_without_indices():
    bare = GAPPED.replace("SBJ-1", "SBJ").replace("-2", "").replace("=1", "").replace("=2", "")
    assert told(bare) == told(GAPPED)


def test_a_tree_and_its_transformation_say_the_same():
    for text in (PASSIVE, FAR, EMPTY_PRONOUN, GAPPED, ICH, SURROUNDING):
        assert told(transform_reversibly(read(text))) == told(read(text))


def test_crossing_branches_do_without_null_elements():
    assert told(transform(read(WH))) == told(read(WH))
    assert told(transform(read(WH_SUBJECT))) == ["fell SBJ that"]


def test_places_are_those_of_words():
    tree = read(PASSIVE)
    (predicate,) = plcfrs.relations(tree)
    assert (predicate.position, predicate.verbs) == (4, (2, 4))
    (agent,) = predicate["LGS"]
    assert agent.positions == (5, 6)
    assert [token.form for token in agent.tokens] == ["by", "Ada"]
    agent.tokens[0].form = "near"
    with pytest.raises(FrozenInstanceError):
        agent.function = "LOC"
    assert tree == read(PASSIVE)


def test_functions_are_needed():
    bare = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    with pytest.raises(TreebankError, match="no functions: add them with plcfrs complete"):
        plcfrs.relations(bare)
    assert plcfrs.relations(Tree.from_string("(NP (NNS songs))")) == []
    german = Tree.from_string("(S (NP-SB (PPER Sie)) (VVFIN singen))")
    with pytest.raises(TreebankError, match="the function SB is not one of the Penn Treebank"):
        plcfrs.relations(german)


def subjects_and_objects(tree):
    """Yield verbs with the words of their subjects and passive objects, without the package.

    A verb is the first one at the end of the VPs; phrases are found by the indices of traces.
    """
    mothers, spans = tree.mothers(), tree.yields()
    phrases = {}
    for node in tree.nodes():
        phrases.setdefault(node.index, node)

    def verb_of(node):
        below = [child for child in node.nodes if child.category == "VP"]
        if below:
            return verb_of(below[0])
        verbs = [c for c in node.children if isinstance(c, int) and tree.tokens[c].tag[:2] == "VB"]
        return verbs[0] if verbs else None

    def words(node):
        places = [p for p in range(len(tree.tokens)) if spans[node] >> p & 1]
        overt = [p for p in places if not tree.tokens[p].is_null]
        if overt:
            return node, {tree.tokens[p].form for p in overt}
        index = null_parts(tree.tokens[places[0]].form)[1]
        other = phrases.get(index)
        return words(other) if index is not None and other is not node and other else (node, set())

    for node in tree.nodes():
        vps = [child for child in node.nodes if child.category == "VP"]
        subjects = [child for child in node.nodes if "SBJ" in child.functions]
        if node.category == "S" and len(vps) == len(subjects) == 1:
            verb = verb_of(vps[0])
            phrase, forms = words(subjects[0])
            if verb is not None and forms and not phrase.category.startswith("WH"):
                yield "SBJ", verb, forms
        null = node.children[0] if node.category == "NP" and not node.functions else None
        if isinstance(null, int) and tree.tokens[null].form.startswith("*-"):
            mother = mothers[node]
            phrase, forms = words(node)
            verb = verb_of(mother) if mother.category == "VP" else None
            if verb is not None and forms and not phrase.category.startswith("WH"):
                yield "OBJ", verb, forms


@pytest.mark.full
def test_subjects_and_objects_of_the_penn_treebank(penn_treebank):
    found = {"SBJ": Counter(), "OBJ": Counter()}
    for tree in penn_treebank:
        numbers = [*accumulate((not token.is_null for token in tree.tokens), initial=0)]
        predicates = {each.position: each for each in plcfrs.relations(tree)}
        for function, verb, forms in subjects_and_objects(tree):
            predicate = predicates.get(numbers[verb])
            arguments = predicate[function] + predicate["I" + function] if predicate else ()
            given = [{token.form for token in each.tokens} for each in arguments]
            found[function][any(is_alike(one, forms) for one in given)] += 1
    for counts in found.values():
        assert counts[True] > 0.99 * counts.total(), found


def is_alike(given, forms):
    """Whether words are those of a phrase, perhaps without marks or the relative clause."""
    return bool(given) and (given <= forms or forms <= given)
