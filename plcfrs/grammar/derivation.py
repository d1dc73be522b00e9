"""Derivations, and the ways back: from a changed grammar to the original one, and on to trees.

To undo binarization, the children of an intermediate nonterminal take its place. The other change
is the normal form of a grammar for charts whose items are bitsets. In the paper, the ranges of an
item may touch: ``S(XY) -> A(X,Y)`` is a rule. In a bitset, touching ranges are one. `proper_gaps`
makes a variant of a nonterminal for each way in which its ranges touch, top-down from the start
symbol. If two rules of a variant would become the same, the second
goes to a copy of the variant, below a unary rule, so that derivations correspond one to one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import count, pairwise
from typing import NamedTuple, TypeVar

from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.rules import Nonterminal, Range, Rule, YieldFunction, apply
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.notation import render_brackets

Value = TypeVar("Value")


class Derivation(NamedTuple):
    """A tree of rules; its leaves are tags.

    Parameters
    ----------
    nonterminal : Nonterminal
    yield_function : YieldFunction
        Empty for a tag.
    children : tuple of Derivation
        Empty for a tag.
    """

    nonterminal: Nonterminal
    yield_function: YieldFunction = ()
    children: tuple[Derivation, ...] = ()

    def __repr__(self) -> str:
        return f"<Derivation {self.nonterminal}: {len(self.rules())} rules>"

    def __str__(self) -> str:
        tree = self.tree()
        return render_brackets(tree, tree.root.category)

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        from plcfrs.drawing import draw_svg

        return draw_svg(self.tree(), gaps=True)

    def tree(self) -> Tree:
        """Return the tree of grammar symbols over the positions of the words.

        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> derivation = Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now))
        >>> derivation.tree().discontinuous_nodes(), str(derivation)
        ([<Node VP_2: 2 children>], '(S (VP_2 (W 0) (V 2)) (R 1))')
        """
        tokens = [Token(str(position), str(tag)) for position, tag in enumerate(self.tags())]
        root = self.nodes(lambda symbol: Node(str(symbol)))
        return Tree(root if isinstance(root, Node) else Node(ROOT, children=[root]), tokens)

    def nodes(self, make: Callable[[Nonterminal], Node]) -> Node | int:
        """Return the nodes of all symbols, over the positions of the words."""
        position_of = {leaf: position for position, leaf in enumerate(self.order())}
        leaves = count()

        def node_or_position(part: Derivation, children: list[Node | int]) -> Node | int:
            if not part.children:
                return position_of[next(leaves)]
            node = make(part.nonterminal)
            node.children = children
            return node

        return self.fold(node_or_position)

    def tags(self) -> list[Nonterminal]:
        """Return the tag of each word."""
        leaves = [part.nonterminal for part in self.bottom_up() if not part.children]
        return [leaves[leaf] for leaf in self.order()]

    @property
    def rule(self) -> Rule:
        """The rule at the top of the derivation."""
        rhs = tuple(child.nonterminal for child in self.children)
        return Rule(self.nonterminal, rhs, self.yield_function)

    def bottom_up(self) -> list[Derivation]:
        """Return this derivation and all below it, children before mothers, from left to right."""
        derivations = []
        stack = [self]
        while stack:
            derivation = stack.pop()
            derivations.append(derivation)
            stack.extend(derivation.children)
        return derivations[::-1]

    def rules(self) -> list[Rule]:
        """Return the rules, children before mothers."""
        return [derivation.rule for derivation in self.bottom_up() if derivation.children]

    def fold(self, combine: Callable[[Derivation, list[Value]], Value]) -> Value:
        """Compute a value bottom-up, without recursion, from left to right.

        Each derivation gets a value by `combine`, from itself and the values of its children.
        """
        values: list[Value] = []
        for derivation in self.bottom_up():
            first = len(values) - len(derivation.children)
            children = values[first:]
            del values[first:]
            values.append(combine(derivation, children))
        return values[0]

    def order(self) -> list[int]:
        """Return the number of the leaf of each word; leaves are counted from left to right.

        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now)).order()
        [0, 2, 1]
        """
        *_, components = self._components()
        return [leaf for component in components for leaf in component]

    def ranges(self) -> list[tuple[Range, ...]]:
        """Return the ranges of this derivation and of all below it, in the order of `bottom_up`.

        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> derivation = Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now))
        >>> for part, ranges in zip(derivation.bottom_up(), derivation.ranges()):
        ...     print(part.nonterminal, ranges)
        W ((0, 1),)
        V ((2, 3),)
        VP_2 ((0, 1), (2, 3))
        R ((1, 2),)
        S ((0, 3),)
        """
        components_of = self._components()
        order = (leaf for component in components_of[-1] for leaf in component)
        position_of = {leaf: position for position, leaf in enumerate(order)}
        return [
            tuple((position_of[part[0]], position_of[part[-1]] + 1) for part in components)
            for components in components_of
        ]

    def _components(self) -> list[list[list[int]]]:
        """Return the leaves of each component, for all derivations in the order of `bottom_up`."""
        leaves = count()
        components_of = []

        def components(derivation: Derivation, children: list[list[list[int]]]) -> list[list[int]]:
            of_children = apply(derivation.yield_function, children)
            components_of.append(of_children if derivation.children else [[next(leaves)]])
            return components_of[-1]

        self.fold(components)
        return components_of


def unbinarize(derivation: Derivation) -> Derivation:
    """Return the derivation of the grammar before binarization, without intermediate nonterminals.

    If one was the first child, the children are ordered by the beginnings of their yields.

    Parameters
    ----------
    derivation : Derivation
        With a category at the top.
    """
    return derivation.fold(without_intermediates)


def without_intermediates(derivation: Derivation, children: list[Derivation]) -> Derivation:
    """Return a derivation with these children, or with the children of intermediate ones."""
    if not any(child.nonterminal.kind == "intermediate" for child in children):
        return derivation._replace(children=tuple(children))
    kept: list[Derivation] = []
    components = []
    for child in children:
        number = len(kept)
        if child.nonterminal.kind == "intermediate":
            inside = [[number + inner for inner in part] for part in child.yield_function]
            components.append(inside)
            kept.extend(child.children)
        else:
            components.append([[number]] * child.nonterminal.fanout)
            kept.append(child)
    composed = tuple(map(tuple, apply(derivation.yield_function, components)))
    restored = derivation._replace(yield_function=composed, children=tuple(kept))
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
        Without intermediate nonterminals; see `unbinarize`.
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
    root = derivation.nodes(lambda symbol: Node(symbol.category, symbol.functions, symbol.split))
    if isinstance(root, int) or root.category != ROOT:
        root = Node(ROOT, children=[root])
    tree = Tree(root, tokens, sentence)
    tree.sort_children()
    return tree


Touching = tuple[bool, ...]  # for each range except the last: does it touch the next one?


class ProperGaps(NamedTuple):
    """A grammar without touching ranges, and the way back to the original grammar.

    Parameters
    ----------
    grammar : Grammar
        It has the derivations of the original grammar, with the same costs.
    originals : dict of Rule to Rule
        The original rule of each rule; unary rules that lead to a copy have none. Empty if the
        grammar is the original one.
    """

    grammar: Grammar
    originals: dict[Rule, Rule]

    @property
    def original_symbols(self) -> dict[Nonterminal, Nonterminal]:
        """The original of each symbol that the transformation changed."""
        return {rule.lhs: before.lhs for rule, before in self.originals.items()}

    def undo_proper(self, derivation: Derivation) -> Derivation:
        """Return the corresponding derivation of the original grammar."""
        if not self.originals:
            return derivation

        def restored(derivation: Derivation, children: list[Derivation]) -> Derivation:
            if not children:
                return derivation
            rule = self.originals.get(derivation.rule)
            if rule is None:  # the child is a copy of this symbol, and is already restored
                return children[0]
            return Derivation(rule.lhs, rule.yield_function, tuple(children))

        return derivation.fold(restored)

    def restore_counts(self, counts: Mapping[Rule, float]) -> dict[Rule, float]:
        """Return the counts of the original rules."""
        if not self.originals:
            return dict(counts)
        restored: dict[Rule, float] = defaultdict(float)
        for rule, number in counts.items():
            if rule in self.originals:
                restored[self.originals[rule]] += number
        return dict(restored)

    def restore_symbols(
        self, posteriors: Mapping[tuple[Nonterminal, int], float]
    ) -> dict[tuple[Nonterminal, int], float]:
        """Return the sums over all variants of the original symbols, for each span."""
        if not self.originals:
            return dict(posteriors)
        original = self.original_symbols
        for rule in self.grammar.rules:
            if rule not in self.originals:  # the child is a copy of a symbol that counts already
                original.pop(rule.rhs[0])
        restored: dict[tuple[Nonterminal, int], float] = defaultdict(float)
        for (symbol, span), posterior in posteriors.items():
            if symbol in original or symbol.kind == "tag":
                restored[original.get(symbol, symbol), span] += posterior
        return dict(restored)


def proper_gaps(grammar: Grammar) -> ProperGaps:
    """Convert a grammar to the form in which no two ranges of an item touch.

    Each variant of a nonterminal has all its rules, with their probabilities. A grammar without
    adjacent variables of one child, such as every extracted grammar, is returned unchanged. New
    symbols get new categories.

    Parameters
    ----------
    grammar : Grammar

    Examples
    --------
    >>> s, a = Nonterminal("S"), Nonterminal("A", 2)
    >>> grammar = Grammar({Rule(s, (a,), ((0, 0),)): 1}, start=s)
    >>> print(*proper_gaps(grammar).grammar.rules)
    S -> A(1&2) [0]
    """
    if not any(has_adjacent_variables(rule.yield_function) for rule in grammar.rules):
        return ProperGaps(grammar, {})
    rules_of = defaultdict(list)
    for rule, probability in grammar.probabilities().items():
        rules_of[rule.lhs].append((rule, probability))
    proper = ProperGaps(
        Grammar({}, grammar.lexicon, grammar.start, "probabilities", grammar.options), {}
    )
    taken = {symbol.category for symbol in grammar.nonterminals()}
    start: tuple[Nonterminal, Touching] = (grammar.start, ())
    variants = {start: grammar.start}
    agenda = [start]
    while agenda:
        nonterminal, touching = agenda.pop()
        lhs = variants[nonterminal, touching]
        for rule, probability in rules_of[nonterminal]:
            yield_function, ways = _specialise(rule.yield_function, rule.rank, touching)
            children = list(zip(rule.rhs, ways, strict=True))
            for child in children:
                if child not in variants:
                    variants[child] = _variant(*child, taken)
                    agenda.append(child)
            rhs = tuple(variants[child] for child in children)
            _add_rule(proper, Rule(lhs, rhs, yield_function), probability, rule, taken)
    return proper


def has_adjacent_variables(yield_function: YieldFunction) -> bool:
    """Whether two ranges of a child touch."""
    return any(left == right for component in yield_function for left, right in pairwise(component))


def _specialise(
    yield_function: YieldFunction, rank: int, touching: Touching
) -> tuple[YieldFunction, list[Touching]]:
    """Return a yield function for a mother with touching ranges, and how its children touch."""
    components: list[list[int]] = []
    children: list[list[bool]] = [[] for _ in range(rank)]
    seen: set[int] = set()
    previous = -1
    for component, attached in zip(yield_function, (False, *touching), strict=True):
        for place, child in enumerate(component):
            joined = attached or place > 0
            if child in seen:
                children[child].append(joined and child == previous)
            seen.add(child)
            if not joined:
                components.append([child])
            elif child != previous:
                components[-1].append(child)
            previous = child
    return tuple(map(tuple, components)), list(map(tuple, children))


def _variant(nonterminal: Nonterminal, touching: Touching, taken: set[str]) -> Nonterminal:
    """Return the variant of a nonterminal with touching ranges; itself if none touch."""
    if not any(touching):
        return nonterminal
    ranges = "1"
    for number, touches in enumerate(touching, start=2):
        ranges += f"&{number}" if touches else f",{number}"
    return nonterminal._replace(
        category=_new_category(f"{nonterminal.category}({ranges})", taken),
        fanout=nonterminal.fanout - sum(touching),
    )


def _new_category(category: str, taken: set[str]) -> str:
    while category in taken:
        category += "'"
    taken.add(category)
    return category


def _add_rule(
    proper: ProperGaps, rule: Rule, probability: float, original: Rule, taken: set[str]
) -> None:
    """Add a rule; if it exists already, add it as the only rule of a copy of its left-hand side."""
    rules = proper.grammar.rules
    if rule in rules:
        copy = rule.lhs._replace(category=_new_category(rule.lhs.category, taken))
        rules[Rule(rule.lhs, (copy,), ((0,),) * copy.fanout)] = probability
        rule, probability = rule._replace(lhs=copy), 1
    rules[rule] = probability
    proper.originals[rule] = original
