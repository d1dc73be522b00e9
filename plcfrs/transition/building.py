"""Trees from the result of a search, the inverse of `prepare`."""

from __future__ import annotations

import numpy as np

from plcfrs.binarization.chains import nodes_of
from plcfrs.transition.kernel.arrays import Search
from plcfrs.transition.kernel.results import A_PART, A_TOKEN, COLUMNS, collect_tree
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.labels import parse_chain


class TreeBuilder:
    """Makes trees from final states, given the labels of symbols."""

    def __init__(self, labels: dict[int, str]) -> None:
        self._chains = {
            symbol: (label._replace(chain=()), *label.chain)
            for symbol, label in ((symbol, parse_chain(text)) for symbol, text in labels.items())
        }

    def build(self, search: Search, state: int, tokens: list[Token]) -> Tree:
        """Return the tree of a final state, without intermediate nodes and with unary chains."""
        rows = np.empty((3 * len(tokens), COLUMNS), np.int32)
        lines = rows[: collect_tree(search, state, rows)].tolist()
        lines.sort()  # children by their first token, after their mothers
        lowest: dict[int, Node] = {}
        for first, number, symbol, mother, is_head, _ in lines:
            if symbol == A_PART:
                continue
            child: Node | int = first - 1
            if symbol != A_TOKEN:
                chain = nodes_of(self._chains[symbol])
                child, lowest[number] = chain[0], chain[-1]
            if mother >= 0:
                if is_head:
                    lowest[mother].head = len(lowest[mother].children)
                lowest[mother].children.append(child)
            else:
                root = child
        assert isinstance(root, Node)
        return Tree(root, tokens)
