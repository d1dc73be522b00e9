"""The bracket format: structure, labels, errors with their lines, recovery, round trips."""

import pytest
from hypothesis import given
from strategies import trees

from plcfrs.errors import TreebankError
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.trees import Node, Token, Tree

FORMAT = FORMATS["brackets"]
GOOD = "( (S (NP (PRP We)) (VP (VBP sing))))\n"


@pytest.fixture
def read(tmp_path):
    def reader(text, **options):
        path = tmp_path / "a.mrg"
        path.write_text(text, encoding="utf-8")
        return list(read_trees(path, **options))

    return reader


def read_leniently(read, text):
    errors = []
    trees = read(text, on_error=errors.append)
    return [tree.id for tree in trees], [error.line for error in errors]


def test_a_tree_over_many_lines(read):
    (tree,) = read(
        "\n( (SBARQ\n    (WHNP-1 (WP What) )\n"
        "    (SQ (MD should) (NP-SBJ (PRP we) )\n(VP (VB do) (NP (-NONE- *T*-1) )))\n    (. ?) ))\n"
    )
    assert [token.form for token in tree.tokens] == ["What", "should", "we", "do", "*T*-1", "?"]
    assert [token.tag for token in tree.tokens] == ["WP", "MD", "PRP", "VB", "-NONE-", "."]
    assert [(node.category, node.functions, node.index) for node in tree.nodes()] == [
        ("ROOT", (), None),
        ("SBARQ", (), None),
        ("WHNP", (), 1),
        ("SQ", (), None),
        ("NP", ("SBJ",), None),
        ("VP", (), None),
        ("NP", (), None),
    ]
    assert tree.root.nodes[0].nodes[1].children[0] == 1
    assert tree.root.nodes[0].children[2] == 5
    assert tree.id == "a:1"


def test_there_is_one_root(read):
    for text in [
        "( (S (NN a)))",
        "((S (NN a)))",
        "(S (NN a))",
        "(ROOT (S (NN a)))",
        "(TOP (S (NN a)))",
        "(VROOT (S (NN a)))",
        "( (TOP (S (NN a))))",
        "( S ( NN a ) )",
    ]:
        (tree,) = read(text)
        assert tree == Tree(Node("ROOT", children=[Node("S", children=[0])]), [Token("a", "NN")])


def test_a_root_with_a_function_is_no_root(read):
    (tree,) = read("(ROOT-X (NN a))")
    assert [node.functions for node in tree.nodes()] == [(), ("X",)]


def test_several_trees_on_a_line(read):
    assert [tree.tokens[0].form for tree in read("(A (N a)) (B (N b))(C\n(N c)) (D (N d))")] == [
        "a",
        "b",
        "c",
        "d",
    ]


def test_other_spaces_belong_to_words(read):
    (tree,) = read("(S (CD 10\xa0000) (NN a\u2028b))\r\n")
    assert [token.form for token in tree.tokens] == ["10\xa0000", "a\u2028b"]


def test_errors_name_the_line(read):
    for bad, line, message in [
        ("( (S (NP (PRP We))\n    (VP (VBP sing)))", 2, "missing '\\)': 1"),
        ("( (S\n (NP (PRP We))\n (VP (VBP sing)))))", 4, "extra '\\)'"),
        ("\n)", 3, "extra '\\)'"),
        ("( (S\n (NP the (NN dog))))", 3, "the word 'the' needs"),
        ("( (S (NP\n (DT the dog))))", 3, "the word 'the' needs"),
        ("( (S (NN dog)\n barks))", 3, "the word 'barks' needs"),
        ("( (S (NN a)\n\n (NP )))", 4, r"empty constituent: \(NP\)"),
        ("(X)", 2, r"empty constituent: \(X\)"),
        ("(X ())", 2, "without a label"),
        ("( (S (NN a)\n ( (NN b))))", 3, "without a label"),
        ("\n\nword\n", 4, "'word' is outside all brackets"),
        ("(S (NN a)) word", 2, "'word' is outside all brackets"),
    ]:
        with pytest.raises(TreebankError, match=message) as caught:
            read(f"{GOOD}{bad}\n{GOOD}")
        assert caught.value.line == line
        assert caught.value.path.endswith("a.mrg")


