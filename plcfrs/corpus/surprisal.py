"""The surprisal of the words of many sentences, here or in several processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from math import inf
from typing import NamedTuple

from plcfrs.corpus.sentences import in_chunks
from plcfrs.corpus.sharing import Shared
from plcfrs.corpus.workers import TOO_LONG, map_in_order
from plcfrs.pipeline.sentence import Input, Sentence
from plcfrs.pipeline.surprisal import PrefixReader, Status, Surprisal

# Tokens that a process gets at a time: about a second of work.
_CHUNK = 50


class Read(NamedTuple):
    """A sentence and the surprisal of its words."""

    sentence: Sentence
    words: list[Surprisal]


def surprisal_all(
    model: PrefixReader,
    sentences: Iterable[Input],
    jobs: int = 1,
    max_wall_seconds: float = inf,
    analyses: int = 0,
    *,
    derivation_entropy: bool = False,
) -> Generator[Read, None, None]:
    """Yield the surprisal of the words of each sentence, in order, like `GrammarModel.surprisal`.

    With several jobs, a process that takes longer than `max_wall_seconds` for a sentence is ended,
    and its words have the status "out of time".

    >>> from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
    >>> from plcfrs.pipeline import GrammarModel
    >>> s, a = Nonterminal("S"), tag("A")
    >>> model = GrammarModel(Grammar({Rule(s, (a,), ((0,),)): 1}, start=s))
    >>> [read.words[0].surprisal for read in surprisal_all(model, [[("a", "A")]])]
    [0.0]
    """
    read = partial(_read, analyses=analyses, derivation_entropy=derivation_entropy)
    model.prefixes  # noqa: B018 (once, for all processes)
    if jobs == 1:
        for sentence in map(Sentence.of, sentences):
            yield read(model, sentence)
    else:
        yield from map_in_order(
            partial(_start, Shared(model), read),
            in_chunks(sentences, _CHUNK),
            jobs,
            lost=_lost,
            seconds=max_wall_seconds,
        )


def _read(
    model: PrefixReader, sentence: Sentence, analyses: int, *, derivation_entropy: bool
) -> Read:
    words = model.surprisal(sentence, analyses, derivation_entropy=derivation_entropy)
    return Read(sentence, words)


def _start(
    shared: Shared, read: Callable[[PrefixReader, Sentence], Read]
) -> Callable[[Sentence], Read]:
    return partial(read, shared.load())


def _lost(item: Sentence, why: str) -> Read:
    status: Status = "out of time" if why == TOO_LONG else "crashed"
    return Read(item, [Surprisal(word, status=status) for word in item.words])
