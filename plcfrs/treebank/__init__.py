"""Treebanks: trees from files and to files, one format a module."""

from plcfrs.treebank.format import Chunk, Format
from plcfrs.treebank.reading import read_trees
from plcfrs.treebank.registry import FORMATS, WRITABLE, format_of
from plcfrs.treebank.writing import TreeWriter, open_output, write_trees

__all__ = [
    "FORMATS",
    "WRITABLE",
    "Chunk",
    "Format",
    "TreeWriter",
    "format_of",
    "open_output",
    "read_trees",
    "write_trees",
]
