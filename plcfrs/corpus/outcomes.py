"""The outcomes of sentences that this process parses, including those that crash."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from traceback import extract_tb
from typing import NamedTuple

import plcfrs.corpus.sending  # noqa: F401 (outcomes are sent to other processes)
from plcfrs.compiling import working_cpu_time
from plcfrs.errors import PlcfrsError
from plcfrs.parsing.parse import Parse, Status, Task
from plcfrs.parsing.sentence import UNKNOWN_TAG, Input, Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.trees import no_parse

_log = logging.getLogger(__name__)
_logged: set[tuple[type[Exception], str, int | None]] = set()  # places, in this process


class Outcome(NamedTuple):
    """The parses of a sentence, the best first, and the seconds of CPU time that they took.

    There is at least one parse; if no parse was found, its tree is NOPARSE. Sentences that are
    parsed together share the time by length.
    """

    parses: list[Parse]
    cpu_seconds: float


def parse_here(parser: SentenceParser, sentences: Iterable[Input], task: Task) -> Iterator[Outcome]:
    """Yield the outcome of each sentence, in order, parsed by this process."""
    chunks = in_chunks(sentences, parser.batch_tokens)
    return chain.from_iterable(parse_chunk(parser, task, chunk) for chunk in chunks)


def parse_sentence(parser: SentenceParser, task: Task, sentence: Sentence) -> Outcome:
    """Parse a sentence; see `parse_chunk`."""
    (outcome,) = parse_chunk(parser, task, [sentence])
    return outcome


def parse_chunk(parser: SentenceParser, task: Task, sentences: Sequence[Sentence]) -> list[Outcome]:
    """Parse sentences together; a sentence that fails has the status "crashed".

    An exception other than a PlcfrsError is a defect of plcfrs: its traceback is logged, once for
    each line that raises it.
    """
    start = working_cpu_time()
    try:
        all_parses = parser.parse_together(sentences, task)
    except PlcfrsError:
        raise
    except Exception as error:
        if len(sentences) > 1:
            return [parse_sentence(parser, task, sentence) for sentence in sentences]
        _log_once(error)
        return [failed(sentences[0], "crashed", f"{type(error).__name__}: {error}")]
    if task.trees_alone:
        all_parses = [
            [replace(parse, derivation=None) for parse in parses] for parses in all_parses
        ]
    seconds = working_cpu_time() - start
    share = seconds / sum(map(_size, sentences))
    return [
        Outcome(parses, share * _size(sentence))
        for parses, sentence in zip(all_parses, sentences, strict=True)
    ]


def failed(sentence: Sentence, status: Status, reason: str = "") -> Outcome:
    """Return the outcome of a sentence whose parsing was not finished."""
    tokens = [replace(token, tag=token.tag or UNKNOWN_TAG) for token in sentence.tokens]
    return Outcome([Parse(no_parse(tokens, sentence.id), status, reason)], 0.0)


def in_chunks(sentences: Iterable[Input], tokens: int) -> Iterator[list[Sentence]]:
    """Yield chunks of successive sentences with about this many tokens in total.

    With 0 tokens, each sentence is a chunk.

    >>> [len(chunk) for chunk in in_chunks([["a"] * 50, ["a"] * 20, ["a"] * 90, []], 60)]
    [2, 1, 1]
    """
    chunk: list[Sentence] = []
    size = 0
    for sentence in sentences:
        chunk.append(Sentence.of(sentence))
        size += _size(chunk[-1])
        if size >= tokens:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _size(sentence: Sentence) -> int:
    return 1 + len(sentence.tokens)


def _log_once(error: Exception) -> None:
    place = extract_tb(error.__traceback__)[-1]
    kind = (type(error), place.filename, place.lineno)
    if kind not in _logged:
        _logged.add(kind)
        _log.error("a sentence crashed: please report this defect of plcfrs", exc_info=error)
