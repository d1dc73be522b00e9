"""Transformations of trees: traces, punctuation, category splits, and continuous trees."""

from plcfrs.transformation.cleanup import remove_null_elements, remove_unary_sbar
from plcfrs.transformation.continuous import merge_nodes, raise_nodes, split_nodes
from plcfrs.transformation.corrections import correct, read_corrections
from plcfrs.transformation.discontinuity import DiscontinuityTable, edge_degree, ill_nested_nodes
from plcfrs.transformation.pairs import find_pairs, pair_marks
from plcfrs.transformation.presets import (
    CONTEXT_FREE,
    EVANG_KALLMEYER,
    Options,
    transform,
    transform_all,
)
from plcfrs.transformation.punctuation import attach_punctuation, remove_punctuation
from plcfrs.transformation.roots import attach_low
from plcfrs.transformation.splits import remove_splits, split_infinitive, split_vp, split_wh
from plcfrs.transformation.statistics import ReattachmentTable
from plcfrs.transformation.traces import TRACE_TYPES, Anomaly, find_traces, reattach_traces

__all__ = [
    "CONTEXT_FREE",
    "EVANG_KALLMEYER",
    "TRACE_TYPES",
    "Anomaly",
    "DiscontinuityTable",
    "Options",
    "ReattachmentTable",
    "attach_low",
    "attach_punctuation",
    "correct",
    "edge_degree",
    "find_pairs",
    "find_traces",
    "ill_nested_nodes",
    "merge_nodes",
    "pair_marks",
    "raise_nodes",
    "read_corrections",
    "reattach_traces",
    "remove_null_elements",
    "remove_punctuation",
    "remove_splits",
    "remove_unary_sbar",
    "split_infinitive",
    "split_nodes",
    "split_vp",
    "split_wh",
    "transform",
    "transform_all",
]
