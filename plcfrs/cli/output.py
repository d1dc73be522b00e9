"""The output of commands: its options, files of trees and rows, and a progress bar.

Commands do not overwrite a file that they read, unless all of its content is written back.
"""

from __future__ import annotations

import csv
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plcfrs.cli.input import InputOptions
from plcfrs.errors import InputError, PlcfrsError, TreebankError
from plcfrs.settings import setting
from plcfrs.treebank import WRITABLE, DependencyWriter, Format, TreeWriter, format_of, open_output
from plcfrs.treebank.files import STANDARD, Source, find_sources
from plcfrs.treebank.registry import EXTENSIONS, format_named, recognize
from plcfrs.treebank.writing import Ranking, SentenceWriter
from plcfrs.trees import DependencyTree, Tree

if TYPE_CHECKING:
    from typing_extensions import Self

Item = TypeVar("Item")
_IN_PLACE = f"{__name__}.in_place"  # the key of a file that is read and written, in the context
_REWRITING = ("convert", "transform")  # commands
_LEAVING_OUT = ("sentences", "max_length", "skip_bad", "quantize")  # options


def output_setting(help: str = "Output file.  [default: standard output]") -> str:
    """Return the field of ``-o``."""
    return setting("-", help, short="-o", metavar="FILE", is_output=True)


def saved_setting(what: str, metavar: str = "MODEL") -> str:
    """Return the field of a required ``-o``."""
    return setting("", what, short="-o", metavar=metavar, is_needed=True, is_output=True)


def format_setting(formats: Iterable[str] = WRITABLE) -> str | None:
    """Return the field of ``--to`` for trees."""
    help = "Format of the output.  [default: by file extension, else discbracket]"
    return setting(None, help, choices=tuple(formats))


class TreeOutput:
    """Writes trees; with --skip-bad, it skips and counts trees that the format cannot hold."""

    def __init__(self, writer: SentenceWriter[Any], *, skip_bad: bool) -> None:
        self._writer = writer
        self._skip_bad = skip_bad
        self.skipped = 0
        self.tokens = 0

    def write(self, tree: Tree | DependencyTree) -> None:
        """Write a tree, or skip it."""
        try:
            self._writer.write(tree)
            self.tokens += len(tree.tokens)
        except TreebankError as error:
            if not self._skip_bad:
                raise
            self.skipped += 1
            click.echo(f"plcfrs: skipped: {error}", err=True)


def is_folder(path: str) -> bool:
    """Whether an output is a folder: it ends with a slash, or there is one of this name."""
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


def format_to_write(path: str, to: str | None) -> Format:
    """Return the format of an output file, or of the files in an output folder."""
    return format_named(to) if to else format_of(STANDARD if is_folder(path) else path)


def writer_of(
    path: str, to: str | None, sources: Iterable[str] = (), count: int = 0, size: int = 0
) -> SentenceWriter[Any] | FolderWriter:
    """Return a writer of trees, or of dependency trees if the format has dependencies."""
    if is_folder(path):
        return FolderWriter(path, to, find_sources(sources, EXTENSIONS))
    format = format_to_write(path, to)
    kind = TreeWriter if format.render or not format.render_dependencies else DependencyWriter
    return kind(path, to, count=count, size=size)


