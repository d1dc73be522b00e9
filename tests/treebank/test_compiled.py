"""Compiled treebanks: trees come back as they were, from memory and from files."""

import gzip
import io
import os
import sys
import zipfile
from itertools import chain, cycle, islice
from pathlib import Path

import nasty
import numpy as np
import pytest
from annotated import all_of, annotated_trees
from demo_trees import demo_trees, raw_demo_trees
from hypothesis import given
from hypothesis import strategies as st
from quick import core, examples
from strategies import trees

from plcfrs.errors import InputError, TreebankError
from plcfrs.storage import model_file
from plcfrs.storage.model_file import ModelFile
from plcfrs.transformation import transform_all
from plcfrs.treebank import Selection, read_trees
from plcfrs.treebank.compilation import compile_part, compile_trees, elements_of, joined
from plcfrs.treebank.compiled import CompiledTrees
from plcfrs.trees import Label, Node, SecondaryEdge, Token, Tree
from plcfrs.trees.tree import runs

TEXTS = nasty.texts().filter(lambda text: "\0" not in text)
NAMES = st.lists(TEXTS, max_size=2).map(tuple)
INDICES = st.none() | st.integers(0, 10**9)
LABELS = st.recursive(
    st.builds(Label, TEXTS),
    lambda below: st.builds(
        Label,
        TEXTS,
        NAMES,
        st.just("") | TEXTS,
        INDICES,
        INDICES,
        NAMES,
        st.booleans(),
        NAMES,
        st.lists(below, max_size=2).map(tuple),
    ),
    max_leaves=3,
)
KINDS = st.tuples(LABELS, st.none() | st.integers(0, 3), st.none() | TEXTS)
PLACES = st.none() | st.integers(0, 2**31 - 1)
TOKENS = st.builds(Token, *[TEXTS] * 2, *[st.just("") | TEXTS] * 3, PLACES, PLACES)


@st.composite
def nasty_trees(draw):
    """Trees with everything that trees can have."""
    tree = draw(trees(max_tokens=6))
    tree.id = draw(TEXTS)
    tree.tokens = draw(st.lists(TOKENS, min_size=len(tree.tokens), max_size=len(tree.tokens)))
    kinds = draw(st.lists(KINDS, min_size=1, max_size=3))
    for node, (label, head, moved) in zip(tree.nodes(), cycle(kinds), strict=False):
        for part, value in label._asdict().items():
            setattr(node, part, value)
        node.head, node.moved = head, moved
    node = st.sampled_from(tree.nodes())
    edge = st.builds(SecondaryEdge, TEXTS, node | st.sampled_from(range(len(tree.tokens))), node)
    tree.secondary_edges = draw(st.lists(edge, max_size=2))
    return tree


TREEBANKS = st.lists(annotated_trees() | nasty_trees(), max_size=4)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("compiled") / "a.treebank"


def saved(compiled, path):
    """Return the bytes of a file with compiled trees."""
    compiled.save(path)
    return path.read_bytes()


def all_in(some):
    return list(map(all_of, some))


@examples(20)
@given(TREEBANKS)
def test_trees_come_back_from_a_file(path, some):
    compile_trees(some).save(path)
    assert all_in(CompiledTrees.load(path)) == all_in(some)


def tower(levels):
    """A tree with as many unary nodes above its token."""
    node = Node("NP", children=[0])
    for _ in range(levels - 1):
        node = Node("NP", children=[node])
    return Tree(node, [Token("deep", "JJ")])


ODD = {
    "without tokens": Tree(Node("ROOT"), []),
    "an empty node": Tree(Node("ROOT", children=[Node("NP"), 0]), [Token("a", "DT")]),
    "tokens outside": Tree(Node("ROOT", children=[1]), [Token("a", "X"), Token("b", "Y")]),
    "children out of order": Tree(Node("ROOT", children=[1, 0]), [Token("b", "Y")] * 2),
    "3,000 levels": tower(3000),
    "no ASCII": Tree(Node("日本", children=[0]), [Token("\U0001f600", "é")], "straße"),
    "surrogates": Tree(Node("\ud800", children=[0]), [Token("\udcff", "\ud800")], "\udfff"),
    "empty texts": Tree(Node("", children=[0]), [Token("", "")]),
    "only the end known": Tree(Node("ROOT", children=[0]), [Token("a", "X", end=1)]),
    "a NUL in a label": Tree(Node("\0", children=[0]), [Token("a", "DT")]),
}


