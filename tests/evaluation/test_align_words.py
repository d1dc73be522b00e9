"""Words of another tokenization are aligned by characters, and brackets are over these units."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.cli import run
from plcfrs.errors import InputError
from plcfrs.evaluation import ALL, Counts, compare_sentences, evaluate, find_errors
from plcfrs.evaluation.alignment import align_words
from plcfrs.treebank import write_trees
from plcfrs.trees import Node, Token, Tree

ALIGN = replace(ALL, align=True)


def flat(*words: str) -> Tree:
    return Tree(
        Node("ROOT", children=[Node("S", children=list(range(len(words))))]),
        [Token(word, "X") for word in words],
    )


def units(gold: str, parse: str) -> list[tuple[str, str]]:
    one, other = flat(*gold.split()), flat(*parse.split())
    return [
        tuple(
            " ".join(tree.tokens[place].form for place in sorted(side))
            for tree, side in zip((one, other), unit, strict=True)
        )
        for unit in align_words(one, other)
    ]


def test_units():
    for gold, parse, expected in [
        ("Mr. Quill", "Mr . Quill", ["Mr.=Mr .", "Quill=Quill"]),
        ("we ca n't go", "we can't go", ["we=we", "ca n't=can't", "go=go"]),
        ("gon na sing", "gonna sing", ["gon na=gonna", "sing=sing"]),
        ("ab cd ef", "a bc de f", ["ab cd ef=a bc de f"]),  # no word ends in both before
        ("x ab c", "x a bc", ["x=x", "ab c=a bc"]),
        ("Zum Tor", "zu m tor", ["Zum=zu m", "Tor=tor"]),
        ("-LRB- ha -RRB-", "(ha)", ["-LRB- ha -RRB-=(ha)"]),
        ("in_front we sit", "in front we sit", ["in_front=in front", "we=we", "sit=sit"]),
        ("New_Quay 1\\/2", "New Quay 1 / 2", ["New_Quay=New Quay", "1\\/2=1 / 2"]),
        # Not the same characters: what differs is one unit, and nothing is lost.
        ("she can not go", "she ca n't go", ["she=she", "can not=ca n't", "go=go"]),
        ("they sang .", "they sang", ["they=they", "sang .=sang"]),
        ("they sang", "oh they sang", ["they=oh they", "sang=sang"]),
    ]:
        assert ["=".join(unit) for unit in units(gold, parse)] == expected
        assert ["=".join(unit[::-1]) for unit in units(parse, gold)] == expected


@given(
    st.text("ab", min_size=1, max_size=12), st.sets(st.integers(1, 11)), st.sets(st.integers(1, 11))
)
def test_units_end_where_words_end_in_both(text, first, second):
    ends = [{place for place in side if place < len(text)} for side in (first, second)]
    one, other = (
        " ".join(
            text[i:j] for i, j in zip([0, *sorted(side)], [*sorted(side), len(text)], strict=True)
        )
        for side in ends
    )
    common = sorted(ends[0] & ends[1])
    bounds = zip([0, *common], [*common, len(text)], strict=True)
    found = units(one, other)
    assert [left.replace(" ", "") for left, _ in found] == [text[i:j] for i, j in bounds]
    assert all(left.replace(" ", "") == right.replace(" ", "") for left, right in found)


GOLD = Tree.from_string(
    "(S (NP (NNP Mr.) (NNP Quill)) (VP (MD ca) (ADVP (RB n't)) (VP (VB sing))) (. .))"
)
PARSE = Tree.from_string(
    "(S (NP (NP (NNP Mr) (. .)) (NNP Quill)) (VP (MD can't) (VP (VB sing))) (. .))"
)


def test_all_constituents_count_over_the_units():
    (sentence,) = compare_sentences([GOLD], [PARSE], ALIGN)
    # Units: Mr. | Quill | ca n't | sing | .
    assert sentence.gold == {
        ("S", 31): 1,
        ("NP", 3): 1,
        ("VP", 12): 1,
        ("VP", 8): 1,
        ("ADVP", 4): 1,
    }
    assert sentence.parsed == {
        ("S", 31): 1,
        ("NP", 3): 1,
        ("VP", 12): 1,
        ("VP", 8): 1,
        ("NP", 1): 1,
    }
    assert sentence.tags == [
        ("NNP", "NNP ."),
        ("NNP", "NNP"),
        ("MD RB", "MD"),
        ("VB", "VB"),
        (".", "."),
    ]
    assert sentence.length == 6
    scores = evaluate([GOLD], [PARSE], ALIGN).all
    assert scores.labelled == Counts(gold=5, parsed=5, matched=4)


def test_errors_are_about_units():
    found = {str(error) for error in find_errors([GOLD], [PARSE], ALIGN)}
    assert found == {'ADVP missed: "ca n\'t"', "NP spurious: 'Mr.'"}


def test_gaps_of_aligned_trees():
    gold = Tree.from_string("(SQ (VP (WP 0=Who) (VB 3=help)) (MD 1=ca) (RB 2=n't))")
    parse = Tree.from_string("(SQ (VP (WP 0=Who) (VB 2=help)) (MD 1=can't))")
    scores = evaluate([gold], [parse], ALIGN).all
    assert scores.labelled_discontinuous == Counts(gold=1, parsed=1, matched=1)


def test_the_same_words_have_the_same_scores_with_and_without():
    trees = [GOLD, PARSE, flat("a", "b", "a")]
    assert evaluate(trees, trees, ALIGN) == evaluate(trees, trees, ALL)


def test_the_command(tmp_path, capsys):
    gold, parses = str(tmp_path / "gold.mrg"), str(tmp_path / "parses.mrg")
    write_trees([GOLD, GOLD], gold)
    write_trees([PARSE, Tree.from_string("(S (NP (NNP Mr) (NNP Quill)) (VP (VB sing)))")], parses)
    assert run(["eval", gold, parses, "--align", "--settings", "all", "-o", f"{gold}.csv"]) == 0
    assert "with other characters in the parse, such as gold:2" in capsys.readouterr().err
    assert (
        run(["compare", gold, parses, gold, "--align", "--samples", "100", "-o", f"{gold}.csv"])
        == 0
    )
    for option in ("--dependencies", "--constructions", "--attachment"):
        assert run(["eval", gold, parses, "--align", option]) == 2
    assert run(["eval", gold, parses]) == 2
    assert "--align aligns words of another tokenization" in capsys.readouterr().err


def test_other_sentences_are_not_aligned():
    with pytest.raises(InputError, match=r"word 1 is 'Mr\.' in the gold tree, 'Who'"):
        evaluate([GOLD], [flat("Who", "left")], ALIGN)
    with pytest.raises(InputError, match="--align aligns words of another tokenization"):
        evaluate([GOLD], [PARSE], ALL)
