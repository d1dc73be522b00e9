"""Files that do not match: the first differing sentence is named, with the reason."""

import pytest

from plcfrs.cli import run
from plcfrs.errors import InputError
from plcfrs.evaluation import compare_sentences, evaluate, load_settings
from plcfrs.evaluation.prm import parse_settings
from plcfrs.trees import Node, Token, Tree


def sentence(text: str, name: str = "") -> Tree:
    tokens = [Token(word, "NN") for word in text.split()]
    return Tree(Node("ROOT", children=list(range(len(tokens)))), tokens, name)


def test_a_missing_tree_in_the_middle():
    gold = [sentence(text) for text in ("a b", "c", "d e", "f")]
    with pytest.raises(InputError, match=r"sentence 2: word 1 is 'c' in the gold tree, 'd' in the"):
        evaluate(gold, [*gold[:1], *gold[2:]])


def test_too_few_and_too_many():
    gold = [sentence("a", "x:1"), sentence("b", "x:2")]
    message = r"sentence 2 \(x:2\) has a gold tree but no parse: there must be as many parses as"
    with pytest.raises(InputError, match=message):
        evaluate(gold, gold[:1])
    with pytest.raises(InputError, match=r"sentence 2 \(x:2\) has a parse but no gold tree"):
        evaluate(gold[:1], gold)


def test_reference_trees_must_fit_too():
    gold = [sentence("a"), sentence("b")]
    with pytest.raises(InputError, match="sentence 2 has a gold tree but no reference tree"):
        evaluate(gold, gold, reference=gold[:1])
    with pytest.raises(InputError, match="'a' in the gold tree, 'b' in the reference tree"):
        evaluate(gold, gold, reference=gold[::-1])


def test_another_encoding_read_without_complaint():
    for encoding in ["latin-1", "cp1252"]:
        gold = sentence("die Bücher")
        parse = sentence("die " + "Bücher".encode().decode(encoding))
        with pytest.raises(
            InputError, match=r"sentence 1: word 2 is 'Bücher'.*see --text-encoding"
        ):
            evaluate([gold], [parse])
        with pytest.raises(InputError, match="see --text-encoding"):
            evaluate([parse], [gold])


def test_another_normalization():
    with pytest.raises(InputError, match="composed differently"):
        evaluate([sentence("B\u00fccher")], [sentence("Bu\u0308cher")])


def test_plainly_different_words_have_no_such_hint():
    with pytest.raises(InputError, match="must have the same words") as caught:
        evaluate([sentence("Bücher")], [sentence("Buch")])
    assert "--text-encoding" not in str(caught.value)


def test_equal_words_are_the_same():
    settings = parse_settings(["EQ_WORD -LRB- (", "EQ_WORD ( ["])
    (found,) = compare_sentences([sentence("-LRB- a")], [sentence("[ a")], settings)
    assert len(found.tags) == 2
    with pytest.raises(InputError, match="word 2"):
        evaluate([sentence("( a")], [sentence("( b")], settings)
    assert evaluate([sentence("( a")], [sentence("-LRB- a")], load_settings("field")).all.words == 1


def test_files_in_two_encodings(tmp_path, capsys):
    line = "( (NP (NN Haus) (NN Bücher)))\n"
    gold, parses = str(tmp_path / "gold.mrg"), str(tmp_path / "parses.mrg")
    (tmp_path / "gold.mrg").write_text("( (NP (NN Haus)))\n" + line, encoding="utf-8")
    (tmp_path / "parses.mrg").write_text("( (NP (NN Haus)))\n" + line, encoding="latin-1")
    assert run(["eval", gold, parses]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"plcfrs: {parses}:2: byte 0xfc is not utf-8")
    assert error.endswith("(the parse of sentence 2)\n")
    assert run(["eval", gold, parses, "--text-encoding", "latin-1"]) == 2
    error = capsys.readouterr().err
    assert "sentence 2 (gold:2): word 2 is 'BÃ¼cher' in the gold tree, 'Bücher' in the" in error
    assert run(["eval", gold, parses, "--parses-encoding", "latin-1"]) == 0
    assert capsys.readouterr().out.splitlines()[3].split()[:4] == ["LF1", "100.00", "-", "100.00"]
