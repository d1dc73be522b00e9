"""From rules to the constituents of a treebank from which they are extracted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from plcfrs.binarization.unbinarize import origins
from plcfrs.errors import InputError
from plcfrs.extraction import Recipe
from plcfrs.extraction.uses import Use, uses
from plcfrs.grammar import Rule
from plcfrs.query.hits import Hit
from plcfrs.transformation import Options, transform
from plcfrs.transformation.description import options_of
from plcfrs.trees import Tree
from plcfrs.web.answers.grammars import UseAnswer, UsesAnswer
from plcfrs.web.hits import describe_hit
from plcfrs.web.limits import RefusedError
from plcfrs.web.store import NamedModel
from plcfrs.web.treebanks import Treebank


def find_uses(
    named: NamedModel, written: str, treebank: Treebank, offset: int, limit: int
) -> UsesAnswer:
    """Return a page of the constituents of a treebank from which a rule is extracted.

    Each tree is transformed and binarized as the model states.

    Parameters
    ----------
    named : NamedModel
    written : str
        The rule, in the notation of grammar files; binarized or not.
    treebank : Treebank
    offset, limit : int

    Raises
    ------
    RefusedError
        If there is no such rule, the model does not state how it was extracted, or it takes too
        long.
    TreebankError
        If a tree cannot be derived.
    """
    wanted = _rules(named, written)
    if not wanted:
        raise RefusedError(404, f"the grammar has no rule {written}")
    try:
        found = _find(treebank, dict(named.model.about), wanted)
    except InputError as error:
        if isinstance(error, RefusedError):
            raise
        message = f"the sentences of its rules cannot be told for {named.name}: {error}"
        raise RefusedError(400, message) from None
    return UsesAnswer(
        total=len(found),
        trees=len({use.number for use in found}),
        uses=[_describe(use, treebank) for use in found[offset : offset + limit]],
    )


def _rules(named: NamedModel, written: str) -> list[Rule]:
    """Return the rules before binarization that a written rule is, or is a part of."""
    whole = [rule for rule in named.rules(restored=True).rules if str(rule) == written]
    return whole or [
        origin
        for rule, found in origins(named.rules()).items()
        if str(rule) == written
        for origin in found
    ]


def _find(treebank: Treebank, stated: Mapping[str, str], wanted: list[Rule]) -> list[Use]:
    """Return the uses of some rules; the number of a tree is that on the page."""
    recipe, options = Recipe.of(stated), options_of(stated)
    if options == Options():
        trees = treebank.trees(transformed=True)
        numbers: Sequence[int] = range(1, len(trees) + 1)
    else:
        numbers, trees = _transformed(treebank, tuple(stated.items()))
    found = uses(treebank.in_time(trees), recipe, wanted)
    return [use._replace(number=numbers[use.number]) for use in found]


@lru_cache(1)
def _transformed(
    treebank: Treebank, stated: tuple[tuple[str, str], ...]
) -> tuple[list[int], list[Tree]]:
    """Return the trees as a model had them, and their numbers on the page from 1."""
    options = options_of(dict(stated))
    trees = treebank.trees(transformed=False)
    shown = (tree for tree in trees if not all(token.is_null for token in tree.tokens))
    found = [
        (number, transformed)
        for number, tree in enumerate(treebank.in_time(shown), start=1)
        if (transformed := transform(tree, options)).tokens
    ]
    return [number for number, _ in found], [tree for _, tree in found]


def _describe(use: Use, treebank: Treebank) -> UseAnswer:
    span = use.tree.yields()[use.node]
    hit = describe_hit(Hit(use.number, use.tree, use.node, span))
    shown = treebank.trees(transformed=True)[use.number - 1]
    return UseAnswer(**hit.model_dump(), marked=_same(shown, use, span))


def _same(shown: Tree, use: Use, span: int) -> list[int]:
    """Return the numbers of the same constituent in the tree of the page."""
    if len(shown.tokens) != len(use.tree.tokens):
        return []
    yields = shown.yields()
    return [
        number
        for number, node in enumerate(shown.nodes())
        if yields[node] == span and node.category == use.node.category
    ]
