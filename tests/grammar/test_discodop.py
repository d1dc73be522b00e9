"""Grammars of disco-dop: round trips, by hand, and what the format cannot hold."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import replace
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from nasty_grammars import nasty_grammars
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Recipe, Rule, binarize, extract, tag
from plcfrs.grammar.formats.discodop import read_label, write_label
from plcfrs.transformation import transform_all
from plcfrs.trees import Tree

# Labels of binarization, of vertical Markovization and of tree fragments, as disco-dop makes them.
RULES = """\
NP^<S,ROOT>	NN	0	3/4
NP^<S,ROOT>	DT	NN	01	1/4
ROOT	S	$.	01	1/2
ROOT	S^<ROOT>	0	1/2
S	VP_2	S|<VVFIN,NP>^<ROOT>	010	1
S^<ROOT>	S}<0>	VVFIN@5-3	01	1
S}<0>	NN	0	1
S|<VVFIN,NP>^<ROOT>	VVFIN	NP^<S,ROOT>	01	1
VP_2	VP|<NP-VVPP>_2	0,0	2/3
VP_2	VP|<>_2	--	0,10	1/3
VP|<>_2	S|<$,,NP>	XY	0,1	1
VP|<NP-VVPP>_2	NN	VVPP	0,1	1
S|<$,,NP>	NN	0	1
"""
LEXICON = """\
Haus	NN 0.75	JJ 1/9
1\\/2	CARD 1
#	$. 0.5
"""


def there_and_back(grammar: Grammar, extension: str = ".rules") -> Grammar:
    """Write a grammar to a file and read it; keep the options, which disco-dop does not have."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"grammar{extension}"
        grammar.save(path)
        back = Grammar.load(path)
        assert len(list(Path(folder).iterdir())) == 2  # with the lexicon, and no parts
    return replace(back, options=grammar.options)


def load(folder: Path, rules: str, lexicon: str | None = None) -> Grammar:
    """Read a grammar from its text."""
    path = folder / "grammar.rules"
    path.write_text(rules, encoding="utf-8")
    path.with_suffix(".lex").unlink(missing_ok=True)
    if lexicon is not None:
        path.with_suffix(".lex").write_text(lexicon, encoding="utf-8")
    return Grammar.load(path)


def written(folder: Path, grammar: Grammar) -> tuple[str, str]:
    """Return the two files that a grammar becomes."""
    path = folder / "written.rules"
    grammar.save(path)
    return path.read_text("utf-8"), path.with_suffix(".lex").read_text("utf-8")


def error_of(folder: Path, rules: str, lexicon: str | None = None) -> str:
    """Return the message for a malformed grammar, from the extension of the file on."""
    with pytest.raises(GrammarError) as caught:
        load(folder, rules, lexicon)
    message = str(caught.value)
    assert message.startswith(f"{folder}/grammar.")
    assert len(message.splitlines()) == 1
    assert len(message) < 300 + len(str(folder))
    return message.removeprefix(f"{folder}/grammar.")


def treebank_grammars(trees: list[Tree]) -> dict[str, Grammar]:
    """Grammars of the 3,396 trees that the paper trains on, without signatures."""
    transformed = list(transform_all(trees[:3396]))
    extracted = extract(transformed)
    binarized = binarize(extracted)
    assert len(extracted.rules) > 4000
    smoothed = Recipe("right-to-left", 2, 2, "interpolated").grammar(transformed)
    words = Lexicon(binarized.lexicon.words)
    return {
        "extracted": replace(extracted, lexicon=words),
        "binarized": replace(binarized, lexicon=words),
        "probabilities": replace(
            binarized,
            rules=binarized.probabilities(),
            lexicon=Lexicon(binarized.lexicon.probabilities()),
            weights="probabilities",
        ),
        "smoothed": replace(smoothed, lexicon=Lexicon(words.probabilities())),
    }


def below_a_top(grammar: Grammar) -> Grammar:
    """Give a grammar a start symbol that is on no right-hand side, by a rule that comes first."""
    top = Nonterminal("the top of all")
    rules = {Rule(top, (grammar.start,), ((0,),)): 1, **grammar.rules}
    return Grammar(rules, grammar.lexicon, top, grammar.weights, grammar.options)


def sums_to_one(grammar: Grammar) -> bool:
    totals: dict[Nonterminal, float] = defaultdict(float)
    for rule, weight in grammar.rules.items():
        totals[rule.lhs] += weight
    return all(isclose(total, 1) for total in totals.values())


