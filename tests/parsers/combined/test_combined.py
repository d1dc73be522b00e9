"""Several parsers as one: training, files, parsing, explanations, errors."""

import shutil
from math import inf
from pathlib import Path
from unittest.mock import Mock, patch

import numpy as np
import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.budget import Deadline, OutOfTimeError
from plcfrs.chart.nbest import find_best
from plcfrs.cli import run
from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.evaluation import score
from plcfrs.forest.posteriors import Calibration
from plcfrs.grammar import tag
from plcfrs.grammar.rules import parse_want
from plcfrs.parsers.combined.members import names_of
from plcfrs.parsers.combined.model import CombinedModel
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import check_stopped
from plcfrs.storage import model_file
from plcfrs.trees.tree import span_of

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]
NAMES = ["fine.refined", "quick.gap", "plain.plcfrs"]


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


@pytest.fixture(scope="module")
def folder(trees, tmp_path_factory):
    """A folder with three parsers, which know half of the trees, and their combination."""
    folder = tmp_path_factory.mktemp("combined")
    known = trees[::2]
    train("refined", known, cycles=1).save(folder / "fine.refined")
    train("gap", known, epochs=5).save(folder / "quick.gap")
    train("grammar", known).save(folder / "plain.plcfrs")
    train("combined", trees[1::2], members=paths(folder)).save(folder / "best.combined")
    return folder


@pytest.fixture(scope="module")
def model(folder):
    return load_model(folder / "best.combined")


def test_parses_get_the_functions_of_the_first_member_that_has_any(model):
    first = model.members.all[0].parser
    assert model.completion is first.completion is not None
    assert "NP-SBJ" in str(model.parse(WORDS).tree)


def paths(folder):
    names = ["fine.refined", "quick.gap", "plain.plcfrs"]
    return tuple(str(folder / name) for name in names)


def weights_of(model):
    return {name: model.weights[number] for number, name in enumerate(model.members.names)}


def with_weights(model, weights):
    return CombinedModel(model.members, np.array(weights, np.float64), Calibration(), {})


def test_a_parse(model, trees):
    parse = model.parse(WORDS)
    assert (parse.status, parse.tree.gap_degree(), parse.optimality_gap) == ("parsed", 1, None)
    assert model.kind == "combined"
    assert set(weights_of(model)) == set(NAMES)
    some = trees[1::4]
    first = load_model(model.members.all[0].path)
    parses, alone = ([each.parse(tree).tree for tree in some] for each in (model, first))
    scores = [score(some, found).labelled.f1 for found in (parses, alone)]
    assert scores[0] >= scores[1]


@pytest.mark.full
def test_a_refined_grammar_alone_parses_as_it_does(model, trees):
    fine = model.members.all[0].parser
    alone = with_weights(model, [1, 0, 0] * 2)
    parses = [(alone.parse(tree).tree, fine.parse(tree)) for tree in trees[1::10]]
    known = [(found, parse.tree) for found, parse in parses if parse.status == "parsed"]
    assert all(found == tree for found, tree in known)
    assert len(known) > 2


def test_a_vote_alone_finds_the_nearest_parse(model, trees):
    fine, quick, _ = (member.parser for member in model.members.all)
    alone = with_weights(model, [0, 1, 0] * 2)
    for tree in trees[1::5]:
        wanted = constituents(quick.parse(tree).tree)
        nearest, other = (constituents(each.parse(tree).tree) for each in (alone, fine))
        assert agreement(nearest, wanted) >= agreement(other, wanted)


def constituents(tree):
    return {(node.category, span) for node, span in tree.yields().items()}


def agreement(found, wanted):
    return len(found & wanted) - len(found - wanted)


def test_tags_by_a_member_take_time_of_the_sentence(model, trees, monkeypatch):
    monkeypatch.setattr(model, "tagged", lambda _: check_stopped())
    monkeypatch.setattr(Deadline, "check_time", Mock(side_effect=OutOfTimeError))
    parse = model.parse(trees[0].words())
    assert (parse.status, parse.tree.words()) == ("out of time", trees[0].words())


def test_files(model, folder, trees):
    again = load_model(folder / "best.combined")
    assert again.weights.tolist() == model.weights.tolist()
    assert [again.parse(tree).tree for tree in trees[:5]] == [
        model.parse(tree).tree for tree in trees[:5]
    ]
    again.save(folder / "same.combined")
    assert (folder / "same.combined").read_bytes() == (folder / "best.combined").read_bytes()


