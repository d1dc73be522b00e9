"""The simulated annotator: it reaches every gold tree, and counts what this takes."""

import sys
from pathlib import Path

from demo_trees import raw_demo_trees

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from repairs import Shape, best_edits
from simulate_annotator import annotated

from plcfrs.parsing import train
from plcfrs.project import NamedTree
from plcfrs.project.operations import perform
from plcfrs.transformation import Options, transform, transform_reversibly
from plcfrs.trees import Tree


def shape(text):
    return Shape(NamedTree.new(Tree.from_string(text)))


def test_the_best_edit_repairs_the_tree():
    gold = shape("(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN in) (NN hats)))))")
    for text, errors in [
        ("(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN in) (NN hats))))", 1),
        ("(S (NP (PRP I)) (VP (VBD saw) (NP (VP (DT a) (NN man)) (PP (IN in) (NN hats)))))", 2),
        ("(S (NP (PRP I)) (VP (VBD saw)) (NP (NP (DT a) (NN man)) (PP (IN in) (NN hats))))", 2),
        ("(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man) (IN in)) (PP (NN hats)))))", 4),
    ]:
        now = shape(text)
        assert now.errors(gold) == errors
        best, *_ = best_edits(now, gold)
        after, _ = perform(NamedTree(now.tree, now.names), best)
        assert Shape(after).errors(gold) == 0


def test_chains_of_the_same_words_have_an_order():
    assert shape("(S (VP (VBD left)))").errors(shape("(VP (S (VBD left)))")) == 2


def test_all_gold_trees_are_reached():
    options = Options(splits=(), keep_sbar=True)
    trees = raw_demo_trees()
    model = train("grammar", [transform_reversibly(tree, options) for tree in trees[:40]])
    crossing = [transform(tree, options) for tree in trees[40:42]]
    for gold, nulls in ((crossing, False), (trees[40:42], True)):
        for constraints in (True, False):
            works = annotated(model, gold, nulls=nulls, constraints=constraints)
            assert all(work.is_reached for work in works)
            assert any(work.distance for work in works)
            assert nulls == any(work.nulls for work in works)
            assert constraints == any(work.seconds for work in works)
