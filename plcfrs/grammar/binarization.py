"""Binarization of rules, and its undoing (Evang and Kallmeyer 2011, section 4.1).

An intermediate nonterminal stands for a set of children (bits of an integer); its rule has
probability 1, so the model stays the same. A set spans as many ranges as it has runs in the yield
function, so the order matters (Gómez-Rodríguez, Kuhlmann, Satta and Weir 2009): parsing time grows
with sentence length to the power of the sum of the three fan-outs of a rule (Gildea 2010).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, count, groupby
from math import inf
from typing import Literal, NamedTuple

from plcfrs.errors import check_choice
from plcfrs.grammar.derivation import Derivation, without_intermediates
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.rules import Nonterminal, Rule, YieldFunction, child_fan_outs

RuleOrder = Literal["deterministic", "optimal"]

# The two parts of every set of two or more children that becomes a symbol, mothers before children.
# The first part has the first child.
Bracketing = dict[int, tuple[int, int]]

# The search looks at up to 3^rank / 2 pairs of sets, a few times: half a second at rank 12.
LARGEST_EXACT_RANK = 12


class Complexity(NamedTuple):
    """The complexity of the binary rules of a bracketing; earlier numbers count more.

    They are the largest fan-out of a symbol, and the largest parsing complexity and the sum of the
    parsing complexities of the rules.
    """

    fan_out: int
    largest: int
    total: int


def left_to_right(rank: int) -> Bracketing:
    """Split off the first child, then the second, until two are left.

    >>> [(bin(left), bin(right)) for left, right in left_to_right(3).values()]
    [('0b1', '0b110'), ('0b10', '0b100')]
    """
    rest = [((1 << rank) - 1) >> first << first for first in range(rank)]
    return {rest[first]: (1 << first, rest[first + 1]) for first in range(rank - 1)}


@cache
def optimal(yield_function: YieldFunction) -> Bracketing:
    """Return the bracketing with the least complexity, left to right if that is one of the best.

    Up to rank 12 all bracketings are searched. Beyond it, the result is the better of two: left to
    right, and joining repeatedly the two sets with the lowest fan-out, then complexity.

    >>> optimal(((1, 0, 2, 0, 1),)) == {0b111: (0b101, 0b010), 0b101: (0b001, 0b100)}
    True
    """
    fan_outs = child_fan_outs(yield_function)
    rank = len(fan_outs)
    simple = left_to_right(rank)
    if rank <= 2 or complexity(yield_function, simple) == _lower_bound(yield_function):
        return simple
    if rank <= LARGEST_EXACT_RANK:
        return _exact([fan_out(yield_function, children) for children in range(1 << rank)])
    return min(simple, _greedy(yield_function), key=partial(complexity, yield_function))


def complexity(yield_function: YieldFunction, bracketing: Bracketing) -> Complexity:
    """Return the complexity of the binary rules into which a bracketing cuts a rule."""
    triples = [
        [fan_out(yield_function, children) for children in (mother, *parts)]
        for mother, parts in bracketing.items()
    ]
    sums = list(map(sum, triples))
    return Complexity(max(map(max, triples)), max(sums), sum(sums))


def fan_out(yield_function: YieldFunction, children: int) -> int:
    """Return the number of ranges that a set of children spans.

    >>> fan_out(((0, 1, 2, 0),), 0b001), fan_out(((0, 1, 2, 0),), 0b011)
    (2, 2)
    """
    inside = [[children >> child & 1 for child in component] for component in yield_function]
    if is_single(children):
        return sum(map(sum, inside))
    return sum(belongs for component in inside for belongs, _ in groupby(component))


def is_single(children: int) -> bool:
    """Return whether a set has only one child."""
    return children & (children - 1) == 0


def _lower_bound(yield_function: YieldFunction) -> Complexity:
    """Return a lower bound: the complexity if all new symbols had fan-out 1."""
    fan_outs = [len(yield_function), *child_fan_outs(yield_function)]
    widest = max(fan_outs)
    return Complexity(widest, widest + 2, sum(fan_outs) + 2 * (len(fan_outs) - 3))


def _exact(fan_outs: list[int]) -> Bracketing:
    """Find the lowest bounds, one after another, that some bracketing keeps."""
    everything = len(fan_outs) - 1
    widest = max(fan_outs[children] for children in (everything, *_singles(everything)))
    while not _least_total(fan_outs, widest, inf):
        widest += 1
    largest = widest + 2  # some rule has the widest symbol
    while not (bracketing := _least_total(fan_outs, widest, largest)):
        largest += 1
    return bracketing


def _least_total(fan_outs: list[int], widest: int, largest: float) -> Bracketing:
    """Return the bracketing with the least total within two bounds; empty if there is none."""
    everything = len(fan_outs) - 1
    totals = dict.fromkeys(_singles(everything), 0)
    splits: dict[int, tuple[int, int]] = {}
    for children in range(1, everything + 1):
        if is_single(children) or fan_outs[children] > widest:
            continue
        least: float = inf
        for left in _parts(children):
            right = children ^ left
            if left in totals and right in totals:
                size = fan_outs[children] + fan_outs[left] + fan_outs[right]
                total = size + totals[left] + totals[right]
                if size <= largest and total < least:
                    least = totals[children] = total
                    splits[children] = left, right
    return _top_down(splits, everything)


def _greedy(yield_function: YieldFunction) -> Bracketing:
    size = cache(partial(fan_out, yield_function))

    def badness(pair: tuple[int, int]) -> tuple[int, int]:
        left, right = pair
        return size(left | right), size(left) + size(right)

    splits = {}
    parts = [1 << child for child in range(len(child_fan_outs(yield_function)))]
    while len(parts) > 1:
        # Of equal pairs the last one: left to right, the last two children are lowest.
        left, right = min(reversed(list(combinations(parts, 2))), key=badness)
        splits[left | right] = left, right
        parts[parts.index(left)] = left | right
        parts.remove(right)
    return _top_down(splits, parts[0])


def _singles(everything: int) -> list[int]:
    return [1 << child for child in range(everything.bit_length())]


def _parts(children: int) -> Iterator[int]:
    """Yield the proper subsets with the first child, the first child alone before all others."""
    first = children & -children
    rest = others = children ^ first
    chosen = 0
    while chosen != rest:
        yield first | chosen
        chosen = (chosen - others) & others


def _top_down(splits: Mapping[int, tuple[int, int]], everything: int) -> Bracketing:
    """Return the splits that build up a set, mothers before children."""
    used = {}
    waiting = [everything]
    while waiting:
        children = waiting.pop()
        if children in splits:
            used[children] = splits[children]
            waiting.extend(reversed(splits[children]))
    return used


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
    check_choice("order", order, RuleOrder)
    binarized = Grammar({}, grammar.lexicon, grammar.start, grammar.weights, dict(grammar.options))
    binarized.options |= {"binarization": order, "shared": "yes" if shared else "no"}
    binarized.training_set = set(grammar.training_set)
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
        # Adjacent ranges of a child stay separate; a new symbol joins them.
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
    """Return for each rule the rules that it was a part of before binarization.

    If the grammar cannot be restored (see `unbinarize_grammar`), each rule is its own origin.

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
    origins_of: dict[Rule, list[Rule]] = {rule: [] for rule in grammar.rules}
    for rule in grammar.rules:
        if rule.lhs not in expanded:
            whole = _expand(rule, expanded).rule
            parts = [rule]
            for part in parts:  # it grows
                parts += [rule_of[child] for child in part.rhs if child in rule_of]
            for part in dict.fromkeys(parts):
                origins_of[part].append(whole)
    return origins_of


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
    return without_intermediates(derivation, children)
