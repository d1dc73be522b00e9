"""Trees as NetworkX graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plcfrs.errors import InputError
from plcfrs.trees import ROOT, DependencyTree, Label, Node, SecondaryEdge, Token, Tree

if TYPE_CHECKING:
    import networkx

_WORD_FIELDS = ("form", "tag", "lemma", "morph")
_TOKEN_FIELDS = (*_WORD_FIELDS, "function")


def to_networkx(tree: Tree | DependencyTree) -> networkx.DiGraph[int]:
    """Return a tree as a directed graph, with edges from mothers (or heads) to children.

    The numbers of tokens are their positions; constituents follow, mothers before children. In a
    dependency tree, the root is 0, and words follow. Attributes are the fields of tokens and of
    labels, and the position or relation. An edge from a second mother has ``secondary=True``; the
    `labels` of an edge are the labels of the secondary edges between its nodes.

    Examples
    --------
    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0])]), [Token("What", "WP")])
    >>> graph = to_networkx(tree)
    >>> list(graph.edges), graph.nodes[2]["category"], graph.nodes[0]["form"]
    ([(1, 2), (2, 0)], 'NP', 'What')
    >>> to_networkx(DependencyTree([Token("Why", "WRB")], [0], ["root"])).edges.data()
    OutEdgeDataView([(0, 1, {'relation': 'root'})])
    """
    import networkx

    if isinstance(tree, DependencyTree):
        return _of_dependencies(tree)
    graph: networkx.DiGraph[int] = networkx.DiGraph(id=tree.id)
    for position, token in enumerate(tree.tokens):
        values = {name: getattr(token, name) for name in _TOKEN_FIELDS}
        graph.add_node(position, position=position, **values)
    numbers = {node: number for number, node in enumerate(tree.nodes(), len(tree.tokens))}
    for node, number in numbers.items():
        graph.add_node(number, **node.label._asdict())
    for node, number in numbers.items():
        for child in node.children:
            below = child if isinstance(child, int) else numbers[child]
            graph.add_edge(number, below, secondary=False, labels=())
    for edge in tree.secondary_edges:
        source = numbers.get(edge.parent)
        target = edge.child if isinstance(edge.child, int) else numbers.get(edge.child)
        if source is None or target is None:
            continue  # a transformation has removed one end
        if not graph.has_edge(source, target):
            graph.add_edge(source, target, secondary=True, labels=())
        graph.edges[source, target]["labels"] += (edge.label,)
    return graph


def _of_dependencies(tree: DependencyTree) -> networkx.DiGraph[int]:
    import networkx

    graph: networkx.DiGraph[int] = networkx.DiGraph(id=tree.id)
    graph.add_node(0)
    for number, token in enumerate(tree.tokens, start=1):
        graph.add_node(number, **{name: getattr(token, name) for name in _WORD_FIELDS})
    for number, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True), 1):
        graph.add_edge(head, number, relation=relation)
    return graph


def from_networkx(graph: networkx.DiGraph[Any]) -> Tree:
    """Return a graph as a tree; the inverse of `to_networkx` for constituent trees.

    Nodes may have any names. Tokens need a position, form and tag, constituents a category. Edges
    with ``secondary=True`` are not branches. The graph must be a tree from ROOT to tokens at
    positions 0, 1, 2, ...; anything else is an InputError.
    """
    import networkx

    branches = _branches(graph)
    if not (graph and graph.is_directed() and networkx.is_arborescence(branches)):
        raise InputError(
            "the graph is not a tree: expected one root, and one mother for every other node"
        )
    tokens = _tokens(graph)
    built = {
        name: Node(**_values(graph, name, Label._fields, required=("category",)))
        for name in graph
        if "position" not in graph.nodes[name]
    }
    for mother, child in branches.edges:
        if mother not in built:
            raise _word_with_child(mother)
        children = built[mother].children
        children.append(built[child] if child in built else graph.nodes[child]["position"])
    for name, node in built.items():
        if not node.children:
            raise InputError(f"node {name!r} of the graph has neither a position nor a child")
    root = next(name for name, degree in branches.in_degree if degree == 0)
    if root not in built or built[root].category != ROOT:
        raise InputError(f"the top node {root!r} of the graph must have the category {ROOT}")
    tree = Tree(built[root], tokens, graph.graph.get("id", ""))
    tree.sort_children()
    tree.secondary_edges = _secondary_edges(graph, built)
    return tree


def _word_with_child(name: object) -> InputError:
    return InputError(f"node {name!r} of the graph has a position and a child")


def _branches(graph: networkx.DiGraph[Any]) -> networkx.DiGraph[Any]:
    branches = graph.copy()
    branches.remove_edges_from(
        [(u, v) for u, v, data in graph.edges(data=True) if data.get("secondary")]
    )
    return branches


def _secondary_edges(graph: networkx.DiGraph[Any], built: dict[Any, Node]) -> list[SecondaryEdge]:
    edges: list[SecondaryEdge] = []
    for mother, name, data in graph.edges(data=True):
        labels = data.get("labels", ())
        if labels and mother not in built:
            raise _word_with_child(mother)
        child = built[name] if name in built else graph.nodes[name]["position"]
        edges.extend(SecondaryEdge(label, child, built[mother]) for label in labels)
    return edges


def _tokens(graph: networkx.DiGraph[Any]) -> list[Token]:
    positions = [data["position"] for _, data in graph.nodes.items() if "position" in data]
    names = {data["position"]: name for name, data in graph.nodes.items() if "position" in data}
    if len(names) < len(positions) or names.keys() != set(range(len(names))):
        raise InputError(f"the positions must be 0, 1, 2, ... once each, but are {positions}")
    return [
        Token(**_values(graph, names[position], _TOKEN_FIELDS, required=("form", "tag")))
        for position in range(len(names))
    ]


def _values(
    graph: networkx.DiGraph[Any], name: object, wanted: tuple[str, ...], required: tuple[str, ...]
) -> dict[str, Any]:
    data = graph.nodes[name]
    for attribute in required:
        if attribute not in data:
            raise InputError(f"node {name!r} of the graph lacks the attribute {attribute!r}")
    return {attribute: data[attribute] for attribute in wanted if attribute in data}
