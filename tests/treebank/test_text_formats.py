"""Sentences as text."""

import pytest

from plcfrs.errors import TreebankError
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.trees import Node, Token, Tree

TOKENS = FORMATS["tokens"]
TAGGED = FORMATS["tagged"]


def test_tokens(tmp_path):
    path = tmp_path / "a.tokens"
    path.write_text(" What  should\twe\xa0do ?\r\n\n(S x)\n", encoding="utf-8")
    first, blank, last = read_trees(path)
    assert [token.form for token in first.tokens] == ["What", "should", "we\xa0do", "?"]
    assert {token.tag for token in first.tokens} == {""}
    assert first.root.children == [0, 1, 2, 3]
    assert (blank.tokens, blank.root.children, blank.id) == ([], [], "a:2")
    assert (last.tokens[0].form, last.id) == ("(S", "a:3")


def test_the_last_slash_divides(tmp_path):
    path = tmp_path / "a.tagged"
    path.write_text("1/2/CD //SYM a=b/NN x/--\n", encoding="utf-8")
    (tree,) = read_trees(path)
    assert tree.tokens == [
        Token("1/2", "CD"),
        Token("/", "SYM"),
        Token("a=b", "NN"),
        Token("x", ""),
    ]


def test_tokens_without_a_tag(tmp_path):
    for bad in ["dog", "dog/", "/NN", "/"]:
        path = tmp_path / "a.tagged"
        path.write_text(f"a/DT\n\nthe/DT {bad}\nb/NN\n")
        with pytest.raises(
            TreebankError, match=f"a.tagged:3: expected word/TAG, but found '{bad}'"
        ):
            list(read_trees(path))
        errors = []
        assert [tree.id for tree in read_trees(path, on_error=errors.append)] == [
            "a:1",
            "a:2",
            "a:4",
        ]
        assert len(errors) == 1


def test_an_empty_file_has_no_sentences(tmp_path):
    for name in ["a.tokens", "a.tagged"]:
        (tmp_path / name).touch()
        assert list(read_trees(tmp_path / name)) == []


def test_null_elements_and_blanks():
    tokens = [Token("in front", "IN"), Token("*T*-1", "-NONE-"), Token("it", ""), Token("x", "A/B")]
    tree = Tree(Node("ROOT", children=[0, 1, 2, 3]), tokens)
    assert TOKENS.render(tree, 1) == r"in\u{20}front it x" + "\n"
    assert TAGGED.render(tree, 1) == r"in\u{20}front/IN *T*-1/-NONE- it/-- x/A\u{2F}B" + "\n"
    assert TAGGED.render(Tree(Node("ROOT"), []), 1) == "\n"


def test_a_word_that_is_a_byte_order_mark(tmp_path):
    tree = Tree(Node("ROOT", children=[0]), [Token("\ufeffa", "NN")])
    for name in ("a.tokens", "a.tagged"):
        write_trees([tree], tmp_path / name)
        (found,) = read_trees(tmp_path / name)
        assert found.words() == ["\ufeffa"]