@pytest.mark.full
def test_the_same_trees_give_the_same_weights(model, folder, trees):
    again = train("combined", trees[1::2], members=paths(folder))
    assert again.weights.tolist() == model.weights.tolist()


@pytest.mark.full
def test_words_alone(folder, trees):
    parser = train("combined", trees[1:20:2], members=paths(folder), tags="own")
    assert parser.parse([word for word, _ in WORDS]).status == "parsed"
    assert parser.about["tags"] == "own"


def test_without_a_member(model, folder):
    parser = load_model(folder / "best.combined", without=("quick.gap", "plain.plcfrs"))
    assert parser.parse(WORDS).tree == model.members.all[0].parser.parse(WORDS).tree
    with pytest.raises(InputError, match=r"without slow: the members are fine\.refined, quick"):
        load_model(folder / "best.combined", without=("slow",))


def test_n_best(model, trees):
    for tree in trees[1:30:6]:
        found = model.parse_nbest(tree, 5)
        scores = [parse.score for parse in found]
        assert scores == sorted(scores, reverse=True)
        assert found[0].tree == model.parse(tree).tree
        assert len({str(parse.tree) for parse in found}) == len(found)
        assert len(model.parse_nbest(tree, 5, derivations=True)) >= len(found)


def test_n_best_are_explained_one_by_one(model, trees):
    for tree in trees[1:30:6]:
        found = model.parse_nbest(tree, 3, explained=True)
        for parse in found if found[0].status == "parsed" else []:
            rows = parse.explanation.rows
            assert sum(row.score for row in rows) == pytest.approx(parse.score)
            assert constituents_of(rows) == in_order(parse.tree)


def test_what_the_members_say_adds_up(model, trees):
    for tree in trees[1:20:4]:
        parse = model.parse(tree, explained=True)
        rows, titles = parse.explanation.rows, [each.title for each in parse.explanation.columns]
        assert titles == ["posterior", "sum", *NAMES, "at", "constituent"]
        total = sum(row.score for row in rows)
        assert total == pytest.approx(parse.score)
        assert constituents_of(rows) == in_order(parse.tree)
        assert all(0 <= row.cells[0] <= 1 + 1e-9 for row in rows)


def constituents_of(rows):
    return [(row.categories[0], span_of(row.positions)) for row in rows]


def in_order(tree):
    spans = tree.yields()
    return [(node.category, spans[node]) for node in tree.nodes()]


def test_binarized_constituents(model, trees):
    """They are those of the parse and intermediate ones, with at most two children each."""
    longest = 0
    for tree in trees[1:20:4]:
        rows = model.explain(tree).rows
        binarized = model.explain(tree, binarized=True)
        names = {str(symbol) for symbol in model.grammar.nonterminals() if is_inner(symbol)}
        inner = [row for row in binarized.rows if row.cells[-1].split()[0] in names]
        others = [row for row in binarized.rows if row.cells[-1].split()[0] not in names]
        assert constituents_of(others) == constituents_of(rows)
        assert all(len(row.text.split(" -> ")[1].split()) <= 2 for row in binarized.rows)
        totals = [
            np.sum([row.cells[1:-2] for row in each], axis=0) for each in (rows, binarized.rows)
        ]
        assert totals[0] == pytest.approx(totals[1], abs=1e-6)
        lines = binarized.lines()
        assert all(any(line.endswith(row.cells[-1]) for line in lines) for row in inner)
        longest = max(longest, len(inner))
    assert longest


def is_inner(symbol):
    return symbol.kind == "intermediate"


def test_wanted_constituents(model):
    found = model.explain(WORDS, [parse_want(text) for text in ("VP 0,3", "NP 2-3", "S 0-4")])
    lines = found.lines()
    (best,) = (line for line in lines if line.startswith("VP 0,3: in the best parse"))
    assert "S 0-4: not in the forest, so no member could choose it" in lines
    (other,) = (line for line in lines if line.startswith("NP 2-3: "))
    if "not in the best parse" in other:
        assert float(other.split()[-1]) <= float(best.split()[-1])
        assert float(lines[lines.index(other) + 2].split()[0]) >= 0


