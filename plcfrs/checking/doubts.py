"""Where a parser contradicts a tree, and how probable it is that the tree is wrong.

All constituents that only one of the two trees has for one reason are one finding: a phrase that is
attached elsewhere changes all nodes in between. Functions and null elements are judged in the given
tree, so that they do not depend on other errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import exp, log
from typing import NamedTuple

from plcfrs.checking.finding import Finding
from plcfrs.completion import Completion, functions, null_elements
from plcfrs.completion.classifier import Classifier, Decision, Features
from plcfrs.completion.context import Context
from plcfrs.completion.lessons import TreeLessons, null_labels
from plcfrs.errors import InputError
from plcfrs.parsing import train
from plcfrs.parsing.parse import BARE_PARSE, Constituent, constituents_of
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.stopping import until_stopped
from plcfrs.transformation import Options, transform
from plcfrs.transformation.presets import (
    can_be_undone,
    change_all,
    options_of,
    transform_reversibly,
)
from plcfrs.trees import NULL_TAG, Tree, render_label
from plcfrs.trees.annotation import Annotation
from plcfrs.trees.training_set import sentence_hash
from plcfrs.trees.tree import crosses, positions
from plcfrs.wording import counted

_BATCH = 64  # sentences to parse at once
_LEAST = 1e-4  # the least probability that counts


class _Doubt(NamedTuple):
    """A contradiction, and the log-odds of an error.

    The kind is empty, or what is given and what is expected: what occurs often is a habit of the
    treebank, or of the parser.
    """

    tree: Tree
    places: Sequence[int]
    label: str
    message: str
    log_odds: float
    kind: tuple[str, ...] = ()


def find_doubts(
    trees: Iterable[Tree], parser: SentenceParser, options: Options | None = None
) -> Iterator[Finding]:
    """Yield the parts of trees that a parser contradicts.

    Trees of sentences that it has learned from are left out: see `has_learned`.

    Parameters
    ----------
    trees : iterable of Tree
    parser : SentenceParser
    options : Options, optional
        Of the transformation of trees with traces; by default that of the parser's treebank.
    """
    unknown = (tree for tree in trees if not has_learned(parser, tree))
    yield from _findings(list(_doubts(unknown, parser, options or options_of(parser.about))))


def has_learned(parser: SentenceParser, tree: Tree) -> bool:
    """Return whether a parser has learned from a sentence, and so cannot judge its tree."""
    return sentence_hash(tree) in parser.training_set


def find_doubts_in_folds(
    trees: Sequence[Tree],
    family: str = "features",
    folds: int = 5,
    options: Options = Options(splits=(), keep_sbar=True),
) -> Iterator[Finding]:
    """Yield the parts of trees that parsers contradict which have learned from the other folds.

    Parameters
    ----------
    trees : sequence of Tree
    family : str
        Of the parsers; see `plcfrs.train`.
    folds : int
        The number of parsers, at least 2.
    options : Options
        Of the transformation of trees with traces.
    """
    if folds > len(trees):
        raise InputError(f"{folds} folds of {counted(len(trees), 'tree')}: each needs a tree")
    doubts: list[_Doubt] = []
    for fold in range(folds):
        learned = (tree.copy() for place, tree in enumerate(trees) if place % folds != fold)
        changed = change_all(learned, options, annotation=can_be_undone(options))
        doubts += _doubts(trees[fold::folds], train(family, changed), options)
    yield from _findings(doubts)


# The weights here and below were fitted on the parts `dev` of MASC and CRAFT, in which 2 % of the
# nodes had errors.
_OF_FREQUENT_KINDS = -0.8
_MORE_DOUBTS = 100  # so that a few do not all look frequent


def _findings(doubts: Sequence[_Doubt]) -> Iterator[Finding]:
    counts = Counter(doubt.kind for doubt in doubts)
    total = sum(counts.values()) - counts[()] + _MORE_DOUBTS
    for tree, places, label, message, log_odds, kind in doubts:
        if kind:
            log_odds += _OF_FREQUENT_KINDS * log(counts[kind] / total)
        score = 1 / (1 + exp(-log_odds))
        yield replace(Finding.at(tree, places, "parser", message, score), label=label)


def _doubts(trees: Iterable[Tree], parser: SentenceParser, options: Options) -> Iterator[_Doubt]:
    rest = iter(until_stopped(trees))
    while batch := list(islice(rest, _BATCH)):
        sentences = [Sentence.of(tree) for tree in batch]
        parses = parser.parse_together(sentences, BARE_PARSE)
        for tree, sentence, (parse,) in zip(batch, sentences, parses, strict=True):
            given = transform(tree, options).forget_splits()
            if parse.status == "parsed" and len(given.tokens) == len(parse.tree.tokens):
                yield from _of_structure(_Words(tree), given, parse.tree, parser, sentence)
            if parser.completion and given.tokens:
                yield from _of_annotation(tree, parser.completion, options)


class _Words:
    """A tree, and the places of its words among its tokens, null elements included."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.places = [place for place, token in enumerate(tree.tokens) if not token.is_null]
        self.labels: dict[tuple[int, ...], str] = {}
        for node in reversed(tree.nodes()[1:]):
            leaves = [leaf for leaf in node.leaves() if not tree.tokens[leaf].is_null]
            self.labels[tuple(sorted(leaves))] = render_label(node)

    def doubt(self, span: int, message: str, log_odds: float, kind: tuple[str, ...] = ()) -> _Doubt:
        """Return a doubt about some words."""
        places = tuple(self.places[word] for word in positions(span))
        label = self.labels.get(places, "")
        return _Doubt(self.tree, places, label, message, log_odds, kind)

    def null_doubt(self, words_before: int, given: str, expected: str, log_odds: float) -> _Doubt:
        """Return a doubt about a null element, or about the word beside a missing one."""
        ends = [-1, *self.places, len(self.tree.tokens)]
        nulls = range(ends[words_before] + 1, ends[words_before + 1])
        if given and nulls:
            message = f"{expected or 'no null element'} expected, not {given}"
            return _Doubt(self.tree, nulls[:1], NULL_TAG, message, log_odds, (given, expected))
        is_last = words_before == len(self.places)
        message = f"{expected or 'no null element'} expected {'after' if is_last else 'before'} it"
        return self.doubt(1 << words_before - is_last, message, log_odds)

    def text(self, span: int) -> str:
        """Return words in quotes."""
        found = Finding.at(self.tree, [self.places[word] for word in positions(span)], "", "", 0)
        return f"“{found.words}”"


