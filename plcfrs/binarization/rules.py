"""Binarization of rules (Evang and Kallmeyer 2011, section 4.1).

Intermediate nonterminals stand for sets of children. Their rules have probability 1, so the
probability model does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count, groupby
from typing import get_args

from plcfrs.binarization.orders import Bracketing, RuleOrder, is_single, left_to_right, optimal
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction


def binarize(
    grammar: Grammar, order: RuleOrder = "deterministic", *, shared: bool = True
) -> Grammar:
    r"""Return an equivalent grammar of rank 2.

    Parameters
    ----------
    grammar : Grammar
    order : {"deterministic", "optimal"}
        Deterministic is from left to right: a rule keeps its first child, and an intermediate
        nonterminal stands for the others. Optimal minimizes first the largest fan-out, then the
        largest parsing complexity, then the sum of the complexities (Gómez-Rodríguez et al. 2009,
        Gildea 2010).
    shared : bool
        Whether right-hand sides with the same remaining children and yield function share their
        intermediate nonterminals (not in the paper). Probabilities and trees stay the same.

    Raises
    ------
    InputError
        If the order is unknown.

    Examples
    --------
    >>> sq, vp, md, np = (Nonterminal(name) for name in ("SQ", "VP", "MD", "NP"))
    >>> rule = Rule(sq, (vp._replace(fanout=2), md, np), ((0, 1, 2, 0),))
    >>> print(*binarize(Grammar({rule: 1})).rules, sep="\n")
    SQ -> VP_2 @1 [0 1 0]
    @1 -> MD NP [0 1]
    """
    if order not in get_args(RuleOrder):
        raise InputError(f"order: {order!r} is not one of {', '.join(get_args(RuleOrder))}")
    binarized = Grammar({}, grammar.lexicon, grammar.start, grammar.weights, dict(grammar.options))
    binarized.options |= {"binarization": order, "shared": "yes" if shared else "no"}
    intermediates = _Intermediates(grammar, shared=shared)
    for rule, weight in grammar.rules.items():
        rules = [rule]
        if rule.rank > 2:
            form = rule.yield_function
            bracketing = optimal(form) if order == "optimal" else left_to_right(rule.rank)
            rules = intermediates.cut(rule, bracketing)
        if rule in grammar.examples:
            binarized.examples[rules[0]] = grammar.examples[rule]
        for binary in rules:
            if grammar.weights == "counts":
                binarized.add(binary, weight)
            else:
                binarized.rules[binary] = weight if binary.lhs == rule.lhs else 1
    return binarized


def join(yield_function: YieldFunction, left: int, right: int) -> YieldFunction:
    """Return the yield function that combines two sets of children of a rule.

    >>> join(((0, 1, 2, 0), (3,)), 0b0001, 0b1110)
    ((0, 1, 0), (1,))
    >>> join(((0, 1, 2, 0), (3,)), 0b0010, 0b1100)
    ((0, 1), (1,))
    """
    joined = []
    for component in yield_function:
        for is_inside, run in groupby(component, lambda child: (left | right) >> child & 1):
            if is_inside:
                joined.append(tuple(_blocks(run, left, right)))
    return tuple(joined)


def _blocks(run: Iterable[int], left: int, right: int) -> Iterator[int]:
    for number, block in groupby(run, lambda child: right >> child & 1):
        # Adjacent ranges of a child stay separate, those of a new symbol are one.
        is_child = is_single(right if number else left)
        yield from [number for _ in block] if is_child else [number]


class _Intermediates:
    """The intermediate nonterminals of a grammar, each identified by its rule."""

    def __init__(self, grammar: Grammar, *, shared: bool) -> None:
        self._shared = shared
        self._keys: dict[object, int] = {}
        self._symbols: dict[object, Nonterminal] = {}
        symbols = grammar.nonterminals()
        taken = {symbol.category for symbol in symbols if symbol.kind == "intermediate"}
        self._names = (str(number) for number in count(1) if str(number) not in taken)

    def cut(self, rule: Rule, bracketing: Bracketing) -> list[Rule]:
        """Return the binary rules into which a bracketing cuts a rule, mothers before children."""
        joined = {mother: join(rule.yield_function, *parts) for mother, parts in bracketing.items()}
        keys = self._find_keys(rule, bracketing, joined)
        symbols = {1 << number: child for number, child in enumerate(rule.rhs)}
        symbols[next(iter(bracketing))] = rule.lhs
        rules = []
        for mother, parts in bracketing.items():
            for part in parts:
                if part not in symbols:
                    symbols[part] = self._symbol(keys[part], len(joined[part]))
            rules.append(
                Rule(symbols[mother], tuple(symbols[part] for part in parts), joined[mother])
            )
        return rules

    def _find_keys(
        self, rule: Rule, bracketing: Bracketing, joined: Mapping[int, YieldFunction]
    ) -> dict[int, object]:
        """Return a key for each set of children; sets with equal keys have the same derivations."""
        if not self._shared:
            return {mother: (rule, mother) for mother in bracketing}
        keys: dict[int, object] = {1 << number: child for number, child in enumerate(rule.rhs)}
        for mother, (left, right) in reversed(bracketing.items()):
            derived = keys[left], keys[right], joined[mother]
            keys[mother] = self._keys.setdefault(derived, len(self._keys))
        return keys

    def _symbol(self, key: object, fan_out: int) -> Nonterminal:
        if key not in self._symbols:
            self._symbols[key] = Nonterminal(next(self._names), fan_out, kind="intermediate")
        return self._symbols[key]
