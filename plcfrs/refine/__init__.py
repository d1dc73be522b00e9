"""Refined grammars: substates of symbols, learned by splitting and merging (Petrov et al. 2006)."""

from plcfrs.refine.decoding import RefinedObjective
from plcfrs.refine.grammar import RefinedGrammar
from plcfrs.refine.parser import RefinedParser
from plcfrs.refine.training import Cycle, Schedule, Step, train, train_product
from plcfrs.refine.treebank import TrainingSet, compile_trees

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
