"""Writing trees: a file is called ``FILE.part`` until it is complete.

The N-best parses of a sentence follow each other in a file, the best first; ranks in their
identifiers (``wsj_0001:1.rank2``) tell them apart.
"""

from __future__ import annotations

import codecs
import gzip
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import SEEK_END, TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Generic, TextIO, TypeVar

from plcfrs.errors import InputError, TreebankError, check_types
from plcfrs.storage.files import check_folder, full_disk_names
from plcfrs.treebank.files import STANDARD, check_encoding
from plcfrs.treebank.format import Format
from plcfrs.treebank.reading import Sentence, checked_trees
from plcfrs.treebank.registry import DEPENDENCY_FORMATS, WRITABLE, format_named, format_of
from plcfrs.trees import DependencyTree, Tree
from plcfrs.wording import counted, unencodable

if TYPE_CHECKING:
    from typing_extensions import Self


class SentenceWriter(Generic[Sentence]):
    """Writes sentences of one kind one by one: see `TreeWriter` and `DependencyWriter`."""

    def __init__(
        self,
        path: str | Path,
        format: Format,
        render: Callable[[Sentence, int], str],
        encoding: str,
        count: int = 0,
        size: int = 0,
    ) -> None:
        self.count = count
        self._lost: Counter[str] = Counter()
        self._render = render
        self._format = format
        self._output = open_output(path, encoding, size)

    def __enter__(self) -> Self:
        self._file = self._output.__enter__()
        return self

    def write(self, tree: Sentence) -> None:
        """Write a tree."""
        text = self._render(tree, self.count + 1)
        if self.count == 0:
            text = self._header() + text
        try:
            self._file.write(text)
        except UnicodeEncodeError as error:
            raise TreebankError(unencodable(error, self._file.encoding), sentence=tree.id) from None
        self.count += 1
        self._lost.update(self._format.lost(tree))

    @property
    def loss(self) -> str:
        """What the format lost of the trees, in one line; empty if nothing was lost."""
        lost = ", ".join(f"{part} (in {count})" for part, count in self._lost.items())
        trees = counted(self.count, "tree")
        return f"{trees}; lost in {self._format.name}: {lost}" if lost else ""

    def flush(self) -> int:
        """Flush all trees, and return the size of a regular file so far."""
        return flushed(self._file)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self._file.write((self._header() if self.count == 0 else "") + self._format.footer)
        self._output.__exit__(kind, error, traceback)

    def _header(self) -> str:
        encoding = codecs.lookup(self._file.encoding or "utf-8").name.replace("iso8859", "iso-8859")
        return self._format.header.format(encoding=encoding)


class TreeWriter(SentenceWriter[Tree]):
    """Writes trees one by one, in a ``with`` statement.

    The file is written as ``PATH.part`` and gets its name at the end. After an exception,
    ``PATH.part`` stays with the complete trees, if there are any, but without a footer.

    Parameters
    ----------
    path : str or Path
        ``-`` is standard output; a file that ends with ``.gz`` is compressed.
    format : str, optional
        One of `FORMATS`; by default recognized by the file extension, discbracket for standard
        output.
    encoding : str
        The encoding of the file; standard output has its own.
    count, size : int
        Resume after the first trees of ``PATH.part``: their number, and their size in bytes.

    Raises
    ------
    InputError
        If the file cannot be written, or its format or encoding cannot be used.
    """

    def __init__(
        self,
        path: str | Path,
        format: str | None = None,
        encoding: str = "utf-8",
        *,
        count: int = 0,
        size: int = 0,
    ) -> None:
        chosen = format_named(format) if format else format_of(path)
        if chosen.render is None:
            advice = f"write one of {', '.join(WRITABLE)}"
            if chosen.render_dependencies:
                raise InputError(
                    f"the format {chosen.name} cannot hold constituents: {advice}, or turn the "
                    "trees into dependencies with plcfrs convert --encoding"
                )
            raise InputError(f"cannot write the format {chosen.name}: {advice}")
        super().__init__(path, chosen, chosen.render, encoding, count, size)


class DependencyWriter(SentenceWriter[DependencyTree]):
    """Writes dependency trees one by one, as `TreeWriter` does; standard output is CoNLL-U."""

    def __init__(
        self,
        path: str | Path,
        format: str | None = None,
        encoding: str = "utf-8",
        *,
        count: int = 0,
        size: int = 0,
    ) -> None:
        format = format or ("conllu" if str(path) == STANDARD else None)
        chosen = format_named(format) if format else format_of(path)
        render = chosen.render_dependencies
        if render is None:
            raise InputError(
                f"the format {chosen.name} has no dependencies: write one of "
                f"{', '.join(DEPENDENCY_FORMATS)}"
            )
        super().__init__(path, chosen, lambda tree, _: render(tree), encoding, count, size)


def write_trees(
    trees: Iterable[Tree], path: str | Path, format: str | None = None, encoding: str = "utf-8"
) -> int:
    """Write trees to a file and return their number; path, format and encoding as for `TreeWriter`.

    A TreebankError is raised if the format or the encoding cannot hold a tree. Parts that the
    format lacks, such as lemmas in brackets, are left out: `TreeWriter.loss` names them.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("Who", "WP"), Token("did", "VBD"), Token("they", "PRP"), Token("see", "VB")]
    >>> question = Node("SQ", children=[Node("VP", children=[0, 3]), 1, Node("NP", children=[2])])
    >>> write_trees([Tree(Node("ROOT", children=[question]), tokens)], "-")
    (ROOT (SQ (VP (WP 0=Who) (VB 3=see)) (VBD 1=did) (NP (PRP 2=they))))
    1
    """
    check_types("write_trees(trees, path)", (trees, Iterable), (path, (str, Path)))
    with TreeWriter(path, format, encoding) as writer:
        for tree in checked_trees(trees):
            writer.write(tree)
    return writer.count


