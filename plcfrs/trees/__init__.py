"""Trees with crossing branches: tokens, nodes, spans, labels and heads."""

from plcfrs.trees.dependency_tree import DependencyTree
from plcfrs.trees.heads import mark_heads
from plcfrs.trees.labels import ROOT, Label, parse_label, render_category, render_label
from plcfrs.trees.tree import NO_PARSE, NULL_TAG, Node, SecondaryEdge, Token, Tree, no_parse

__all__ = [
    "NO_PARSE",
    "NULL_TAG",
    "ROOT",
    "DependencyTree",
    "Label",
    "Node",
    "SecondaryEdge",
    "Token",
    "Tree",
    "mark_heads",
    "no_parse",
    "parse_label",
    "render_category",
    "render_label",
]
