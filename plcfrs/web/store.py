"""What the server has: models by name, and treebanks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from plcfrs.chart import Strategy
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.grammar.yield_function import apply
from plcfrs.pipeline import Model, RefinedModel, TransitionModel, kind_of
from plcfrs.transition.registry import SYSTEMS
from plcfrs.web.explaining import ExplainingModel, ExplainingTransitionModel
from plcfrs.web.limits import Limits, RefusedError
from plcfrs.web.treebanks import Treebank, file_treebank, uploaded_treebank

STRATEGIES: tuple[Strategy, ...] = ("astar", "knuth")

AnyModel = Model | RefinedModel | TransitionModel


class NamedModel:
    """A model, with a parser for each strategy once it is asked for.

    Parameters
    ----------
    name : str
    model : Model, RefinedModel or TransitionModel
        With the strategy "astar", if it has any.
    limits : Limits
    """

    def __init__(self, name: str, model: AnyModel, limits: Limits) -> None:
        self.name = name
        self.model = model
        self._limits = limits
        self._others: dict[Strategy, Model] = {}
        self._lock = Lock()

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """The strategies that can be chosen."""
        return STRATEGIES if isinstance(self.model, Model) else ()

    @property
    def grammar(self) -> Grammar:
        """The grammar; of a refined one, without substates.

        Raises
        ------
        RefusedError
            If it is a transition parser.
        """
        if isinstance(self.model, TransitionModel):
            raise RefusedError(400, f"{self.name} is a transition parser: it has no rules")
        return self.model.grammar

    def short_sentence(self) -> list[str]:
        """Return the tags of a short sentence that the model can parse, if there is one."""
        if isinstance(self.model, TransitionModel):
            return [self.model.tagger.tags[0]] * 2
        return short_sentence(self.grammar)

    def parser(self, strategy: Strategy = "astar") -> AnyModel:
        """Return the model with a strategy, for which only plain grammars have a use."""
        if strategy == "astar" or not isinstance(self.model, Model):
            return self.model
        with self._lock:
            if strategy not in self._others:
                self._others[strategy] = ExplainingModel(
                    self.grammar,
                    strategy,
                    max_items=self._limits.max_items,
                    max_seconds=self._limits.max_seconds,
                )
            return self._others[strategy]


class Store:
    """Models and treebanks by name; of those uploaded only the last few are kept.

    Parameters
    ----------
    models : sequence of str
        Files.
    treebanks : sequence of str
        Files, or what else `read_trees` takes: nothing else can be opened by its name.
    limits : Limits

    Raises
    ------
    GrammarError, InputError
        If a model cannot be loaded, or a treebank is not there.
    """

    def __init__(
        self, models: Sequence[str], treebanks: Sequence[str] = (), limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.treebanks = {
            name: file_treebank(name, path, self.limits) for name, path in _named(treebanks).items()
        }
        self.models = {
            name: NamedModel(name, self._load(path), self.limits)
            for name, path in _named(models).items()
        }
        self._uploaded: list[str] = []
        self._lock = Lock()

    def _load(self, path: str) -> AnyModel:
        kind = kind_of(path)
        if kind in SYSTEMS:
            return ExplainingTransitionModel.load(path)
        chart = RefinedModel if kind == "refined" else ExplainingModel
        return chart.load(
            path, max_items=self.limits.max_items, max_seconds=self.limits.max_seconds
        )

    def model(self, name: str | None) -> NamedModel:
        """Return a model, by default the first one.

        Raises
        ------
        RefusedError
            If there is none of that name.
        """
        name = next(iter(self.models)) if name is None else name
        if name not in self.models:
            raise RefusedError(404, f"no model is called {name}: {_known(self.models)}")
        return self.models[name]

    def treebank(self, name: str) -> Treebank:
        """Return a treebank.

        Raises
        ------
        RefusedError
            If there is none of that name.
        """
        with self._lock:
            if name not in self.treebanks:
                raise RefusedError(404, f"no treebank is called {name}: {_known(self.treebanks)}")
            return self.treebanks[name]

    def upload(self, file_name: str, content: bytes) -> Treebank:
        """Add an uploaded treebank and return it; the oldest of too many is forgotten.

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
    """Return the tags of a short sentence that the grammar has; none if it has no sentence.

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


def _named(paths: Sequence[str]) -> dict[str, str]:
    """Return paths by short names: what is before the extension, unless two have the same."""
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
    return f"there are {names}" if names else "there are none"
