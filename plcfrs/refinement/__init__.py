"""Refined grammars: substates of symbols, learned by splitting and merging (Petrov et al. 2006)."""

from plcfrs.refinement.decoding import RefinedObjective
from plcfrs.refinement.grammar import RefinedGrammar
from plcfrs.refinement.training import (
    Cycle,
    Refining,
    Schedule,
    Step,
    run_together,
    train,
    train_product,
)
from plcfrs.refinement.treebank import TrainingSet, compile_trees

__all__ = [
    "Cycle",
    "RefinedGrammar",
    "RefinedObjective",
    "Refining",
    "Schedule",
    "Step",
    "TrainingSet",
    "compile_trees",
    "run_together",
    "train",
    "train_product",
]
