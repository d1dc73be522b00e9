"""Grammars of treebanks of any size: several processes count parts, and the counts are merged.

Memory holds the grammar and a few parts of the treebank. The grammar, the order of its rules, and
the errors do not depend on the number of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from plcfrs.corpus.parts import map_parts
from plcfrs.errors import TreebankError
from plcfrs.grammar import Grammar, Recipe
from plcfrs.transformation import EVANG_KALLMEYER, Options, transform_all
from plcfrs.treebank import EVERYTHING, Selection, TreeText
from plcfrs.treebank.reading import OnError, trainable_trees
from plcfrs.trees import Tree

# Trees in a part. It has far fewer rules than nodes, so that merging is cheap (4% of the time).
_PART = 500


def extract_corpus(
    texts: Iterable[TreeText | TreebankError],
    recipe: Recipe | None = None,
    options: Options = EVANG_KALLMEYER,
    *,
    selection: Selection = EVERYTHING,
    on_error: OnError | None = None,
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
    grammar = Grammar()
    count = partial(_count, recipe, options)
    parts = map_parts(count, texts, _PART, selection=selection, on_error=on_error, jobs=jobs)
    for counted in parts:
        grammar.merge(counted, recipe.examples)
    return recipe.estimate(grammar)


def _count(
    recipe: Recipe, options: Options, trees: Iterator[Tree], on_error: OnError | None
) -> Grammar:
    return recipe.count(trainable_trees(transform_all(trees, options), on_error))
