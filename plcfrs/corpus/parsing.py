"""Parsing many sentences: here, in several processes, or on a cluster.

Processes share the arrays of a parser. Trees, derivations and parses are sent as lists: it is
enough to import this module in this process and in the one that loads them.
"""

from __future__ import annotations

import copyreg
import gc
import logging
import multiprocessing
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, NamedTuple

from plcfrs.chart import Statistics
from plcfrs.compiling import working_cpu_time
from plcfrs.corpus.workers import TOO_LONG, AtOnce, map_in_order
from plcfrs.errors import PlcfrsError
from plcfrs.grammar import Derivation
from plcfrs.parsing.parse import Parse, Status, Wanted
from plcfrs.parsing.registry import load_model
from plcfrs.parsing.sentence import UNKNOWN_TAG, Input, Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.trees import Label, Node, SecondaryEdge, Token, Tree, no_parse
from plcfrs.trees.tree import token_parts

if TYPE_CHECKING:
    from distributed import Client

_log = logging.getLogger(__name__)
_logged: set[tuple[type[Exception], str, int | None]] = set()  # places, in this process


class Outcome(NamedTuple):
    """The parses of a sentence, the best first, and the seconds of CPU time that they took.

    There is at least one parse, with a NOPARSE tree if the sentence has none. Sentences that are
    parsed together share the time by length.
    """

    parses: list[Parse]
    cpu_seconds: float


def parse_item(parser: SentenceParser, wanted: Wanted, sentence: Sentence) -> Outcome:
    """Parse a sentence; see `parse_items`."""
    (outcome,) = parse_items(parser, wanted, [sentence])
    return outcome


