"""Work on a treebank of any size, part after part, in several processes.

The results, their order and the errors do not depend on the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from plcfrs.corpus.workers import map_in_order
from plcfrs.errors import PlcfrsError, TreebankError
from plcfrs.treebank import Selection, TreeText, parse_texts
from plcfrs.treebank.reading import OnError
from plcfrs.trees import Tree

Result = TypeVar("Result")
Text = TreeText | TreebankError
Make = Callable[[Iterator[Tree], OnError | None], Result]


class _TreebankPart(NamedTuple):
    first: int
    texts: list[Text]


class _PartResult(NamedTuple):
    result: Any
    skipped: list[TreebankError]
    failure: PlcfrsError | None


def map_parts(
    make: Make[Result],
    texts: Iterable[Text],
    size: int,
    *,
    selection: Selection,
    on_error: OnError | None,
    jobs: int,
) -> Iterator[Result]:
    """Yield what a function makes of the trees of each part of a treebank.

    Parameters
    ----------
    make : callable
        Gets the trees of a part, and a function for the errors of trees, which are then skipped,
        or None: then the first error is raised. With several processes, it is pickled.
    texts : iterable of TreeText or TreebankError
        From `plcfrs.treebank.read_texts`; read when needed.
    size : int
        The number of trees in a part.
    selection : Selection
    on_error : callable, optional
        Gets the error of each malformed tree, which is then skipped. By default the first
        error is raised.
    jobs : int
        The number of processes; with 1, this process does the work.

    Raises
    ------
    PlcfrsError
        Of `make`, or of a malformed tree.
    WorkerError
        If processes die.
    """
    run = partial(_run, make, selection, on_error is not None)
    with closing(_apply(run, _parts(selection.until_last(texts), size), jobs)) as results:
        for result, skipped, failure in results:
            if on_error is not None:
                for error in skipped:
                    on_error(error)
            if failure is not None:
                raise failure
            yield result


def _run(make: Make[object], selection: Selection, skips: bool, part: _TreebankPart) -> _PartResult:
    skipped: list[TreebankError] = []
    on_error = skipped.append if skips else None
    try:
        trees = parse_texts(part.texts, on_error, selection, part.first)
        return _PartResult(make(trees, on_error), skipped, None)
    except PlcfrsError as error:
        return _PartResult(None, skipped, error)


def _apply(
    run: Callable[[_TreebankPart], _PartResult], parts: Iterator[_TreebankPart], jobs: int
) -> Generator[_PartResult, None, None]:
    if jobs == 1:
        yield from map(run, parts)
    else:  # partial(partial, run): processes have nothing to load first
        yield from map_in_order(partial(partial, run), ([part] for part in parts), jobs)


def _parts(texts: Iterator[Text], size: int) -> Iterator[_TreebankPart]:
    first = 1
    while part := list(islice(texts, size)):
        yield _TreebankPart(first, part)
        first += len(part)
