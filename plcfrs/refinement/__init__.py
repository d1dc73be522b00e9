"""Refined grammars: substates of symbols, learned by splitting and merging (Petrov et al. 2006)."""

from plcfrs.refinement.decoding import RefinedObjective
from plcfrs.refinement.grammar import RefinedGrammar
from plcfrs.refinement.parser import RefinedParser
from plcfrs.refinement.training import Cycle, Schedule, Step, train, train_product
from plcfrs.refinement.treebank import TrainingSet, compile_trees

__all__ = [
    "Cycle",
    "RefinedGrammar",
    "RefinedObjective",
    "RefinedParser",
    "Schedule",
    "Step",
    "TrainingSet",
    "compile_trees",
    "train",
    "train_product",
]