@given(nasty_grammars(max_rank=2, touching=False).map(below_a_top))
def test_there_and_back(grammar):
    back = there_and_back(grammar)
    if sums_to_one(grammar) and any(weight != int(weight) for weight in grammar.rules.values()):
        assert back.weights == "probabilities"  # broken counts that are probabilities, too
        back.weights = grammar.weights
    assert back == grammar
    assert there_and_back(grammar, ".rules.gz").rules == grammar.rules


@pytest.mark.full
def test_grammars_of_a_treebank(penn_treebank):
    made = treebank_grammars(penn_treebank)
    with pytest.raises(GrammarError, match="extract the grammar without"):
        there_and_back(made.pop("extracted"))
    for name, grammar in made.items():
        back = there_and_back(grammar)
        assert back == grammar, name
        assert back.probabilities() == grammar.probabilities()


def test_by_hand(tmp_path):
    grammar = load(tmp_path, RULES, LEXICON)
    assert [f"{rule} {round(weight, 2):g}" for rule, weight in grammar.rules.items()] == [
        "NP>S>ROOT -> NN [0] 0.75",
        "NP>S>ROOT -> DT NN [0 1] 0.25",
        "ROOT -> S $. [0 1] 0.5",
        "ROOT -> S>ROOT [0] 0.5",
        "S -> VP_2 @S>ROOT+VVFIN+NP [0 1 0] 1",
        r"S>ROOT -> S}<0\> VVFIN\@5\-3 [0 1] 1",
        r"S}<0\> -> NN [0] 1",
        "@S>ROOT+VVFIN+NP -> VVFIN NP>S>ROOT [0 1] 1",
        r"VP_2 -> @VP+NP\-VVPP_2 [0, 0] 0.67",
        r"VP_2 -> @VP_2 \-\- [0, 1 0] 0.33",
        r"@VP_2 -> @S|<$,,NP\> XY [0, 1] 1",
        r"@VP+NP\-VVPP_2 -> NN VVPP [0, 1] 1",
        r"@S|<$,,NP\> -> NN [0] 1",
    ]
    assert (str(grammar.start), grammar.weights) == ("ROOT", "probabilities")
    assert grammar.rules[Rule(*list(grammar.rules)[8])] == 2 / 3
    assert grammar.lexicon.words == {
        "Haus": {tag("NN"): 0.75, tag("JJ"): 1 / 9},
        "1\\/2": {tag("CARD"): 1},
        "#": {tag("$."): 0.5},
    }
    kinds = [symbol.kind for symbol in grammar.nonterminals()]
    assert [kinds.count(kind) for kind in ("category", "intermediate", "tag")] == [6, 4, 10]


def test_what_is_read_is_written_so_again(tmp_path):
    rules, lexicon = written(tmp_path, load(tmp_path, RULES, LEXICON))
    expected = RULES
    for fraction in ("3/4", "1/4", "1/2", "2/3", "1/3"):
        expected = expected.replace(fraction, repr(eval(fraction)))
    expected = expected.replace("\t1\n", "\t1.0\n")
    assert sorted(rules.splitlines()) == sorted(expected.splitlines())
    assert rules.startswith("ROOT\tS\t$.\t01\t0.5\nROOT\t")
    assert lexicon == LEXICON.replace("1/9", repr(1 / 9))


@core(
    1,
    ("symbol", "label"),
    [
        (Nonterminal("VP", 2), "VP_2"),
        (Nonterminal("7", kind="intermediate"), "7|<>"),
        (Nonterminal("S", 3, "WH", ("NOM",), "intermediate", ("SBAR",), ("VP", ",")), None),
        (Nonterminal("ADVP|PRT"), "ADVP|PRT"),
        (Nonterminal("VP|<NP>"), r"VP|<NP\>"),
        (Nonterminal("-LRB-"), "-LRB-"),
        (Nonterminal("--"), "--"),
        (Nonterminal("VP_2"), r"VP\_2"),
        (Nonterminal("a b"), r"a\u0020b"),
        (tag("NN")._replace(kind="tag"), "NN~"),
    ],
)
def test_labels(symbol, label):
    assert write_label(symbol) == (label or r"S^WH-NOM|<VP,\u002c>^<SBAR>_3")
    assert read_label(write_label(symbol), symbol.fanout) == symbol


