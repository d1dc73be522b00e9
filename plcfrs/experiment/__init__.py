"""Whole experiments from one file: trees, models, parses and scores, which are kept and reused."""

from plcfrs.experiment.folder import Folder, Result
from plcfrs.experiment.loading import load_experiment
from plcfrs.experiment.plan import Experiment
from plcfrs.experiment.report import render, run_experiment

__all__ = ["Experiment", "Folder", "Result", "load_experiment", "render", "run_experiment"]
