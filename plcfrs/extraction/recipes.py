"""From trees to a grammar: binarization, estimation, and presets for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple, get_args

from plcfrs.binarization import (
    Markovization,
    Order,
    annotate_ancestors,
    binarize,
    binarize_tree,
)
from plcfrs.binarization.trees import horizontal_setting, vertical_setting
from plcfrs.errors import InputError
from plcfrs.extraction.extraction import count
from plcfrs.extraction.factorization import factored
from plcfrs.extraction.interpolation import interpolated
from plcfrs.grammar import Grammar
from plcfrs.settings import check_settings, from_texts, setting, show_changes, to_texts
from plcfrs.tagging import learn_signatures
from plcfrs.transformation import Options, transform_all
from plcfrs.trees import Tree, render_category

Binarization = Literal["none", "deterministic", "optimal", Order]
Estimator = Literal["maximum-likelihood", "interpolated", "factored"]

ESTIMATORS: dict[Estimator, Callable[[Grammar], Grammar]] = {
    "interpolated": interpolated,
    "factored": factored,
}

_STATED = ("binarization", "horizontal", "vertical", "estimator", "functions")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a grammar is made from trees.

    Parameters
    ----------
    binarization : str
        "none"; of rules, "deterministic" (Evang and Kallmeyer 2011) or "optimal" (least fan-out,
        then parsing complexity); of trees, an order of `Markovization`.
    horizontal, vertical : int or inf
        See `Markovization`; without a binarization of trees, only `vertical` can be given.
    estimator : {"maximum-likelihood", "interpolated", "factored"}
        Relative frequencies; these smoothed over `horizontal` and `vertical`; or the expansion of a
        rule and its gaps estimated separately, and smoothed.
    functions : bool
        Whether function tags are part of the nonterminals.
    shared : bool
        Whether rules share intermediate symbols, if rules are binarized.
    examples : int
        How many example sentences to keep for each rule.
    splits : bool
        Whether the trees may have category splits.

    Raises
    ------
    InputError
        If a value is not allowed.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> recipe = Recipe("head-outward", horizontal=1)
    >>> grammar = recipe.grammar(transform(tree) for tree in read_trees("plcfrs:demo"))
    >>> grammar.rank()
    2
    """

    binarization: Binarization = setting(
        "deterministic",
        "Of rules: deterministic (rparse: detlr) or optimal. Of trees (Markovized): head-outward "
        "(rparse: km) or head-outward-right (the head gets its siblings on the right first), "
        "left-to-right or right-to-left (rparse: ltor, rtol; disco-dop: factor).",
    )
    horizontal: float = horizontal_setting(inf)
    vertical: float = vertical_setting()
    estimator: Estimator = setting(
        "maximum-likelihood",
        "maximum-likelihood: relative frequencies; interpolated: smoothed over --horizontal and "
        "--vertical; factored: expansions of rules and gaps estimated separately, smoothed.",
    )
    functions: bool = setting(False, "Make function tags part of the categories.")
    shared: bool = setting(True, "Let rules share the intermediate symbols of a binarization.")
    examples: int = setting(
        0,
        "Keep the K shortest sentences of each rule, for plcfrs inspect.",
        least=0,
        metavar="K",
    )
    splits: bool = True  # not a setting: the transformation decides

    __repr__ = show_changes

    def __post_init__(self) -> None:
        check_settings(self)
        if self.horizontal != inf and self.binarization not in get_args(Order):
            raise InputError(
                "horizontal: needs a binarization of trees: " + ", ".join(get_args(Order))
            )

    @classmethod
    def of(cls, stated: Mapping[str, str]) -> Recipe:
        """Return the recipe that a grammar states in its options; other options are ignored.

        Raises
        ------
        InputError
            If it states none, as grammars of other programs, or one with an unknown value.

        Examples
        --------
        >>> grammar = Recipe("head-outward", horizontal=1).estimate(Grammar())
        >>> Recipe.of(grammar.options)
        Recipe(binarization='head-outward', horizontal=1)
        """
        missing = [name for name in _STATED if name not in stated]
        if missing:
            raise InputError(f"it does not state its {missing[0]}")
        return from_texts(cls(), stated)

    def grammar(self, trees: Iterable[Tree]) -> Grammar:
        """Return the grammar, binarized.

        The trees have no null elements, and marked heads if the order is head-outward.

        Raises
        ------
        TreebankError
            If a tree cannot be derived by an LCFRS (see `extract`), or a head is missing.
        InputError
            If a tree has category splits, which the recipe forbids.
        """
        return self.binarize(self.extract(trees))

    def extract(self, trees: Iterable[Tree]) -> Grammar:
        """Return the grammar before rules are binarized, its probabilities estimated."""
        return self.estimate(self.count(trees))

    def count(self, trees: Iterable[Tree]) -> Grammar:
        """Return the counts of some trees, to which the counts of other trees can be added."""
        return count(self.labelled(trees), functions=self.functions, examples=self.examples)

    def estimate(self, grammar: Grammar) -> Grammar:
        """Estimate the probabilities from the counts of all trees."""
        learn_signatures(grammar.lexicon)
        texts = to_texts(self)
        grammar.options = {name: texts[name] for name in _STATED}
        if self.estimator in ESTIMATORS:
            return ESTIMATORS[self.estimator](grammar)
        return grammar

    def binarize(self, grammar: Grammar) -> Grammar:
        """Binarize the rules, if the recipe binarizes rules."""
        if self.binarization in ("deterministic", "optimal"):
            return binarize(grammar, self.binarization, shared=self.shared)
        return grammar

    def labelled(self, trees: Iterable[Tree]) -> Iterable[Tree]:
        """Return the trees in the form that is counted: with ancestors, or binarized."""
        if not self.splits:
            trees = map(_without_splits, trees)
        match self.binarization:
            case "none" | "deterministic" | "optimal" if self.vertical == 1:
                return trees  # they may be binarized already
            case "none" | "deterministic" | "optimal":
                return (annotate_ancestors(tree, self.vertical) for tree in trees)
            case order:
                how = Markovization(order, self.horizontal, self.vertical)
                return (binarize_tree(tree, how) for tree in trees)


