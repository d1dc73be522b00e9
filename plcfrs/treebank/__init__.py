"""Treebanks: reading and writing trees, with one module per format."""

from plcfrs.treebank.format import Chunk, Format
from plcfrs.treebank.reading import TreeText, parse_texts, read_texts, read_trees
from plcfrs.treebank.registry import FORMATS, WRITABLE, format_of
from plcfrs.treebank.selection import EVERYTHING, Selection
from plcfrs.treebank.writing import TreeWriter, open_output, write_trees

__all__ = [
    "EVERYTHING",
    "FORMATS",
    "WRITABLE",
    "Chunk",
    "Format",
    "Selection",
    "TreeText",
    "TreeWriter",
    "format_of",
    "open_output",
    "parse_texts",
    "read_texts",
    "read_trees",
    "write_trees",
]