def test_without_a_parse(folder):
    model = load_model(folder / "best.combined", without=("quick.gap",))
    assert model.parse([("What", "WP"), ("?", "NOTAG")]).status == "unknown tag"
    assert model.parse([(".", ".")] * 3).status == "no parse"
    with pytest.raises(InputError, match="there is no forest to explain: no parse"):
        model.explain([(".", ".")] * 3)
    assert model.parse([]).status == "empty"


@core(1, "words", [[(".", ".")] * 3, [("What", "WP"), ("?", "NOTAG")]])
def test_parses_of_members_are_the_forest_if_grammars_have_none(model, words):
    quick = model.members.all[1].parser
    parse = model.parse(words)
    assert parse.status == "parsed"
    assert parse.tree == quick.parse(words).tree
    assert [token.tag for token in parse.tree.tokens] == [tag for _, tag in words]
    assert len(model.explain(words).rows) == len(list(parse.tree.nodes()))
    assert model.parse_nbest(words, 2)[0].tree == parse.tree


@pytest.mark.full
def test_the_next_grammar_makes_the_forest_if_the_first_cannot(folder, trees, tmp_path):
    """A grammar of a tenth of the trees lacks most parses that one of half of them has."""
    train("refined", trees[::20], cycles=1).save(tmp_path / "small.refined")
    members = (str(tmp_path / "small.refined"), str(folder / "fine.refined"))
    model = train("combined", trees[1:40:2], members=members)
    small, fine = (load_model(member) for member in members)
    for parser in (small, fine, model):
        parser.completion = None  # each has learned its own
    parses = [[parser.parse(tree) for parser in (small, fine, model)] for tree in trees[41::2]]
    statuses = [[parse.status == "parsed" for parse in three] for three in parses]
    assert [False, True, True] in statuses
    assert all(both == (one or other) for one, other, both in statuses)
    voted = [three[1:] for three in parses if three[0].status != "parsed"]
    assert all(both.tree == one.tree for one, both in voted if one.status == "parsed")


