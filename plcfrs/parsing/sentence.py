"""A sentence to parse: its tokens, their tags if known, and its identifier."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

from plcfrs.errors import InputError
from plcfrs.text import Splitter
from plcfrs.text.splitting import doubt_about
from plcfrs.trees import Fixed, Token, Tree
from plcfrs.trees.fixed import ANY

Tags: TypeAlias = str | Mapping[str, float]
"""The tag of a word, or several tags with their costs (``-log p``, natural logarithm)."""

Tagger: TypeAlias = Callable[[list[str]], Sequence[Tags]]
"""Gets the words of a sentence, returns the tags of each."""

Tokenizer: TypeAlias = Callable[[str], Sequence[str]]
"""Gets a sentence as text, returns its words."""

UNKNOWN_TAG = "UNKNOWN"
"""The tag of a word without one, in a sentence that has no parse."""

_EXPECTED = "expected a text, words, or pairs of a word and its tag such as ('What', 'WP')"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence.

    Parameters
    ----------
    tokens : list of Token
    tags : sequence of mapping of str to float, optional
        The possible tags of each token with their costs (``-log p``, natural logarithm; 0 for a
        given tag). Without them, the parser finds the tags.
    id : str
        The identifier, also of the tree of the parse.
    fixed : Fixed, optional
        What is known of its tree; the tree of the parse has it.
    """

    tokens: list[Token]
    tags: Sequence[Mapping[str, float]] | None = None
    id: str = ""
    fixed: Fixed | None = None

    @property
    def words(self) -> list[str]:
        """The forms of the tokens."""
        return [token.form for token in self.tokens]

    def best_tagged(self, tagger: Callable[[list[str]], Sequence[str]]) -> list[Token]:
        """Return the tokens with the best of the given tags, or else with those of a tagger.

        Fixed tags come first.

        Parameters
        ----------
        tagger : callable
            Gets the words, returns their tags.
        """
        if self.tags is None:
            best = tagger(self.words)
        else:
            best = [min(each, key=lambda tag: each[tag], default="") for each in self.tags]
        fixed = self.fixed.tags if self.fixed else {}
        return [
            replace(token, tag=fixed.get(position, tag))
            for position, (token, tag) in enumerate(zip(self.tokens, best, strict=True))
        ]

    def untagged(self) -> Sentence:
        """Return the sentence without its tags."""
        untagged = [replace(token, tag="") for token in self.tokens]
        fixed = self.fixed and replace(self.fixed, tags={})
        return replace(self, tokens=untagged, tags=None, fixed=fixed)

    @classmethod
    def of(
        cls, sentence: Input, *, tagger: Tagger | None = None, tokenizer: Tokenizer | None = None
    ) -> Sentence:
        """Return the sentence of a text, of words, of pairs of words and tags, or of a tree.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            A pair has a word and its tag, or several tags with their costs:
            ``("run", {"NN": 0.7, "VB": 0.7})``. The null elements of a tree are left out; its
            tags are used if all tokens have one.
        tagger : callable, optional
            Gets the words, returns the tags to use.
        tokenizer : callable, optional
            Splits a text into words; by default at blanks.

        Raises
        ------
        InputError
            If it is something else, such as several sentences, or the tags do not fit the words.

        Warns
        -----
        UserWarning
            If the words of a text look like words with tags, or with punctuation at their ends.

        Examples
        --------
        >>> Sentence.of("What now ?").words
        ['What', 'now', '?']
        >>> Sentence.of([("What", "WP"), ("now", "RB")]).tags
        [{'WP': 0.0}, {'RB': 0.0}]
        """
        read = sentence if isinstance(sentence, Sentence) else _read(sentence, tokenizer)
        return read if tagger is None else _tagged_by(tagger, read)

    @classmethod
    def of_partial(cls, tree: Tree) -> Sentence:
        """Return the sentence of a tree, whose constituents, functions and tags are fixed.

        Tokens with the tag `ANY` or without a tag get tags from the parser; see `Fixed.of`.

        Raises
        ------
        InputError
            If the tree has null elements.
        """
        sentence, fixed = cls.of(tree), Fixed.of(tree)
        tags = {place: token.tag for place, token in enumerate(tree.tokens)}
        known = {place: tag for place, tag in tags.items() if tag not in ("", ANY)}
        if len(known) < len(tags):
            sentence = sentence.untagged()
        return replace(sentence, fixed=replace(fixed, tags=known))

    @classmethod
    def of_text(cls, text: str, splitter: Splitter, pairs: str = "give pairs") -> Sentence:
        """Return the sentence of running text; if there are several, warn and join them.

        If its words look like words with tags, the advice is `pairs`.
        """
        sentences = list(splitter.sentences(text))
        sentence = Sentence([token for tokens in sentences for token in tokens])
        doubt = doubt_about(sentence.words, pairs=pairs)
        if len(sentences) > 1:
            doubt = f"the text has {len(sentences)} sentences, but it is read as one"
        if doubt:
            warnings.warn(doubt, stacklevel=_calls_here())
        return sentence


