"""Errors of parsers, classified in linguistic terms.

A *bracket error* is a constituent of the gold tree that the parse lacks (missed), or a constituent
of the parse that the gold tree lacks (spurious). A missed and a spurious bracket that belong
together, by their words or by label and lexical head, are one error. Each error is in exactly one
class, the first that fits; the guide to scores explains the classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.bracketing import (
    Bits,
    has_parse,
    head_words,
    joined,
    kept_words,
    labelled_nodes,
    unmatched,
)
from plcfrs.evaluation.prm import FIELD, Settings
from plcfrs.evaluation.report import Cell, Table
from plcfrs.trees import Tree
from plcfrs.trees.heads import HeadRules
from plcfrs.trees.tree import fan_out, runs

ATTACHMENT, LABEL, MISSED_GAP, SPURIOUS_GAP, UNARY, OTHER, NO_PARSE = ERROR_TYPES = (
    "attachment",
    "wrong label",
    "missed gap",
    "spurious gap",
    "unary",
    "other",
    "without a parse",
)


class HeadedBracket(NamedTuple):
    """A bracket with its lexical head.

    Bit ``i`` of the span is the i-th word that counts. The head is the bit of its word, or a
    negative number if the word does not count.
    """

    label: str
    span: int
    head: int
    head_word: str

    @property
    def gaps(self) -> int:
        """Number of gaps between its words."""
        return fan_out(self.span) - 1


Pair = tuple[HeadedBracket | None, HeadedBracket | None]
"""A missed and a spurious constituent; one of them may be missing."""


@dataclass(frozen=True)
class BracketError:
    """One error: a missed constituent, a spurious one, or a spurious one for a missed one.

    Parameters
    ----------
    type : str
        One of `ERROR_TYPES`.
    sentence : str
        The identifier or the number of the sentence.
    missed, spurious : HeadedBracket or None
    words : tuple of str
        The words that count.
    """

    type: str
    sentence: str
    missed: HeadedBracket | None
    spurious: HeadedBracket | None
    words: tuple[str, ...]

    def __str__(self) -> str:
        missed, spurious = self.missed, self.spurious
        if missed is None or spurious is None:
            what = "missed" if missed else "spurious"
            bracket = cast(HeadedBracket, missed or spurious)
            return f"{bracket.label} {what}: {self._quote(bracket.span)}"
        if missed.span == spurious.span:
            return f"{spurious.label} for {missed.label}: {self._quote(missed.span)}"
        left_out, added = missed.span & ~spurious.span, spurious.span & ~missed.span
        changes = [f"without {self._quote(left_out)}"] if left_out else []
        changes += [f"with {self._quote(added)}"] if added else []
        return f"{missed.label} of {missed.head_word!r}: {', '.join(changes)}"

    def _quote(self, span: int) -> str:
        blocks = (" ".join(self.words[left:right]) for left, right in runs(span))
        return repr(" ... ".join(blocks))


def find_errors(
    gold: Iterable[Tree],
    parses: Iterable[Tree],
    settings: Settings = FIELD,
    rules: HeadRules | None = None,
) -> Iterator[BracketError]:
    """Yield all errors of the parses.

    Parameters
    ----------
    gold, parses : iterable of Tree
        The same sentences in the same order, without null elements.
    settings : Settings
    rules : HeadRules, optional
        Collins (1999) by default.

    Raises
    ------
    InputError
        If the sentences differ, or a tree has null elements.
    """
    sources = {"gold tree": gold, "parse": parses}
    for number, (tree, parse) in align_sentences(sources, settings):
        yield from errors_of(tree.id or str(number), tree, parse, settings, rules)


def errors_of(
    sentence: str,
    gold: Tree,
    parse: Tree,
    settings: Settings = FIELD,
    rules: HeadRules | None = None,
) -> Iterator[BracketError]:
    """Yield the errors of the parse of one sentence.

    Parameters
    ----------
    sentence : str
        Its name in the errors.
    gold, parse : Tree
        With the same words.
    settings : Settings
    rules : HeadRules, optional
        Collins (1999) by default.
    """
    ones, others = kept_words(gold, parse, settings)
    words = tuple(joined([token.form for token in gold.tokens], ones))
    gold_constituents = constituents(gold, ones, settings, rules)
    parsed_constituents = constituents(parse, others, settings, rules)
    is_parsed = has_parse(parse)
    for type_, (missed, spurious) in classify(gold_constituents, parsed_constituents):
        yield BracketError(type_ if is_parsed else NO_PARSE, sentence, missed, spurious, words)


def constituents(
    tree: Tree, bits: Bits, settings: Settings, rules: HeadRules | None = None
) -> list[HeadedBracket]:
    """Return the constituents of a tree over the words that count."""
    heads = {node: (bits.get(head, -head), head) for node, head in head_words(tree, rules).items()}
    return [
        HeadedBracket(label, span, heads[node][0], tree.tokens[heads[node][1]].form)
        for node, (label, span) in labelled_nodes(tree, bits, settings)
    ]


def classify(gold: list[HeadedBracket], parsed: list[HeadedBracket]) -> Iterator[tuple[str, Pair]]:
    """Yield the errors of a parsed sentence, each with its class."""
    missed, spurious = _without(gold, parsed), _without(parsed, gold)
    for pair in _take_pairs(missed, spurious, lambda constituent: constituent.span):
        yield LABEL, pair
    for pair in _take_pairs(missed, spurious, _phrase):
        yield _type_of_phrase(*pair), pair
    for constituent in missed:
        yield _type_of_single(constituent, MISSED_GAP, parsed), (constituent, None)
    for constituent in spurious:
        yield _type_of_single(constituent, SPURIOUS_GAP, gold), (None, constituent)


@dataclass
class ErrorSummary:
    """Numbers of errors of each class, with the first examples.

    Parameters
    ----------
    shown : int
        Number of examples of each class.
    missed, spurious : Counter of str
    examples : dict of str to list of BracketError
    """

    shown: int = 3
    missed: Counter[str] = field(default_factory=Counter)
    spurious: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[BracketError]] = field(default_factory=dict)

    def add(self, errors: Iterable[BracketError]) -> None:
        """Count more errors."""
        for error in errors:
            self.missed[error.type] += error.missed is not None
            self.spurious[error.type] += error.spurious is not None
            examples = self.examples.setdefault(error.type, [])
            if len(examples) < self.shown:
                examples.append(error)


def summarize_errors(errors: Iterable[BracketError], examples: int = 3) -> ErrorSummary:
    """Count errors by class, and keep the first examples of each class.

    Parameters
    ----------
    errors : iterable of BracketError
    examples : int
    """
    summary = ErrorSummary(examples)
    summary.add(errors)
    return summary


def error_table(summary: ErrorSummary) -> Table:
    """Return the counts of each class and in total."""
    columns = summary.missed, summary.spurious
    rows: dict[str, list[Cell]] = {
        type_: [counts[type_] for counts in columns] for type_ in ERROR_TYPES
    }
    rows["total"] = [counts.total() for counts in columns]
    return Table("Errors", ["missed", "spurious"], rows)


def example_table(summary: ErrorSummary) -> Table:
    """Return the examples of each class: the sentence, and the error."""
    rows: dict[str, list[Cell]] = {
        f"{type_} {number}": [error.sentence, str(error)]
        for type_ in ERROR_TYPES
        for number, error in enumerate(summary.examples.get(type_, []), start=1)
    }
    return Table("Examples of errors", ["sentence", "what is wrong"], rows)


def _without(some: list[HeadedBracket], others: list[HeadedBracket]) -> list[HeadedBracket]:
    """Return the constituents that the other tree lacks, small ones first."""
    remaining = unmatched(some, others, lambda constituent: (constituent.label, constituent.span))
    return sorted(remaining, key=lambda constituent: constituent.span.bit_count())


def _take_pairs(
    missed: list[HeadedBracket],
    spurious: list[HeadedBracket],
    key: Callable[[HeadedBracket], Hashable],
) -> list[tuple[HeadedBracket, HeadedBracket]]:
    """Take pairs with the same key out of both lists, in their order."""
    partners: dict[Hashable, list[HeadedBracket]] = {}
    for constituent in spurious:
        partners.setdefault(key(constituent), []).append(constituent)
    pairs = []
    for constituent in list(missed):
        if partners.get(key(constituent)):
            pairs.append((constituent, partners[key(constituent)].pop(0)))
            missed.remove(constituent)
            spurious.remove(pairs[-1][1])
    return pairs


def _phrase(constituent: HeadedBracket) -> tuple[str, int]:
    return constituent.label, constituent.head


def _type_of_phrase(missed: HeadedBracket, spurious: HeadedBracket) -> str:
    if missed.gaps == spurious.gaps:
        return ATTACHMENT
    return MISSED_GAP if missed.gaps > spurious.gaps else SPURIOUS_GAP


def _type_of_single(single: HeadedBracket, gap: str, others: list[HeadedBracket]) -> str:
    if single.span.bit_count() == 1 or any(single.span == other.span for other in others):
        return UNARY
    if single.gaps:
        return gap
    return ATTACHMENT if _phrase(single) in map(_phrase, others) else OTHER
