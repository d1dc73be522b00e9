"""Checks of indices: what has an index has a partner, and traces have an antecedent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from plcfrs.checking.finding import Finding
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import TRACE_TYPES, null_parts

_KIND = "index"
_OTHERS = ("0", "*0*", "*U*", "*?*")  # null elements that do not stand for another phrase


def check_indices(tree: Tree) -> Iterator[Finding]:
    """Yield what is wrong with the indices of a tree.

    >>> tree = Tree.from_string("(SBARQ (WHNP-2 (WP Who)) (SQ (NP (-NONE- *T*-1)) (VBD left)))")
    >>> for finding in check_indices(tree):
    ...     print(finding.label, finding.message)
    -NONE- *T*-1 has no antecedent: no node has the index 1
    WHNP-2 no null element has the index 2
    """
    nodes = tree.nodes()
    indexed = defaultdict(list)
    for node in nodes:
        if node.index is not None:
            indexed[node.index].append(node)
    nulls = {
        place: null_parts(token.form) for place, token in enumerate(tree.tokens) if token.is_null
    }
    free = {
        place for place, (form, index) in nulls.items() if index is None and form not in _OTHERS
    }
    placeholders = _placeholders(nodes, free)
    used = {index for _, index in nulls.values()} | {node.gap_index for node in nodes}
    for place, (form, index) in nulls.items():
        if index is not None and index not in indexed:
            message = f"{tree.tokens[place].form} has no antecedent: no node has the index {index}"
            yield Finding.at(tree, place, _KIND, message, 0.95)
        is_linked = index is not None or any(place in node.children for node in placeholders)
        if form in TRACE_TYPES and not is_linked:
            yield Finding.at(tree, place, _KIND, f"{form} has no index", 0.8)
    for index, owners in indexed.items():
        fillers = [node for node in owners if node not in placeholders]
        if index not in used and (len(owners) == 1 or len(fillers) == len(owners)):
            message = f"no null element has the index {index}"
            yield Finding.at(tree, owners[0], _KIND, message, 0.8)
        for node in fillers[1:]:  # a placeholder may be an antecedent, too
            yield Finding.at(tree, node, _KIND, f"two nodes have the index {index}", 0.9)
    gaps = Counter(node.gap_index for node in nodes)
    for node in nodes:
        is_alone = gaps[node.gap_index] == 1 and node.gap_index not in indexed
        if node.gap_index is not None and is_alone:
            message = f"no node has the index {node.gap_index} of this part of a gapped clause"
            yield Finding.at(tree, node, _KIND, message, 0.9)


def _placeholders(nodes: list[Node], nulls: set[int]) -> set[Node]:
    """Return the nodes that have an index in place of their null elements, as in CRAFT."""
    return {node for node in nodes if node.index is not None and nulls.issuperset(node.leaves())}
