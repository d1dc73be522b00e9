"""Wrong and odd grammars: errors name what is wrong, warnings what is odd."""

import warnings
from math import log
from random import Random

import pytest
from demo_trees import demo_trees
from nasty_grammars import same

from plcfrs.cli import run
from plcfrs.errors import PlcfrsError
from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsers.refined.grammar import RefinedGrammar
from plcfrs.parsers.refined.model import RefinedModel
from plcfrs.parsing.registry import load_model, train

HEAD = "plcfrs: 1\nstart: S\n"
WORDS = "lexicon: |\n  A a 1\n  A b 1\n"
PROBABILITIES = f"{HEAD}weights: probabilities\nrules: |\n"
NOTHING_BELOW = f"{HEAD}rules: |\n  S -> A S 1\n  S -> A 1\n  S -> B 1\n  B -> B A 1\n{WORDS}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.tokens").write_text("a b\n", encoding="utf-8")
    return tmp_path


def test_what_is_wrong_is_named(folder, capsys):
    for text, message in [
        (
            f"plcfrs: 1\nstart: X\nrules: |\n  S -> A 1\n{WORDS}",
            "the start symbol X has no rules: is it S?",
        ),
        ("plcfrs: 1\n", "the start symbol ROOT has no rules"),
        (
            f"{PROBABILITIES}  S -> A 1.5\n{WORDS}",
            "S -> A [0]: 1.5 is outside the range of probabilities",
        ),
        (
            f"{HEAD}rules: |\n  S -> A nan\n{WORDS}",
            "S -> A [0]: nan is outside the range of counts",
        ),
        (
            f"{HEAD}rules: |\n  S -> A inf\n{WORDS}",
            "S -> A [0]: inf is outside the range of counts",
        ),
        (
            f"{HEAD}rules: |\n  S -> A -1\n{WORDS}",
            "S -> A [0]: -1 is outside the range of counts",
        ),
        (
            f"{HEAD}rules: |\n  S -> A 1\nlexicon: |\n  A a nan\n",
            "A a: nan is outside the range of counts",
        ),
        (
            "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
            "not a plcfrs grammar: it has nested lists or references",
        ),
        (
            HEAD.replace("plcfrs: 1", "plcfrs: 2"),
            "written by a newer plcfrs in format 2, but this one reads format 1: upgrade with "
            "pip install --upgrade plcfrs",
        ),
        (
            HEAD.replace("plcfrs: 1", "plcfrs: one"),
            "unknown format 'one': this plcfrs reads format 1",
        ),
    ]:
        (folder / "g.yaml").write_text(text, encoding="utf-8")
        assert run(["parse", "g.yaml", "in.tokens"]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err == f"plcfrs: g.yaml: {message}\n"


def test_a_symbol_that_produces_nothing_does_no_harm(folder, capsys):
    (folder / "g.yaml").write_text(NOTHING_BELOW, encoding="utf-8")
    assert run(["inspect", "g.yaml"]) == 0
    assert "  useless symbols: 1 (B)\n" in capsys.readouterr().out
    assert run(["parse", "g.yaml", "in.tokens"]) == 0
    assert capsys.readouterr().out == "(ROOT (S (A 0=a) (S (A 1=b))))\n"


def test_a_tag_without_words_is_named(folder, capsys):
    text = NOTHING_BELOW.replace("\n  B -> B A 1", "")
    (folder / "g.yaml").write_text(text, encoding="utf-8")
    assert run(["inspect", "g.yaml"]) == 0
    assert "  tags without words: 1 (B)\n" in capsys.readouterr().out


def test_probabilities_that_do_not_sum_to_one_are_used_unchanged(folder, capsys):
    text = f"{PROBABILITIES}  S -> A 0.5\n  S -> A A 0.9\n  A -> X 0.333\n  A -> Y 0.667\n"
    (folder / "g.yaml").write_text(text + "lexicon: |\n  X a 1\n  Y b 1\n", encoding="utf-8")
    warning = "probabilities do not sum to 1, and are used unchanged: 1 symbol (S: 1.4)"
    assert run(["parse", "g.yaml", "in.tokens", "--stats", "s.tsv"]) == 0
    assert f"g.yaml: {warning}\n" in capsys.readouterr().err
    header, row = (folder / "s.tsv").read_text(encoding="utf-8").splitlines()
    score = dict(zip(header.split("\t"), row.split("\t"), strict=True))["score"]
    assert float(score) == pytest.approx(log(0.9 * 0.333 * 0.667))
    assert run(["inspect", "g.yaml"]) == 0
    assert f"  {warning}\n" in capsys.readouterr().out


def small() -> RefinedModel:
    trees = demo_trees()[:6]
    return train("refined", trees, cycles=1)


def changed_files(content: bytes, number: int):
    """Yield for each byte some files in which that byte differs."""
    for place in range(len(content)):
        for other in Random(place).sample(range(1, 256), number):
            damaged = bytearray(content)
            damaged[place] ^= other
            yield bytes(damaged)


def check_every_byte(path, load, is_same, number):
    """The checksums of gzip and of model files find all changes."""
    content, model = path.read_bytes(), load(path)
    refused = 0
    for damaged in changed_files(content, number):
        path.write_bytes(damaged)
        try:
            loaded = load(path)
        except PlcfrsError:
            refused += 1
        else:  # the change was in an ignored part, such as the time in the header
            assert is_same(loaded, model)
    assert refused > 0.8 * number * len(content)


def check_every_length(path, load):
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(PlcfrsError):
            load(path)


@pytest.fixture
def grammar_path(tmp_path):
    path = tmp_path / "x.plcfrs"
    GrammarModel.train(demo_trees()[:2]).save(path)
    return path


def test_every_byte_of_a_grammar(grammar_path):
    check_every_byte(grammar_path, Grammar.load, same, 1)


@pytest.mark.full
def test_every_byte_of_a_grammar_and_many_changes(grammar_path):
    check_every_byte(grammar_path, Grammar.load, same, 30)


def test_a_grammar_cut_anywhere(grammar_path):
    check_every_length(grammar_path, Grammar.load)


def load_refined(path) -> RefinedGrammar:
    return RefinedModel.load(path).refined


def same_refined(one: RefinedGrammar, other: RefinedGrammar) -> bool:
    return (
        same(one.grammar, other.grammar)
        and one.classes == other.classes
        and list(one.pairs.items()) == list(other.pairs.items())
        and all(
            left.dtype == right.dtype and left.tobytes() == right.tobytes()
            for refinements in zip(one.refinements, other.refinements, strict=True)
            for left, right in zip(*refinements, strict=True)
        )
    )


@pytest.mark.full
def test_every_byte_of_a_refined_grammar(tmp_path):
    path = tmp_path / "x.refined"
    small().save(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_every_byte(path, load_refined, same_refined, 1)


@pytest.mark.full
def test_a_refined_grammar_cut_anywhere(tmp_path):
    path = tmp_path / "x.refined"
    small().save(path)
    check_every_length(path, load_refined)


def test_a_count_of_words_that_is_none(tmp_path):
    """Found by fuzzing."""
    for count in [0, -1, float("nan"), float("inf"), "1", None]:
        model = small()
        model.refined.pairs[next(iter(model.refined.pairs))] = count
        model.save(tmp_path / "x.refined")
        with pytest.raises(PlcfrsError, match=r"cannot read it .*(count of a word|another type)"):
            load_model(tmp_path / "x.refined")


def test_more_substates_than_numbers_for_them(tmp_path):
    """Found by fuzzing: two billion substates of a symbol."""
    model = small()
    states = model.refined.refinements[0].states
    states[-1] = 2_000_000_000
    model.save(tmp_path / "x.refined")
    with pytest.raises(PlcfrsError, match="its substates do not fit its rules"):
        load_model(tmp_path / "x.refined")


def test_a_symbol_that_may_be_misspelt_is_named_before_it_gives_no_parse(folder, capsys):
    for command in [["parse", "g.yaml", "in.tokens"], ["explain", "g.yaml", "a"]]:
        text = NOTHING_BELOW.replace("\n  B -> B A 1", "")
        (folder / "g.yaml").write_text(text, encoding="utf-8")
        run(command)
        warning = "g.yaml: neither rules nor words: B; are they misspelt?\n"
        assert warning in capsys.readouterr().err
