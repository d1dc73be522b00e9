"""The graph of a grammar: symbols that no parse can use, cycles of unary rules, recursion."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from plcfrs.grammar.grammar import Grammar, Rule
from plcfrs.grammar.nonterminal import Nonterminal

if TYPE_CHECKING:
    import networkx as nx


def useless_symbols(grammar: Grammar) -> list[Nonterminal]:
    """Return the unproductive and unreachable nonterminals, in the order of the grammar.

    A symbol without rules is a tag. All tags are assumed to have words.

    >>> s, a, b, x = (Nonterminal(name) for name in "SABX")
    >>> rules = {Rule(s, (x,), ((0,),)): 1, Rule(a, (a,), ((0,),)): 1, Rule(b, (x,), ((0,),)): 1}
    >>> [str(symbol) for symbol in useless_symbols(Grammar(rules, start=s))]
    ['A', 'B']
    """
    import networkx as nx

    productive = _productive(grammar)
    useful: nx.DiGraph[Nonterminal] = nx.DiGraph()
    useful.add_node(grammar.start)
    for rule in grammar.rules:
        if productive.issuperset(rule.rhs):
            useful.add_edges_from((rule.lhs, child) for child in rule.rhs)
    used = nx.descendants(useful, grammar.start) | ({grammar.start} & productive)
    return [symbol for symbol in grammar.nonterminals() if symbol not in used]


def unary_cycles(grammar: Grammar) -> list[list[Nonterminal]]:
    """Return the sets of nonterminals that derive each other by unary rules."""
    import networkx as nx

    unary: nx.DiGraph[Nonterminal] = nx.DiGraph()
    unary.add_edges_from((rule.lhs, rule.rhs[0]) for rule in grammar.rules if rule.rank == 1)
    return _cyclic(unary)


def recursive_components(grammar: Grammar) -> list[list[Nonterminal]]:
    """Return the sets of nonterminals that can dominate each other, the largest first.

    >>> s, a, b, x = (Nonterminal(name) for name in "SABX")
    >>> rules = [Rule(s, (x, a), ((0, 1),)), Rule(a, (b,), ((0,),)), Rule(b, (a, x), ((0, 1),))]
    >>> [list(map(str, found)) for found in recursive_components(Grammar(dict.fromkeys(rules, 1)))]
    [['A', 'B']]
    """
    import networkx as nx

    graph: nx.DiGraph[Nonterminal] = nx.DiGraph()
    graph.add_edges_from((rule.lhs, child) for rule in grammar.rules for child in rule.rhs)
    return sorted(_cyclic(graph), key=len, reverse=True)


def _cyclic(graph: nx.DiGraph[Nonterminal]) -> list[list[Nonterminal]]:
    """Return the strongly connected components with a cycle."""
    import networkx as nx

    return [
        sorted(component)
        for component in nx.strongly_connected_components(graph)
        if len(component) > 1 or graph.has_edge(*(2 * list(component)))
    ]


def _productive(grammar: Grammar) -> set[Nonterminal]:
    defined = {rule.lhs for rule in grammar.rules}
    waiting: dict[Nonterminal, list[Rule]] = defaultdict(list)
    missing: dict[Rule, int] = {}
    for rule in grammar.rules:
        children = set(rule.rhs)
        missing[rule] = len(children)
        for child in children:
            waiting[child].append(rule)
    agenda = [symbol for symbol in grammar.nonterminals() if symbol not in defined]
    productive = set(agenda)
    while agenda:
        for rule in waiting[agenda.pop()]:
            missing[rule] -= 1
            if not missing[rule] and rule.lhs not in productive:
                productive.add(rule.lhs)
                agenda.append(rule.lhs)
    return productive
