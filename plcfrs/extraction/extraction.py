"""Extraction of an LCFRS from discontinuous trees (Evang and Kallmeyer 2011, section 3).

Every node of a tree gives a rule: its yield function says in which order the runs of its children
follow each other, and where the node has gaps (Maier and Søgaard 2008). The extracted rules are
monotone and have no empty components, and no two ranges of an item touch.
"""

from __future__ import annotations

from collections.abc import Iterable

from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, tag
from plcfrs.grammar.example import Example, Range, shortest
from plcfrs.grammar.yield_function import from_runs
from plcfrs.tagging import forms, learn_signatures
from plcfrs.trees import Node, Tree
from plcfrs.trees.checks import check_tree
from plcfrs.trees.spans import runs


def extract(trees: Iterable[Tree], *, functions: bool = False, examples: int = 0) -> Grammar:
    """Extract a grammar: count the rules and words of trees, and learn signatures of rare words.

    Parameters
    ----------
    trees : iterable of Tree
        Without null elements.
    functions : bool
        Whether function tags are part of the nonterminals.
    examples : int
        How many sentences to keep for each rule, the shortest ones.

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
    grammar = count(trees, functions=functions, examples=examples)
    learn_signatures(grammar.lexicon)
    return grammar


def count(trees: Iterable[Tree], *, functions: bool = False, examples: int = 0) -> Grammar:
    """Count rules and words, without signatures, so that counts of more trees can be merged."""
    grammar = Grammar()
    for tree in trees:
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
        found = grammar.examples.get(rule, ())
        if len(found) < most or len(words) < len(found[-1].words):
            found = (*found, Example(words, ranges, tree.id))
            grammar.examples[rule] = shortest(found, most)


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
