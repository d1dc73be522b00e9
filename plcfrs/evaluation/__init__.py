"""Scores of parses against a gold standard."""

from plcfrs.evaluation.brackets import ALL, FIELD, Counts, Scores, Settings, score
from plcfrs.evaluation.report import render_scores

__all__ = ["ALL", "FIELD", "Counts", "Scores", "Settings", "render_scores", "score"]