def _without_splits(tree: Tree) -> Tree:
    """Return a tree; raise an error if it has category splits."""
    for node in tree.nodes():
        if node.split:
            raise InputError(
                f"sentence {tree.id}: {render_category(node)} is split, which the recipe forbids: "
                "transform the trees with Options(splits=()), or --splits none"
            )
    return tree


class Preset(NamedTuple):
    """A way from a treebank to a grammar: a transformation of trees, and a recipe.

    Parameters
    ----------
    transformation : Options
    recipe : Recipe

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> PRESETS["kallmeyer-maier"].grammar(read_trees("plcfrs:demo")).rank()
    2
    """

    transformation: Options
    recipe: Recipe

    def grammar(self, trees: Iterable[Tree]) -> Grammar:
        """Return the grammar of untransformed trees; for errors, see `Recipe.grammar`."""
        return self.recipe.grammar(transform_all(trees, self.transformation))


PRESETS = {
    # Section 4: the deterministic binarization does not change probabilities.
    "evang-kallmeyer": Preset(Options(), Recipe("deterministic")),
    # As in Kallmeyer and Maier (2010, 2013) for German: head-outward, Markovized, nothing split.
    "kallmeyer-maier": Preset(
        Options(splits=()), Recipe("head-outward", horizontal=2, splits=False)
    ),
    "markov-v1h1": Preset(Options(), Recipe("head-outward", horizontal=1)),
    "interpolated-v2h2": Preset(Options(), Recipe("right-to-left", 2, 2, "interpolated")),
}
"""Presets from the literature, and the best one on NLTK's sample of the Penn Treebank."""
