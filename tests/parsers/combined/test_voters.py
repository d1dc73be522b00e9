"""Parses of other programs as members of a combined parser."""

import json
from collections import Counter

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.cli import run
from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.forest.votes import nearest
from plcfrs.grammar import tag
from plcfrs.parsers.combined.members import TRANSFORMATION, Voter, Voters, words_of
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.storage import model_file
from plcfrs.treebank import write_trees
from plcfrs.trees import Tree, no_parse

DOGS = "(ROOT (S (NP (NNS 0=Dogs)) (VP (VBP 1=bark))))"
FLAT = "(ROOT (S (NNS 0=Dogs) (VP (VBP 1=bark))))"


@pytest.fixture(scope="module")
def trees():
    return demo_trees(TRANSFORMATION)


@pytest.fixture(scope="module")
def folder(trees, tmp_path_factory):
    """A folder with a grammar, gold trees, votes that are gold trees, and a combined parser."""
    folder = tmp_path_factory.mktemp("voters")
    train("grammar", trees[:70]).save(folder / "plain.plcfrs")
    write_trees(trees[110:], folder / "gold.export")
    write_trees(trees[:69:-1], folder / "oracle.export")  # in another order
    write_trees(trees[70:100], folder / "some.export")
    members, votes = (str(folder / "plain.plcfrs"),), (f"oracle={folder / 'oracle.export'}",)
    model = train("combined", trees[70:110], members=members, votes=votes)
    model.save(folder / "best.combined")
    return folder


def named(folder, *files):
    return [f"oracle={folder / file}" for file in files]


def test_chances_are_shares_of_the_parses():
    parses = [Tree.from_string(text) for text in (DOGS, FLAT, DOGS)]
    (found,) = Voter.of("other", parses).chances.values()
    counted = Counter(
        (node.category, span) for tree in parses for node, span in tree.yields().items()
    )
    assert found == pytest.approx({each: number / 3 for each, number in counted.items()})


def test_words_are_what_counts():
    voter = Voter.of("other", [Tree.from_string(DOGS), no_parse(["No"], "2")])
    assert not voter.lacks(Sentence.of("Dogs bark"))
    assert voter.lacks(Sentence.of("dogs bark"))
    assert voter.lacks(Sentence.of("No"))
    assert not Voter("silent").lacks(Sentence.of("No"))
    assert words_of(Sentence.of("( he said )")) == words_of(Sentence.of("-LRB- he said -RRB-"))


@pytest.mark.full
def test_traces_become_gaps(trees, folder):
    """A file as the Penn Treebank has it votes like the transformed trees."""
    base = load_model(folder / "plain.plcfrs")
    (voter,) = Voters.read(["demo=plcfrs:demo"]).all
    compared = 0
    for tree in trees[:30]:
        candidates = [{tag(token.tag): 0.0} for token in tree.tokens]
        _, forest = base.parse_with_forest(candidates)
        said = voter.judge(Sentence.of(tree), forest)
        assert said.item_scores.tolist() == nearest(forest, tree).item_scores.tolist()
        compared += bool(tree.gap_degree())
    assert compared


@pytest.mark.full
def test_a_voter_that_knows_everything_is_believed(trees, folder):
    parser = load_model(folder / "best.combined", votes=named(folder, "oracle.export"))
    alone = load_model(folder / "best.combined")
    weights = parser.weights.reshape(2, 2)
    assert (weights[:, 1] > 0).all()
    known = [parser.parse(tree).tree == tree for tree in trees[110:]]
    unknown = [alone.parse(tree).tree == tree for tree in trees[110:]]
    assert sum(known) > sum(unknown)


def test_without_votes(trees, folder):
    alone = load_model(folder / "best.combined")
    assert alone.warning == "no parses from oracle were given; it is ignored"
    base = load_model(folder / "plain.plcfrs")
    for tree in trees[110:120]:
        assert alone.missing(tree) == []
        assert alone.parse(tree).tree == base.parse(tree).tree
    silenced = load_model(folder / "best.combined", without=("oracle",))
    assert silenced.warning == ""
    some = load_model(folder / "best.combined", votes=named(folder, "some.export"))
    assert (some.missing(trees[80]), some.missing(trees[120])) == ([], ["oracle"])
    assert some.parse(trees[120]).tree == base.parse(trees[120]).tree


