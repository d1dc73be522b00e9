"""From trees to a grammar (Evang and Kallmeyer 2011, section 3), by a recipe or a preset.

Every node of a tree gives a rule: its yield function says in which order the runs of its children
follow each other, and where the node has gaps (Maier and Søgaard 2008). The extracted rules are
monotone and have no empty components, and no two ranges of an item touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple, get_args

from plcfrs.errors import InputError
from plcfrs.grammar.binarization import binarize
from plcfrs.grammar.derivation import Derivation
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.markovization import (
    Markovization,
    Order,
    annotate_ancestors,
    binarize_tree,
    horizontal_setting,
    vertical_setting,
)
from plcfrs.grammar.probabilities import factored, interpolated
from plcfrs.grammar.rules import Nonterminal, Range, Rule, RuleExample, from_runs, shortest, tag
from plcfrs.grammar.words import forms, learn_signatures
from plcfrs.settings import check_settings, from_texts, setting, show_changes, to_texts
from plcfrs.transformation import Options, transform_all
from plcfrs.trees import Node, Tree, render_category
from plcfrs.trees.training_set import sentence_hash
from plcfrs.trees.tree import check_tree, runs


def extract(trees: Iterable[Tree], *, functions: bool = False, examples: int = 0) -> Grammar:
    """Extract a grammar: count the rules and words of trees, and learn signatures of rare words.

    Parameters
    ----------
    trees : iterable of Tree
        Without null elements.
    functions : bool
        Whether function tags are part of the nonterminals.
    examples : int
        How many of the shortest sentences to keep for each rule.

    Raises
    ------
    TreebankError
        If a tree has no tokens, null elements, tokens without a tag or outside the tree, or nodes
        without children or category.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> grammar = extract(transform(tree) for tree in read_trees("plcfrs:demo"))
    >>> grammar.fan_out() > 1
    True
    """
    grammar = count_tree(trees, functions=functions, examples=examples)
    learn_signatures(grammar.lexicon)
    return grammar


def count_tree(trees: Iterable[Tree], *, functions: bool = False, examples: int = 0) -> Grammar:
    """Count rules and words, without signatures, so that counts of other trees can be merged."""
    grammar = Grammar()
    for tree in trees:
        grammar.training_set.add(sentence_hash(tree))
        derivation = derivation_of(tree, functions=functions)
        for rule in derivation.rules():
            grammar.add(rule)
        if examples:
            _add_examples(grammar, derivation, tree, examples)
        in_sentence = forms([token.form for token in tree.tokens])
        for token, (word, is_first) in zip(tree.tokens, in_sentence, strict=True):
            grammar.lexicon.add(tag(token.tag), word, is_initial=is_first)
    return grammar


def _add_examples(grammar: Grammar, derivation: Derivation, tree: Tree, most: int) -> None:
    """Keep a tree as an example of its rules, unless they have enough shorter ones."""
    words = tuple([token.form for token in tree.tokens])
    ranges_of: dict[Rule, tuple[Range, ...]] = {}
    for part, ranges in zip(derivation.bottom_up(), derivation.ranges(), strict=True):
        if part.children:
            ranges_of.setdefault(part.rule, ranges)
    for rule, ranges in ranges_of.items():
        examples = grammar.examples.get(rule, ())
        if len(examples) < most or len(words) < len(examples[-1].words):
            examples = (*examples, RuleExample(words, ranges, tree.id))
            grammar.examples[rule] = shortest(examples, most)


def derivation_of(tree: Tree, *, functions: bool = False) -> Derivation:
    """Return the derivation of a tree; its leaves are the tags of the tokens.

    Parameters
    ----------
    tree : Tree
        As for `extract`, with the same errors.
    functions : bool
        Whether function tags are part of the nonterminals.
    """
    return derivations_of(tree, functions=functions)[tree.root]


def derivations_of(tree: Tree, *, functions: bool = False) -> dict[Node, Derivation]:
    """Return the derivation of each node, children before mothers; see `derivation_of`."""
    check_tree(tree)
    yields = tree.yields()
    derivations: dict[Node, Derivation] = {}
    for node in tree.bottom_up():
        children = []
        ranges = []
        for number, child in enumerate(node.children):
            if isinstance(child, int):
                children.append(Derivation(tag(tree.tokens[child].tag)))
                ranges.append((child, child + 1, number))
            else:
                children.append(derivations[child])
                ranges.extend((left, right, number) for left, right in runs(yields[child]))
        yield_function = from_runs(ranges)
        symbol = Nonterminal(
            node.category,
            len(yield_function),
            node.split,
            node.functions if functions else (),
            "intermediate" if node.intermediate else "category",
            node.ancestors,
            node.siblings,
        )
        derivations[node] = Derivation(symbol, yield_function, tuple(children))
    return derivations


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
    horizontal: float = horizontal_setting()
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
            If it does not state one, like grammars of other programs, or has an unknown value.

        Examples
        --------
        >>> grammar = Recipe("head-outward", horizontal=1).estimate(Grammar())
        >>> Recipe.of(grammar.options)
        Recipe(binarization='head-outward', horizontal=1)
        """
        missing = [name for name in _STATED if name not in stated]
        if missing:
            raise InputError(f"it does not record its {missing[0]}")
        return from_texts(cls(), stated)

    def grammar(self, trees: Iterable[Tree]) -> Grammar:
        """Return the grammar, binarized.

        The trees must have no null elements, and marked heads if the order is head-outward.

        Raises
        ------
        TreebankError
            If a tree cannot be derived by an LCFRS (see `extract`), or a head is missing.
        InputError
            If a tree has category splits, which the recipe forbids.
        """
        return self.binarize(self.extract(trees))

    def extract(self, trees: Iterable[Tree]) -> Grammar:
        """Return the grammar before rules are binarized, with estimated probabilities."""
        return self.estimate(self.count(trees))

    def count(self, trees: Iterable[Tree]) -> Grammar:
        """Return the counts of some trees; the counts of other trees can be added."""
        return count_tree(self.labelled(trees), functions=self.functions, examples=self.examples)

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


