"""Checks of indices: what has an index has a partner, and traces have an antecedent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plcfrs.checking.finding import Finding
from plcfrs.trees import Tree
from plcfrs.trees.antecedents import antecedents
from plcfrs.trees.tree import TRACE_TYPES, null_parts

_KIND = "indices"


def check_indices(tree: Tree) -> Iterator[Finding]:
    """Yield what is wrong with the indices of a tree.

    >>> tree = Tree.from_string("(SBARQ (WHNP-2 (WP Who)) (SQ (NP (-NONE- *T*-1)) (VBD left)))")
    >>> for finding in check_indices(tree):
    ...     print(finding.label, finding.message)
    -NONE- *T*-1 has no antecedent
    WHNP-2 no null element has the index 2
    """
    nodes, phrases = tree.nodes(), antecedents(tree)
    fillers = set(phrases.values())
    indexed = Counter(node.index for node in nodes)
    gaps = Counter(node.gap_index for node in nodes)
    mothers = tree.mothers()
    standing = {mothers[null] for null in phrases}
    for place, token in enumerate(tree.tokens):
        form, index = null_parts(token.form)
        if token.is_null and place not in phrases and (index or form in TRACE_TYPES):
            yield Finding.at(tree, place, _KIND, f"{token.form} has no antecedent", 0.9)
    for node in nodes:
        is_linked = node in fillers or node in standing or gaps[node.index]
        is_chain = indexed[node.index] > 1 and all(tree.tokens[i].is_null for i in node.leaves())
        if node.index is not None and not is_linked and not is_chain:
            what = "two nodes have" if indexed[node.index] > 1 else "no null element has"
            yield Finding.at(tree, node, _KIND, f"{what} the index {node.index}", 0.8)
        if node.gap_index is not None and gaps[node.gap_index] == 1 and not indexed[node.gap_index]:
            message = f"no node has the index {node.gap_index} of this part of a gapped clause"
            yield Finding.at(tree, node, _KIND, message, 0.9)