class _Odd(NamedTuple):
    """A constituent that only one of two trees has; `home` is around it in both."""

    constituent: Constituent
    is_given: bool
    home: int

    def has_cause_of(self, other: _Odd) -> bool:
        """Whether another one crosses it, or is its alternative."""
        (category, span), (other_category, other_span) = self.constituent, other.constituent
        is_version = (
            self.is_given != other.is_given
            and self.home == other.home
            and category == other_category
            and span & other_span
        )
        return span == other_span or crosses(span, other_span) or bool(is_version)


def _of_structure(
    words: _Words, given: Tree, parsed: Tree, parser: SentenceParser, sentence: Sentence
) -> Iterator[_Doubt]:
    """Yield the differences between a tree and a parse."""
    for odd in _differences(given, parsed):
        constituents = [each.constituent for each in odd]
        scores = dict(zip(constituents, parser.log_odds(sentence, constituents), strict=True))
        here = [each.constituent for each in odd if each.is_given]
        expected = [each.constituent for each in odd if not each.is_given]
        log_odds = -3.7
        log_odds += 0.37 * min(map(scores.__getitem__, expected)) if expected else -1.0
        log_odds += -0.11 * max(map(scores.__getitem__, here)) if here else 0.6
        span, message = _described(words, here, expected)
        yield words.doubt(span, message, log_odds)


