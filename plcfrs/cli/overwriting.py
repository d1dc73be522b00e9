"""Commands do not overwrite a file that they read, unless all of its content is written back."""

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

_IN_PLACE = f"{__name__}.in_place"  # the key of a file that is read and written, in the context
_REWRITING = ("convert", "transform")  # commands
_LEAVING_OUT = ("sentences", "max_length", "skip_bad", "quantize")  # options


def check_outputs(command: str, values: Mapping[str, Any], outputs: Mapping[str, str]) -> None:
    """Raise an InputError if a command would overwrite a file that it reads.

    `outputs` has the options for output files by their parameters. A treebank may be converted or
    transformed in place, if all of it is written in its format.
    """
    others = [value for name, value in values.items() if name not in outputs]
    for name, option in outputs.items():
        path = values[name] or STANDARD
        overwritten = list(_overwritten(path))
        names = _names_of_files(others) if overwritten else ()
        source = next((name for name in names if _is_one_of(name, overwritten)), None)
        if source is None:
            continue
        is_tree_file = command in _REWRITING and name == "output"
        if not (is_tree_file and _is_whole(source, path, values)):
            raise _lost(path, option)
        click.get_current_context().meta[_IN_PLACE] = path


def check_kept(lost: object) -> None:
    """Raise an InputError if a treebank that is written in place has lost something."""
    path = click.get_current_context().meta.get(_IN_PLACE)
    if path and lost:
        raise _lost(path, "-o")


def _lost(path: str, option: str) -> InputError:
    return InputError(
        f"{path}: writing to this input file would lose its content: "
        f"give another file with {option}"
    )


def _overwritten(path: str) -> Iterator[os.stat_result]:
    """Yield the regular files that an output overwrites: itself, and its ``.part``."""
    target = Path(path).resolve()
    for file in (target, target.with_name(f"{target.name}.part")):
        if path != STANDARD and file.is_file():
            yield file.stat()


def _is_one_of(name: str, files: Iterable[os.stat_result]) -> bool:
    """Whether a name, perhaps through a link, is the name of one of the files."""
    with suppress(OSError, ValueError):  # no such file; a text that cannot be a name
        named = os.fstat(0) if name == STANDARD else Path(name).stat()
        return any(os.path.samestat(named, file) for file in files)
    return False


def _names_of_files(values: Iterable[object]) -> Iterator[str]:
    """Yield standard input, and all values of a command line that may be names of files."""
    yield STANDARD
    for value in values:
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                yield from (text, text.removeprefix("@"), text.partition("=")[2])
                with suppress(PlcfrsError):  # the files of a folder, a pattern or a list
                    yield from (source.name for source in find_sources([text], EXTENSIONS))


def _is_whole(source: str, path: str, values: Mapping[str, Any]) -> bool:
    """Whether all trees of a file are written in the format in which they are read."""
    if source == STANDARD or any(values.get(name) for name in _LEAVING_OUT):
        return False
    with suppress(PlcfrsError):
        (file,) = find_sources([source], EXTENSIONS)
        format = values["from"] or recognize(file).name
        return format == (values["to"] or format_of(path).name)
    return False