def test_counts_are_whole_numbers_or_do_not_sum_to_one(tmp_path):
    rules = "S\tA\tB\t01\t{}\nS\tB\t0\t{}\n"
    for weights, kind in {
        (1, 3): "counts",
        ("1.0", "3.0"): "counts",
        (0.5, 1): "counts",
        ("1/3", "2/3"): "probabilities",
        ("1e-1", ".9"): "probabilities",
        ("0x1.8p-1", "0x1p-2"): "probabilities",
    }.items():
        grammar = load(tmp_path, rules.format(*weights))
        assert grammar.weights == kind
        assert sum(grammar.probabilities().values()) == 1


def test_weights_of_one_rule_are_added_up(tmp_path):
    grammar = load(tmp_path, 3 * "S\tA\t0\t2\n", "a\tA 1\na\tA 2\n")
    assert list(grammar.rules.values()) == [6]
    assert grammar.lexicon == Lexicon({"a": {tag("A"): 3}})


def test_words_may_be_counted_where_rules_have_probabilities(tmp_path):
    grammar = load(tmp_path, "S\tA\t0\t0.5\nS\tA\tA\t01\t0.5\n", "dog\tA 3\ncat\tA 1\n")
    assert grammar.lexicon.words["dog"] == {tag("A"): 0.75}


def test_signatures_are_lost(tmp_path):
    s, a = Nonterminal("S"), tag("A")
    rules = {Rule(s, (a,), ((0,),)): 0.25, Rule(s, (a, a), ((0, 1),)): 0.75}
    lexicon = Lexicon({"dog": {a: 1}, "cat": {a: 3}}, {"lower -": {a: 4}})
    grammar = Grammar(rules, lexicon, s, "probabilities")
    back = there_and_back(grammar)
    assert back.rules == grammar.rules
    assert back.lexicon == Lexicon(lexicon.probabilities())
    assert written(tmp_path, grammar)[1] == "dog\tA 0.25\ncat\tA 0.75\n"


def test_probabilities_of_a_symbol_that_has_rules_and_words(tmp_path):
    rules = "S\tNN\t0\t1\nNN\tNN\tNN\t01\t1/4\n"
    grammar = load(tmp_path, rules, "ferry\tNN 0.5\nboat\tNN 0.25\n")
    assert grammar.weights == "probabilities"
    assert [f"{rule} {weight}" for rule, weight in grammar.rules.items()][1:] == [
        "NN -> NN NN [0 1] 0.25",
        "NN -> NN [0] 0.75",
    ]
    assert grammar.lexicon.probabilities()["ferry"] == {tag("NN"): 2 / 3}


def test_fan_outs_need_no_mark_but_are_one(tmp_path):
    rules = "S\tVP\tNP\t010\t1\nVP\tV\tNP\t0,1\t1\n"
    assert [str(rule) for rule in load(tmp_path, rules).rules] == [
        "S -> VP_2 NP [0 1 0]",
        "VP_2 -> V NP [0, 1]",
    ]
    assert error_of(tmp_path, rules + "NP\tVP\t0\t1\n") == (
        "rules: line 3: the fan-out of VP is 1 in this rule, 2 above"
    )


def test_the_start_symbol(tmp_path):
    """It is the first symbol that is not a child, or else the first one."""
    rules = "A\tB\t0\t1\nS\tA\t0\t1\nU\tA\t0\t1\n"
    assert str(load(tmp_path, rules).start) == "S"
    assert str(load(tmp_path, rules + "B\tS\tU\t01\t1\n").start) == "A"


def test_a_lexicon_is_found_packed_or_not(tmp_path):
    path = tmp_path / "grammar.rules.gz"
    load(tmp_path, "S\tA\t0\t1\n", "a\tA 1\n").save(path)
    path.with_name("grammar.lex.gz").unlink()
    assert Grammar.load(path).lexicon.words == {"a": {tag("A"): 1}}
    path.with_name("grammar.lex").unlink()
    assert Grammar.load(path).lexicon.words == {}


def test_line_ends_of_windows_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "grammar.rules"
    path.write_bytes("\ufeffS\tA\t0\t1\r\n\r\n".encode())
    path.with_suffix(".lex").write_bytes("\ufeffa\tA 1\r\n".encode())
    grammar = Grammar.load(path)
    assert (str(grammar.start), list(grammar.lexicon.words)) == ("S", ["a"])


