"""Traces that a transformation has turned into crossing branches, and back."""

import json

import pytest
import trace_examples
from bracket import read
from demo_trees import raw_demo_trees
from hypothesis import given

from plcfrs.errors import InputError, TreebankError
from plcfrs.transformation import Options, transform, transform_reversibly
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Tree, restore_traces
from plcfrs.trees.annotation import HOLE

VARIANTS = (
    Options(),
    Options(keep_sbar=True, splits=()),
    Options(reattach=()),
    Options(reattach=("*ICH*",), pair_marks=True),
    Options(punctuation="high", attach_low=True),
)
EXAMPLES = [
    text for name, text in vars(trace_examples).items() if name.isupper() and isinstance(text, str)
]


@pytest.mark.parametrize("options", VARIANTS, ids=range(len(VARIANTS)))
def test_all_constructions_come_back(options):
    trees = [*map(read, EXAMPLES), *raw_demo_trees()]
    for tree in trees:
        assert restore_traces(transform_reversibly(tree, options)) == tree


@pytest.mark.parametrize("options", VARIANTS, ids=range(len(VARIANTS)))
@given(text=trace_examples.brackets())
def test_random_trees_come_back(options, text):
    tree = read(text)
    transformed = transform_reversibly(tree, options)
    if transformed.tokens:
        assert restore_traces(transformed) == tree


@pytest.mark.full
def test_all_null_elements_of_the_penn_treebank_come_back(penn_treebank):
    trees = [tree for tree in penn_treebank if transform(tree).tokens]
    for tree in trees:
        assert restore_traces(transform_reversibly(tree)) == tree


def test_small_trees_say_what_belongs_where():
    tree = transform_reversibly(read(trace_examples.WH))
    place, trace = tree.annotation.removed
    assert [token.tag for token in place.tree.tokens] == [HOLE]
    assert (place.mother.category, place.position, place.parts[0].category) == ("SBARQ", 0, "WHNP")
    assert (trace.mother.category, trace.position, trace.parts) == ("VP", 4, [])


def test_a_copy_has_its_own_annotation():
    tree = transform_reversibly(read(trace_examples.WH))
    copy = tree.copy()
    assert {removed.mother for removed in copy.annotation.removed} <= {*copy.nodes()}
    restored = restore_traces(copy)
    copy.annotation.removed[-1].tree.tokens[0].form = "0"
    assert restored == read(trace_examples.WH)


def test_penn_has_traces_instead_of_crossing_branches():
    penn, brackets = FORMATS["penn"].render, FORMATS["brackets"].render
    for text in EXAMPLES:
        tree = read(text)
        assert penn(transform_reversibly(tree), 1) == brackets(tree, 1)


def test_penn_has_traces_by_rule_for_what_the_annotation_leaves():
    tree = transform_reversibly(Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))"))
    assert FORMATS["penn"].render(tree, 1) == (
        "( (S (WP-1 (WP What)) (PRP we) (VP (VB do) (WP (-NONE- *T*-1)))))\n"
    )


def test_what_cannot_be_undone_is_refused():
    for options in (Options(punctuation="remove"), Options(continuous="split")):
        with pytest.raises(InputError, match="the annotation cannot be kept"):
            transform_reversibly(read(trace_examples.WH), options)


def test_json_holds_the_annotation(tmp_path):
    trees = [transform_reversibly(tree) for tree in raw_demo_trees()]
    path = tmp_path / "trees.jsonl"
    path.write_text("".join(FORMATS["json"].render(tree, 1) for tree in trees), encoding="utf-8")
    for tree, original in zip(read_trees(path), raw_demo_trees(), strict=True):
        assert restore_traces(tree) == original


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mother", 99),
        ("position", -1),
        ("tree", "(NP (-NONE- *)"),
        ("tree", "(NP (NN word))"),
        ("tree", "(-NONE- *) (-NONE- *)"),
        ("parts", []),
        ("parts", [{"node": 0}]),
        ("parts", [{"token": 99}]),
    ],
)
def test_a_wrong_annotation_is_refused(field, value):
    line = json.loads(FORMATS["json"].render(transform_reversibly(read(trace_examples.WH)), 1))
    line["annotation"]["removed"][0][field] = value
    with pytest.raises(TreebankError, match=r"f\.json:1: "):
        FORMATS["json"].parse(Chunk("f.json", 1, json.dumps(line), 1))
