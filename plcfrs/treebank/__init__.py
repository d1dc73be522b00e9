"""Treebanks: reading and writing trees, with one module per format."""

from plcfrs.treebank.format import Chunk, Format
from plcfrs.treebank.reading import (
    EVERYTHING,
    Selection,
    TreeText,
    has_dependencies,
    parse_texts,
    read_dependencies,
    read_texts,
    read_trees,
)
from plcfrs.treebank.registry import DEPENDENCY_FORMATS, FORMATS, WRITABLE, format_of
from plcfrs.treebank.writing import (
    DependencyWriter,
    TreeWriter,
    open_output,
    write_dependencies,
    write_trees,
)

__all__ = [
    "DEPENDENCY_FORMATS",
    "EVERYTHING",
    "FORMATS",
    "WRITABLE",
    "Chunk",
    "DependencyWriter",
    "Format",
    "Selection",
    "TreeText",
    "TreeWriter",
    "format_of",
    "has_dependencies",
    "open_output",
    "parse_texts",
    "read_dependencies",
    "read_texts",
    "read_trees",
    "write_dependencies",
    "write_trees",
]
