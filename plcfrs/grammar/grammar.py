"""Lexicon and grammar: a probabilistic LCFRS (Evang and Kallmeyer 2011, section 2.1)."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from pathlib import Path
from random import Random
from typing import Literal

import plcfrs.grammar
from plcfrs.errors import GrammarError
from plcfrs.grammar.rules import (
    Nonterminal,
    Rule,
    RuleExample,
    cost,
    in_paper_notation,
    render_yield_function,
    shortest,
)
from plcfrs.trees import ROOT, Tree
from plcfrs.wording import MOST_SHOWN, counted, counts, escape, suggestion

Weights = Literal["counts", "probabilities"]

START = Nonterminal(ROOT)

_SHOWN = 5


@dataclass(slots=True, repr=False)
class Lexicon:
    """The rules from tags to words, with their counts.

    Parameters
    ----------
    words : dict of str to dict of Nonterminal to float
        The tags of each word, with counts or probabilities.
    signatures : dict of str to dict of Nonterminal to float
        The tags of each signature of rare words (see `plcfrs.grammar.words`), with counts. Without
        signatures, unknown words have no tags; with signatures, words have counts.
    initial : dict of str to dict of Nonterminal to float
        How many occurrences begin a sentence; used only while words are counted.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> lexicon = Lexicon()
    >>> lexicon.add(tag("NN"), "ferry", 3)
    >>> lexicon.add(tag("NN"), "dog", 1)
    >>> lexicon.probabilities()["ferry"][tag("NN")]
    0.75
    """

    words: dict[str, dict[Nonterminal, float]] = field(default_factory=dict)
    signatures: dict[str, dict[Nonterminal, float]] = field(default_factory=dict)
    initial: dict[str, dict[Nonterminal, float]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self.words)} words>"

    def add(
        self, tag: Nonterminal, word: str, count: float = 1, *, is_initial: bool = False
    ) -> None:
        """Count a word with its tag."""
        for words in (self.words, self.initial) if is_initial else (self.words,):
            tags = words.setdefault(word, {})
            tags[tag] = tags.get(tag, 0) + count

    def merge(self, other: Lexicon) -> None:
        """Add the counts of another lexicon; signatures are learned later, from all counts."""
        for mine, others in ((self.words, other.words), (self.initial, other.initial)):
            for word, tags in others.items():
                counts = mine.setdefault(word, {})
                for tag, count in tags.items():
                    counts[tag] = counts.get(tag, 0) + count

    def totals(self) -> dict[Nonterminal, float]:
        """Return the total count of each tag."""
        totals: dict[Nonterminal, float] = defaultdict(float)
        for tags in self.words.values():
            for tag, count in tags.items():
                totals[tag] += count
        return dict(totals)

    def probabilities(self) -> dict[str, dict[Nonterminal, float]]:
        """Return the probability of each word given its tag, estimated by maximum likelihood."""
        totals = self.totals()
        return {
            word: {tag: count / totals[tag] for tag, count in tags.items()}
            for word, tags in self.words.items()
        }

    def beside_probabilities(self) -> Lexicon:
        """Return the lexicon for a grammar with probabilities; smoothing needs counts of words."""
        return self if self.signatures else Lexicon(self.probabilities())

    def to_records(self) -> list[dict[str, str | float]]:
        """Return a row for each tag of each word, as ``pandas.DataFrame`` takes them.

        >>> from plcfrs.grammar import tag
        >>> Lexicon({"ferry": {tag("NN"): 3}, "dog": {tag("NN"): 1}}).to_records()[0]
        {'tag': 'NN', 'word': 'ferry', 'count': 3, 'probability': 0.75}
        """
        return [
            {
                "tag": str(tag),
                "word": word,
                "count": self.words[word][tag],
                "probability": probability,
            }
            for word, tags in self.probabilities().items()
            for tag, probability in tags.items()
        ]


@dataclass(slots=True, repr=False)
class Grammar:
    """A probabilistic LCFRS: rules with counts or probabilities, and a lexicon.

    Parameters
    ----------
    rules : dict of Rule to float
        Counts, or probabilities if `weights` says so.
    lexicon : Lexicon
    start : Nonterminal
    weights : {"counts", "probabilities"}
        Probabilities are used unchanged; counts are divided by the total of the left-hand side.
    options : dict of str to str
        How the grammar was made; saved with it.
    examples : dict of Rule to tuple of RuleExample
        Example sentences of the treebank for rules; saved with the grammar.
    training_set : set of int
        The sentences of the treebank, see `plcfrs.trees.training_set`; empty if not known. The
        compressed form keeps them.
    shifts : dict of Rule to tuple of float
        The cost of each component of a rule in the bounds of the search, less an equal part of the
        cost of the rule; see `plcfrs.chart.multipliers`. The compressed form keeps them.
    completion : bytes
        The file of what completes the parses, see `plcfrs.completion`; empty without one. The
        compressed form keeps it.
    """

    rules: dict[Rule, float] = field(default_factory=dict)
    lexicon: Lexicon = field(default_factory=Lexicon)
    start: Nonterminal = START
    weights: Weights = "counts"
    options: dict[str, str] = field(default_factory=dict)
    examples: dict[Rule, tuple[RuleExample, ...]] = field(default_factory=dict)
    training_set: set[int] = field(default_factory=set, compare=False)
    shifts: dict[Rule, tuple[float, ...]] = field(default_factory=dict, compare=False)
    completion: bytes = field(default=b"", compare=False)

    def __repr__(self) -> str:
        return f"<Grammar: {len(self.rules)} rules, {len(self.lexicon.words)} words>"

    def __str__(self) -> str:
        kinds = Counter(symbol.kind for symbol in self.nonterminals())
        lexical = sum(map(len, self.lexicon.words.values()))
        return (
            f"{len(self.rules)} rules\n"
            f"  by fan-out: {counts(self.count_by_fan_out())}\n"
            f"  by rank: {counts(self.count_by_rank())}\n"
            f"  nonterminals: {kinds['category']} categories, "
            f"{kinds['intermediate']} intermediate, {kinds['tag']} tags\n"
            f"  lexicon: {len(self.lexicon.words)} words, {lexical} lexical rules"
        )

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return _table(self)

    def add(self, rule: Rule, count: float = 1) -> None:
        """Count a rule."""
        self.rules[rule] = self.rules.get(rule, 0) + count

    def merge(self, other: Grammar, examples: int = 0) -> None:
        """Add the counts of another grammar; its new rules and words come last.

        Merging the grammars of the parts of a treebank in order gives the grammar of the whole.
        The `examples` shortest examples of each rule are kept.

        Raises
        ------
        GrammarError
            If either grammar has no counts, or they have different start symbols.
        """
        if self.weights != "counts" or other.weights != "counts":
            raise GrammarError("only grammars with counts can be merged")
        if self.start != other.start:
            raise GrammarError(
                f"grammars that start with {self.start} and {other.start} cannot be merged"
            )
        for rule, count in other.rules.items():
            self.add(rule, count)
        for rule, found in other.examples.items():
            self.examples[rule] = shortest((*self.examples.get(rule, ()), *found), examples)
        self.lexicon.merge(other.lexicon)
        self.training_set |= other.training_set

    def probabilities(self) -> dict[Rule, float]:
        """Return the probability of each rule given its left-hand side.

        Counts give the maximum likelihood estimate (Evang and Kallmeyer 2011, section 3).
        """
        if self.weights == "probabilities":
            return self.rules
        totals = self.totals()
        return {rule: count / totals[rule.lhs] for rule, count in self.rules.items()}

    def totals(self) -> dict[Nonterminal, float]:
        """Return the total weight of the rules of each left-hand side."""
        totals: dict[Nonterminal, float] = defaultdict(float)
        for rule, weight in self.rules.items():
            totals[rule.lhs] += weight
        return dict(totals)

    def costs(self) -> dict[Rule, float]:
        """Return ``-log p`` (natural logarithm) of each rule; never negative."""
        return {rule: cost(p) for rule, p in self.probabilities().items()}

    def to_records(self) -> list[dict[str, str | float]]:
        """Return a row for each rule, as ``pandas.DataFrame`` takes them.

        A row has lhs, rhs, yield_function, fan_out and kind (of the left-hand side), rank, count
        (where the weights are counts), probability and cost.

        >>> vp, md = Nonterminal("VP", 2), Nonterminal("MD", kind="tag")
        >>> sq = Nonterminal("SQ")
        >>> grammar = Grammar({Rule(sq, (vp, md), ((0, 1, 0),)): 3, Rule(sq, (md,), ((0,),)): 1})
        >>> for row in grammar.to_records():
        ...     print(row["lhs"], "->", row["rhs"], row["yield_function"], row["probability"])
        SQ -> VP_2 MD [0 1 0] 0.75
        SQ -> MD [0] 0.25
        """
        return [
            {
                "lhs": str(rule.lhs),
                "rhs": " ".join(map(str, rule.rhs)),
                "yield_function": render_yield_function(rule.yield_function),
                "fan_out": rule.lhs.fanout,
                "rank": rule.rank,
                **({"count": self.rules[rule]} if self.weights == "counts" else {}),
                "probability": probability,
                "cost": cost(probability),
                "kind": rule.lhs.kind,
            }
            for rule, probability in self.probabilities().items()
        ]

    def nonterminals(self) -> dict[Nonterminal, None]:
        """Return all symbols, tags included, in the order of the rules."""
        symbols: dict[Nonterminal, float] = {self.start: 0}
        for lhs, rhs, _ in self.rules:
            symbols[lhs] = 0
            for child in rhs:
                symbols[child] = 0
        for tags in (*self.lexicon.words.values(), *self.lexicon.signatures.values()):
            symbols.update(tags)
        return dict.fromkeys(symbols)

    def rank(self) -> int:
        """Return the largest number of children of a rule."""
        return max((rule.rank for rule in self.rules), default=0)

    def fan_out(self) -> int:
        """Return the largest fan-out of a nonterminal."""
        return max(nonterminal.fanout for nonterminal in self.nonterminals())

    def count_by_fan_out(self) -> Counter[int]:
        """Return the number of rules for each fan-out of the left-hand side."""
        return Counter(rule.lhs.fanout for rule in self.rules)

    def count_by_rank(self) -> Counter[int]:
        """Return the number of rules for each rank."""
        return Counter(rule.rank for rule in self.rules)

    def check(self) -> None:
        """Raise a GrammarError if a rule or a weight is not valid."""
        for rule in self.rules:
            rule.check()
            if rule.lhs.kind == "tag":
                raise GrammarError(f"rule {rule}: {rule.lhs} is a tag, and tags have no rules")
        _check_weights(self.rules.items(), self.weights)
        tags = {child for rule in self.rules for child in rule.rhs if child.kind == "tag"}
        # With signatures, words have counts.
        kind: Weights = "counts" if self.lexicon.signatures else self.weights
        for word, tagged in [*self.lexicon.words.items(), *self.lexicon.signatures.items()]:
            _check_weights(tagged.items(), kind, f" {word}")
            tags.update(tagged)
        for wide in (tag for tag in tags if tag.fanout != 1):
            raise GrammarError(f"{wide} has no rules, so it is a tag; but tags must have fan-out 1")
        if self.start.fanout != 1:
            raise GrammarError(f"the start symbol {self.start} must have fan-out 1")

    def check_start(self) -> None:
        """Raise a GrammarError if the start symbol has no rules."""
        if not any(rule.lhs == self.start for rule in self.rules):
            children = {child for rule in self.rules for child in rule.rhs}
            tops = dict.fromkeys(str(rule.lhs) for rule in self.rules if rule.lhs not in children)
            others = suggestion(list(tops)[:_SHOWN]) if tops else ""
            raise GrammarError(f"the start symbol {self.start} has no rules{others}")

    def sample(self, number: int = 1, *, seed: int = 1, max_length: int = 100) -> list[Tree]:
        """Return random trees of up to `max_length` words, drawn by probability.

        `plcfrs.grammar.enumerate_trees` returns the shortest or the most probable trees.

        Raises
        ------
        GrammarError
            If there are no such trees.

        Examples
        --------
        >>> s, a = Nonterminal("S"), Nonterminal("a", kind="tag")
        >>> rules = {Rule(s, (a, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> [len(tree.tokens) for tree in Grammar(rules, start=s).sample(5)]
        [1, 1, 2, 3, 2]
        """
        sampler, random = plcfrs.grammar.TreeSampler(self, max_length), Random(seed)
        return [sampler.draw(random).tree(str(place + 1)) for place in range(number)]

    @staticmethod
    def load(path: str | Path) -> Grammar:
        """Read a grammar from a file; docs/reference/grammar-file.md describes the formats.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a grammar.
        """
        return plcfrs.grammar.formats.load_grammar(path)

    def save(self, path: str | Path) -> None:
        """Write the grammar in the format of the extension, by default in the compressed form."""
        plcfrs.grammar.formats.save_grammar(self, path)

    def stored(self) -> bytes:
        """Return the text of the compressed form; see `plcfrs.storage.model_file`."""
        alone = replace(self, training_set=set(), completion=b"")  # the model has them
        return plcfrs.grammar.formats.native.dumps(alone).encode()

    @staticmethod
    def restored(text: bytes) -> Grammar:
        """Return the grammar in a model."""
        return plcfrs.grammar.formats.native.loads(text.decode())


def _table(grammar: Grammar) -> str:
    """Return an HTML table with the figures of a grammar and its most frequent rules."""
    symbols = [symbol for symbol in grammar.nonterminals() if symbol.kind != "tag"]
    by_fan_out = sorted(grammar.count_by_fan_out().items())
    figures = [
        f"{len(grammar.rules)} rules",
        *(f"{rules} of fan-out {fan_out}" for fan_out, rules in by_fan_out),
        f"{len(symbols)} symbols",
        f"{len(grammar.lexicon.words)} words",
    ]
    probabilities = grammar.probabilities()
    rows = [
        f'<tr><td style="text-align: left">{escape(in_paper_notation(rule))}</td>'
        f"<td>{weight:g}</td><td>{probabilities[rule]:.4f}</td></tr>"
        for rule, weight in nlargest(MOST_SHOWN, grammar.rules.items(), key=lambda item: item[1])
    ]
    return "\n".join(
        [
            f"<table><caption>{', '.join(figures)}; the {len(rows)} with the highest "
            f"{grammar.weights}:</caption>",
            '<tr><th style="text-align: left">rule</th>'
            f"<th>{grammar.weights.removesuffix('s')}</th><th>p</th></tr>",
            *rows,
            "</table>",
        ]
    )


@dataclass(frozen=True)
class Inspection:
    """The contents of a model for `plcfrs inspect`: its grammar without substates, and lines.

    `symbol` returns text about the substates of a symbol, given its name.
    """

    grammar: Grammar | None = None
    lines: Sequence[str] = ()
    symbol: Callable[[str], list[str]] | None = None


def _check_weights(weighted: Iterable[tuple[object, float]], kind: Weights, word: str = "") -> None:
    upper = 1 if kind == "probabilities" else sys.float_info.max
    for what, weight in weighted:
        if not 0 < weight <= upper:
            raise GrammarError(f"{what}{word}: {weight:g} is outside the range of {kind}")


_ROUNDING = 0.015  # people write 0.33 three times


def improper_sums(grammar: Grammar) -> str:
    """Return a warning about symbols whose probabilities do not sum to 1; empty if all do."""
    if grammar.weights == "counts":  # they are divided by their sums
        return ""
    totals = grammar.totals().items()
    wrong = {symbol: total for symbol, total in totals if abs(total - 1) > _ROUNDING}
    if not wrong:
        return ""
    shown = [f"{symbol}: {total:.4g}" for symbol, total in [*wrong.items()][:_SHOWN]]
    more = ", ..." if len(wrong) > _SHOWN else ""
    symbols = f"{counted(len(wrong), 'symbol')} ({', '.join(shown)}{more})"
    return f"probabilities do not sum to 1, and are used unchanged: {symbols}"


def tags_without_words(grammar: Grammar) -> list[Nonterminal]:
    """Return the symbols with neither rules nor words, perhaps misspelt, if there is a lexicon."""
    if not grammar.lexicon.words:
        return []
    others = grammar.lexicon.totals().keys() | {rule.lhs for rule in grammar.rules}
    return [symbol for symbol in grammar.nonterminals() if symbol not in others]