@core(2, "name", ODD)
def test_an_odd_tree_comes_back_among_others(name, path):
    some = [*demo_trees()[:2], ODD[name], *demo_trees()[2:4]]
    compile_trees(some).save(path)
    assert all_in(CompiledTrees.load(path)) == all_in(some)


def test_no_trees_come_back(path):
    compile_trees([]).save(path)
    assert list(CompiledTrees.load(path)) == []


def test_trees_are_a_sequence():
    some = demo_trees()[:5]
    compiled = compile_trees(some)
    assert (len(compiled), compiled[-1], compiled[1:4]) == (5, some[-1], some[1:4])
    with pytest.raises(IndexError):
        compiled[5]


def test_a_tree_is_made_anew_each_time():
    compiled = compile_trees(demo_trees()[:1])
    compiled[0].root.children.clear()
    assert compiled[0] == demo_trees()[0]


def test_a_word_with_nul_is_refused(path):
    compiled = compile_trees([Tree(Node("ROOT", children=[0]), [Token("\0", "X")])])
    with pytest.raises(InputError, match="cannot compile a text with a NUL"):
        compiled.save(path)


def test_columns_that_do_not_fit_are_refused(path):
    contents = ModelFile.of("treebank", model=compile_trees(demo_trees()[:2]))
    cut = contents.arrays | {"up": contents.arrays["up"][:-1]}
    model_file.save(path, contents._replace(arrays=cut))
    with pytest.raises(TreebankError, match="or damaged"):
        list(read_trees(path))


@examples(40)
@given(st.lists(TREEBANKS, max_size=3))
def test_joined_parts_are_what_is_compiled_at_once(path, parts):
    found = saved(joined(list(map(compile_part, parts))), path)
    assert found == saved(compile_part(chain(*parts)), path)


@examples(20)
@given(TREEBANKS)
def test_the_same_trees_give_the_same_bytes(path, some):
    first = saved(compile_trees(some), path)
    assert saved(CompiledTrees.load(path), path) == first
    assert saved(compile_trees(CompiledTrees.load(path)), path) == first


@examples(40)
@given(st.lists(trees(), max_size=3))
def test_runs_are_those_of_the_yields(some):
    compiled = compile_trees(some)
    for number, tree in enumerate(some):
        place, base = int(compiled.tree_places[number]), int(compiled.tree_numbers[number])
        for at, element in enumerate(elements_of(tree), start=place):
            span = tree.yields()[element] if isinstance(element, Node) else 1 << element
            assert compiled.runs(at) == [(base + left, base + right) for left, right in runs(span)]


@examples(40)
@given(st.lists(trees(), max_size=3))
def test_sizes_and_mothers_are_those_of_the_nodes(some):
    compiled = compile_trees(some)
    for number, tree in enumerate(some):
        places = {e: at for at, e in enumerate(elements_of(tree), compiled.tree_places[number])}
        for node in tree.nodes():
            below = [*node.preorder(), *(child for n in node.preorder() for child in n.children)]
            assert compiled.size[places[node]] == len(set(below))
            for child in node.children:
                assert places[child] - compiled.up[places[child]] == places[node]


def test_a_node_without_tokens_has_no_runs():
    compiled = compile_trees([ODD["an empty node"]])
    assert list(map(compiled.runs, range(3))) == [[(0, 1)], [], [(0, 1)]]


def test_the_trees_of_places():
    compiled = compile_trees(demo_trees()[:3])
    starts = compiled.tree_places
    assert compiled.tree_of(np.append(starts[:3], starts[1:] - 1)).tolist() == [0, 1, 2, 0, 1, 2]


def test_splits_can_be_left_out():
    without = compile_trees(demo_trees()).without_splits()
    assert all_in(without) == all_in(tree.forget_splits() for tree in demo_trees())


@pytest.fixture
def demo(path):
    """The demo treebank, compiled."""
    compile_trees(demo_trees()).save(path)
    return path


def test_a_file_is_read_like_any_treebank(demo):
    assert all_in(read_trees(demo)) == all_in(demo_trees())


def test_a_file_is_recognized_by_its_content(demo):
    other = demo.rename(demo.with_suffix(".xyz"))
    assert len(list(read_trees(other))) == 140


def test_sentences_are_selected_by_number(demo):
    few = Selection((range(3, 5), range(140, 200)))
    assert [tree.id for tree in read_trees(demo, selection=few)] == ["demo:3", "demo:4", "demo:140"]


