"""One sentence of many: what is wanted of it, what became of it, and how it goes to a worker."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from plcfrs.errors import PlcfrsError
from plcfrs.pipeline import NBestParser, Parse, Sentence, SentenceParser
from plcfrs.pipeline.parse import Status, tokens_of
from plcfrs.pipeline.sentence_parser import UNKNOWN_TAG
from plcfrs.trees import Token, Tree, no_parse

Item: TypeAlias = Sentence | Tree
"""A sentence, or a tree of which the tokens, their tags and the identifier are used."""

Parser: TypeAlias = SentenceParser[Any]


class Wanted(NamedTuple):
    """What is wanted of each sentence; see `SentenceParser.parse` and `NBestParser.parse_nbest`.

    Parameters
    ----------
    objective : str, optional
    nbest : int, optional
    derivations : bool
    trees_alone : bool
        Whether parses may come without their derivations, which take longer to send than trees.
    """

    objective: str | None = None
    nbest: int | None = None
    derivations: bool = False
    trees_alone: bool = False


class Outcome(NamedTuple):
    """What became of a sentence.

    Parameters
    ----------
    parses : list of Parse
        The best one first; at least one, with a NOPARSE tree if there is none.
    cpu_seconds : float
        What they took.
    """

    parses: list[Parse]
    cpu_seconds: float


def parse_item(parser: Parser, wanted: Wanted, item: Item) -> Outcome:
    """Parse a sentence; what goes wrong with it becomes its status.

    Raises
    ------
    PlcfrsError
        If the parser cannot do what is wanted.
    """
    start = time.process_time()
    if isinstance(item, Tree):
        item = _flat(item)
    try:
        parses = _parses(parser, wanted, item)
    except PlcfrsError:
        raise
    except Exception as error:
        return failed(item, "crashed", f"{type(error).__name__}: {error}")
    if wanted.trees_alone:
        parses = [replace(parse, derivation=None) for parse in parses]
    return Outcome(parses, time.process_time() - start)


def failed(item: Item, status: Status, reason: str = "") -> Outcome:
    """Return what becomes of a sentence that no parser could be asked about."""
    tokens = [
        Token(token.form, token.tag or UNKNOWN_TAG, token.lemma, token.morph, token.function)
        for token in (item.tokens if isinstance(item, Tree) else tokens_of(item))
    ]
    name = item.id if isinstance(item, Tree) else ""
    return Outcome([Parse(no_parse(tokens, name), status, reason)], 0.0)


def in_chunks(items: Iterable[Item], tokens: int) -> Iterator[list[Item]]:
    """Yield successive sentences that have about so many tokens together.

    Examples
    --------
    >>> [len(chunk) for chunk in in_chunks([["a"] * 50, ["a"] * 20, ["a"] * 90, []], 60)]
    [2, 1, 1]
    """
    chunk: list[Item] = []
    size = 0
    for item in items:
        chunk.append(_flat(item) if isinstance(item, Tree) else item)
        size += 1 + len(item.tokens if isinstance(item, Tree) else item)
        if size >= tokens:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _flat(tree: Tree) -> Tree:
    """Return the words of a tree alone, which is all that a parser needs."""
    return no_parse([token for token in tree.tokens if not token.is_null], tree.id)


def _parses(parser: Parser, wanted: Wanted, item: Item) -> list[Parse]:
    objective, nbest, derivations, _ = wanted
    if nbest is not None and isinstance(parser, NBestParser):
        if not isinstance(item, Tree):
            return parser.parse_nbest(item, nbest, derivations=derivations)
        return parser.parse_tokens_nbest(
            item.tokens,
            nbest,
            tagged=_is_tagged(item),
            sentence=item.id,
            derivations=derivations,
        )
    if not isinstance(item, Tree):
        return [parser.parse(item, objective=objective)]
    return [
        parser.parse_tokens(
            item.tokens, tagged=_is_tagged(item), sentence=item.id, objective=objective
        )
    ]


def _is_tagged(tree: Tree) -> bool:
    return all(token.tag for token in tree.tokens)