@core(
    1,
    ("line", "message"),
    [
        ("S NP", "'S NP' should be one symbol, the one or two symbols of its children"),
        ("S\tA\tB\tC\t012\t1", "should be one symbol, the one or two symbols of its children"),
        ("0.5 S A", "should be one symbol"),
        ("S\tA\t1\t1", "'1' is not a yield function of child (0), such as 010 or 0,1"),
        ("S\tA\tB\t0\t1", "'0' is not a yield function of two children (0 and 1)"),
        ("S\tA\tB\t012\t1", "'012' is not a yield function of two children (0 and 1)"),
        ("S\tA\tB\t01,\t1", "'01,' is not a yield function of two children (0 and 1)"),
        ("S\tA\tB\t0 1\t1", "should be one symbol"),
        ("S\tA\tB\t01\tone", "'one' is not a number"),
        ("S\tA\tB\t01\t1/0", "'1/0' is not a number"),
        ("S\tA\tB\t01\t0", "the weight 0 is not a number above 0"),
        ("S\tA\tB\t01\t-0.5", "the weight -0.5 is not a number above 0"),
        ("S\tA\tB\t01\tinf", "the weight inf is not a number above 0"),
        (5000 * "S", "should be one symbol"),
        ("S\tA\tB\t01\t" + 5000 * "9", "is not a number above 0"),
        ("S\tVP_2\tB\t01\t1", "the fan-out of VP_2 is 1 in this rule, not 2"),
        ("S\tVP_3\tB\t010\t1", "the fan-out of VP_3 is 2 in this rule, not 3"),
        (
            "VP\tA\tB\t0,1\t1\nVP\tA\tB\t01\t1",
            "line 3: the fan-out of VP is 1 in this rule, 2 above",
        ),
    ],
)
def test_malformed_rules(tmp_path, line, message):
    found = error_of(tmp_path, f"S\tA\t0\t1\n{line}\n")
    assert found.startswith("rules: line ")
    assert message in found


@core(
    1,
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
    assert message in error_of(tmp_path, "S\tNN\t0\t1\n", f"cat\tNN 1\n{line}\n")


def test_other_malformed_files(tmp_path):
    assert error_of(tmp_path, "\n") == "rules: there are no rules"
    assert "A_2 has no rules" in error_of(tmp_path, "S\tA_2\tB\t010\t1\n")
    assert "fan-out 1" in error_of(tmp_path, "S_2\tA\tB\t0,1\t1\n")
    (tmp_path / "grammar.lex").write_bytes(b"\xe4\tA 1\n")
    (tmp_path / "grammar.rules").write_text("S\tA\t0\t1\n")
    with pytest.raises(GrammarError, match=r"grammar\.lex: not a"):
        Grammar.load(tmp_path / "grammar.rules")
    with pytest.raises(GrammarError, match=r"^[^:]*none\.rules: No such file or directory$"):
        Grammar.load(tmp_path / "none.rules")


S, A, B = Nonterminal("S"), Nonterminal("A", 2), tag("b")
BASE = {Rule(S, (A, B), ((0, 1, 0),)): 1, Rule(A, (B, B), ((0,), (1,))): 1}


@core(
    1,
    ("rule", "message"),
    [
        (
            Rule(A, (B, B, B), ((0, 1), (2,))),
            "disco-dop supports at most 2 children in a rule: extract the grammar without",
        ),
        (Rule(Nonterminal("C"), (A,), ((0, 0),)), "ranges of a child cannot be adjacent"),
        (Rule(Nonterminal("C"), (S,), ((0,),)), "the start symbol cannot be a child"),
    ],
)
def test_what_disco_dop_cannot_use(tmp_path, rule, message):
    with pytest.raises(GrammarError, match=message):
        Grammar({**BASE, rule: 1}, start=S).save(tmp_path / "grammar.rules")
    assert not list(tmp_path.iterdir())


def test_weights_that_disco_dop_would_change(tmp_path):
    with pytest.raises(GrammarError, match=r"the probabilities of A_2 sum to 0\.5, and disco-dop"):
        Grammar(dict(zip(BASE, (1, 0.5), strict=True)), start=S, weights="probabilities").save(
            tmp_path / "grammar.rules"
        )
    with pytest.raises(GrammarError, match="disco-dop needs a rule for the start symbol ROOT"):
        Grammar(BASE).save(tmp_path / "grammar.rules")
