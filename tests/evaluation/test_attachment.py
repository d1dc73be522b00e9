"""Attachment scores, against a second scorer that reads the text of CoNLL-U files."""

import re
from dataclasses import replace

import pytest
from dependency_strategies import RELATIONS, dependency_trees
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.cli import run
from plcfrs.errors import InputError
from plcfrs.evaluation import AttachmentCounts, AttachmentScores, attachment_table, wrong_words
from plcfrs.treebank import FORMATS, read_dependencies
from plcfrs.trees import DependencyTree, Token
from plcfrs.trees.tree import Columns

PUNCTUATION = re.compile(r"[.,:;]|``|''|-[LR]RB-|\$[.,([]|PUNCT|punct|LET|let")


def naive_scores(gold, parses):
    """Return UAS and LAS, with and without punctuation, of two CoNLL-U texts."""
    pairs = [
        (one.split("\t"), other.split("\t"))
        for one, other in zip(gold.split("\n"), parses.split("\n"), strict=True)
        if one[:1].isdigit()
    ]
    found = []
    for left_out in (False, True):
        counted = [
            (one, other) for one, other in pairs if not (left_out and PUNCTUATION.fullmatch(one[4]))
        ]
        for columns in ([6], [6, 7]):
            right = [all(one[c] == other[c] for c in columns) for one, other in counted]
            found.append(100 * sum(right) / len(right) if right else 100.0)
    return found


@st.composite
def pairs(draw):
    gold = draw(dependency_trees())
    numbers = range(len(gold.tokens) + 1)
    heads, relations = list(gold.heads), list(gold.relations)
    for word in draw(st.lists(st.integers(0, len(heads) - 1), max_size=4)):
        heads[word] = draw(st.sampled_from([head for head in numbers if head != word + 1]))
        relations[word] = draw(st.sampled_from(RELATIONS))
    return gold, replace(gold, heads=heads, relations=relations)


@given(st.lists(pairs(), min_size=1, max_size=4))
def test_two_scorers_agree(sentences):
    gold, parses = zip(*sentences, strict=True)
    scores = AttachmentScores.of(gold, parses)
    texts = ["".join(map(FORMATS["conllu"].render_dependencies, trees)) for trees in (gold, parses)]
    found = [
        figure
        for counts in (scores.all, scores.without_punctuation)
        for figure in (counts.unlabelled, counts.labelled)
    ]
    assert found == naive_scores(*texts)
    wrong = sum(len(wrong_words(*pair)) for pair in sentences)
    assert scores.all.words - scores.all.right == wrong


def sentence(heads, relations, tags=None):
    words = [Token(f"w{number}", "X") for number in range(len(heads))]
    for word, tag in zip(words, tags or (), strict=False):
        word.tag = tag
    return DependencyTree(words, heads, relations, "s1")


def test_by_hand():
    gold = sentence([2, 0, 2, 3, 2], ["a", "root", "b", "c", "p"], ["N", "V", "P", "N", "$."])
    parse = sentence([2, 0, 2, 2, 3], ["a", "root", "x", "c", "p"], ["N", "V", "P", "N", "X"])
    scores = AttachmentScores.of([gold], [parse])
    assert scores.all == AttachmentCounts(5, 3, 2)
    assert scores.without_punctuation == AttachmentCounts(4, 3, 2)
    assert wrong_words(gold, parse) == [2, 3, 4]
    assert attachment_table(scores).rows["UAS"] == [60.0, 75.0]


def test_punctuation_by_its_coarse_tag():
    gold = sentence([0, 1], ["root", "punct"])
    gold.columns = [Columns("NOUN"), Columns("PUNCT")]
    assert AttachmentScores.of([gold], [gold]).without_punctuation.words == 1


def test_a_sentence_without_a_parse_has_nothing_right():
    scores = AttachmentScores()
    scores.add(sentence([0], ["root"]), None)
    assert scores.all == AttachmentCounts(1, 0, 0)


def test_nothing_was_scored():
    assert attachment_table(AttachmentScores()).rows["LAS"] == [None, None]


def test_sentences_that_differ():
    gold = sentence([2, 0], ["a", "root"])
    other = replace(gold, tokens=[Token("w0", "X"), Token("w", "X")])
    with pytest.raises(InputError, match=r"^sentence 1 \(s1\): word 2 is 'w1' in the gold"):
        AttachmentScores.of([gold], [other])
    with pytest.raises(InputError, match=r"word 3 is missing in the gold tree, 'w2' in the parse"):
        AttachmentScores.of([gold], [sentence([0, 1, 1], ["a"] * 3)])
    with pytest.raises(InputError, match="has a gold tree but no parse"):
        AttachmentScores.of([gold, gold], [gold])
    with pytest.raises(InputError, match="has a parse but no gold tree"):
        AttachmentScores.of([gold], [gold, gold])


def test_constituents_have_the_scores_of_their_dependencies(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["transform", "plcfrs:demo", "--sentences", "1-20", "-o", "gold.export"]) == 0
    lines = (tmp_path / "gold.export").read_text().replace("\tNP\t", "\tXP\t")
    (tmp_path / "parses.export").write_text(lines)
    for name in ("gold", "parses"):
        assert (
            run(["convert", f"{name}.export", "-o", f"{name}.conllu", "--encoding", "direct"]) == 0
        )
    capsys.readouterr()
    found = []
    for extension in ("export", "conllu"):
        assert run(["eval", f"gold.{extension}", f"parses.{extension}", "--attachment"]) == 0
        table = capsys.readouterr().out.split("Attachment")[1]
        found.append([line.split() for line in table.splitlines()[1:6]])
    assert found[0] == found[1]
    gold, parses = (list(read_dependencies(f"{name}.conllu")) for name in ("gold", "parses"))
    assert f"{AttachmentScores.of(gold, parses).all.labelled:.2f}" == found[0][1][1]
