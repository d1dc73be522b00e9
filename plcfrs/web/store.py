"""The models and treebanks of the server, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

from plcfrs.binarization import unbinarize_grammar
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.yield_function import apply
from plcfrs.pipeline import GrammarModel
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.registry import family_of, find_family, load_model
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.settings import settings_of
from plcfrs.treebank.files import DEMO
from plcfrs.web.limits import Limits, RefusedError
from plcfrs.web.treebanks import Treebank, file_treebank, uploaded_treebank


class NamedModel:
    """A model, with a parser for each choice of options, made when it is first used.

    Parameters
    ----------
    name : str
    path : str
        The file of the model, or the name of the demo, whose grammar is then extracted.
    limits : Limits
    """

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
        """The values of each option to choose from, the default first."""
        options = settings_of(self.family.options)
        return {each.name: each.choices for each in options if each.choices}

    @property
    def grammar(self) -> Grammar | None:
        """The grammar, if there is one; a refined grammar is without substates."""
        return getattr(self.model, "grammar", None)

    def rules(self, *, restored: bool = False) -> Grammar:
        """Return the grammar, or that before its rules were binarized, if it can be restored.

        Raises
        ------
        RefusedError
            If there is no grammar.
        """
        if self.grammar is None:
            raise RefusedError(400, f"{self.name} is {self.family.title}: it has no rules")
        return self._restored if restored else self.grammar

    @cached_property
    def _restored(self) -> Grammar:
        return unbinarize_grammar(self.rules())

    def short_sentence(self) -> list[str]:
        """Return the tags of a short sentence that the model can parse, if there is one."""
        return short_sentence(self.grammar) if self.grammar else [min(self.model.tags)] * 2

    def inspect(self) -> Inspection:
        """Return what the model consists of, for people."""
        if self._path == DEMO:
            return Inspection(self.grammar)
        return self.family.inspect(Path(self._path))

    def parser(self, **options: str) -> SentenceParser:
        """Return the parser with some options; the others are those of the model."""
        chosen = {name: options.get(name, values[0]) for name, values in self.choices.items()}
        if all(value == self.choices[name][0] for name, value in chosen.items()):
            return self.model
        key = tuple(chosen.values())
        with self._lock:
            if key not in self._others:
                self._others[key] = self._load(**chosen)
            return self._others[key]


class Store:
    """Models and treebanks by name; only the last few uploaded treebanks are kept.

    Parameters
    ----------
    models : sequence of str
        Files, or the name of the demo.
    treebanks : sequence of str
        Names of treebanks for `read_trees`; the page can open no others.
    limits : Limits

    Raises
    ------
    GrammarError, InputError
        If a model cannot be loaded, or a treebank does not exist.
    """

    def __init__(
        self, models: Sequence[str], treebanks: Sequence[str] = (), limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.treebanks = {
            name: file_treebank(name, path, self.limits) for name, path in _named(treebanks).items()
        }
        self.models = {
            name: NamedModel(name, path, self.limits) for name, path in _named(models).items()
        }
        self._uploaded: list[str] = []
        self._lock = Lock()

    def model(self, name: str | None) -> NamedModel:
        """Return a model, by default the first one.

        Raises
        ------
        RefusedError
            If there is none with that name.
        """
        name = next(iter(self.models), "by default") if name is None else name
        if name not in self.models:
            raise RefusedError(404, f"there is no model {name}: {_known(self.models)}")
        return self.models[name]

    def treebank(self, name: str) -> Treebank:
        """Return a treebank.

        Raises
        ------
        RefusedError
            If there is none with that name.
        """
        with self._lock:
            if name not in self.treebanks:
                raise RefusedError(404, f"there is no treebank {name}: {_known(self.treebanks)}")
            return self.treebanks[name]

    def upload(self, file_name: str, content: bytes) -> Treebank:
        """Add an uploaded treebank and return it; if there are too many, the oldest is dropped.

        Raises
        ------
        InputError, TreebankError
            If it cannot be read.
        """
        treebank = uploaded_treebank(file_name, content, self.limits)
        treebank.trees(transformed=False)
        with self._lock:
            treebank.name = _unused(treebank.name, self.treebanks)
            self.treebanks[treebank.name] = treebank
            self._uploaded.append(treebank.name)
            if len(self._uploaded) > self.limits.uploads:
                del self.treebanks[self._uploaded.pop(0)]
        return treebank


def short_sentence(grammar: Grammar) -> list[str]:
    """Return the tags of a short sentence of the grammar; none if it has no sentence.

    Examples
    --------
    >>> from plcfrs.grammar import Rule, tag
    >>> s, vp, v, w = Nonterminal("S"), Nonterminal("VP", 2), tag("V"), tag("W")
    >>> rules = {Rule(s, (vp, v), ((0, 1, 0),)): 1, Rule(vp, (w, v), ((0,), (1,))): 1}
    >>> short_sentence(Grammar(rules, start=s))
    ['W', 'V', 'V']
    """
    found: dict[Nonterminal, list[list[str]]] = {
        symbol: [[symbol.category]] for symbol in grammar.nonterminals() if symbol.kind == "tag"
    }
    known = 0
    while grammar.start not in found and len(found) > known:
        known = len(found)
        for rule in grammar.rules:
            if rule.lhs not in found and all(child in found for child in rule.rhs):
                children = [found[child] for child in rule.rhs]
                found[rule.lhs] = apply(rule.yield_function, children)
    return found.get(grammar.start, [[]])[0]


def _source(path: str) -> tuple[Family, Callable[..., SentenceParser]]:
    """Return the family of a model, and the function that loads it with a budget and options."""
    if path == DEMO:
        grammar = GrammarModel.train(DEMO).grammar
        return find_family(GrammarModel.kind), partial(GrammarModel, grammar)
    return family_of(path), partial(load_model, path)


def _named(paths: Sequence[str]) -> dict[str, str]:
    """Return paths by short names, without the extension unless two are then the same."""
    stems = [Path(path).stem for path in paths]
    return {
        stem if stems.count(stem) == 1 else path: path
        for stem, path in zip(stems, paths, strict=True)
    }


def _unused(name: str, used: dict[str, Treebank]) -> str:
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name} ({number})"
    return free


def _known(named: object) -> str:
    names = ", ".join(named) if isinstance(named, dict) else ""
    return f"expected one of {names}" if names else "there are none"
