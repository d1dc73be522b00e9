"""Preparation of a model: its first sentence loads what it needs, and compiles missing kernels."""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from plcfrs.errors import GrammarError
from plcfrs.forest.surprisal import PrefixReader
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.grammar.rules import apply
from plcfrs.parsing import Sentence, SentenceParser
from plcfrs.parsing.parse import Task


def prepare(model: SentenceParser) -> Sentence:
    """Parse a short sentence in all ways that the model has, and return it."""
    sentence = easy_sentence(model)
    objectives = model.objectives or (None,)
    ways: list[tuple[str | None, int | None]] = [(objective, None) for objective in objectives]
    if "nbest" in model.capabilities:
        ways.append((objectives[0], 2))
    for objective, nbest in ways:
        sums = "sums" in model.capabilities
        task = Task(objective, nbest, explained=True, posteriors=sums)
        model.parse_together([sentence], task)
    if "surprisal" in model.capabilities:
        with suppress(GrammarError):  # users who ask for surprisal get the error
            cast(PrefixReader, model).surprisal(sentence, analyses=1)
    return sentence


def easy_sentence(model: SentenceParser) -> Sentence:
    """Return a short sentence that the model can parse, if there is one; its words are tags."""
    grammar: Grammar | None = getattr(model, "grammar", None)
    tags = short_sentence(grammar) if grammar else [min(model.tags)] * 2
    return Sentence.of([(tag, tag) for tag in tags])


def short_sentence(grammar: Grammar) -> list[str]:
    """Return the tags of a short sentence of the grammar; no tags if it has no sentence.

    >>> from plcfrs.grammar import Rule, tag
    >>> s, vp, v, w = Nonterminal("S"), Nonterminal("VP", 2), tag("V"), tag("W")
    >>> rules = {Rule(s, (vp, v), ((0, 1, 0),)): 1, Rule(vp, (w, v), ((0,), (1,))): 1}
    >>> short_sentence(Grammar(rules, start=s))
    ['W', 'V', 'V']
    """
    yields: dict[Nonterminal, list[list[str]]] = {
        symbol: [[symbol.category]] for symbol in grammar.nonterminals() if symbol.kind == "tag"
    }
    before = 0
    while grammar.start not in yields and len(yields) > before:
        before = len(yields)
        for rule in grammar.rules:
            if rule.lhs not in yields and all(child in yields for child in rule.rhs):
                children = [yields[child] for child in rule.rhs]
                yields[rule.lhs] = apply(rule.yield_function, children)
    return yields.get(grammar.start, [[]])[0]
