"""Functions, null elements and indices for trees that have none."""

from collections import Counter

import pytest
from bracket import read
from demo_trees import demo_trees, raw_demo_trees
from hypothesis import given
from strategies import trees

from plcfrs.completion import Completion
from plcfrs.errors import GrammarError, TreebankError
from plcfrs.transformation import (
    Options,
    find_traces,
    remove_null_elements,
    transform,
    transform_reversibly,
)
from plcfrs.trees import Node, Token, Tree, restore_traces
from plcfrs.trees.tree import check_tree


def annotated():
    return [*map(transform_reversibly, raw_demo_trees())]


@pytest.fixture(scope="module")
def completion():
    return Completion.train(annotated()[:110], Options())


def bare(tree):
    """Return what a parser would give: no functions, no annotation, no types of traces."""
    tree = tree.copy().forget_splits()
    tree.annotation = None
    for node in tree.nodes():
        node.functions, node.moved = (), None
    return tree


def shape(tree):
    spans = tree.yields()
    return [(node.category, spans[node]) for node in tree.nodes()]


def test_the_tree_stays_as_it_was(completion):
    for tree in demo_trees()[110:]:
        given = bare(tree)
        before = given.copy()
        completed = completion(given)
        assert shape(completed) == shape(given)
        assert given == before
        assert given.annotation is None
        assert [token.form for token in completed.tokens] == tree.words()


def test_most_of_what_is_learned_comes_back(completion):
    functions, nulls = Counter(), Counter()
    for tree, original in zip(annotated(), raw_demo_trees(), strict=True):
        completed = completion(bare(tree))
        for node, other in zip(tree.nodes(), completed.nodes(), strict=True):
            functions[node.functions == other.functions] += bool(node.functions)
        nulls[restore_traces(completed) == original] += 1
    assert functions[True] > 0.95 * functions.total()
    assert nulls[True] > 0.7 * nulls.total()


def test_a_filler_and_its_trace_have_the_same_index(completion):
    tree = Tree.from_string(
        "(SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=we))) (. 4=?))"
    )
    restored = restore_traces(completion(tree))
    (trace,) = find_traces(restored)
    (filler,) = (node for node in restored.nodes() if node.category == "WHNP")
    assert filler.index == trace.index
    assert restored.gap_degree() == 0


def test_unknown_trees_are_completed_too(completion):
    for tree in ("(X (Y (Z 0=a) (Z 2=c)) (Z 1=b))", "(NOPARSE (Z 0=a) (Z 1=b))", "(VP (VB 0=go))"):
        given = Tree.from_string(tree)
        assert shape(completion(given)) == shape(given)
    assert completion(Tree(Node("ROOT"), [])).tokens == []


def test_the_style_of_the_indices_is_learned():
    def moved(tree):
        for trace in find_traces(tree):
            token = tree.tokens[trace.position]
            token.form, trace.placeholder.index = trace.type, trace.index
        return tree

    trees = [transform_reversibly(moved(tree)) for tree in raw_demo_trees()]
    completion = Completion.train(trees, Options())
    assert completion.on_nodes
    restored = restore_traces(completion(bare(trees[0])))
    assert all(trace.placeholder.index == trace.index for trace in find_traces(restored))
    assert find_traces(restored)