def test_sentences_are_selected_by_length(demo):
    short = Selection(max_length=5)
    assert list(read_trees(demo, selection=short)) == [
        tree for tree in demo_trees() if len(tree.tokens) <= 5
    ]


def test_trees_without_a_name_get_one(path):
    compile_trees([ODD["3,000 levels"]]).save(path)
    assert [tree.id for tree in read_trees(path)] == ["a:1"]


def test_a_file_that_has_changed_is_read_anew(demo):
    assert len(list(read_trees(demo))) == 140
    compile_trees(demo_trees()[:7]).save(demo)
    os.utime(demo, ns=(1, 1))  # a coarse clock
    assert len(list(read_trees(demo))) == 7


def test_trees_of_a_file_stay_when_it_changes(demo):
    before = CompiledTrees.load(demo)
    compile_trees(demo_trees()[:7]).save(demo)
    assert list(before) == demo_trees()


def damaged(data):
    return data[:-1] + bytes([data[-1] ^ 1])


WRONG = {
    "a damaged byte": (damaged, "or damaged: compile it with plcfrs index"),
    "a damaged header": (lambda data: data.replace(b"kind_", b"find_", 1)[:200], "compile it"),
    "cut off": (lambda data: data[:-100], "or damaged: compile it with plcfrs index"),
    "without columns": (lambda data: data[:300], "or damaged: compile it with plcfrs index"),
    "empty": (lambda _: b"", "compile it with plcfrs index"),
    "a grammar": (lambda _: b"plcfrs: 1\nstart: S\nrules: S -> A 1\n", "compile it"),
    "a text": (lambda _: b"We sing .\n", "not a compiled treebank of this version"),
}


def test_a_wrong_file_is_told_in_a_line(demo):
    for name in WRONG:
        change, message = WRONG[name]
        demo.write_bytes(change(demo.read_bytes()))
        with pytest.raises(TreebankError, match=message) as error:
            list(read_trees(demo))
        assert str(error.value).startswith(f"{demo}: ")
        assert "\n" not in str(error.value)


def test_a_model_is_no_compiled_treebank(path):
    model_file.save(path, ModelFile("gap", {}, {"weights": np.zeros(3)}))
    with pytest.raises(TreebankError, match="not a compiled treebank"):
        list(read_trees(path))


def test_trees_in_brackets_are_read_whatever_the_file_is_called(path):
    path.write_text("( (S (NP (PRP We)) (VP (VBP sing))))\n")
    assert [tree.words() for tree in read_trees(path)] == [["We", "sing"]]


def zipped(path):
    name = str(path.with_suffix(".zip"))
    with zipfile.ZipFile(name, "w") as archive:
        archive.write(path, path.name)
    return name


def gzipped(path):
    name = f"{path}.gz"
    Path(name).write_bytes(gzip.compress(path.read_bytes()))
    return name


def test_a_packed_file_is_refused(demo):
    for pack in [zipped, gzipped]:
        with pytest.raises(TreebankError, match="must be an uncompressed file"):
            list(read_trees(pack(demo)))


def test_a_pipe_is_refused(demo, monkeypatch):
    for format in [None, "compiled"]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(demo.read_bytes())))
        with pytest.raises(TreebankError, match="must be an uncompressed file"):
            list(read_trees("-", format))


def check_real_trees(some, path):
    """Check that real trees come back from a file, part after part; return their number."""
    rest, number = iter(some), 0
    while part := list(islice(rest, 3000)):
        compile_trees(part).save(path)
        assert all_in(CompiledTrees.load(path)) == all_in(part)
        number += len(part)
    return number


def test_the_demo_treebank_comes_back(path):
    for some in [demo_trees, raw_demo_trees]:
        assert check_real_trees(some(), path) == 140


@pytest.mark.full
def test_the_penn_treebank_comes_back(penn_treebank, path):
    assert check_real_trees(penn_treebank, path) == 3914
    assert check_real_trees(transform_all(penn_treebank), path) == 3914


@pytest.mark.full
def test_the_potsdam_corpus_comes_back(potsdam, path):
    assert check_real_trees(read_trees(potsdam), path) > 2100


@pytest.mark.full
def test_icepahc_comes_back(icepahc, path):
    every_fifth = islice(read_trees(icepahc), 0, None, 5)
    assert check_real_trees(every_fifth, path) > 12_000
