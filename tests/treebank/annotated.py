"""Trees with everything that the formats of NeGra and TIGER hold, and their comparison."""

from hypothesis import strategies as st
from strategies import trees

from plcfrs.trees import SecondaryEdge
from plcfrs.trees.tree import token_parts


@st.composite
def annotated_trees(draw):
    """Trees with lemmas, morphology, edge labels, splits and secondary edges."""
    tree = draw(trees())
    texts = st.sampled_from(["", "a", "Sg.Nom", "#500", "%%"])
    for token in tree.tokens:
        token.lemma, token.morph, token.function = draw(texts), draw(texts), draw(texts)
    nodes = tree.nodes()
    for node in nodes[1:]:
        node.split = draw(st.sampled_from(["", "WH"]))
    children = st.sampled_from([*range(len(tree.tokens)), *nodes[1:]])
    edges = st.builds(SecondaryEdge, st.sampled_from(["", "SB"]), children, st.sampled_from(nodes))
    tree.secondary_edges = draw(st.lists(edges, max_size=3))
    return tree


def numbered_edges(tree):
    """Return secondary edges in a form that does not depend on the identity of nodes."""
    place = {node: f"node {number}" for number, node in enumerate(tree.nodes())}
    return sorted(
        (edge.label, str(place.get(edge.child, edge.child)), place[edge.parent])
        for edge in tree.secondary_edges
    )


def all_of(tree):
    """Return all that a tree has, also what does not count when trees are compared."""
    place = {node: f"node {number}" for number, node in enumerate(tree.nodes())}
    nodes = [
        (node.label, node.head, node.moved, [place.get(child, child) for child in node.children])
        for node in place
    ]
    edges = [
        (edge.label, place.get(edge.child, edge.child), place[edge.parent])
        for edge in tree.secondary_edges
    ]
    return tree.id, nodes, list(map(token_parts, tree.tokens)), edges
