"""Graphs of NetworkX: round trips, and graphs that are not trees."""

import networkx
import pytest
from dependency_strategies import dependency_trees
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.errors import InputError
from plcfrs.interop import from_networkx, to_networkx
from plcfrs.trees import Node, SecondaryEdge, Token, Tree


def small() -> Tree:
    noun_phrase = Node("NP", ("SBJ",), children=[0, 2], split="WH", index=1, gap_index=2)
    tokens = [Token("Was", "PWS"), Token("hilft", "VVFIN", "helfen", "3.Sg"), Token("uns", "PPER")]
    return Tree(Node("ROOT", children=[noun_phrase, 1]), tokens, "s1")


def test_graph():
    graph = to_networkx(small())
    assert sorted(graph.edges) == [(3, 1), (3, 4), (4, 0), (4, 2)]
    assert graph.graph == {"id": "s1"}
    assert graph.nodes[1] == {
        "position": 1,
        "form": "hilft",
        "tag": "VVFIN",
        "lemma": "helfen",
        "morph": "3.Sg",
        "function": "",
    }
    assert graph.nodes[4] == {
        "category": "NP",
        "functions": ("SBJ",),
        "split": "WH",
        "index": 1,
        "gap_index": 2,
        "ancestors": (),
        "intermediate": False,
        "siblings": (),
        "chain": (),
    }


def test_names_of_nodes_and_order_of_edges_do_not_matter():
    graph = networkx.DiGraph()
    graph.add_node("top", category="ROOT")
    graph.add_node("b", position=1, form="now", tag="RB")
    graph.add_node("a", position=0, form="Why", tag="WRB")
    graph.add_edges_from([("top", "b"), ("top", "a")])
    assert from_networkx(graph) == Tree(
        Node("ROOT", children=[0, 1]), [Token("Why", "WRB"), Token("now", "RB")]
    )


@given(trees())
def test_there_and_back(tree):
    back = from_networkx(to_networkx(tree))
    assert back == tree
    assert back.id == tree.id


def test_what_binarization_marks_is_kept():
    tree = small()
    (node,) = tree.root.nodes
    node.ancestors, node.intermediate, node.siblings = ("S", "ROOT"), True, ("DT",)
    assert from_networkx(to_networkx(tree)) == tree


def edges_of(tree: Tree) -> list[tuple[str, int, int]]:
    """The secondary edges: label, child and mother; nodes are numbered after the tokens."""
    numbers = {node: number for number, node in enumerate(tree.nodes(), len(tree.tokens))}
    return [
        (
            edge.label,
            edge.child if isinstance(edge.child, int) else numbers[edge.child],
            numbers[edge.parent],
        )
        for edge in tree.secondary_edges
    ]


def test_secondary_edges():
    tree = small()
    (noun_phrase,) = tree.root.nodes
    tree.secondary_edges = [SecondaryEdge("SB", 1, noun_phrase)]
    graph = to_networkx(tree)
    assert graph.edges[4, 1] == {"secondary": True, "labels": ("SB",)}
    assert graph.edges[3, 1] == {"secondary": False, "labels": ()}
    assert from_networkx(graph) == tree
    assert edges_of(from_networkx(graph)) == [("SB", 1, 4)]


@given(trees(), st.data())
def test_secondary_edges_there_and_back(tree, data):
    """Any edges: also to the node itself, upwards, beside a branch, or twice the same."""
    nodes = tree.nodes()
    children = st.sampled_from([*range(len(tree.tokens)), *nodes])
    labels = st.sampled_from(["SB", "OA", ""])
    edges = st.builds(SecondaryEdge, labels, children, st.sampled_from(nodes))
    tree.secondary_edges = data.draw(st.lists(edges, max_size=5))
    back = from_networkx(to_networkx(tree))
    assert back == tree
    assert sorted(edges_of(back)) == sorted(edges_of(tree))


@given(trees())
def test_networkx_finds_the_same_yields(tree):
    graph = to_networkx(tree)
    spans = [
        sum(1 << n for n in networkx.descendants(graph, number) if n < len(tree.tokens))
        for number, data in graph.nodes.items()
        if "category" in data
    ]
    assert spans == [tree.yields()[node] for node in tree.nodes()]


def change(graph: networkx.DiGraph, how: str) -> networkx.DiGraph:
    match how:
        case "empty":
            return networkx.DiGraph()
        case "undirected":
            return graph.to_undirected()
        case "two mothers":
            graph.add_edge(4, 1)
        case "two roots":
            graph.add_node(9, category="NP")
        case "token with a child":
            graph.remove_edge(3, 1)
            graph.add_edge(0, 1)
        case "secondary edge from a token":
            graph.add_edge(0, 3, secondary=True, labels=("SB",))
        case "childless":
            graph.add_node(9, category="NP")
            graph.add_edge(3, 9)
        case "no category":
            del graph.nodes[4]["category"]
        case "no form":
            del graph.nodes[0]["form"]
        case "no ROOT":
            graph.nodes[3]["category"] = "S"
        case "position twice":
            graph.nodes[0]["position"] = 1
        case "position missing":
            graph.nodes[2]["position"] = 7
    return graph


@core(
    3,
    ("how", "message"),
    [
        ("empty", "not a tree"),
        ("undirected", "not a tree"),
        ("two mothers", "not a tree"),
        ("two roots", "not a tree"),
        ("token with a child", "node 0 of the graph has a position and a child"),
        ("secondary edge from a token", "node 0 of the graph has a position and a child"),
        ("childless", "node 9 of the graph has neither a position nor a child"),
        ("no category", "node 4 of the graph lacks the attribute 'category'"),
        ("no form", "node 0 of the graph lacks the attribute 'form'"),
        ("no ROOT", "the top node 3 of the graph must have the category ROOT"),
        ("position twice", "positions must be 0, 1, 2"),
        ("position missing", "positions must be 0, 1, 2"),
    ],
)
def test_graphs_that_are_no_trees(how, message):
    with pytest.raises(InputError, match=message):
        from_networkx(change(to_networkx(small()), how))


def test_a_secondary_edge_that_has_lost_an_end_is_left_out():
    node = Node("NP", children=[0])
    tree = Tree(Node("ROOT", children=[node]), [Token("so", "ADV")])
    tree.secondary_edges = [SecondaryEdge("MO", 0, Node("VP")), SecondaryEdge("SB", 0, node)]
    graph = to_networkx(tree)
    assert [(u, v, data["labels"]) for u, v, data in graph.edges(data=True)] == [
        (1, 2, ()), (2, 0, ("SB",)),
    ]  # fmt: skip


@given(dependency_trees())
def test_dependencies(tree):
    graph = to_networkx(tree)
    assert len(graph) == len(tree.tokens) + 1
    numbers = range(1, len(tree.tokens) + 1)
    assert [next(iter(graph.predecessors(number))) for number in numbers] == tree.heads
    assert [
        graph.edges[head, number]["relation"]
        for number, head in zip(numbers, tree.heads, strict=True)
    ] == tree.relations
    assert [graph.nodes[number]["form"] for number in numbers] == tree.words()
    with pytest.raises(InputError):
        from_networkx(graph)