class Use(NamedTuple):
    """A constituent from which a rule is extracted, and its tree with a number, from 0.

    For a rule of an intermediate node, `node` is the constituent that contains it.
    """

    number: int
    tree: Tree
    node: Node


def uses(trees: Iterable[Tree], recipe: Recipe, rules: Collection[Rule]) -> Iterator[Use]:
    """Yield the uses of some rules before binarization, in the order of the trees.

    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> grammar = Recipe().extract(trees)
    >>> rule, count = next(iter(grammar.rules.items()))
    >>> len(list(uses(trees, Recipe(), [rule]))) == count
    True
    """
    wanted = frozenset(rules)
    parts = defaultdict(list)
    for rule in wanted:
        parts[rule.lhs.category].append(
            {symbol.category for symbol in rule.rhs if symbol.kind != "intermediate"}
        )
    for number, tree in enumerate(trees):
        if _may_have(tree, parts):
            (labelled,) = recipe.labelled([tree])
            for rule, node in _rules_of_nodes(labelled, recipe):
                if rule in wanted:
                    yield Use(number, labelled, node)


def _may_have(tree: Tree, parts: Mapping[str, list[set[str]]]) -> bool:
    """Whether a constituent has a category and all children that go with it."""
    # This disregards intermediate nodes, so that most trees need not be binarized.
    for node in tree.root.preorder():
        if node.category in parts:
            below = {
                tree.tokens[child].tag if isinstance(child, int) else child.category
                for child in node.children
            }
            if any(needed <= below for needed in parts[node.category]):
                return True
    return False


def _rules_of_nodes(tree: Tree, recipe: Recipe) -> Iterator[tuple[Rule, Node]]:
    """Yield the rule of each node, with the constituent that the node is or is a part of."""
    derivations = derivations_of(tree, functions=recipe.functions)
    whole: dict[Node, Node] = {}
    for node in tree.nodes():  # mothers come before their children
        shown = whole.setdefault(node, node)
        whole.update((child, shown if child.intermediate else child) for child in node.nodes)
        yield derivations[node].rule, shown
