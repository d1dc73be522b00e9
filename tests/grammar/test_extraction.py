"""Extraction and its inverse: figure 6, random trees, and the Penn Treebank sample."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.errors import TreebankError
from plcfrs.grammar import (
    Derivation,
    Grammar,
    Nonterminal,
    Rule,
    binarize,
    derivation_of,
    extract,
    proper_gaps,
    rebuild,
    tag,
)
from plcfrs.transformation import transform
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.tree import fan_out

FIGURE_6 = Path(__file__).parents[2] / "grammars" / "evang-kallmeyer-figure-6.yaml"
TREEBANKS = st.lists(trees(), min_size=1, max_size=4)


def what_should_i_do() -> Tree:
    vp = Node("VP", children=[Node("WHNP", children=[0]), 3])
    sq = Node("SQ", children=[vp, 1, Node("NP", children=[2])])
    words = [("What", "WP"), ("should", "MD"), ("I", "PRP"), ("do", "VB"), ("?", ".")]
    tokens = [Token(form, tag) for form, tag in words]
    return Tree(Node("ROOT", children=[Node("SBARQ", children=[sq, 4])]), tokens)


def tree_of_two(node: Node) -> Tree:
    return Tree(Node("ROOT", children=[0, node]), [Token("a", "B")] * 2, "s7")


def naively_extracted(tree: Tree) -> list[Rule]:
    """Section 3: variables are leaves; sequences of variables of one child become one variable."""
    rules = []
    for node in tree.nodes():
        owner = {}
        for number, child in enumerate(node.children):
            leaves = [child] if isinstance(child, int) else leaves_of(child)
            owner.update(dict.fromkeys(leaves, number))
        components: list[list[int]] = []
        for leaf in sorted(owner):
            if leaf - 1 not in owner:
                components.append([owner[leaf]])
            elif owner[leaf - 1] != owner[leaf]:
                components[-1].append(owner[leaf])
        rhs = tuple(
            tag(tree.tokens[child].tag) if isinstance(child, int) else symbol(child)
            for child in node.children
        )
        rules.append(Rule(symbol(node), rhs, tuple(map(tuple, components))))
    return rules


def symbol(node: Node) -> Nonterminal:
    leaves = leaves_of(node)
    arguments = sum(leaf - 1 not in leaves for leaf in leaves)
    return Nonterminal(node.category, arguments, node.split)


def leaves_of(node: Node) -> list[int]:
    below = [child for part in node.preorder() for child in part.children]
    return [child for child in below if isinstance(child, int)]


def test_figure_6():
    extracted = extract([what_should_i_do()])
    figure = Grammar.load(FIGURE_6)
    root = Rule(Nonterminal("ROOT"), (figure.start,), ((0,),))
    assert extracted.rules == {root: 1, **figure.rules}
    assert extracted.lexicon.words == figure.lexicon.words
    assert extracted.fan_out() == 2
    assert set(extracted.costs().values()) == {0}


def test_counts_and_probabilities_of_two_trees():
    tree = Tree(Node("ROOT", children=[Node("NP", children=[0])]), [Token("it", "PRP")])
    other = Tree(Node("ROOT", children=[Node("NP", children=[0, 1])]), [Token("it", "PRP")] * 2)
    grammar = extract([tree, other, tree])
    assert sorted((str(rule), p) for rule, p in grammar.probabilities().items()) == [
        ("NP -> PRP PRP [0 1]", pytest.approx(1 / 3)),
        ("NP -> PRP [0]", pytest.approx(2 / 3)),
        ("ROOT -> NP [0]", 1),
    ]
    assert grammar.lexicon.words == {"it": {tag("PRP"): 4}}


def test_splits_and_functions_are_parts_of_symbols():
    clause = Node("S", ("NOM",), children=[0], split="WH")
    tree = Tree(Node("ROOT", children=[clause]), [Token("go", "VB")])
    symbols = [str(rule.lhs) for rule in derivation_of(tree).rules()]
    assert symbols == ["S^WH", "ROOT"]
    symbols = [str(rule.lhs) for rule in derivation_of(tree, functions=True).rules()]
    assert symbols == ["S^WH-NOM", "ROOT"]
    assert rebuild(derivation_of(tree, functions=True), tree.tokens) == tree


def test_a_tag_with_the_name_of_a_category_stays_a_tag():
    tree = Tree(Node("ROOT", children=[Node("NN", children=[0])]), [Token("ferry", "NN")])
    grammar = extract([tree])
    assert Rule(Nonterminal("NN"), (tag("NN"),), ((0,),)) in grammar.rules


@core(
    1,
    ("tree", "message"),
    [
        (Tree(Node("ROOT"), [], "s7"), "sentence s7: .*no tokens"),
        (Tree(Node("S", children=[0]), [Token("a", "B")], "s7"), "sentence s7: .*must be ROOT"),
        (Tree(Node("ROOT", children=[0]), [Token("*T*", "-NONE-")], "s7"), r"s7: null .*\*T\*"),
        (Tree(Node("ROOT", children=[0]), [Token("a", "")], "s7"), "s7: token 'a' has no tag"),
        (tree_of_two(Node("NP")), "s7: a node 'NP' has no children"),
        (tree_of_two(Node("", children=[1])), "s7: a node '' has no category"),
        (tree_of_two(Node("NP", children=[2])), "s7: the tree does not have the tokens"),
        (Tree(Node("ROOT", children=[0]), [Token("a", "B")] * 2, "s7"), "does not have the tokens"),
    ],
)
def test_trees_that_cannot_be_derived(tree, message):
    with pytest.raises(TreebankError, match=message):
        extract([tree])


@given(trees())
def test_rules_of_random_trees(tree):
    rules = derivation_of(tree).rules()
    assert sorted(rules) == sorted(naively_extracted(tree))


@given(TREEBANKS)
def test_extracted_rules_are_monotone_without_empty_or_touching_ranges(treebank):
    grammar = extract(treebank)
    grammar.check()
    assert proper_gaps(grammar).grammar is grammar
    for rule in grammar.rules:
        children = [child for component in rule.yield_function for child in component]
        assert all(rule.yield_function)
        assert list(dict.fromkeys(children)) == list(range(rule.rank))  # ordered by leftmost leaf
        assert not any(
            left == right for part in rule.yield_function for left, right in pairwise(part)
        )


@given(TREEBANKS)
def test_one_count_for_each_node_and_token(treebank):
    grammar = extract(treebank)
    assert sum(grammar.rules.values()) == sum(len(tree.nodes()) for tree in treebank)
    assert sum(grammar.lexicon.totals().values()) == sum(len(tree.tokens) for tree in treebank)
    widest = max(fan_out(span) for tree in treebank for span in tree.yields().values())
    assert grammar.fan_out() == widest


@given(trees())
def test_rebuilding_is_the_inverse(tree):
    derivation = derivation_of(tree, functions=True)
    rebuilt = rebuild(derivation, tree.tokens, "s7")
    assert rebuilt == tree
    assert rebuilt.id == "s7"
    assert derivation_of(rebuilt, functions=True) == derivation


@pytest.mark.full
def test_deep_trees_need_no_recursion():
    top = Node("X", children=[2000])
    for position in reversed(range(2000)):
        top = Node("X", children=[position, top])
    tree = Tree(Node("ROOT", children=[top]), [Token("a", "A")] * 2001)
    assert rebuild(derivation_of(tree), tree.tokens) == tree


def test_whatever_the_start_symbol_the_top_node_is_root():
    tokens = [Token("ferry", "NN")]
    assert rebuild(Derivation(tag("NN")), tokens) == Tree(Node("ROOT", children=[0]), tokens)
    np = Derivation(Nonterminal("NP"), ((0,),), (Derivation(tag("NN")),))
    expected = Tree(Node("ROOT", children=[Node("NP", children=[0])]), tokens)
    assert rebuild(np, tokens) == expected


@pytest.fixture
def transformed(penn_treebank):
    return [tree for tree in map(transform, penn_treebank) if tree.tokens]


@pytest.mark.full
def test_rebuilding_the_penn_treebank(transformed):
    assert len(transformed) > 3900
    assert sum(bool(tree.discontinuous_nodes()) for tree in transformed) > 500
    for tree in transformed:
        assert rebuild(derivation_of(tree, functions=True), tree.tokens) == tree


@pytest.mark.full
def test_rules_of_the_penn_treebank(transformed):
    for tree in transformed:
        assert sorted(derivation_of(tree).rules()) == sorted(naively_extracted(tree))


@pytest.mark.full
@pytest.mark.parametrize("binarized", [False, True])
@pytest.mark.parametrize("name", ["grammar.yaml", "grammar.plcfrs"])
def test_the_grammar_of_the_penn_treebank_survives_its_files(
    transformed, tmp_path, name, binarized
):
    grammar = extract(transformed, functions=True)
    if binarized:
        grammar = binarize(grammar)
    grammar.save(tmp_path / name)
    loaded = Grammar.load(tmp_path / name)
    assert loaded == grammar
    assert list(loaded.rules) == list(grammar.rules)