def test_members_that_have_moved_or_changed(folder, tmp_path):
    combined = tmp_path / "best.combined"
    combined.write_bytes((folder / "best.combined").read_bytes())
    with pytest.raises(GrammarError, match=r"fine\.refined is missing: keep it there"):
        load_model(combined)
    for path in map(folder.joinpath, ("fine.refined", "quick.gap", "plain.plcfrs")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert load_model(combined).parse(WORDS).status == "parsed"
    (tmp_path / "plain.plcfrs").write_bytes((folder / "fine.refined").read_bytes())
    with pytest.raises(GrammarError, match=r"plain\.plcfrs has changed since: combine again"):
        load_model(combined)


@core(1, "weights", [np.zeros(5), np.full(6, np.nan), np.zeros(6, np.float32)])
def test_damaged_weights(folder, weights):
    contents = model_file.load(folder / "best.combined")
    model_file.save(folder / "bad.combined", contents._replace(arrays={"weights": weights}))
    with pytest.raises(GrammarError, match=r"bad\.combined: this version of plcfrs cannot read it"):
        load_model(folder / "bad.combined")


def test_what_cannot_be_combined(folder, trees, tmp_path):
    fine, quick, _ = paths(folder)
    with pytest.raises(InputError, match="name at least two models"):
        train("combined", trees, members=(fine,))
    same = tmp_path / "other.gap"
    same.write_bytes((folder / "quick.gap").read_bytes())
    with pytest.raises(InputError, match="none of the models has a grammar"):
        train("combined", trees, members=(quick, str(same)))
    with pytest.raises(InputError, match=r"two members are called quick\.gap: name each file once"):
        train("combined", trees, members=(fine, quick, quick))
    with pytest.raises(TreebankError, match="nothing to train on"):
        train("combined", [], members=(fine, quick))


def test_silent_members_count_nothing(model):
    """A member without a parse says nothing, so that the others decide."""
    sentence = Sentence.of(WORDS)
    _, forest = model.parse_with_forest([{tag(name): 0.0} for _, name in WORDS])
    assert model.members.scores(sentence, forest).any()
    assert not model.members.scores(sentence, forest, silent=NAMES).any()


def test_the_command(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    dev = ["--dev", "plcfrs:demo", "--sentences", "100-110", "-o", "new.combined"]
    assert run(["combine", "fine.refined", "quick.gap", *dev]) == 0
    shown = capsys.readouterr().err
    assert "weights 1: forests" in shown
    assert "  no gap     gap" in shown
    assert load_model("new.combined").members.names == ["fine.refined", "quick.gap"]
    assert run(["combine", "fine.refined", *dev]) == 2
    assert run(["combine", "fine.refined", "nothing.gap", *dev]) == 2
    assert run(["inspect", "new.combined"]) == 0
    assert "  no gap     gap" in capsys.readouterr().out


@core(
    1,
    ("files", "names"),
    [
        (["wsj.refined", "wsj.gap"], ["wsj.refined", "wsj.gap"]),
        (["wsj.plcfrs.gz", "wsj.v2.gap"], ["wsj.plcfrs.gz", "wsj.v2.gap"]),
        (["1/x.gap", "2/x.gap", "1/y.gap"], ["1/x.gap", "2/x.gap", "y.gap"]),
        (["a/m/x.gap", "b/m/x.gap"], ["a/m/x.gap", "b/m/x.gap"]),
        (["m/x.gap", "./m/x.gap", "n/../m/x.gap"], 3 * ["x.gap"]),  # the same
    ],
)
def test_members_are_called_by_their_files(files, names):
    assert names_of(list(map(Path, files))) == names


@pytest.mark.full
def test_members_of_the_same_stem_and_in_folders(folder, trees, tmp_path):
    files = [tmp_path / name for name in ("1/wsj.refined", "1/wsj.gap", "2/wsj.gap")]
    for file, path in zip(files, paths(folder), strict=True):
        file.parent.mkdir(exist_ok=True)
        shutil.copy(folder / ("quick.gap" if "gap" in file.name else path), file)
    model = train("combined", trees[:6], members=tuple(map(str, files)))
    assert model.members.names == ["wsj.refined", "1/wsj.gap", "2/wsj.gap"]
    model.save(tmp_path / "best.combined")
    again = load_model(tmp_path / "best.combined", without=("2/wsj.gap",))
    assert again.members.names == model.members.names
    others = CombinedModel.load(tmp_path / "best.combined", members=files)
    assert others.members.names == model.members.names


@pytest.mark.full
def test_the_weights_of_another_parser(folder, trees, monkeypatch, tmp_path, capsys):
    """As for members that were trained again, which the old file would refuse."""
    monkeypatch.chdir(folder)
    again = tmp_path / "again"
    again.mkdir()
    train("refined", trees[::3], cycles=1).save(again / "fine.refined")
    for name in ("quick.gap", "plain.plcfrs"):
        shutil.copy(name, again / name)
    members = [str(again / name) for name in ("fine.refined", "quick.gap", "plain.plcfrs")]
    options = ["--weights", "best.combined", "-o", str(tmp_path / "new.combined")]
    assert run(["combine", *members, *options]) == 0
    new, old = load_model(tmp_path / "new.combined"), load_model("best.combined")
    assert (new.weights == old.weights).all()
    assert new.calibration == old.calibration
    assert [str(each.path.parent) for each in new.members.all] == 3 * [str(again)]
    capsys.readouterr()
    assert run(["combine", *members[1:], *options]) == 2
    known, given = ", ".join(NAMES), ", ".join(NAMES[1:])
    assert f"the weights are for {known}, not for {given}" in capsys.readouterr().err
    assert run(["combine", *members, *options, "--dev", "plcfrs:demo"]) == 2
    assert run(["combine", *members, "-o", "new.combined"]) == 2
    assert run(["combine", *members, "--weights", "plain.plcfrs", "-o", "new.combined"]) == 2


def test_what_no_member_could_judge_is_not_proven(model, trees):
    """Without a forest there is the parse of the grammar alone; others may be better."""

    def find_only_a_parse(search, *_):
        find_best(search)

    with patch("plcfrs.chart.parser.find_forest", find_only_a_parse):
        one, (other,) = model.parse(trees[0]), model.parse_nbest(trees[0], 3)
    assert (
        (one.status, one.optimality_gap) == (other.status, other.optimality_gap) == ("parsed", inf)
    )
    assert one.tree == other.tree


def test_a_folder_has_all_that_a_model_needs(model, tmp_path):
    """The files of the members may be gone, and the folder may be moved."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    model.save_into(old)
    old.rename(new)
    moved = load_model(new / "model")
    assert all(new in member.path.parents for member in moved.members.all)
    assert moved.members.names == model.members.names
    parse, again = model.parse(WORDS), moved.parse(WORDS)
    assert (again.tree, again.score) == (parse.tree, parse.score)
