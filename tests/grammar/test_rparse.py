"""Grammars of rparse and treetools: round trips, by hand, and malformed ones."""

import pytest
from exchange import error_of, load, there_and_back, treebank_grammars, written
from hypothesis import given
from nasty_grammars import nasty_grammars, same

from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, tag

# As rparse writes it: heads, origins, scores, and variables that do not begin at 0.
CLAUSES = """\
H:0 O:[3,7] G:[] C:2 S:1.0 VROOT1([0][1]) --> S1'([0]) $.1([1])
C:2 S:1.0 S1([0][1][2]) --> VP2'([0],[2]) VMFIN1([1])
C:1 S:0.5 VP2([0],[1]) --> PP1([0]) @1X1([1])
% a comment

C:1 S:0.5 VP2([7],[4]) --> PROAV1([7]) VVINF1'([4])
C:1 S:1.0 @1X1([0][1]) --> $(1([0]) ''1([1])
C:3 S:1.0 @^VP2^S1-NP1X1([0]) --> NN1([0])
"""


@given(nasty_grammars())
def test_there_and_back(grammar):
    assert same(there_and_back(grammar, ".rcg"), grammar)


@given(nasty_grammars())
def test_packed(grammar):
    assert same(there_and_back(grammar, ".rcg.gz"), grammar)


@pytest.mark.full
def test_grammars_of_a_treebank(penn_treebank):
    for name, grammar in treebank_grammars(penn_treebank).items():
        back = there_and_back(grammar, ".rcg")
        assert same(back, grammar), name
        assert back.probabilities() == grammar.probabilities()


def test_by_hand(tmp_path):
    grammar = load(tmp_path, ".rcg", CLAUSES, "darüber\tPROAV 1\n")
    assert [f"{rule} {weight}" for rule, weight in grammar.rules.items()] == [
        "VROOT -> S $. [0 1] 2",
        "S -> VP_2 VMFIN [0 1 0] 2",
        "VP_2 -> PP @1 [0, 1] 1",
        "VP_2 -> PROAV VVINF [0, 1] 1",
        "@1 -> $( '' [0 1] 1",
        r"@\@\^VP2\^S1\-NP1X -> NN [0] 3",
    ]
    assert (str(grammar.start), grammar.weights) == ("VROOT", "counts")
    assert grammar.lexicon == Lexicon({"darüber": {tag("PROAV"): 1}})
    kinds = [symbol.kind for symbol in grammar.nonterminals()]
    assert [kinds.count(kind) for kind in ("category", "intermediate", "tag")] == [3, 2, 8]


def test_what_is_read_is_written_so_again(tmp_path):
    clauses, lexicon = written(tmp_path, load(tmp_path, ".rcg", CLAUSES, "auf\tPP 2\n"), ".rcg")
    assert clauses.splitlines() == [
        "C:2 S:1.0 VROOT1([0][1]) --> S1([0]) $.1([1])",
        "C:2 S:1.0 S1([0][1][2]) --> VP2([0],[2]) VMFIN1([1])",
        "C:1 S:0.5 VP2([0],[1]) --> PP1([0]) @1X1([1])",
        "C:1 S:0.5 VP2([0],[1]) --> PROAV1([0]) VVINF1([1])",
        r"C:1 S:1.0 @1X1([0][1]) --> $\u00281([0]) ''1([1])",  # rparse takes ( for the arguments
        "C:3 S:1.0 @^VP2^S1-NP1X1([0]) --> NN1([0])",
    ]
    assert lexicon == "auf\tPP 2\n"


def test_the_form_of_binarized_grammars(tmp_path):
    grammar = load(
        tmp_path,
        ".rcg",
        "2 1.0:VROOT1 --> S1 $.1 [[[false, true]]]\n"
        "2 1.0:S1 --> VP2 @7X2 [[[false, true, false, true]]]\n"
        "1 0.5:VP2 --> PROAV1 VVINF1 [[[false], [true]]]\n"
        "1 0.5:VP2 --> NP2  [[[false], [false]]]\n"
        "3:NP2 --> ART1 NN1 [[[false], [true]]]\n"
        "3:@7X2 --> :1 VMFIN1 [[[false], [true]]]\n",
    )
    assert [f"{rule} {weight}" for rule, weight in grammar.rules.items()] == [
        "VROOT -> S $. [0 1] 2",
        "S -> VP_2 @7_2 [0 1 0 1] 2",
        "VP_2 -> PROAV VVINF [0, 1] 1",
        "VP_2 -> NP_2 [0, 0] 1",
        "NP_2 -> ART NN [0, 1] 3",
        "@7_2 -> : VMFIN [0, 1] 3",
    ]


def test_scores_alone_are_probabilities(tmp_path):
    grammar = load(tmp_path, ".rcg", "S:0.1 S1([0]) --> A1([0])\nS:0.9 S1([0]) --> B1([0])\n")
    assert grammar.weights == "probabilities"
    assert list(grammar.rules.values()) == [0.1, 0.9]


def test_words_may_be_counted_where_rules_have_probabilities(tmp_path):
    lexicon = "dog\tA 3\ncat\tA 1\n"
    grammar = load(tmp_path, ".rcg", "S:1.0 S1([0]) --> A1([0])\n", lexicon)
    assert grammar.lexicon.words["dog"] == {tag("A"): 0.75}


