"""Deterministic binarization, rule to rule (Evang and Kallmeyer 2011, section 4.1).

A rule of rank 3 or more keeps its first child; an intermediate nonterminal stands for the others.
The rules of intermediate nonterminals have probability 1: the probability model stays as it is.
"""

from __future__ import annotations

from itertools import count, groupby

from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction


def binarize(grammar: Grammar, *, shared: bool = True) -> Grammar:
    r"""Return an equivalent grammar of rank 2.

    Parameters
    ----------
    grammar : Grammar
    shared : bool
        Whether right-hand sides with the same remaining children and the same remaining yield
        function share their intermediate nonterminals, which changes neither probabilities
        nor trees. The paper gives each right-hand side its own.

    Returns
    -------
    Grammar

    Examples
    --------
    >>> sq, vp, md, np = (Nonterminal(name) for name in ("SQ", "VP", "MD", "NP"))
    >>> rule = Rule(sq, (vp._replace(fanout=2), md, np), ((0, 1, 2, 0),))
    >>> print(*binarize(Grammar({rule: 1})).rules, sep="\n")
    SQ -> VP_2 @1 [0 1 0]
    @1 -> MD NP [0 1]
    """
    binarized = Grammar({}, grammar.lexicon, grammar.start, grammar.weights, dict(grammar.options))
    binarized.options["binarization"] = "deterministic" + ("" if shared else ", unshared")
    intermediates: dict[object, Nonterminal] = {}
    taken = {symbol.category for symbol in grammar.nonterminals() if symbol.kind == "intermediate"}
    names = (str(number) for number in count(1) if str(number) not in taken)
    for rule, weight in grammar.rules.items():
        lhs, rhs, yield_function = rule
        while len(rhs) > 2:
            top, rest = split_first(yield_function)
            key = (rhs[1:], rest) if shared else (rule, len(rhs))
            if key not in intermediates:
                intermediates[key] = Nonterminal(next(names), len(rest), kind="intermediate")
            symbol = intermediates[key]
            _add(binarized, Rule(lhs, (rhs[0], symbol), top), weight)
            lhs, rhs, yield_function = symbol, rhs[1:], rest
        _add(binarized, Rule(lhs, rhs, yield_function), weight)
    return binarized


def split_first(yield_function: YieldFunction) -> tuple[YieldFunction, YieldFunction]:
    """Split off the first child: the function of it and the rest, and that of the rest.

    Examples
    --------
    >>> split_first(((0, 1, 2, 0), (3,)))
    (((0, 1, 0), (1,)), ((0, 1), (2,)))
    """
    top = []
    rest = []
    for component in yield_function:
        top_component: list[int] = []
        for is_first, block in groupby(component, key=lambda child: child == 0):
            if is_first:
                top_component.extend(block)
            else:
                top_component.append(1)
                rest.append(tuple(child - 1 for child in block))
        top.append(tuple(top_component))
    return tuple(top), tuple(rest)


def _add(grammar: Grammar, rule: Rule, weight: float) -> None:
    if grammar.weights == "counts":
        grammar.add(rule, weight)
    else:
        grammar.rules[rule] = 1 if rule.lhs.kind == "intermediate" else weight
