"""A command writes over no file that it reads, unless all that was read comes back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from plcfrs.errors import InputError, PlcfrsError
from plcfrs.treebank.files import STANDARD, find_sources
from plcfrs.treebank.registry import EXTENSIONS, format_of, recognize

_IN_PLACE = f"{__name__}.in_place"  # the key of the context for a file that is read and written
_REWRITING = ("convert", "transform")
_LEAVING_OUT = ("sentences", "max_length", "skip_bad", "quantize")


def check_outputs(command: str, values: Mapping[str, Any], outputs: Mapping[str, str]) -> None:
    """Raise an InputError if a file that is written, by one of some options, is read.

    A treebank may be converted or transformed in place: whole, and in its format.
    """
    others = [value for name, value in values.items() if name not in outputs]
    for name, option in outputs.items():
        path = values[name] or STANDARD
        written = list(_written(path))
        files = _files(others) if written else ()
        read = next((each for each in files if _is_one(each, written)), None)
        if read is None:
            continue
        is_tree_file = command in _REWRITING and name == "output"
        if not (is_tree_file and _is_whole(read, path, values)):
            raise _lost(path, option)
        click.get_current_context().meta[_IN_PLACE] = path


def check_kept(lost: object) -> None:
    """Raise an InputError if something is lost of a treebank that is written in place."""
    path = click.get_current_context().meta.get(_IN_PLACE)
    if path and lost:
        raise _lost(path, "-o")


def _lost(path: str, option: str) -> InputError:
    return InputError(
        f"{path}: writing to this input file would lose its content: "
        f"give another file with {option}"
    )


def _written(path: str) -> Iterator[os.stat_result]:
    """Yield the regular files that are written over: an output, and its ``.part``."""
    target = Path(path).resolve()
    for each in (target, target.with_name(f"{target.name}.part")):
        if path != STANDARD and each.is_file():
            yield each.stat()


def _is_one(name: str, files: Iterable[os.stat_result]) -> bool:
    """Return whether a name, perhaps through a link, is that of one of some files."""
    with suppress(OSError, ValueError):  # no such file; a text that cannot be a name
        found = os.fstat(0) if name == STANDARD else Path(name).stat()
        return any(os.path.samestat(found, each) for each in files)
    return False


def _files(values: Iterable[object]) -> Iterator[str]:
    """Yield standard input, and what may be a file among the values of a command line."""
    yield STANDARD
    for value in values:
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                yield from (text, text.removeprefix("@"), text.partition("=")[2])
                with suppress(PlcfrsError):  # those of a folder, a pattern or a list
                    yield from (source.name for source in find_sources([text], EXTENSIONS))


def _is_whole(source: str, path: str, values: Mapping[str, Any]) -> bool:
    """Return whether all trees of a file are written in the format in which they are read."""
    if source == STANDARD or any(values.get(name) for name in _LEAVING_OUT):
        return False
    with suppress(PlcfrsError):
        (found,) = find_sources([source], EXTENSIONS)
        format = values["from"] or recognize(found).name
        return format == (values["to"] or format_of(path).name)
    return False