Input: TypeAlias = str | Sequence[str] | Sequence[tuple[str, Tags]] | Tree | Sentence
"""What can be parsed; see `Sentence.of`."""


def _read(source: object, tokenizer: Tokenizer | None) -> Sentence:
    if isinstance(source, Tree):
        tokens = [replace(token) for token in source.tokens if not token.is_null]
        is_tagged = all(token.tag for token in tokens)
        return Sentence(
            tokens, [{token.tag: 0.0} for token in tokens] if is_tagged else None, source.id
        )
    if isinstance(source, str):
        words = (tokenizer or str.split)(source)
        doubt = doubt_about(words, "use parse_text", "give pairs")
        if doubt and tokenizer is None:
            warnings.warn(doubt, stacklevel=_calls_here())
        source = words
    if not isinstance(source, Iterable):
        raise InputError(f"{_EXPECTED}, not {source!r}")
    if are_several(source):
        raise InputError(
            f"{_EXPECTED}, not several sentences: call the model or use parse_together"
        )
    pairs = [_pair(number, item) for number, item in enumerate(source, start=1)]
    tokens = [Token(word, tags if isinstance(tags, str) else "") for word, tags in pairs]
    if not all(tags for _, tags in pairs):
        return Sentence(tokens)
    return Sentence(tokens, [{tags: 0.0} if isinstance(tags, str) else tags for _, tags in pairs])


def are_several(value: object) -> bool:
    """Return whether something is a list of sentences rather than one of words.

    Trees, lists of words, and texts with blanks are sentences; pairs of words and tags are tuples.

    >>> are_several(["What now ?", "Who ?"]), are_several(["What", "now"]), are_several("What ?")
    (True, False, False)
    """
    if isinstance(value, str | Tree | Sentence) or not isinstance(value, Sequence):
        return False
    return any(
        len(each.split()) > 1 if isinstance(each, str) else isinstance(each, list | Tree | Sentence)
        for each in value
    )


def _calls_here() -> int:
    """Return the number of calls up to the first caller outside plcfrs, for a warning."""
    frame, calls = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("plcfrs."):
        frame, calls = frame.f_back, calls + 1
    return calls


def _pair(number: int, item: object) -> tuple[str, Tags]:
    """Return a word and its tags; an empty text if it has no tags."""
    match item:
        case str():
            return item, ""
        case (str() as word, str() as tag):
            return word, tag
        case (str() as word, Mapping() as tags):
            for tag, cost in tags.items():
                if not (isinstance(tag, str) and isinstance(cost, int | float) and 0 <= cost < inf):
                    raise InputError(f"tag {tag}: the cost {cost} is not a number of at least 0")
            return word, tags
    raise InputError(f"{_EXPECTED}; word {number} is {item!r}")


def _tagged_by(tagger: Tagger, sentence: Sentence) -> Sentence:
    tags = tagger(sentence.words)
    if len(tags) != len(sentence.tokens):
        raise InputError(
            f"the tagger must return one tag per word: {len(sentence.tokens)}, not {len(tags)}"
        )
    tagged = _read(list(zip(sentence.words, tags, strict=True)), None)
    return replace(sentence, tags=tagged.tags)