class FolderWriter:
    """Writes the trees of each text to a file in a folder, in a ``with`` statement.

    The file has the name of the text, with which the identifiers of its trees begin.
    """

    def __init__(self, folder: str, to: str | None, texts: Iterable[Source]) -> None:
        extension = format_to_write(folder, to).extensions[0]
        self._left: dict[str, str] = {}  # texts that have no file yet
        for text in texts:
            path = Path(folder, f"{text.stem}{extension}")
            if text.stem in self._left:
                raise InputError(f"{folder}: two texts have the name {text.stem}")
            if path.resolve() == Path(text.name).resolve():
                raise InputError(f"{path}: this is an input file: give another folder with -o")
            self._left[text.stem] = str(path)
        Path(folder).mkdir(exist_ok=True)
        self.count = 0
        self._to = to
        self._name: str | None = None
        self._file = ExitStack()

    def __enter__(self) -> Self:
        return self

    def write(self, tree: Tree | DependencyTree) -> None:
        """Write a tree; those of a text follow each other."""
        name = tree.id.rpartition(":")[0]
        if name != self._name:
            self._file.close()
            if name not in self._left:
                raise InputError(
                    f"{tree.id}: -o FOLDER/ is for texts, whose sentences are NAME:1, ..."
                )
            self._name = name
            self._writer = writer_of(self._left.pop(name), self._to)
            self._file.enter_context(self._writer)
        self._writer.write(tree)
        self.count += 1

    def flush(self) -> int:
        """Return 0: a run that writes a folder cannot be continued."""
        return 0

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)  # type: ignore[arg-type]
        if error[0] is None:  # texts without sentences
            for path in self._left.values():
                with writer_of(path, self._to):
                    pass


@contextmanager
def saved(writer: SentenceWriter[Any], path: str, input: InputOptions) -> Iterator[TreeOutput]:
    """Open a file for the trees of an input, and say what is lost.

    If the run is interrupted, say where the finished trees are.
    """
    output = TreeOutput(writer, skip_bad=input.skip_bad)
    try:
        with writer:
            yield output
            check_kept(writer.loss or input.tokens != output.tokens)
        if writer.loss:
            click.echo(writer.loss, err=True)
        if output.skipped:
            click.echo(f"trees skipped that cannot be written: {output.skipped}", err=True)
    except KeyboardInterrupt:
        if path != "-" and writer.count:
            click.echo(f"the finished trees are in {path}.part", err=True)
        raise


def write_rows(
    path: str | None, header: list[str], rows: Iterable[Sequence[object]], delimiter: str = "\t"
) -> None:
    """Write rows as they come; without a path, consume them."""
    if path is None:
        deque(rows, maxlen=0)
        return
    with open_output(path) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def kind_of_output(path: str, kinds: Mapping[str, str]) -> str:
    """Return the kind of output by its file extension; text for ``.txt`` or no extension.

    >>> kind_of_output("a.svg.gz", {".svg": "svg"}), kind_of_output("-", {})
    ('svg', 'text')
    """
    extension = PurePath(path.removesuffix(".gz")).suffix.lower()
    if extension not in ("", ".txt", *kinds):
        raise InputError(
            f"{path}: unknown extension: use {', '.join([*kinds, '.txt'])}, or choose a format "
            "with --to"
        )
    return kinds.get(extension, "text")


def say_tsv(path: str | None) -> None:
    """Say that a table is TSV if the extension of its file says something else."""
    suffix = PurePath((path or "").removesuffix(".gz")).suffix.lower()
    if suffix not in ("", ".tsv", ".tab", ".txt"):
        click.echo(f"{path}: written as TSV, whatever the name says", err=True)


def report_rank(ranking: Ranking) -> None:
    """Say on stderr how many sentences have no parse of a rank."""
    if ranking.shorter:
        click.echo(ranking, err=True)


def progress(
    items: Iterable[Item], what: str, count: Callable[[], int | None] = lambda: None, done: int = 0
) -> Iterator[Item]:
    """Yield the items; if stderr is a terminal, show a progress bar there.

    With the number of all items, including those already done, it estimates the remaining time.
    Items are counted only if there is a bar.
    """
    if not sys.stderr.isatty():  # Ctrl-C while tqdm starts, even disabled, prints a traceback
        yield from items
        return
    from tqdm import tqdm  # here, for a fast start

    options: dict[str, Any] = {"desc": what, "total": count(), "initial": done}
    yield from tqdm(items, **options, unit=" sentences", leave=False)


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
