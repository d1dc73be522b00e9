"""Grammars of treebanks of any size: several processes count parts, and the counts are merged.

Memory holds the grammar and a few parts of the treebank. With any number of processes, the
grammar is the same, rule for rule and in the same order, and so are the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from typing import NamedTuple

from plcfrs.corpus.workers import map_in_order
from plcfrs.errors import PlcfrsError, TreebankError
from plcfrs.grammar import Grammar, Recipe
from plcfrs.transformation import EVANG_KALLMEYER, Options, transform_all
from plcfrs.treebank import EVERYTHING, Selection, TreeText, parse_texts
from plcfrs.treebank.reading import trainable_trees

# Trees in a part: enough that it has far fewer rules than nodes, which makes merging cheap (4% of
# the time at this size).
_PART = 500

_Text = TreeText | TreebankError


class _Part(NamedTuple):
    first: int
    texts: list[_Text]


class _Counts(NamedTuple):
    grammar: Grammar
    skipped: list[TreebankError]
    failure: PlcfrsError | None


def extract_corpus(
    texts: Iterable[TreeText | TreebankError],
    recipe: Recipe | None = None,
    options: Options = EVANG_KALLMEYER,
    *,
    selection: Selection = EVERYTHING,
    on_error: Callable[[TreebankError], None] | None = None,
    jobs: int = 1,
) -> Grammar:
    """Extract a grammar, not yet binarized (see `Recipe.binarize`), in several processes.

    Parameters
    ----------
    texts : iterable of TreeText or TreebankError
        From `plcfrs.treebank.read_texts`; read when needed.
    recipe : Recipe, optional
        The default is the recipe of Evang and Kallmeyer (2011).
    options : Options
        How the trees are transformed.
    selection : Selection
    on_error : callable, optional
        Gets the error of each malformed tree, which is then skipped. By default the first
        error is raised.
    jobs : int
        The number of processes; with 1, this process does the work.

    Raises
    ------
    TreebankError
        If a tree is malformed, or cannot be derived by an LCFRS.
    WorkerError
        If processes die.

    Examples
    --------
    >>> from plcfrs.treebank import read_texts
    >>> grammar = extract_corpus(read_texts("plcfrs:demo"), jobs=2)
    >>> grammar.fan_out() > 1
    True
    """
    recipe = recipe or Recipe()
    count = partial(_count, recipe, options, selection, on_error is not None)
    parts = _parts(selection.until_last(texts))
    grammar = Grammar()
    with closing(_apply(count, parts, jobs)) as counted:
        for counts in counted:
            if on_error is not None:
                for error in counts.skipped:
                    on_error(error)
            if counts.failure is not None:
                raise counts.failure
            grammar.merge(counts.grammar, recipe.examples)
    return recipe.estimate(grammar)


def _count(
    recipe: Recipe, options: Options, selection: Selection, skips: bool, part: _Part
) -> _Counts:
    skipped: list[TreebankError] = []
    on_error = skipped.append if skips else None
    trees = transform_all(parse_texts(part.texts, on_error, selection, part.first), options)
    if skips:  # otherwise the extraction itself finds a bad tree
        trees = trainable_trees(trees, on_error)
    try:
        return _Counts(recipe.count(trees), skipped, None)
    except PlcfrsError as error:
        return _Counts(Grammar(), skipped, error)


def _apply(
    count: Callable[[_Part], _Counts], parts: Iterator[_Part], jobs: int
) -> Generator[_Counts, None, None]:
    if jobs == 1:
        yield from map(count, parts)
    else:  # a process has nothing to load before it counts
        yield from map_in_order(partial(partial, count), ([part] for part in parts), jobs)


def _parts(texts: Iterator[_Text]) -> Iterator[_Part]:
    first = 1
    while part := list(islice(texts, _PART)):
        yield _Part(first, part)
        first += len(part)
