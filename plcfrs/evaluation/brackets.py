"""Bracket scores (EVALB, Parseval) for trees with crossing branches (Maier and Kallmeyer 2010).

A bracket is the category of a constituent with the set of its tokens, which may have gaps;
precision and recall compare the multisets of brackets of the gold tree and the parse. Tags are
no brackets; function tags and category splits do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from plcfrs.errors import InputError
from plcfrs.trees import NO_PARSE, NULL_TAG, ROOT, Node, Tree
from plcfrs.trees.punctuation import PUNCTUATION_TAGS
from plcfrs.trees.spans import fan_out

Brackets = Counter[tuple[str, int]]


@dataclass(frozen=True)
class Settings:
    """What is compared.

    Parameters
    ----------
    ignored_labels : frozenset of str
        Categories of constituents that do not count; their children do.
    ignored_tags : frozenset of str
        Tokens with these tags in the gold tree are taken out of all constituents, which may close
        a gap; the others are numbered anew, and a constituent left empty vanishes.
    equal_labels : mapping of str to str
        Categories that count as another one.

    Notes
    -----
    Null elements are no words: they are taken out under any settings, each tree's own.
    """

    ignored_labels: frozenset[str] = frozenset()
    ignored_tags: frozenset[str] = frozenset()
    equal_labels: Mapping[str, str] = field(default_factory=dict)


FIELD = Settings(
    frozenset([ROOT, "TOP", "VROOT", NO_PARSE, NULL_TAG]),
    PUNCTUATION_TAGS - {"-LRB-", "-RRB-"},  # which are words in the field's settings
    {"PRT": "ADVP"},
)
"""What the field does: no roots, no punctuation, ADVP and PRT are one."""

ALL = Settings(frozenset([ROOT]))
"""Every constituent but the root, over every word."""


@dataclass
class Counts:
    """How many brackets there are in the gold trees, in the parses, and in both.

    Where there is nothing to find and nothing was found, all scores are 100; otherwise a score
    with nothing to divide by is 0.

    Examples
    --------
    >>> Counts(gold=4, parsed=2, matched=1).precision
    50.0
    >>> Counts().f1
    100.0
    """

    gold: int = 0
    parsed: int = 0
    matched: int = 0

    @property
    def precision(self) -> float:
        """Percentage of the parsed brackets that are right."""
        return 100 * self.matched / self.parsed if self.parsed else _nothing(self.gold)

    @property
    def recall(self) -> float:
        """Percentage of the gold brackets that were found."""
        return 100 * self.matched / self.gold if self.gold else _nothing(self.parsed)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.gold + self.parsed
        return 200 * self.matched / both if both else 100.0

    def add(self, gold: Brackets, parsed: Brackets) -> None:
        """Count the brackets of a sentence."""
        self.gold += gold.total()
        self.parsed += parsed.total()
        self.matched += (gold & parsed).total()


@dataclass
class Scores:
    """The counts of a corpus, and what follows from them.

    Parameters
    ----------
    labelled, unlabelled : Counts
        Of all constituents.
    labelled_discontinuous, unlabelled_discontinuous : Counts
        Of constituents with a gap.
    sentences, exact, without_parse : int
        Sentences; those with a parse whose labelled brackets are all right; NOPARSE trees.
    words, right_tags : int
        Words that are not ignored; those with the gold tag.
    """

    labelled: Counts = field(default_factory=Counts)
    unlabelled: Counts = field(default_factory=Counts)
    labelled_discontinuous: Counts = field(default_factory=Counts)
    unlabelled_discontinuous: Counts = field(default_factory=Counts)
    sentences: int = 0
    exact: int = 0
    without_parse: int = 0
    words: int = 0
    right_tags: int = 0

    @property
    def exact_match(self) -> float:
        """Percentage of sentences whose labelled brackets are all right."""
        return 100 * self.exact / self.sentences if self.sentences else 100.0

    @property
    def tagging_accuracy(self) -> float:
        """Percentage of words with the gold tag."""
        return 100 * self.right_tags / self.words if self.words else 100.0

    def add(self, gold: Brackets, parsed: Brackets) -> None:
        """Count the brackets of a sentence."""
        self.labelled.add(gold, parsed)
        self.unlabelled.add(_unlabelled(gold), _unlabelled(parsed))
        gold, parsed = _discontinuous(gold), _discontinuous(parsed)
        self.labelled_discontinuous.add(gold, parsed)
        self.unlabelled_discontinuous.add(_unlabelled(gold), _unlabelled(parsed))


def score(gold: Iterable[Tree], parses: Iterable[Tree], settings: Settings = FIELD) -> Scores:
    """Compare parses with gold trees.

    Parameters
    ----------
    gold, parses : iterable of Tree
        The same sentences in the same order; one pair is held at a time.
    settings : Settings

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        If there are not as many parses as gold trees, or the words of a sentence differ.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ")]
    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0]), 1]), tokens)
    >>> score([tree], [tree]).labelled
    Counts(gold=1, parsed=1, matched=1)
    """
    scores = Scores()
    for number, (tree, parse) in enumerate(zip_longest(gold, parses), start=1):
        if tree is None or parse is None:
            present, missing = ("gold tree", "parse") if tree else ("parse", "gold tree")
            raise InputError(
                f"{_name(number, tree or parse)} has a {present} but no {missing}: "
                "there must be as many parses as gold trees, in the same order"
            )
        _check_words(number, tree, parse)
        _add_sentence(scores, tree, parse, settings)
    return scores


def brackets(tree: Tree, positions: list[int], settings: Settings) -> Brackets:
    """Return the labelled brackets of a tree over some of its tokens.

    Parameters
    ----------
    tree : Tree
    positions : list of int
        The tokens that count, in order; bit ``i`` of a bracket's span is the i-th of them.
    settings : Settings
    """
    bits = {position: 1 << number for number, position in enumerate(positions)}
    found: Brackets = Counter()
    covered: dict[Node, int] = {}
    for node in tree.bottom_up():
        span = 0
        for child in node.children:
            span |= bits.get(child, 0) if isinstance(child, int) else covered[child]
        covered[node] = span
        if span and node.category not in settings.ignored_labels:
            found[settings.equal_labels.get(node.category, node.category), span] += 1
    return found


def _add_sentence(scores: Scores, gold: Tree, parse: Tree, settings: Settings) -> None:
    kept = [
        pair
        for pair in zip(_words(gold), _words(parse), strict=True)
        if gold.tokens[pair[0]].tag not in settings.ignored_tags
    ]
    gold_brackets = brackets(gold, [position for position, _ in kept], settings)
    parse_brackets = brackets(parse, [position for _, position in kept], settings)
    failed = any(node.category == NO_PARSE for node in parse.root.nodes)
    scores.add(gold_brackets, parse_brackets)
    scores.sentences += 1
    scores.without_parse += failed
    scores.exact += gold_brackets == parse_brackets and not failed
    scores.words += len(kept)
    scores.right_tags += sum(gold.tokens[i].tag == parse.tokens[j].tag for i, j in kept)


def _words(tree: Tree) -> list[int]:
    return [position for position, token in enumerate(tree.tokens) if not token.is_null]


def _check_words(number: int, gold: Tree, parse: Tree) -> None:
    forms = zip_longest(
        (gold.tokens[position].form for position in _words(gold)),
        (parse.tokens[position].form for position in _words(parse)),
    )
    for place, (expected, found) in enumerate(forms, start=1):
        if expected != found:
            raise InputError(
                f"{_name(number, gold)}: word {place} is {_quote(expected)} in the gold tree, "
                f"{_quote(found)} in the parse; gold trees and parses must have the same words"
            )


def _name(number: int, tree: Tree) -> str:
    return f"sentence {number} ({tree.id})" if tree.id else f"sentence {number}"


def _quote(form: str | None) -> str:
    return "missing" if form is None else repr(form)


def _unlabelled(labelled: Brackets) -> Brackets:
    found: Brackets = Counter()
    for (_, span), number in labelled.items():
        found["", span] += number
    return found


def _discontinuous(labelled: Brackets) -> Brackets:
    return Counter({key: number for key, number in labelled.items() if fan_out(key[1]) > 1})


def _nothing(others: int) -> float:
    return 0.0 if others else 100.0