def test_the_file_has_the_names_and_the_transformation(trees, folder):
    parser = load_model(folder / "best.combined", votes=named(folder, "oracle.export"))
    assert parser.members.names == ["plain.plcfrs", "oracle"]
    assert parser.members.voters.transformation == TRANSFORMATION
    parser.save(folder / "same.combined")
    assert (folder / "same.combined").read_bytes() == (folder / "best.combined").read_bytes()
    explained = parser.explain(trees[111])
    assert [each.title for each in explained.columns[2:4]] == ["plain.plcfrs", "oracle"]


@core(
    1,
    "changes",
    [
        *({"voters": other} for other in ("", [], [1], ["a", "b"], None)),
        *({"transformation": other} for other in ({"no": 1}, [3, 4], None)),
    ],
)
def test_damaged_voters(folder, changes):
    contents = model_file.load(folder / "best.combined")
    header = {"model": json.dumps(json.loads(contents.header["model"]) | changes)}
    model_file.save(folder / "bad.combined", contents._replace(header=header))
    with pytest.raises(GrammarError, match=r"bad\.combined: this version of plcfrs cannot read it"):
        load_model(folder / "bad.combined")


@core(
    1,
    ("votes", "problem"),
    [
        (["other=x.export"], "votes other: the combined parser does not know it"),
        (["oracle=x.export"], r"x\.export: no such file"),
        (["oracle="], "votes oracle=: write NAME=FILE"),
        (["oracle.export", "oracle=x.export"], "votes oracle: two files have this name"),
    ],
    ids=["unknown", "missing", "empty", "twice"],
)
def test_bad_votes(folder, votes, problem):
    with pytest.raises(InputError, match=problem):
        load_model(folder / "best.combined", votes=tuple(votes))


def test_malformed_trees_are_skipped(tmp_path):
    good, bad, no_parse = "( (S (NNS Dogs) (VBP bark)))", "( (S (NNS Dogs) bark))", "(())"
    (tmp_path / "some.mrg").write_text(f"{good}\n{bad}\n{no_parse}\n{bad}\n")
    (voter,) = Voters.read([str(tmp_path / "some.mrg")]).all
    assert not voter.lacks(Sentence.of("Dogs bark"))
    assert "votes some: malformed trees skipped: 2; the first: " in voter.warning
    (tmp_path / "none.mrg").write_text(f"{bad}\n")
    with pytest.raises(TreebankError, match=r"none\.mrg:1"):
        Voters.read([str(tmp_path / "none.mrg")])


def test_a_voter_of_other_sentences(trees, folder):
    members = (str(folder / "plain.plcfrs"),)
    votes = (str(folder / "gold.export"),)
    with pytest.raises(InputError, match="votes gold: the file has none of these sentences"):
        train("combined", trees[70:80], members=members, votes=votes)


@pytest.mark.full
def test_the_commands(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    dev = ["--dev", "plcfrs:demo", "--sentences", "71-110", "-o", "new.combined"]
    assert run(["combine", "plain.plcfrs", *dev, "--votes", "oracle=some.export"]) == 0
    shown = capsys.readouterr().err
    assert "no parses from oracle: 10 of 40 sentences" in shown
    assert "oracle" in shown.splitlines()[-1]
    assert run(["inspect", "new.combined"]) == 0
    assert "oracle" in capsys.readouterr().out.splitlines()[-1]
    for jobs in "12":
        command = ["parse", "new.combined", "gold.export", "-o", f"found{jobs}.export"]
        assert run([*command, "--jobs", jobs, "--votes", "oracle.export"]) == 0
    assert (folder / "found1.export").read_bytes() == (folder / "found2.export").read_bytes()
    capsys.readouterr()
    explain = ["explain", "new.combined", "--treebank", "gold.export", "--votes"]
    assert run([*explain, "oracle.export"]) == 0
    assert "plain.plcfrs  oracle" in capsys.readouterr().out
    assert run([*explain, "oracle=some.export"]) == 0
    assert "no parse of this sentence from oracle" in capsys.readouterr().err
    assert run(["parse", "new.combined", "gold.export"]) == 0
    assert (
        "new.combined: no parses from oracle were given; it is ignored" in capsys.readouterr().err
    )
    assert run(["parse", "new.combined", "gold.export", "--votes", "oracle=some.export"]) == 2
    assert "votes oracle: the file has none of these sentences" in capsys.readouterr().err
