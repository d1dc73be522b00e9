"""Scores of parses against gold trees.

`plcfrs.evaluation.comparison`, which compares parsers, is not imported here: it needs NumPy, which
would slow down the start of plcfrs.
"""

from plcfrs.evaluation.attachment import (
    CONSTRUCTIONS,
    DEPENDENCY_TYPES,
    AttachmentCounts,
    AttachmentScores,
    ConstructionScores,
    DependencyScores,
    attachment_table,
    construction_table,
    constructions,
    dependencies,
    dependency_table,
    wrong_words,
)
from plcfrs.evaluation.bracketing import Counts, Scores, Sentence, compare_sentences
from plcfrs.evaluation.brackets import Evaluation, differences, evaluate, score, summarize
from plcfrs.evaluation.errors_by_type import (
    ERROR_TYPES,
    BracketError,
    ErrorSummary,
    error_table,
    errors_of,
    example_table,
    find_errors,
    summarize_errors,
)
from plcfrs.evaluation.html import Drawing, draw_differences, render_html
from plcfrs.evaluation.prm import ALL, FIELD, Settings, load_settings
from plcfrs.evaluation.report import REPORTS, Table, main_tables, render_scores, tables

__all__ = [
    "ALL",
    "CONSTRUCTIONS",
    "DEPENDENCY_TYPES",
    "ERROR_TYPES",
    "FIELD",
    "REPORTS",
    "AttachmentCounts",
    "AttachmentScores",
    "BracketError",
    "ConstructionScores",
    "Counts",
    "DependencyScores",
    "Drawing",
    "ErrorSummary",
    "Evaluation",
    "Scores",
    "Sentence",
    "Settings",
    "Table",
    "attachment_table",
    "compare_sentences",
    "construction_table",
    "constructions",
    "dependencies",
    "dependency_table",
    "differences",
    "draw_differences",
    "error_table",
    "errors_of",
    "evaluate",
    "example_table",
    "find_errors",
    "load_settings",
    "main_tables",
    "render_html",
    "render_scores",
    "score",
    "summarize",
    "summarize_errors",
    "tables",
    "wrong_words",
]