def test_the_next_tree_is_read_after_an_error(read):
    for bad in ["(S (NP))", "(S (NN a)\n  b)", "( (S (NN a))))", "(S (NN a)) b"]:
        assert read_leniently(read, f"{GOOD}{bad}\n{GOOD}")[0] == ["a:1", "a:3"]


def test_text_between_trees_does_not_count_as_a_tree(read):
    assert read_leniently(read, f"{GOOD}word\n{GOOD}") == (["a:1", "a:2"], [2])


def test_after_an_unclosed_tree_the_next_line_with_a_bracket_starts_a_tree(read):
    unclosed = "( (S (NP (PRP We))\n    (VP (VBP sing)))\n"
    assert read_leniently(read, GOOD + unclosed + unclosed + GOOD) == (["a:1", "a:4"], [2, 4])


def test_lines_that_go_on_with_a_tree_need_no_indentation(read):
    assert len(read("(S\n(NP (PRP We))\n(VP (VBP sing)))\n" * 2)) == 2


def test_deep_trees(read):
    depth = 5000
    (tree,) = read("(A " * depth + "(NN a)" + ")" * depth)
    assert len(tree.nodes()) == depth + 1
    assert FORMAT.render(tree, 1).count("(A ") == depth


def test_indices_and_splits_are_kept(read):
    text = "( (S^WH (WHNP-SBJ-1 (WP who)) (NP=2 (NN a))))\n"
    (tree,) = read(text)
    assert tree.root.nodes[0].split == "WH"
    assert tree.root.nodes[0].nodes[1].gap_index == 2
    assert FORMAT.render(tree, 1) == text


def test_what_would_break_the_brackets_is_escaped(read):
    tokens = [Token("in front (of)", "IN"), Token("it", "")]
    tree = Tree(Node("ROOT", children=[Node("P(P)", children=[0]), 1]), tokens)
    text = FORMAT.render(tree, 1)
    assert text == (r"( (P\u{28}P\u{29} (IN in\u{20}front\u{20}-LRB-of-RRB-)) (-- it))" + "\n")
    tokens[0].form = "in front -LRB-of-RRB-"
    assert read(text) == [tree]


def test_a_missing_tag_is_missing_again(read):
    (tree,) = read("( (S (-- it)))")
    assert tree.tokens == [Token("it", "")]


@given(trees())
def test_crossing_branches_are_refused(tree):
    tree.id = "a:7"
    if tree.gap_degree() == 0:
        assert FORMAT.render(tree, 1)
        return
    with pytest.raises(TreebankError, match=r"sentence a:7: .*discbracket.*--reattach none"):
        FORMAT.render(tree, 1)


def test_a_sentence_without_tokens_is_written_as_parsers_do(read):
    assert FORMAT.render(Tree(Node("ROOT"), []), 1) == "(())\n"
    assert len(read(f"\n{GOOD}\n \n{GOOD}\n")) == 2


def test_what_parsers_write_without_a_parse(read):
    for failed in [
        "(())",
        "()",
        "( () )",
        "(S1)",
        "( (TOP ))",
        "(ROOT)",
        "(ROOT (NOPARSE))",
        "NOPARSE",
        "null",
        "((S1))",
        " (VROOT ( ) ) ",
        "no parse",
        "FAILED",
        "SENTENCE_SKIPPED_OR_UNPARSABLE",
    ]:
        first, without, last = read(f"{GOOD}{failed}\n{GOOD}")
        assert (without.id, without.tokens) == ("a:2", [])
        assert [node.category for node in without.nodes()] == ["ROOT"]
        assert first == last


def test_what_is_no_such_sign(read):
    for bad in ["(NP)", "(S1 (NP) S1)", "(S1 (NP))", "(TOP", "( S )", "(S1) a", "none"]:
        with pytest.raises(TreebankError):
            read(f"{GOOD}{bad}\n")