def test_a_start_symbol_that_is_a_child_is_named(tmp_path):
    s, useless, word = Nonterminal("S"), Nonterminal("U"), tag("a")
    rules = {Rule(useless, (word,), ((0,),)): 1, Rule(s, (s, word), ((0, 1),)): 1}
    clauses, _ = written(tmp_path, Grammar(rules, start=s), ".rcg")
    assert clauses.splitlines()[0] == "# start S1"


def test_words_of_a_symbol_that_has_rules(tmp_path):
    grammar = load(
        tmp_path,
        ".rcg",
        "C:1 S1([0][1]) --> NN1([0]) VB1([1])\nC:3 NN1([0][1]) --> NN1([0]) NN1([1])\n",
        "ferry\tNN 4\nboat\tNN 2\tVB 1\n",
    )
    assert [f"{rule} {weight}" for rule, weight in grammar.rules.items()] == [
        "S -> NN VB [0 1] 1",
        "NN -> NN NN [0 1] 3",
        "NN -> NN [0] 6",
    ]
    below = list(grammar.rules)[2].rhs[0]
    assert below == tag("NN")
    assert grammar.lexicon.words["ferry"] == {below: 4}


S = "C:1 S1([0]) --> A1([0])\n"


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("S1([0]) A1([0])", "should be like 'C:3 S:0.25 S1([0][1][2]) --> VP2([0],[2]) MD1([1])'"),
        ("C:1 S1([0]) -->", "should be like"),
        ("--> A1([0])", "should be like"),
        ("C:1 S1([0]) --> A1", "'A1' is not a symbol with arguments such as VP2([0],[1][2])"),
        ("C:1 S1([x]) --> A1([0])", "'S1([x])' is not a symbol with arguments"),
        ("C:1 S1([0],) --> A1([0])", "'S1([0],)' is not a symbol with arguments"),
        ("C:1 S1([0]) --> A2([0])", "A2 has 1 argument, so its name should be a symbol and 1"),
        (
            "C:1 S1([0][1]) --> A([0],[1])",
            "A has 2 arguments, so its name should be a symbol and 2",
        ),
        ("C:1 1([0]) --> A1([0])", "1 has 1 argument, so its name should be a symbol and 1"),
        ("C:1 S1([0][1]) --> A2([1],[0])", "the components of a child change their order"),
        ("C:1 S1([0][0]) --> A1([0])", "every component of a child must be used once"),
        ("C:1 S1([0]) --> A2([0],[1])", "every component of a child must be used once"),
        ("C:1 S1([0][1]) --> A1([0][1])", "A1 has an argument of two variables"),
        ("C:0 S1([0]) --> B1([0])", "the weight 0 is not a number above 0"),
        ("C:x S1([0]) --> B1([0])", "'x' is not a number"),
        ("C:1e999 S1([0]) --> B1([0])", "the weight inf is not a number above 0"),
        ("C:nan S1([0]) --> B1([0])", "the weight nan is not a number above 0"),
        ("S1([0]) --> B1([0])", "the clause has neither a count C: nor a score S:"),
        ("S:0.5 S1([0]) --> B1([0])", "either all clauses need a count C:, or none may have one"),
        ("# start S2", "S2 has 1 argument, so its name should be a symbol and 1"),
        (
            "1 1.0:S1 --> A1 B1 [[[false]]]",
            "false must stand for the components of the first child",
        ),
        ("1 1.0:S1 --> A1 [[[true]]]", "false must stand for the components of the first child"),
        ("1 1.0:S1 --> A2 [[[false], [false]]]", "S1 has 2 arguments"),
        ("1 1.0:S1 --> A2 B1 [[[false], [true]]]", "A2 has 1 argument"),
        ("1 1.0:S1 --> A1 B1 [[false]]", "'1.0:S1' is not a symbol with arguments"),
        ("1 1.0:S1 --> A1 B1 [[[false, t]]]", "'1.0:S1' is not a symbol with arguments"),
    ],
)
def test_malformed_clauses(tmp_path, clause, message):
    found = error_of(tmp_path, ".rcg", f"{S}\n{clause}\n")
    assert found.startswith("rcg: line 3: ")
    assert message in found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dog", "lex: line 2: 'dog' should be a word, a tab, and tags with weights"),
        ("dog\tNN", "should be a word, a tab, and tags with weights"),
        ("dog\tNN 1 VB", "should be a word, a tab, and tags with weights"),
        ("\tNN 1", "should be a word, a tab, and tags with weights"),
        ("dog\tNN1 VB1", "lex: line 2: 'VB1' is not a number"),
        ("dog\tNN 1/0", "'1/0' is not a number"),
        ("dog\tNN -1", "the weight -1 is not a number above 0"),
    ],
)
def test_malformed_lexicons(tmp_path, line, message):
    assert message in error_of(tmp_path, ".rcg", S, f"cat\tNN 1\n{line}\n")


def test_other_errors(tmp_path):
    wide = "C:1 S1([0][1]) --> A2([0],[1])\n"
    assert error_of(tmp_path, ".rcg", wide) == (
        "rcg: A_2 has no rules, so it is a tag; but tags must have fan-out 1"
    )
    assert "1.5 is outside the range of probabilities" in error_of(
        tmp_path, ".rcg", "S:1.5 S1([0]) --> A1([0])\n"
    )
    assert error_of(tmp_path, ".rcg", "\n% nothing\n") == "rcg: there are no rules"
