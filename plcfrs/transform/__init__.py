"""Transformations of trees, from traces to crossing branches to split categories."""

from plcfrs.transform.cleanup import remove_null_elements, remove_unary_sbar
from plcfrs.transform.corrections import correct, read_corrections
from plcfrs.transform.presets import (
    CONTEXT_FREE,
    EVANG_KALLMEYER,
    Options,
    transform,
    transform_all,
)
from plcfrs.transform.splits import remove_splits, split_infinitive, split_vp, split_wh
from plcfrs.transform.statistics import ReattachmentTable
from plcfrs.transform.traces import TRACE_TYPES, Anomaly, find_traces, reattach_traces

__all__ = [
    "CONTEXT_FREE",
    "EVANG_KALLMEYER",
    "TRACE_TYPES",
    "Anomaly",
    "Options",
    "ReattachmentTable",
    "correct",
    "find_traces",
    "read_corrections",
    "reattach_traces",
    "remove_null_elements",
    "remove_splits",
    "remove_unary_sbar",
    "split_infinitive",
    "split_vp",
    "split_wh",
    "transform",
    "transform_all",
]