def _differences(given: Tree, parsed: Tree) -> list[list[_Odd]]:
    """Return the constituents that only one of the trees has, those with one cause together."""
    first, second = (Counter(constituents_of(tree)) for tree in (given, parsed))
    common = sorted({span for _, span in first & second}, key=int.bit_count)
    groups: list[list[_Odd]] = []
    for only, is_given in ((first - second, True), (second - first, False)):
        for constituent in only.elements():
            span = constituent[1]
            home = next((each for each in common if each & span == span != each), common[-1])
            odd = _Odd(constituent, is_given, home)
            linked = [group for group in groups if any(map(odd.has_cause_of, group))]
            groups = [group for group in groups if group not in linked]
            groups.append([odd, *(each for group in linked for each in group)])
    return groups


def _described(
    words: _Words, here: Sequence[Constituent], expected: Sequence[Constituent]
) -> tuple[int, str]:
    """Return the words that a difference is about, and what it is."""
    moved = [
        (larger ^ smaller, category, larger, larger == other_span)
        for category, span in here
        for other, other_span in expected
        if category == other
        for smaller, larger in [sorted((span, other_span), key=int.bit_count)]
        if smaller & larger == smaller
    ]
    if moved:
        span, category, mother, is_below = min(moved, key=lambda each: each[0].bit_count())
        what = "expected" if is_below else "not expected"
        return span, f"{what} in {category} {words.text(mother)}"
    category, span = (expected or here)[0]
    if not expected:
        return span, "no constituent expected"
    others = [other for other, other_span in here if other_span == span]
    return span, f"{category} expected{f', not {others[0]}' if others else ''}"


class _Annotation(TreeLessons):
    """The functions and null elements of a tree, as decisions of a completion."""

    def __init__(self, options: Options, completion: Completion) -> None:
        super().__init__(options)
        self.words = completion.words
        self.functions_of: list[tuple[int, str, Decision]] = []
        self.nulls_of: list[tuple[int, str, Decision]] = []

    def add_functions(self, context: Context) -> None:
        """Keep the functions, with the words that they are about."""
        self.functions_of = [
            (context.span(part), context.functions(part), decision)
            for part, decision in functions.decisions(context, self.words)
        ]

    def add_nulls(self, context: Context, annotation: Annotation) -> None:
        """Keep the null elements, with the number of words before them."""
        self.nulls_of = [
            (place, label, decision)
            for _, place, label, decision in null_labels(context, annotation)
        ]


def _of_annotation(tree: Tree, completion: Completion, options: Options) -> Iterator[_Doubt]:
    """Yield the functions and null elements that a completion would not give a tree."""
    change = transform_reversibly if completion.nulls and can_be_undone(options) else transform
    annotation, words = _Annotation(options, completion), _Words(tree)
    annotation.add(change(tree, options))
    if completion.functions:
        found = annotation.functions_of
        for span, given, best, gain in _contradicted(
            completion.functions, functions.FEATURES, found
        ):
            what = f"{best or 'no function'} expected{f', not {given}' if given else ''}"
            log_odds = 0.34 * gain - 6.4 - (0.8 if not best else 0.0)
            yield words.doubt(span, what, log_odds, (given, best))
    if completion.nulls:
        found = annotation.nulls_of
        for place, given, best, gain in _contradicted(
            completion.nulls, null_elements.FEATURES, found
        ):
            log_odds = 0.5 * gain - (9.2 if given else 1.7) - (0.0 if best else 2.7)
            yield words.null_doubt(place, _shown(given), _shown(best), log_odds)


def _contradicted(
    classifier: Classifier, features: Features, found: Sequence[tuple[int, str, Decision]]
) -> Iterator[tuple[int, str, str, float]]:
    """Yield where another label is more probable: the place, the given label, it, and the gain."""
    chances = classifier.chances(features, [decision for *_, decision in found])
    for (place, given, _), known in zip(found, chances, strict=True):
        best, gain = _gain(known, given)
        if best != given:
            yield place, given, best, gain


def _gain(chances: dict[str, float], given: str) -> tuple[str, float]:
    """Return the most probable label, and by how much it is more probable than the given one."""
    best = max(chances, key=chances.__getitem__)
    return best, log(chances[best] / max(chances.get(given, 0.0), _LEAST))


def _shown(label: str) -> str:
    """Return null elements without their tags: (NP *T*)."""
    return re.sub(r"\(-NONE- ([^)]*)\)", r"\1", label)