@pytest.mark.parametrize(
    ("verb", "antecedent"), [("promised", "Kim"), ("told", "Robin"), ("asked", None)]
)
def test_the_verb_decides_who_controls_an_infinitive(verb, antecedent):
    def sentence(subject, verb, person, last, indices):
        return Tree.from_string(
            f"(S (NP-SBJ{indices['subject']} (NNP {subject})) (VP (VBD {verb}) "
            f"(NP{indices['object']} (NNP {person})) (S (NP-SBJ (-NONE- *PRO*{indices['null']})) "
            f"(VP (TO to) (VP (VB {last}))))))"
        )

    controls = {
        "promised": {"subject": "-1", "object": "", "null": "-1"},
        "told": {"subject": "", "object": "-1", "null": "-1"},
        "asked": {"subject": "", "object": "", "null": ""},
    }
    trees = [
        sentence(subject, each, person, last, indices)
        for each, indices in controls.items()
        for subject, person, last in [("Ann", "Bo", "come"), ("Bo", "Ann", "sing")] * 3
    ]
    completion = Completion.train([*map(transform_reversibly, trees)], Options())
    gold = sentence("Kim", verb, "Robin", "sleep", controls[verb])
    restored = restore_traces(completion(bare(transform(gold))))
    found = [restored.tokens[min(node.leaves())].form for node in restored.nodes() if node.index]
    assert found == ([antecedent] if antecedent else [])


def test_functions_of_words_without_null_elements():
    clause = Node("S", children=[Node("NP", ("SB",), children=[0, 1]), 2])
    tokens = [
        Token("Der", "ART", function="NK"),
        Token("Hund", "NN", function="NK"),
        Token("bellt", "VVFIN", function="HD"),
    ]
    sentence = Tree(Node("ROOT", children=[clause]), tokens)
    completion = Completion.train([sentence] * 3, Options())
    without = bare(sentence)
    for token in without.tokens:
        token.function = ""
    completed = completion(without)
    assert completed.nodes()[2].functions == ("SB",)
    assert [token.function for token in completed.tokens] == ["NK", "NK", "HD"]


def test_punctuation_that_was_attached_elsewhere_is_not_a_null_element():
    clause = Node("S", children=[Node("NP", ("SB",), children=[0]), 1])
    tokens = [Token("Sie", "PPER"), Token("singt", "VVFIN"), Token(".", "$.")]
    tree, options = Tree(Node("ROOT", children=[clause, 2]), tokens), Options(punctuation="low")
    learned = Completion.train([transform_reversibly(tree, options)] * 3, options)
    assert learned.nulls is None
    assert learned(bare(transform(tree, options))).nodes()[2].functions == ("SB",)


def test_models_are_read_again(completion, tmp_path):
    path = tmp_path / "demo.completion"
    completion.save(path)
    tree = bare(demo_trees()[120])
    assert restore_traces(Completion.load(path)(tree)) == restore_traces(completion(tree))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(GrammarError):
        Completion.load(path)


def test_the_same_seed_gives_the_same_model(tmp_path):
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        Completion.train(annotated()[:30], Options(), seed=3).save(file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_surrounding_phrase_goes_back_around_its_parenthesis():
    tree = read(
        "(S-1 (NP-SBJ (PRP it)) (PRN (, ,) (S (NP-SBJ (PRP she)) (VP (VBD said)"
        " (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,)) (VP (VBD rained)) (. .))"
    )
    learned = Completion.train([transform_reversibly(tree)] * 3, Options())
    assert restore_traces(learned(bare(transform(tree, Options())))) == tree


def test_every_crossing_branch_gets_a_trace(completion):
    tree = Tree.from_string(
        "(S (X (A (Y 0=a)) (B (Z 2=c))) (V 1=b) (X (A (Y 3=d)) (B (Q 5=f))) (V 4=e))"
    )
    restored = restore_traces(completion(tree))
    assert restored.words() == ["a", "b", "c", "d", "e", "f"]
    assert restored.gap_degree() == 0
    assert len(find_traces(restored)) == 2


def test_null_elements_are_refused(completion):
    with pytest.raises(TreebankError, match=r"null element \*T\*-1: transform the treebank first"):
        completion(read("(S (NP (-NONE- *T*-1)) (VP (VB go)))"))


@given(tree=trees())
def test_any_tree_is_completed(completion, tree):
    completed = completion(tree)
    assert shape(completed) == shape(tree)
    restored = restore_traces(completed)
    assert restored.words() == tree.words()
    assert restored.gap_degree() == 0
    check_tree(remove_null_elements(restored))
