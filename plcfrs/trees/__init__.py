"""Trees with crossing branches: tokens, nodes, spans, labels and heads."""

from plcfrs.trees.labels import parse_label, render_category, render_label
from plcfrs.trees.tree import NO_PARSE, NULL_TAG, ROOT, Node, SecondaryEdge, Token, Tree, no_parse

__all__ = [
    "NO_PARSE",
    "NULL_TAG",
    "ROOT",
    "Node",
    "SecondaryEdge",
    "Token",
    "Tree",
    "no_parse",
    "parse_label",
    "render_category",
    "render_label",
]
