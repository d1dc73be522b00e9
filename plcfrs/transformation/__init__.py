"""From tree to tree: traces, punctuation, splits, continuous trees, dependencies and back."""

from plcfrs.transformation.chains import without_unaries
from plcfrs.transformation.cleanup import (
    attach_low,
    attach_punctuation,
    correct,
    read_corrections,
    remove_null_elements,
    remove_punctuation,
    remove_unary_sbar,
)
from plcfrs.transformation.continuous import merge_nodes, raise_nodes, split_nodes
from plcfrs.transformation.dependencies import (
    Encoding,
    Unaries,
    from_dependencies,
    is_nested,
    is_projective,
    to_dependencies,
)
from plcfrs.transformation.discontinuity import DiscontinuityTable, edge_degree, ill_nested_nodes
from plcfrs.transformation.presets import (
    CONTEXT_FREE,
    EVANG_KALLMEYER,
    Options,
    ReattachmentTable,
    remove_splits,
    split_infinitive,
    split_vp,
    split_wh,
    transform,
    transform_all,
)
from plcfrs.transformation.traces import (
    TRACE_TYPES,
    Anomaly,
    find_pairs,
    find_traces,
    pair_marks,
    reattach_traces,
)

__all__ = [
    "CONTEXT_FREE",
    "EVANG_KALLMEYER",
    "TRACE_TYPES",
    "Anomaly",
    "DiscontinuityTable",
    "Encoding",
    "Options",
    "ReattachmentTable",
    "Unaries",
    "attach_low",
    "attach_punctuation",
    "correct",
    "edge_degree",
    "find_pairs",
    "find_traces",
    "from_dependencies",
    "ill_nested_nodes",
    "is_nested",
    "is_projective",
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
    "to_dependencies",
    "transform",
    "transform_all",
    "without_unaries",
]
