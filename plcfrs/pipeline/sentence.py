"""A sentence that is to be parsed: its tokens, what is known of their tags, and its identifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

from plcfrs.errors import InputError
from plcfrs.trees import Token, Tree

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
        For each token the tags that are possible and their costs (``-log p``, natural logarithm; 0
        for a tag that is given). Without them the parser finds the tags.
    id : str
        The identifier, which the tree of the parse gets.
    """

    tokens: list[Token]
    tags: Sequence[Mapping[str, float]] | None = None
    id: str = ""

    @property
    def words(self) -> list[str]:
        """The forms of the tokens."""
        return [token.form for token in self.tokens]

    @classmethod
    def of(
        cls, given: Input, *, tagger: Tagger | None = None, tokenizer: Tokenizer = str.split
    ) -> Sentence:
        """Return the sentence that a text, words, pairs of words and tags, or a tree stand for.

        Parameters
        ----------
        given : str, sequence of str, sequence of pairs, Tree or Sentence
            In a pair is a word with its tag, or with several tags and their costs:
            ``("run", {"NN": 0.7, "VB": 0.7})``. Of a tree, the tokens that are no null elements
            are used; their tags too, if all have one.
        tagger : callable, optional
            Whose tags are used.
        tokenizer : callable
            Of a text; by default, blanks are between its words.

        Raises
        ------
        InputError
            If it is something else, or tags do not fit the words.

        Examples
        --------
        >>> Sentence.of("What now ?").words
        ['What', 'now', '?']
        >>> Sentence.of([("What", "WP"), ("now", "RB")]).tags
        [{'WP': 0.0}, {'RB': 0.0}]
        """
        sentence = given if isinstance(given, Sentence) else _read(given, tokenizer)
        return sentence if tagger is None else _tagged_by(tagger, sentence)


Input: TypeAlias = str | Sequence[str] | Sequence[tuple[str, Tags]] | Tree | Sentence
"""What can be parsed; see `Sentence.of`."""


def _read(given: object, tokenizer: Tokenizer) -> Sentence:
    if isinstance(given, Tree):
        tokens = [replace(token) for token in given.tokens if not token.is_null]
        is_tagged = all(token.tag for token in tokens)
        return Sentence(
            tokens, [{token.tag: 0.0} for token in tokens] if is_tagged else None, given.id
        )
    if isinstance(given, str):
        given = tokenizer(given)
    if not isinstance(given, Iterable):
        raise InputError(f"{_EXPECTED}, not {given!r}")
    pairs = [_pair(number, item) for number, item in enumerate(given, start=1)]
    tokens = [Token(word, tags if isinstance(tags, str) else "") for word, tags in pairs]
    if not all(tags for _, tags in pairs):
        return Sentence(tokens)
    return Sentence(tokens, [{tags: 0.0} if isinstance(tags, str) else tags for _, tags in pairs])


def _pair(number: int, item: object) -> tuple[str, Tags]:
    """Return a word and its tags, none if it comes alone."""
    match item:
        case str():
            return item, ""
        case (str() as word, str() as tag):
            return word, tag
        case (str() as word, Mapping() as tags):
            for tag, cost in tags.items():
                if not (isinstance(tag, str) and isinstance(cost, int | float) and 0 <= cost < inf):
                    raise InputError(f"tag {tag}: the cost {cost} is not a number from 0 on")
            return word, tags
    raise InputError(f"{_EXPECTED}; word {number} is {item!r}")


def _tagged_by(tagger: Tagger, sentence: Sentence) -> Sentence:
    tags = tagger(sentence.words)
    if len(tags) != len(sentence.tokens):
        raise InputError(
            f"the tagger has tags for {len(tags)} words, the sentence has {len(sentence.tokens)}"
        )
    tagged = _read(list(zip(sentence.words, tags, strict=True)), str.split)
    return replace(sentence, tags=tagged.tags)
