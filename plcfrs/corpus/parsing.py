"""Parsing many sentences: here, in several processes, or on a cluster."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from plcfrs.corpus.outcomes import (
    Outcome,
    failed,
    in_chunks,
    parse_chunk,
    parse_here,
    parse_sentence,
)
from plcfrs.corpus.sending import Shared
from plcfrs.corpus.workers import TOO_LONG, AtOnce, map_in_order
from plcfrs.parsing import SentenceParser, load_model
from plcfrs.parsing.parse import Parse, Task
from plcfrs.parsing.sentence import Input, Sentence

if TYPE_CHECKING:
    from distributed import Client

# Tokens that a process gets at a time: about a tenth of a second of work.
_CHUNK = 500

# Chunks read ahead for each process, so that the others keep working during one long sentence.
_AHEAD = 16


def parse_corpus(
    model: SentenceParser | str | Path,
    sentences: Iterable[Input],
    *,
    jobs: int = 1,
    client: Client | None = None,
    objective: str | None = None,
    max_wall_seconds: float = inf,
) -> Iterator[Parse]:
    """Parse many sentences, in several processes or on a cluster.

    Sentences are read when a process needs work, not far ahead of the parses: there may be more
    than fit into memory, even infinitely many. There is a parse for each, in order. If the process
    that parses a sentence dies, another process tries again; if that one dies, too, or after an
    internal error, the status is "crashed". The traceback is logged once per process.

    Parameters
    ----------
    model : SentenceParser, str or Path
        A parser, or the file of its model.
    sentences : iterable
        Each is a text, a list of words or of pairs of word and tag, or a tree, whose tokens
        and tags are used; see `Sentence.of`.
    jobs : int
        Number of processes on this machine; they share the arrays of the grammar. With 1, this
        process parses. A script with several processes must call this below
        ``if __name__ == "__main__":``.
    client : distributed.Client, optional
        A Dask cluster that parses instead.
    objective : str, optional
        See `SentenceParser.parse`.
    max_wall_seconds : float
        With several jobs, a process that takes longer for a sentence is ended, even if it hangs
        where the budget is not checked; the status is "out of time".

    Raises
    ------
    InputError
        If the model does not have the objective.
    WorkerError
        If no process can start its work, or the cluster is gone.

    Examples
    --------
    >>> from plcfrs.parsing import train
    >>> model = train("grammar", "plcfrs:demo")
    >>> words = "What/WP should/MD we/PRP do/VB ?/.".split()
    >>> sentences = [[tuple(word.split("/")) for word in words], []]
    >>> [parse.status for parse in parse_corpus(model, sentences)]
    ['parsed', 'empty']
    """
    task = Task(objective)
    for outcome in parse_all(model, sentences, task, jobs, client, max_wall_seconds):
        yield outcome.parses[0]


def parse_all(
    model: SentenceParser | str | Path,
    sentences: Iterable[Input],
    task: Task,
    jobs: int = 1,
    client: Client | None = None,
    max_wall_seconds: float = inf,
) -> Generator[Outcome, None, None]:
    """Yield the outcome of each sentence, in order; see `parse_corpus`."""
    parser = load_model(model) if isinstance(model, str | Path) else model
    sentences = map(parser.read, sentences)
    if client is not None:
        from plcfrs.corpus.cluster import parse_on_cluster

        yield from parse_on_cluster(client, parser, task, sentences)
    elif jobs == 1:
        yield from parse_here(parser, sentences, task)
    else:
        yield from map_in_order(
            partial(_parse_function, Shared(parser), task),
            in_chunks(sentences, max(_CHUNK, parser.batch_tokens)),
            jobs,
            lost=_outcome_of_lost,
            seconds=max_wall_seconds,
            ahead=_AHEAD,
        )


def _parse_function(shared: Shared, task: Task) -> Callable[[Sentence], Outcome]:
    parser = shared.load()
    gc.freeze()  # garbage collection of the grammar would take a twentieth of the time
    if parser.batch_tokens:
        return AtOnce(partial(parse_chunk, parser, task))
    return partial(parse_sentence, parser, task)


def _outcome_of_lost(sentence: Sentence, why: str) -> Outcome:
    return failed(sentence, "out of time") if why == TOO_LONG else failed(sentence, "crashed", why)
