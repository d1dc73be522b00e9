"""Compiled treebanks of any size: several processes compile parts, which are then joined.

Large treebanks that are searched again are kept in the user's cache, by their content.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate
from pathlib import Path, PurePath

from plcfrs.compiling import user_cache
from plcfrs.corpus.parts import map_parts
from plcfrs.errors import GrammarError, PlcfrsError, TreebankError
from plcfrs.query import Treebank
from plcfrs.transformation import Options, transform_all
from plcfrs.transformation.presets import describe
from plcfrs.treebank import EVERYTHING, Selection, TreeText, read_texts
from plcfrs.treebank.compilation import PART, compile_part, joined
from plcfrs.treebank.compiled import CompiledTrees, open_compiled
from plcfrs.treebank.files import Source, find_sources, read_blocks
from plcfrs.treebank.reading import OnError, Paths
from plcfrs.treebank.registry import COMPILED, EXTENSIONS, recognize
from plcfrs.trees import Tree

LARGE = 4 << 20
"""Treebanks with at least this many bytes are kept in the cache."""

_Watch = Callable[[Iterable[Tree]], Iterator[Tree]]

# An edit of these packages may change compiled treebanks: they are compiled again.
_CODE = [Path(__file__).parents[1] / name for name in ("trees", "treebank", "transformation")]
_MONTH = 30 * 24 * 60 * 60.0  # seconds


def compile_corpus(
    texts: Iterable[TreeText | TreebankError],
    options: Options | None = None,
    *,
    selection: Selection = EVERYTHING,
    on_error: OnError | None = None,
    jobs: int = 1,
    watch: _Watch = iter,
) -> CompiledTrees:
    """Compile a treebank, in several processes.

    Parameters
    ----------
    texts : iterable of TreeText or TreebankError
        From `plcfrs.treebank.read_texts`; read when needed.
    options : Options, optional
        How the trees are transformed; by default they stay as they are.
    selection : Selection
    on_error : callable, optional
        Gets the error of each malformed tree, which is then skipped. By default the first
        error is raised.
    jobs : int
        The number of processes; with 1, this process does the work.
    watch : callable
        Gets the trees and yields them; it raises an error to stop. With several processes, it is
        pickled.

    Raises
    ------
    TreebankError
        If a tree is malformed.
    WorkerError
        If processes die.

    Examples
    --------
    >>> from plcfrs.treebank import read_texts
    >>> len(compile_corpus(read_texts("plcfrs:demo")))
    140
    """
    make = partial(_compile, options, watch)
    parts = map_parts(make, texts, PART, selection=selection, on_error=on_error, jobs=jobs)
    return joined(list(parts))


def _compile(
    options: Options | None, watch: _Watch, trees: Iterator[Tree], _: OnError | None
) -> CompiledTrees:
    return compile_part(watch(trees if options is None else transform_all(trees, options)))


def open_treebank(
    paths: Paths,
    format: str | None = None,
    encoding: str = "utf-8",
    *,
    options: Options | None = None,
    jobs: int = 1,
    tell: Callable[[str], object] = lambda _: None,
    watch: _Watch = iter,
) -> Treebank:
    """Open a treebank for searching.

    A file of ``plcfrs index`` opens at once. Other treebanks are compiled; large ones are kept in
    the user's cache, where the next search finds them if no file has changed.

    Parameters
    ----------
    paths, format, encoding
        As for `plcfrs.read_trees`.
    options : Options, optional
        How the trees are transformed; by default they stay as they are.
    jobs : int
        The number of processes that compile.
    tell : callable
        Gets a line before a large treebank is compiled.
    watch : callable
        As for `compile_corpus`.

    Raises
    ------
    InputError
        If a file does not exist, or its format or encoding is unknown.
    TreebankError
        If a tree is malformed, or a file has none or cannot be read.

    Examples
    --------
    >>> treebank = open_treebank("plcfrs:demo", options=Options())
    >>> len(treebank.trees), len(treebank.find("VP[discontinuous]"))
    (140, 96)
    """
    names = [str(paths)] if isinstance(paths, str | Path) else [str(path) for path in paths]
    sources = sources_of(names)
    if options is None and compiled_only(sources, format):
        return Treebank(joined([open_compiled(source.name) for source in sources]))
    compile_texts = partial(
        compile_corpus, read_texts(names, format, encoding), options, jobs=jobs, watch=watch
    )
    if not is_large(sources):
        return Treebank(compile_texts())
    cached = _path_in_cache(sources, [format, encoding, describe(options) if options else None])
    with suppress(GrammarError):  # it does not exist, or is damaged
        trees = CompiledTrees.load(cached)
        with suppress(OSError):  # of another user
            cached.touch()
        return Treebank(trees)
    tell(f"indexing {', '.join(names)}: the next search will start at once")
    trees = compile_texts()
    with suppress(OSError, PlcfrsError):  # without a cache, it is compiled each time
        cached.parent.mkdir(parents=True, exist_ok=True)
        trees.save(cached)
        _remove_unused(cached.parent)
    return Treebank(trees)


def sources_of(names: Iterable[str]) -> list[Source]:
    """Return the files of treebanks."""
    return find_sources(names, EXTENSIONS)


def is_large(sources: Sequence[Source]) -> bool:
    """Whether a treebank is kept in the cache when it is opened; pipes never are."""
    if any(source.is_stream for source in sources):
        return False
    blocks = (block for source in sources for block in read_blocks(source))
    return any(size >= LARGE for size in accumulate(map(len, blocks)))


def compiled_only(sources: Iterable[Source], format: str | None = None) -> bool:
    """Whether all files are compiled treebanks."""
    return format in (None, COMPILED.name) and all(
        not source.is_stream
        and (format or source.name.endswith(COMPILED.extensions))
        and recognize(source) is COMPILED
        for source in sources
    )


def _path_in_cache(sources: Iterable[Source], settings: list[object]) -> Path:
    """Return the file of a treebank in the cache, named by its content and how it is read."""
    digest = hashlib.blake2b(json.dumps(settings).encode(), digest_size=16)
    for path in (path for folder in _CODE for path in sorted(folder.glob("*.py"))):
        digest.update(path.read_bytes())
    for source in sources:
        digest.update(f"\0{PurePath(source.name).name}\0".encode(errors="surrogateescape"))
        for block in read_blocks(source):
            digest.update(block)
    return user_cache() / "plcfrs" / "treebanks" / f"{digest.hexdigest()}.treebank"


def _remove_unused(folder: Path) -> None:
    """Remove treebanks that have not been used for a month."""
    for path in folder.glob("*.treebank"):
        with suppress(OSError):  # another process was faster
            if path.stat().st_mtime < time.time() - _MONTH:
                path.unlink()