def write_dependencies(
    trees: Iterable[DependencyTree],
    path: str | Path,
    format: str | None = None,
    encoding: str = "utf-8",
) -> int:
    """Write dependency trees to a file and return their number, with the errors of `write_trees`.

    >>> from plcfrs.trees import DependencyTree, Token
    >>> tokens = [Token("Sing", "VB"), Token("!", ".")]
    >>> sentence = DependencyTree(tokens, [0, 1], ["root", "S#1"])
    >>> write_dependencies([sentence], "-")  # doctest: +NORMALIZE_WHITESPACE
    1	Sing	_	VB	VB	_	0	root	_	_
    2	!	_	.	.	_	1	S#1	_	_
    <BLANKLINE>
    1
    """
    check_types("write_dependencies(trees, path)", (trees, Iterable), (path, (str, Path)))
    with DependencyWriter(path, format, encoding) as writer:
        for tree in checked_trees(trees, "dependency tree", DependencyTree):
            writer.write(tree)
    return writer.count


@contextmanager
def open_output(path: str | Path, encoding: str = "utf-8", size: int = 0) -> Iterator[TextIO]:
    """Open a text file that is called ``PATH.part`` until it is complete; keep its first bytes.

    Standard output (``-``) and files that are not regular (a pipe, a device) are written directly.
    """
    check_encoding(encoding)
    if str(path) == STANDARD:
        if sys.stdout is None:
            raise InputError("standard output is closed: give a file with -o")
        yield sys.stdout
        sys.stdout.flush()
        return
    check_folder(path)
    target = Path(path)
    regular = target.is_file() or not target.exists()
    if regular:
        target = target.resolve()  # a link stays a link
    part = target.with_name(f"{target.name}.part") if regular else target
    if size and not part.exists():
        target.replace(part)  # the run ended after this one of several files got its name
    try:
        with full_disk_names(path), ExitStack() as stack:
            yield _open(part, target.suffix == ".gz", encoding, size, stack)
    except BaseException:
        if regular and part.exists() and part.stat().st_size == 0:
            part.unlink()
        raise
    if regular:
        part.replace(target)


def flushed(file: TextIO) -> int:
    """Flush all text, and return the size of a regular file so far."""
    file.flush()
    return file.buffer.tell()


def _open(path: Path, compress: bool, encoding: str, size: int, stack: ExitStack) -> TextIO:
    try:
        file = stack.enter_context(path.open("r+b" if size else "wb"))
        if size:
            _keep(file, size, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    if not compress:
        return stack.enter_context(TextIOWrapper(file, encoding, newline="\n"))
    # Without name and time, the same trees give the same file.
    packed = stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
    return stack.enter_context(TextIOWrapper(packed, encoding, newline="\n"))


def _keep(file: BinaryIO, size: int, path: Path) -> None:
    if file.seek(0, SEEK_END) < size:
        raise InputError(
            f"{path}: has fewer than the {size} bytes to keep: leave out --resume to start again"
        )
    file.truncate(size)
    file.seek(size)


Placed = TypeVar("Placed", Tree, Tree | None)
_RANK = re.compile(r"\.rank([0-9]{1,9})\Z")


def add_rank(identifier: str, rank: int) -> str:
    """Return the identifier of one of several parses of a sentence.

    >>> add_rank("s17", 2), rank_of("s17.rank2"), rank_of("s17")
    ('s17.rank2', 2, None)
    """
    return f"{identifier}.rank{rank}"


def rank_of(identifier: str) -> int | None:
    """Return the rank in an identifier, if it has one."""
    found = _RANK.search(identifier)
    return int(found[1]) if found else None


class Ranking:
    """Chooses the parse of one rank for each sentence, and counts sentences with fewer parses.

    >>> from plcfrs.trees import Node
    >>> names = ["a.rank1", "a.rank2", "a.rank3", "b.rank1"]
    >>> second = Ranking(2)
    >>> [tree.id for tree in second.choose(Tree(Node("ROOT"), [], name) for name in names)]
    ['a.rank2', 'b.rank1']
    >>> second.shorter, second.sentences
    (1, 2)
    """

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.sentences = self.shorter = 0

    def choose(self, trees: Iterable[Placed]) -> Iterator[Placed]:
        """Yield one tree for each sentence: the last one if it has fewer parses, or no rank.

        None, a malformed tree, is dropped in a file with ranks, because its rank is not known.
        """
        last: Tree | None = None  # of a sentence that may have more parses
        are_ranked = False
        for tree in trees:
            if tree is None:
                yield from () if are_ranked else (tree,)
                continue
            rank = rank_of(tree.id) or 1
            are_ranked = rank_of(tree.id) is not None
            if rank == 1 and last is not None:
                yield self._counted(last, fewer=True)
            if rank_of(tree.id) is None and self.rank > 1:
                raise InputError(
                    f"sentence {tree.id} has no rank: write the parses of --nbest in a format with "
                    "identifiers, export or tigerxml"
                )
            last = tree if rank < self.rank else None
            if rank == self.rank:
                yield self._counted(tree, fewer=False)
        if last is not None:
            yield self._counted(last, fewer=True)

    def _counted(self, tree: Tree, *, fewer: bool) -> Tree:
        self.sentences += 1
        self.shorter += fewer
        return tree

    def __str__(self) -> str:
        return (
            f"sentences with fewer than {self.rank} parses: {self.shorter} of {self.sentences}; "
            "their last parse is used"
        )
