"""Treebanks to browse: those given when the server was started, and uploaded ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import perf_counter
from typing import TypeVar

from plcfrs.cancellation import until_stopped
from plcfrs.errors import InputError, TreebankError
from plcfrs.query import find, parse_query
from plcfrs.query.hits import Found, Hit, hits_of
from plcfrs.transformation import transform_all
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.trees import Tree
from plcfrs.web.limits import Limits, RefusedError

Item = TypeVar("Item")

_EXTENSIONS = tuple(extension for one in FORMATS.values() for extension in one.extensions)
_NO_FILE_NAME = re.compile(r"[^\w.-]+")
_LISTS = 8
_BEGINNING = 300


class Treebank:
    """Trees that are read when they are first needed, and searched with queries.

    Parameters
    ----------
    name : str
    read : callable
        Reads the file again each time and yields the trees.
    limits : Limits
    """

    def __init__(self, name: str, read: Callable[[], Iterator[Tree]], limits: Limits) -> None:
        self.name = name
        self._read = read
        self._limits = limits
        self.has_traces = False
        """Whether there are null elements in the trees that were read."""
        self._trees: dict[bool, list[Tree]] = {}
        self._search = lru_cache(_LISTS)(self._find)
        self._hits = lru_cache(_LISTS)(self._list_hits)
        self._lock = Lock()

    @cached_property
    def beginning(self) -> list[Tree]:
        """The first trees, read without the others."""
        return list(islice(self._read(), _BEGINNING))

    def trees(self, *, transformed: bool) -> list[Tree]:
        """Return all trees, unchanged or with crossing branches for traces."""
        with self._lock:
            if transformed not in self._trees:
                trees = self._noting_traces()
                self._trees[transformed] = list(transform_all(trees) if transformed else trees)
            return self._trees[transformed]

    def search(self, query: str, *, transformed: bool) -> list[Found]:
        """Return the trees that match a query; all trees if it is empty.

        Raises
        ------
        InputError
            If it is not a query.
        RefusedError
            If it takes too long.
        """
        trees = self.trees(transformed=transformed)
        if not query.strip():
            return [(tree, []) for tree in trees]
        return self._search(query.strip(), transformed)

    def hits(self, query: str, *, transformed: bool) -> list[Hit]:
        """Return the matches of a query one by one; none if it is empty.

        Raises
        ------
        InputError, RefusedError
            As for `search`.
        """
        return self._hits(query.strip(), transformed) if query.strip() else []

    def in_time(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items, unless they take longer than a search may, or are no longer wanted.

        Raises
        ------
        RefusedError
            If they take too long.
        """
        return _in_time(items, self._limits.max_seconds)

    def _list_hits(self, text: str, transformed: bool) -> list[Hit]:
        return list(hits_of(until_stopped(self._search(text, transformed))))

    def _noting_traces(self) -> Iterator[Tree]:
        for tree in until_stopped(self._trees.get(False) or self._read()):
            self.has_traces = self.has_traces or any(token.is_null for token in tree.tokens)
            yield tree

    def _find(self, text: str, transformed: bool) -> list[Found]:
        query = parse_query(text)
        trees = self.in_time(self.trees(transformed=transformed))
        found = ((tree, find(tree, query)) for tree in trees)
        return [(tree, matches) for tree, matches in found if matches]


def file_treebank(name: str, path: str, limits: Limits) -> Treebank:
    """Return a treebank with any name that `read_trees` knows.

    Raises
    ------
    InputError
        If there is no such file.
    """
    read_trees(path)
    return Treebank(name, lambda: read_trees(path), limits)


def uploaded_treebank(file_name: str, content: bytes, limits: Limits) -> Treebank:
    """Return a treebank from the content of a file.

    Raises
    ------
    InputError
        If the extension belongs to no format; compressed files are refused, since they may
        unpack to any size.
    """
    safe = _NO_FILE_NAME.sub("_", Path(file_name).name).lstrip(".") or "treebank"
    if not safe.endswith(_EXTENSIONS):
        raise InputError(
            f"{file_name}: expected a file with one of the extensions {', '.join(_EXTENSIONS)}"
        )

    def read() -> Iterator[Tree]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / safe
            file.write_bytes(content)
            try:
                yield from _in_time(read_trees(file), limits.max_seconds)
            except TreebankError as error:
                raise InputError(str(error).replace(str(file), safe)) from None

    return Treebank(Path(safe).stem, read, limits)


def _in_time(items: Iterable[Item], seconds: float) -> Iterator[Item]:
    end = perf_counter() + seconds
    for item in until_stopped(items):
        if perf_counter() > end:
            raise RefusedError(
                503,
                f"this took longer than {seconds:g} seconds: search for less, or start the server "
                "with a larger --max-seconds",
            )
        yield item