def parse_items(
    parser: SentenceParser, wanted: Wanted, sentences: Sequence[Sentence]
) -> list[Outcome]:
    """Parse sentences together; a sentence that fails has the status "crashed".

    An exception other than a PlcfrsError is a defect of the program: its traceback is logged, once
    for each line that raises it.
    """
    start = working_cpu_time()
    try:
        found = parser.parse_together(sentences, wanted)
    except PlcfrsError:
        raise
    except Exception as error:
        if len(sentences) > 1:
            return [parse_item(parser, wanted, sentence) for sentence in sentences]
        _log_once(error)
        return [failed(sentences[0], "crashed", f"{type(error).__name__}: {error}")]
    if wanted.trees_alone:
        found = [[replace(parse, derivation=None) for parse in parses] for parses in found]
    seconds = working_cpu_time() - start
    share = seconds / sum(map(_size, sentences))
    return [
        Outcome(parses, share * _size(sentence))
        for parses, sentence in zip(found, sentences, strict=True)
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
    for given in sentences:
        chunk.append(Sentence.of(given))
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
        _log.error("a sentence has crashed: please report this error of plcfrs", exc_info=error)


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
    internal error, the status is "crashed". A traceback is logged once per process.

    Parameters
    ----------
    model : SentenceParser, str or Path
        A parser, or the file of its model.
    sentences : iterable
        Each is a text, a list of words or of pairs of word and tag, or a tree, whose tokens
        and tags are used; see `Sentence.of`.
    jobs : int
        Number of processes on this machine; they share the arrays of the grammar. With 1, this
        process parses. A script that uses more must call this below
        ``if __name__ == "__main__":``.
    client : distributed.Client, optional
        A Dask cluster that parses instead.
    objective : str, optional
        See `SentenceParser.parse`.
    max_wall_seconds : float
        With several jobs, a process that takes longer for a sentence is ended, even if it hangs
        where the budget is not checked. The status is "out of time".

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
    wanted = Wanted(objective)
    for outcome in parse_all(model, sentences, wanted, jobs, client, max_wall_seconds):
        yield outcome.parses[0]


def parse_all(
    model: SentenceParser | str | Path,
    sentences: Iterable[Input],
    wanted: Wanted,
    jobs: int = 1,
    client: Client | None = None,
    max_wall_seconds: float = inf,
) -> Generator[Outcome, None, None]:
    """Yield the outcome of each sentence, in order; see `parse_corpus`."""
    parser = load_model(model) if isinstance(model, str | Path) else model
    if client is not None:
        from plcfrs.corpus.cluster import parse_on_cluster

        yield from parse_on_cluster(client, parser, wanted, sentences)
    elif jobs == 1:
        chunks = in_chunks(sentences, parser.together)
        yield from chain.from_iterable(parse_items(parser, wanted, chunk) for chunk in chunks)
    else:
        yield from map_in_order(
            partial(_parse_function, Shared(parser), wanted),
            in_chunks(sentences, max(_CHUNK, parser.together)),
            jobs,
            lost=_outcome_of_lost,
            seconds=max_wall_seconds,
            ahead=_AHEAD,
        )


def _parse_function(shared: Shared, wanted: Wanted) -> Callable[[Sentence], Outcome]:
    parser = shared.load()
    gc.freeze()  # otherwise a twentieth of the time goes into garbage collection of the grammar
    if parser.together:
        return AtOnce(partial(parse_items, parser, wanted))
    return partial(parse_item, parser, wanted)


def _outcome_of_lost(item: Sentence, why: str) -> Outcome:
    return failed(item, "out of time") if why == TOO_LONG else failed(item, "crashed", why)


_ALIGNMENT = 64


class Shared:
    """An object for child processes, whose arrays lie in memory that all processes map.

    It is passed when a process starts (see `map_in_order`). Nobody may write into the arrays.

    Parameters
    ----------
    thing : object
        It must be possible to pickle it.

    Examples
    --------
    >>> import numpy as np
    >>> Shared({"costs": np.arange(3.0)}).load()
    {'costs': array([0., 1., 2.])}
    """

    def __init__(self, thing: object) -> None:
        arrays: list[pickle.PickleBuffer] = []
        rest = pickle.dumps(thing, protocol=5, buffer_callback=arrays.append)
        parts: list[bytes | memoryview] = [rest, *(array.raw() for array in arrays)]
        self._places: list[slice] = []
        end = 0
        for part in parts:
            start = end + -end % _ALIGNMENT
            end = start + len(part)
            self._places.append(slice(start, end))
        self._memory = multiprocessing.RawArray("B", end)
        view = memoryview(self._memory).cast("B")
        for place, part in zip(self._places, parts, strict=True):
            view[place] = part

    def load(self) -> Any:  # noqa: ANN401 (any object can be shared)
        """Return a new object with the same arrays."""
        view = memoryview(self._memory).cast("B")
        rest, *arrays = (view[place] for place in self._places)
        return pickle.loads(rest, buffers=arrays)


# Pickle recurses, and a sentence of thousands of tokens has a tree of that depth. It also asks
# dataclasses for their fields again and again. Flat lists are fast, and work at any depth.

_Fields = tuple[Any, ...]
# Label, children, head, moved. A child is the position of a token, or -1 less the number of a node,
# mothers before children.
_NodeRow = tuple[Label, list[int], int | None, str | None]


def _flatten_tree(tree: Tree) -> tuple[Any, tuple[Any, ...]]:
    nodes = tree.nodes()
    number = {id(node): -1 - place for place, node in enumerate(nodes)}

    def flat(child: Node | int) -> int:
        return child if isinstance(child, int) else number[id(child)]

    rows = [
        (node.label, [flat(child) for child in node.children], node.head, node.moved)
        for node in nodes
    ]
    tokens = list(map(token_parts, tree.tokens))
    edges = [(edge.label, flat(edge.child), flat(edge.parent)) for edge in tree.secondary_edges]
    return _build_tree, (rows, tokens, tree.id, edges)


def _build_tree(
    rows: list[_NodeRow], tokens: list[_Fields], name: str, edges: list[tuple[str, int, int]]
) -> Tree:
    nodes = [Node(*label, [], head, moved) for label, _, head, moved in rows]

    def child_of(flat: int) -> Node | int:
        return flat if flat >= 0 else nodes[-1 - flat]

    for node, (_, children, *_) in zip(nodes, rows, strict=True):
        node.children = [child_of(child) for child in children]
    secondary = [
        SecondaryEdge(label, child_of(child), nodes[-1 - parent]) for label, child, parent in edges
    ]
    return Tree(nodes[0], [Token(*token) for token in tokens], name, secondary)


def _flatten_derivation(derivation: Derivation) -> tuple[Any, tuple[Any, ...]]:
    rows = [
        (each.nonterminal, each.yield_function, len(each.children))
        for each in derivation.bottom_up()
    ]
    return _build_derivation, (rows,)


def _build_derivation(rows: list[_Fields]) -> Derivation:
    built: list[Derivation] = []
    for nonterminal, yield_function, size in rows:
        first = len(built) - size
        children = tuple(built[first:])
        del built[first:]
        built.append(Derivation(nonterminal, yield_function, children))
    return built[0]


def _flatten_fields(thing: Parse | Statistics) -> tuple[Any, tuple[Any, ...]]:
    return type(thing), tuple([getattr(thing, name) for name in thing.__slots__])


copyreg.pickle(Tree, _flatten_tree)
copyreg.pickle(Parse, _flatten_fields)
copyreg.pickle(Statistics, _flatten_fields)
copyreg.pickle(Derivation, _flatten_derivation)
