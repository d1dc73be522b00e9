"""The models and treebanks of the server, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cached_property, lru_cache, partial
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, RLock
from typing import Any

import numpy as np

from plcfrs import query
from plcfrs.corpus.indexing import open_treebank
from plcfrs.errors import InputError, TreebankError
from plcfrs.grammar import Grammar, Inspection, unbinarize_grammar
from plcfrs.parsing import Family, SentenceParser, family_of, find_family, load_model, train
from plcfrs.query import parse_query
from plcfrs.query.hits import Hits, joined_hits
from plcfrs.settings import settings_of
from plcfrs.stopping import NO_LIMIT, check_stopped, until_stopped
from plcfrs.storage.included import model_path
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import EVANG_KALLMEYER, Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.compilation import compile_trees, joined
from plcfrs.treebank.compiled import CompiledTrees, Integers
from plcfrs.treebank.files import DEMO
from plcfrs.treebank.registry import EXTENSIONS
from plcfrs.trees import Tree
from plcfrs.web.limits import Limits, RefusedError, untimed
from plcfrs.web.searches import Counts, Kind, SearchCache, TreebankSearch, names_of

_UNSAFE = re.compile(r"[^\w.-]+")
ALL_TREEBANKS = "all treebanks"
_FIRST_TREES = 300


class NamedModel:
    """A model, or the demo grammar, with a parser for each combination of options."""

    def __init__(self, name: str, path: str, limits: Limits) -> None:
        self.name = name
        self.family, load = _source(path)
        self._path = path
        self._load = partial(load, budget=limits.budget)
        self.model = self._load()
        self._others: dict[tuple[str, ...], SentenceParser] = {}
        self._lock = Lock()

    @property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """The possible values of each option, the default first."""
        options = settings_of(self.family.options)
        return {option.name: option.choices for option in options if option.choices}

    @property
    def grammar(self) -> Grammar | None:
        """The grammar, if there is one; that of a refined model is without substates."""
        return getattr(self.model, "grammar", None)

    def rules(self, *, restored: bool = False) -> Grammar:
        """Return the grammar; if `restored`, with the rules before binarization."""
        if self.grammar is None:
            raise self.without("it has no rules")
        return self._restored if restored else self.grammar

    @cached_property
    def _restored(self) -> Grammar:
        return unbinarize_grammar(self.rules())

    def without(self, what: str) -> RefusedError:
        """Return the error for something that the family cannot do."""
        return RefusedError(400, f"{self.name} is {self.family.title}: {what}")

    def inspect(self) -> Inspection:
        """Return a description of the model for people."""
        if self._path == DEMO:
            return Inspection(self.grammar)
        return self.family.inspect(model_path(self._path))

    def parser(self, **options: str) -> SentenceParser:
        """Return the parser with these options, and otherwise those of the model."""
        chosen = {name: options.get(name, values[0]) for name, values in self.choices.items()}
        if all(value == self.choices[name][0] for name, value in chosen.items()):
            return self.model
        key = tuple(chosen.values())
        with self._lock:
            if key not in self._others:
                self._others[key] = self._load(**chosen)
            return self._others[key]


class NamedTreebank:
    """A treebank that is compiled at its first use, with a cache of the results of searches."""

    def __init__(
        self,
        name: str,
        read: Callable[[], Iterator[Tree]],
        limits: Limits,
        compiled: Callable[..., query.Treebank] | None = None,
    ) -> None:
        self.name = name
        self.read = read
        self._limits = limits
        self._compiled = compiled or self._compile
        self._is_uploaded = compiled is None
        self._opened: dict[bool, query.Treebank] = {}
        self._kept = SearchCache()
        self._lock = RLock()

    @cached_property
    def beginning(self) -> CompiledTrees:
        """The first trees, with crossing branches for traces; the others are not read."""
        return compile_trees(transform_all(islice(self.read(), _FIRST_TREES)))

    @property
    def has_traces(self) -> bool:
        """Whether the trees have traces."""
        return self._open(transformed=False).has_traces

    def trees(self, *, transformed: bool) -> CompiledTrees:
        """Return all trees, unchanged or with crossing branches for traces."""
        return self._open(transformed=transformed).trees

    def hits(self, search: TreebankSearch, names: tuple[str, ...] = ()) -> Hits:
        """Return the matches of a search; none without a query.

        With names, the matches include all combinations of nodes with these names.
        """
        return self._kept.get((search, names), lambda: self._find(search, names))

    def listed(self, search: TreebankSearch, kind: Kind = (), sort: str = "sentence") -> Hits:
        """Return the matches of a kind in some order, with trees numbered in this order."""

        def find() -> Hits:
            hits = self.hits(search, names_of(key for key, _ in kind))
            for key, value in kind:
                hits = hits.having(key, value)
            return (hits if sort == "sentence" else hits.sorted(sort)).numbered_anew()

        return self._kept.get((search, kind, sort), find)

    def counts(self, search: TreebankSearch, keys: tuple[str, ...]) -> Counts:
        """Return the number of matches with each combination of values, the most frequent first."""
        hits = self.hits(search, names_of(keys))
        return self._kept.get((search, "counts", keys), lambda: hits.counts(*keys))

    def trees_with(self, search: TreebankSearch, hits: Hits) -> Sequence[int] | Integers:
        """Return the places of the trees that a search finds, from 0; all without a query."""
        if search.text:
            return hits.matching_trees
        if search.within:
            return self.hits(search.outer).matching_trees
        return range(len(hits.trees))

    def _open(self, *, transformed: bool) -> query.Treebank:
        # Reading an uploaded treebank has a time limit; reading those of the server has none.
        with self._lock, nullcontext() if self._is_uploaded else untimed():
            if transformed not in self._opened:
                options = EVANG_KALLMEYER if transformed else None
                self._opened[transformed] = self._compiled(options=options)
            return self._opened[transformed]

    def _compile(self, options: Options | None) -> query.Treebank:
        if options is None:
            return query.Treebank(until_stopped(self.read()))
        trees = until_stopped(self._open(transformed=False).trees)
        return query.Treebank(transform_all(trees, options))

    def _find(self, search: TreebankSearch, names: tuple[str, ...]) -> Hits:
        if search.within:
            try:
                others = self.hits(search.outer).matching_trees
            except InputError as error:
                raise InputError(f"in trees with: {error}") from None
            hits = self.hits(search._replace(within=""), names)
            return hits[np.isin(hits.trees_of, others)].numbered_anew()
        treebank = self._open(transformed=search.transformed)
        query = parse_query(search.text) if search.text else None
        return joined_hits(treebank.trees, treebank.search(query, names, NO_LIMIT) if query else ())


class Store:
    """Models and treebanks by name, including the last few uploaded treebanks.

    Parameters
    ----------
    models : sequence of str
        Files of models, or the name of the demo treebank.
    treebanks : sequence of str
        Names of treebanks for `read_trees`. The page cannot open others.
    limits : Limits
    """

    def __init__(
        self, models: Sequence[str], treebanks: Sequence[str] = (), limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        for path in treebanks:
            read_trees(path)  # a missing file is an error at once
        self.treebanks = {
            name: NamedTreebank(
                name,
                partial(read_trees, path),
                self.limits,
                partial(open_treebank, path, watch=until_stopped),
            )
            for name, path in _named(treebanks).items()
        }
        self.models = {
            name: NamedModel(name, path, self.limits) for name, path in _named(models).items()
        }
        self._uploaded: list[str] = []
        self._lock = Lock()

    def model(self, name: str | None) -> NamedModel:
        """Return a model, by default the first one; raise a RefusedError if there is none."""
        name = next(iter(self.models), "by default") if name is None else name
        if name not in self.models:
            raise RefusedError(404, f"there is no model {name}: {_expected(self.models)}")
        return self.models[name]

    @property
    def names(self) -> list[str]:
        """The names of all treebanks; if there are several, also one for all trees."""
        names = list(self.treebanks)
        return [*names, ALL_TREEBANKS] if len(names) > 1 else names

    def treebank(self, name: str) -> NamedTreebank:
        """Return a treebank; raise a RefusedError if there is none."""
        with self._lock:
            if name == ALL_TREEBANKS and name in self.names:
                return _joined(tuple(self.treebanks.values()), self.limits)
            if name not in self.treebanks:
                raise RefusedError(404, f"there is no treebank {name}: {_expected(self.treebanks)}")
            return self.treebanks[name]

    def upload(self, file_name: str, content: bytes) -> NamedTreebank:
        """Add an uploaded treebank and return it; drop the oldest if there are too many."""
        treebank = uploaded_treebank(file_name, content, self.limits)
        treebank.trees(transformed=False)
        check_stopped()  # do not keep a treebank after an error
        with self._lock:
            treebank.name = _unused(treebank.name, self.treebanks)
            self.treebanks[treebank.name] = treebank
            self._uploaded.append(treebank.name)
            if len(self._uploaded) > self.limits.uploads:
                del self.treebanks[self._uploaded.pop(0)]
        return treebank


def uploaded_treebank(file_name: str, content: bytes, limits: Limits) -> NamedTreebank:
    """Return a treebank from a file. Compressed files are refused: they may have any size."""
    safe = _UNSAFE.sub("_", Path(file_name).name).lstrip(".") or "treebank"
    if not safe.endswith(EXTENSIONS):
        raise InputError(
            f"{file_name}: expected a file with one of the extensions {', '.join(EXTENSIONS)}"
        )

    def read() -> Iterator[Tree]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / safe
            file.write_bytes(content)
            try:
                yield from read_trees(file)
            except TreebankError as error:
                raise InputError(str(error).replace(str(file), safe)) from None

    return NamedTreebank(Path(safe).stem, read, limits)


@lru_cache(1)
def _joined(treebanks: tuple[NamedTreebank, ...], limits: Limits) -> NamedTreebank:
    """Return a treebank with the trees of several treebanks."""

    def compiled(options: Options | None) -> query.Treebank:
        parts = [each.trees(transformed=options is not None) for each in treebanks]
        return query.Treebank(joined(parts))

    def read() -> Iterator[Tree]:
        return chain.from_iterable(each.read() for each in treebanks)

    return NamedTreebank(ALL_TREEBANKS, read, limits, compiled)


def _source(path: str) -> tuple[Family, Callable[..., SentenceParser]]:
    """Return the family of a model, and the function that loads it with a budget and options."""
    if path == DEMO:
        model: Any = train(DEFAULT_KIND, DEMO)
        return find_family(model.kind), partial(model.__class__, model.grammar)
    return family_of(path), partial(load_model, path)


def _named(paths: Sequence[str]) -> dict[str, str]:
    """Return paths by unique names: without folder, and without extension if possible."""
    stems = [Path(path).stem for path in paths]
    named: dict[str, str] = {}
    for stem, path in zip(stems, paths, strict=True):
        named[_unused(stem if stems.count(stem) == 1 else Path(path).name, named)] = path
    return named


def _unused(name: str, used: Collection[str]) -> str:
    names = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(free for free in names if free not in used)


def _expected(names: Iterable[str]) -> str:
    expected = ", ".join(names)
    return f"expected one of {expected}" if expected else "there are none"
