import json

import pytest
from demo_trees import demo_trees, raw_demo_trees

from plcfrs.experiment.folder import dump_tree, load_tree, read_tree_lines
from plcfrs.trees import Node, Token, Tree


def test_nothing_is_lost():
    for tree in demo_trees():
        found = load_tree(json.loads(json.dumps(dump_tree(tree))))
        assert found == tree
        assert found.id == tree.id
        marks = [(node.head, node.moved, node.split) for node in tree.nodes()]
        assert [(node.head, node.moved, node.split) for node in found.nodes()] == marks


def test_all_that_a_token_has():
    token = Token("gehst", "VVFIN", "gehen", "2.Sg", "HD")
    node = Node(
        "S", ("X", "Y"), children=[0], split="WH", head=0, index=1, gap_index=2, moved="*T*"
    )
    (found,) = load_tree(dump_tree(Tree(Node("ROOT", children=[node]), [token]))).root.nodes
    assert (found.functions, found.index, found.gap_index) == (("X", "Y"), 1, 2)
    assert load_tree(dump_tree(Tree(Node("ROOT", children=[0]), [token]))).tokens == [token]


@pytest.mark.full
def test_very_deep_trees():
    node = Node("X", children=[0])
    for _ in range(5000):
        node = Node("X", children=[node])
    tree = Tree(Node("ROOT", children=[node]), [Token("a", "A")])
    assert load_tree(json.loads(json.dumps(dump_tree(tree)))) == tree


def test_files(tmp_path):
    path = tmp_path / "trees.jsonl"
    trees = raw_demo_trees()
    path.write_text("".join(json.dumps(dump_tree(tree)) + "\n" for tree in trees), "utf-8")
    assert list(read_tree_lines(path)) == trees
