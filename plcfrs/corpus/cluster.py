"""Parsing on a Dask cluster: each worker gets the model once, and then chunks of sentences."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from uuid import uuid4

from distributed import Client, Future, WorkerPlugin, get_worker
from distributed.scheduler import KilledWorker

from plcfrs.corpus.outcomes import Outcome, failed, in_chunks, parse_here
from plcfrs.errors import InputError, WorkerError
from plcfrs.parsing.parse import Task
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.parsing.sentence_parser import SentenceParser

_TIMEOUT = 30  # seconds, to connect to a scheduler

# Tokens in a task of Dask: about a second of work, much more than its overhead.
_CHUNK = 1000

# Tasks for each thread of the cluster that are submitted in advance.
_AHEAD = 8


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect to the scheduler of a cluster; raise an InputError if that fails."""
    try:
        client = Client(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler at {address}: {error}") from None
    with client:
        yield client


def parse_on_cluster(
    client: Client, parser: SentenceParser, task: Task, sentences: Iterable[Input]
) -> Iterator[Outcome]:
    """Yield the outcome of each sentence, in order; raise a WorkerError if the cluster is gone.

    If a worker dies, Dask repeats its tasks. If a chunk kills too many workers, each of its
    sentences is parsed alone; a sentence that still kills workers has crashed.
    """
    name = f"plcfrs-{uuid4().hex}"
    chunks = in_chunks(sentences, max(_CHUNK, parser.batch_tokens))
    pending: deque[tuple[list[Sentence], Future]] = deque()
    with _installed(client, name, parser, task):
        try:
            while True:
                ahead = _AHEAD * _threads(client)
                while len(pending) < ahead and (chunk := next(chunks, None)):
                    pending.append((chunk, _submit(client, name, chunk)))
                if not pending:
                    return
                chunk, future = pending.popleft()
                try:
                    yield from _result(future)
                except KilledWorker:
                    for _, later in pending:  # dead workers must not count for later chunks
                        later.exception()
                    yield from (_parse_alone(client, name, sentence) for sentence in chunk)
        finally:
            if client.status == "running":
                client.cancel([future for _, future in pending])


class _Installation(WorkerPlugin):  # type: ignore[misc]
    """A parser on each worker, including workers that start later."""

    def __init__(self, parser: SentenceParser, task: Task) -> None:
        self.parser = parser
        self.task = task


@contextmanager
def _installed(client: Client, name: str, parser: SentenceParser, task: Task) -> Iterator[None]:
    try:
        client.register_plugin(_Installation(parser, task), name=name)
    except Exception as error:  # whatever the workers raise
        raise WorkerError(f"the workers of the cluster cannot load the model: {error}") from None
    try:
        yield
    finally:
        if client.status == "running":
            client.unregister_worker_plugin(name)


def _submit(client: Client, name: str, chunk: list[Sentence]) -> Future:
    return client.submit(_parse_chunk, name, chunk, pure=False)


def _threads(client: Client) -> int:
    if client.status != "running":
        raise WorkerError("the cluster has stopped")
    threads: dict[str, int] = client.nthreads()
    return max(1, sum(threads.values()))


def _result(future: Future) -> list[Outcome]:
    try:
        return future.result()  # type: ignore[no-any-return]
    except (CancelledError, OSError) as error:
        raise WorkerError(f"the cluster has stopped: {error}") from None


def _parse_chunk(name: str, chunk: list[Sentence]) -> list[Outcome]:
    installation = get_worker().plugins[name]
    return list(parse_here(installation.parser, chunk, installation.task))


def _parse_alone(client: Client, name: str, sentence: Sentence) -> Outcome:
    try:
        (outcome,) = _result(_submit(client, name, [sentence]))
    except KilledWorker:
        return failed(sentence, "crashed", "killed the workers of the cluster")
    return outcome
