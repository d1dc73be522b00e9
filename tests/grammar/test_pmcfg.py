"""PMCFG text as treetools writes it: round trips, by hand, and malformed files."""

import pytest
from exchange import error_of, load, there_and_back, treebank_grammars, written
from hypothesis import given
from nasty_grammars import nasty_grammars, same

from plcfrs.grammar import Nonterminal

# treetools begins lines with a blank, does not mark fan-outs, and shares sequences.
FUNCTIONS = """\
 fun1 : VROOT <- S ?
 fun1 = s1
 fun1 5
 fun2 : S <- VP VBD NNP
 fun2 = s2
 fun2 5
 fun3 : VP <- @^VP2-NP1X WP
 fun3 = s4 s3
 fun3 4
 fun4 : VP <- VB
 fun4 = s3
 fun4 1
 fun5 : @^VP2-NP1X <- @1X
 fun5 = s3
 fun5 4
 fun6 : @1X <- VP
 fun6 = s3
 fun6 4
 s1 -> 0:0 1:0
 s2 -> 0:0 1:0 2:0 0:1
 s3 -> 0:0
 s4 -> 1:0
"""


@given(nasty_grammars())
def test_there_and_back(grammar):
    assert same(there_and_back(grammar, ".pmcfg"), grammar)


@pytest.mark.full
def test_grammars_of_a_treebank(penn_treebank):
    for name, grammar in treebank_grammars(penn_treebank).items():
        back = there_and_back(grammar, ".pmcfg")
        assert same(back, grammar), name
        assert back.probabilities() == grammar.probabilities()


def test_by_hand(tmp_path):
    grammar = load(tmp_path, ".pmcfg", FUNCTIONS)
    assert [f"{rule} {weight}" for rule, weight in grammar.rules.items()] == [
        "VROOT -> S ? [0 1] 5",
        "S -> VP_2 VBD NNP [0 1 2 0] 5",
        r"VP_2 -> @\@\^VP2\-NP1X WP [1, 0] 4",
        "VP -> VB [0] 1",
        r"@\@\^VP2\-NP1X -> @1X [0] 4",
        "@1X -> VP [0] 4",
    ]
    assert (grammar.start, grammar.weights) == (Nonterminal("VROOT"), "counts")
    assert grammar.lexicon.words == {}


def test_what_is_read_is_written_so_again(tmp_path):
    text, lexicon = written(tmp_path, load(tmp_path, ".pmcfg", FUNCTIONS), ".pmcfg")
    lines = FUNCTIONS.replace("s4", "x").replace("s3", "s4").replace("x", "s3").splitlines()
    expected = [line.strip() for line in lines]
    # The fan-out is marked, and sequences are numbered in the order of their use.
    expected[3], expected[6] = "fun2 : S <- VP_2 VBD NNP", "fun3 : VP_2 <- @^VP2-NP1X WP"
    expected[-2:] = reversed(expected[-2:])
    assert text.splitlines() == expected
    assert lexicon == ""


def test_pragmas_and_comments(tmp_path):
    text = FUNCTIONS.replace("fun1 : VROOT", "fun1 : U").replace(" S ", " TOP ")
    text = f"-- pragmas\n\n:encoding utf-8\n:start S\n*** rules\n# rules\n{text}"
    assert load(tmp_path, ".pmcfg", text).start == Nonterminal("S")


def test_broken_weights(tmp_path):
    """Weights that sum to one are probabilities, unless the file says what they are."""
    text = "f : S <- A\nf = s\nf 1/4\ng : S <- B\ng = s\ng 0.75\ns -> 0:0\n"
    assert load(tmp_path, ".pmcfg", text).weights == "probabilities"
    assert load(tmp_path, ".pmcfg", ":weights counts\n" + text).weights == "counts"
    assert load(tmp_path, ".pmcfg", text.replace("1/4", "1/2")).weights == "counts"
    assert list(load(tmp_path, ".pmcfg", text).rules.values()) == [0.25, 0.75]


GOOD = """\
f : S <- V B
f = s
f 1
g : V <- A C
g = t u
g 1
s -> 0:0 1:0 0:1
t -> 0:0
u -> 1:0
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("f : S <- V B", "f : S -> V B", "line 1: 'f : S -> V B' should be like 'fun1 : S <- NP"),
        ("f : S <- V B", "f : S <-", "line 1: 'f : S <-' should be like"),
        ("f : S <- V B", "f : <- V B", "line 1: 'f : <- V B' should be like"),
        ("f = s", "h = s", "line 2: 'h = s' should be like"),
        ("f = s\n", "", "line 1: f also needs the lines 'f = ...' and 'f WEIGHT'"),
        ("f = s", "f = s w", "line 1: f: there is no line 'w -> ...'"),
        ("f 1\n", "", "line 1: f also needs the lines 'f = ...' and 'f WEIGHT'"),
        ("f 1", "f one", "line 3: 'one' is not a number"),
        ("f 1", "f -1", "line 3: the weight -1 is not a number above 0"),
        ("f 1", "f 1\nf : S <- A", "line 4: f occurs twice"),
        ("t -> 0:0", "t -> 0:0\nt -> 0:0", "line 9: t occurs twice"),
        ("t -> 0:0", "t ->", "line 8: 't ->' should be like"),
        ("t -> 0:0", "t -> 0", "line 4: '0' is not a component of a child, such as 1:0"),
        ("t -> 0:0", 't -> "to"', "line 4: '\"to\"' is not a component of a child"),
        ("t -> 0:0", "t -> 0:" + "1" * 5000, "line 4: '0:1"),
        ("t -> 0:0", "t -> 0:0 2:0", "line 4: 2:0: there is no child 2 (children count from 0)"),
        ("s -> 0:0 1:0 0:1", "s -> 0:1 1:0 0:0", "line 1: the components of a child change their"),
        ("t -> 0:0", "t -> 0:0 0:0", "line 4: every component of a child must be used once"),
        ("t -> 0:0", "t -> 0:1", "line 4: every component of a child must be used once"),
        ("u -> 1:0", "u -> 0:1", "line 4: child 1 (C) is not used"),
        ("V <- A C", "V_2 <- A_2 C", "line 4: the fan-out of A_2 is 1 in this rule, not 2"),
        (
            "t -> 0:0",
            "t -> 0:0 0:1",
            "A_2 has no rules, so it is a tag; but tags must have fan-out 1",
        ),
        ("f = s", "f = t", "line 1: child 1 (B) is not used"),
        ("f 1", "f 1\n:start S A", "line 4: ':start S A' is not one of :start SYMBOL, :weights"),
        ("f 1", "f 1\n:weights many", "line 4: ':weights many' is not one of"),
    ],
)
def test_malformed(tmp_path, old, new, message):
    assert len(load(tmp_path, ".pmcfg", GOOD).rules) == 2
    assert error_of(tmp_path, ".pmcfg", GOOD.replace(old, new)).startswith(f"pmcfg: {message}")


def test_no_rules(tmp_path):
    assert error_of(tmp_path, ".pmcfg", ":start S\n") == "pmcfg: there are no rules"
