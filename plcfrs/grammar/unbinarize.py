"""The way back: from binarized derivations and grammars to the original ones, and on to trees.

An intermediate nonterminal is replaced by its children; this undoes every binarization.
"""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import count

from plcfrs.grammar.grammar import Grammar, Rule
from plcfrs.grammar.nonterminal import Nonterminal, YieldFunction
from plcfrs.grammar.proper_gaps import Derivation
from plcfrs.trees import ROOT, Node, Token, Tree


def unbinarize(derivation: Derivation) -> Derivation:
    """Return the derivation of the grammar before binarization, without intermediate nonterminals.

    If one was the first child, the children are ordered by the beginnings of their yields.

    Parameters
    ----------
    derivation : Derivation
        With a category at the top.
    """
    return derivation.fold(_without_intermediates)


def unbinarize_grammar(grammar: Grammar) -> Grammar:
    """Return the grammar before its rules were binarized, if it can be restored.

    It can be restored if every intermediate nonterminal has exactly one rule. This is not the case
    after trees were binarized; the grammar is then returned unchanged.

    Parameters
    ----------
    grammar : Grammar

    Returns
    -------
    Grammar

    Examples
    --------
    >>> from plcfrs.grammar import binarize
    >>> sq, vp, md, np = (Nonterminal(name) for name in ("SQ", "VP", "MD", "NP"))
    >>> rule = Rule(sq, (vp._replace(fanout=2), md, np), ((0, 1, 2, 0),))
    >>> print(*unbinarize_grammar(binarize(Grammar({rule: 1}))).rules)
    SQ -> VP_2 MD NP [0 1 2 0]
    """
    expanded = _expanded(grammar)
    if not expanded:
        return grammar
    restored = Grammar({}, grammar.lexicon, grammar.start, grammar.weights, dict(grammar.options))
    restored.options["binarization"] = "none"
    restored.options.pop("shared", None)
    for rule, weight in grammar.rules.items():
        if rule.lhs.kind != "intermediate":
            original = _expand(rule, expanded).rule
            restored.add(original, weight)
            if rule in grammar.examples:
                restored.examples[original] = grammar.examples[rule]
    return restored


def origins(grammar: Grammar) -> dict[Rule, list[Rule]]:
    """Return for each rule the rules before binarization that it is a part of.

    If the grammar cannot be restored (see `unbinarize_grammar`), each rule is its own origin.

    >>> from plcfrs.grammar import binarize
    >>> sq, vp, md, np = (Nonterminal(name) for name in ("SQ", "VP", "MD", "NP"))
    >>> rule = Rule(sq, (vp._replace(fanout=2), md, np), ((0, 1, 2, 0),))
    >>> for part, whole in origins(binarize(Grammar({rule: 1}))).items():
    ...     print(part, "of", *whole)
    SQ -> VP_2 @1 [0 1 0] of SQ -> VP_2 MD NP [0 1 2 0]
    @1 -> MD NP [0 1] of SQ -> VP_2 MD NP [0 1 2 0]
    """
    expanded = _expanded(grammar)
    if not expanded:
        return {rule: [rule] for rule in grammar.rules}
    rule_of = {rule.lhs: rule for rule in grammar.rules if rule.lhs in expanded}
    found: dict[Rule, list[Rule]] = {rule: [] for rule in grammar.rules}
    for rule in grammar.rules:
        if rule.lhs not in expanded:
            whole = _expand(rule, expanded).rule
            parts = [rule]
            for part in parts:  # it grows
                parts += [rule_of[child] for child in part.rhs if child in rule_of]
            for part in dict.fromkeys(parts):
                found[part].append(whole)
    return found


def _expanded(grammar: Grammar) -> dict[Nonterminal, Derivation]:
    """Return the derivations of the intermediate nonterminals; empty if one has several."""
    rules_of: dict[Nonterminal, list[Rule]] = {
        symbol: [] for symbol in grammar.nonterminals() if symbol.kind == "intermediate"
    }
    for rule in grammar.rules:
        if rule.lhs in rules_of:
            rules_of[rule.lhs].append(rule)
    if any(len(rules) != 1 for rules in rules_of.values()):
        return {}
    below = {
        symbol: [child for child in rule.rhs if child in rules_of]
        for symbol, (rule,) in rules_of.items()
    }
    expanded: dict[Nonterminal, Derivation] = {}
    try:
        for symbol in TopologicalSorter(below).static_order():
            expanded[symbol] = _expand(rules_of[symbol][0], expanded)
    except CycleError:
        return {}
    return expanded


def _expand(rule: Rule, expanded: Mapping[Nonterminal, Derivation]) -> Derivation:
    children = [expanded.get(child) or Derivation(child) for child in rule.rhs]
    derivation = Derivation(rule.lhs, rule.yield_function, tuple(children))
    return _without_intermediates(derivation, children)


def _without_intermediates(derivation: Derivation, children: list[Derivation]) -> Derivation:
    if not any(child.nonterminal.kind == "intermediate" for child in children):
        return derivation._replace(children=tuple(children))
    kept: list[Derivation] = []
    components = []
    for child in children:
        number = len(kept)
        if child.nonterminal.kind == "intermediate":
            components.append(
                iter([[number + inner for inner in part] for part in child.yield_function])
            )
            kept.extend(child.children)
        else:
            components.append(iter([[number]] * child.nonterminal.fanout))
            kept.append(child)
    yield_function: YieldFunction = tuple(
        tuple(inner for child in component for inner in next(components[child]))
        for component in derivation.yield_function
    )
    restored = derivation._replace(yield_function=yield_function, children=tuple(kept))
    is_first = derivation.children[0].nonterminal.kind == "intermediate"
    return _in_order(restored) if is_first else restored


def _in_order(derivation: Derivation) -> Derivation:
    """Put the children in the order in which the yield function first names them."""
    order = list(dict.fromkeys(child for part in derivation.yield_function for child in part))
    number_of = {child: number for number, child in enumerate(order)}
    return derivation._replace(
        yield_function=tuple(
            tuple(number_of[child] for child in part) for part in derivation.yield_function
        ),
        children=tuple(derivation.children[child] for child in order),
    )


def rebuild(derivation: Derivation, tokens: list[Token], sentence: str = "") -> Tree:
    """Return the tree of a derivation over the tokens of its sentence.

    Parameters
    ----------
    derivation : Derivation
        Without intermediate nonterminals; see `plcfrs.grammar.unbinarize`.
    tokens : list of Token
        One for each leaf of the derivation; its yield functions say which.
    sentence : str
        Identifier of the tree.

    Returns
    -------
    Tree
        It keeps the category splits. If the start symbol of the grammar is not ROOT, a ROOT is
        added above it.
    """
    position_of = {leaf: position for position, leaf in enumerate(derivation.order())}
    leaves = count()

    def node_or_position(derivation: Derivation, children: list[Node | int]) -> Node | int:
        if not derivation.children:
            return position_of[next(leaves)]
        symbol = derivation.nonterminal
        return Node(symbol.category, symbol.functions, symbol.split, children=children)

    root = derivation.fold(node_or_position)
    if isinstance(root, int) or root.category != ROOT:
        root = Node(ROOT, children=[root])
    tree = Tree(root, tokens, sentence)
    tree.sort_children()
    return tree
