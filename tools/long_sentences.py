"""Sentences that are harder than those of a treebank: glued ones, and ones without a parse."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from plcfrs.chart import ChartParser, ParseResult
from plcfrs.chart.search import Search
from plcfrs.grammar import tag
from plcfrs.trees import Tree

Tags = list[str]


class Trial(NamedTuple):
    """The parse of a sequence of tags, and the CPU time that it and the first parse took."""

    length: int
    seconds: float
    first_seconds: float | None
    result: ParseResult

    @property
    def gap(self) -> float:
        """How much less than the parse found the best one may cost."""
        return self.result.gap or 0.0

    @property
    def is_proven(self) -> bool:
        """Whether the search came to its end."""
        return not self.gap and not self.result.status.startswith("out of")


def try_tags(parser: ChartParser, tags: Tags) -> Trial:
    """Parse a sequence of tags."""
    candidates = [{tag(name): 0.0} for name in tags]
    start = time.process_time()
    with _first_parse() as found:
        result = parser.parse(candidates)
    seconds = time.process_time() - start
    return Trial(len(tags), seconds, found[0] - start if found else None, result)


def tags_of(trees: Iterable[Tree]) -> list[Tags]:
    """Return the tags of each tree."""
    return [[token.tag for token in tree.tokens] for tree in trees]


def glued(sentences: Iterable[Tags], length: int) -> Iterator[Tags]:
    """Glue sentences in their order, and cut the result at a length, in tokens."""
    tags: Tags = []
    for sentence in sentences:
        tags = tags + sentence
        if len(tags) >= length:
            yield tags[:length]
            tags = []


def without_parse(parser: ChartParser, sentences: Iterable[Tags]) -> Iterator[Trial]:
    """Yield proofs that sentences have no parse any more after two neighbouring tags were swapped.

    Of each sentence there is one at most, that of the first such swap.
    """
    for sentence in sentences:
        if try_tags(parser, sentence).result.derivation is None:
            continue
        for position in range(len(sentence) - 1):
            first, second = sentence[position : position + 2]
            if first != second:
                swapped = [*sentence[:position], second, first, *sentence[position + 2 :]]
                trial = try_tags(parser, swapped)
                if trial.result.derivation is None:
                    yield trial
                    break


@contextmanager
def _first_parse() -> Iterator[list[float]]:
    """Note the CPU time when an attempt of the search has found the first parse."""
    found: list[float] = []
    try_within = Search.try_within

    def try_and_note(search: Search, *limits: Any) -> object:  # noqa: ANN401 (as it has)
        try:
            return try_within(search, *limits)
        finally:
            if search.derivation is not None and not found:
                found.append(time.process_time())

    with patch.object(Search, "try_within", try_and_note):
        yield found
