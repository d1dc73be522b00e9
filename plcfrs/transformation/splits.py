"""Category splits (Evang and Kallmeyer 2011, section 4.2), kept as a field of the node."""

from __future__ import annotations

from plcfrs.transformation.traces import find_traces
from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.heads import lexical_heads

WH, INFINITIVE = "WH", "INF"
VP_SPLITS = {"VB": "HINF", "TO": "HTO", "VBN": "HPART", "VBG": "HPART"}
INFINITIVE_TAGS = ("VB", "TO")


@on_copy
def split_wh(tree: Tree) -> Tree:
    """Mark S as SWH if it is the sister of a wh-phrase that fills a trace inside the S."""
    yields = tree.yields()
    traces: dict[int, int] = {}
    for trace in find_traces(tree):
        traces[trace.index] = traces.get(trace.index, 0) | 1 << trace.position
    for mother in tree.nodes():
        moved = 0
        for filler in mother.nodes:
            if filler.category.startswith("WH") and filler.index is not None:
                moved |= traces.get(filler.index, 0)
        for sister in mother.nodes:
            if sister.category == "S" and yields[sister] & moved:
                sister.split = WH
    return tree


@on_copy
def split_vp(tree: Tree) -> Tree:
    """Mark VP as VPHINF, VPHTO or VPHPART, by the tag of the marked lexical head."""
    heads = lexical_heads(tree)
    for node in tree.nodes():
        if node.category == "VP" and node in heads:
            node.split = VP_SPLITS.get(tree.tokens[heads[node]].tag, "")
    return tree


@on_copy
def split_infinitive(tree: Tree) -> Tree:
    """Mark S as SINF if it is not SWH and its marked head is VPHINF or VPHTO (marked or not)."""
    heads = lexical_heads(tree)
    for node in tree.nodes():
        if node.category == "S" and node.head is not None and node.split != WH:
            head = node.children[node.head]
            if isinstance(head, Node) and head.category == "VP":
                is_infinitive = tree.tokens[heads[head]].tag in INFINITIVE_TAGS
                node.split = INFINITIVE if is_infinitive else ""
    return tree


@on_copy
def remove_splits(tree: Tree) -> Tree:
    """Remove the category splits of all nodes."""
    for node in tree.nodes():
        node.split = ""
    return tree
