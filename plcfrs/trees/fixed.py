"""What is known of a tree before it is parsed: constituents, tags, functions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees.labels import ROOT
from plcfrs.trees.tree import NO_PARSE, Node, Tree, crosses, render_ranges, runs, span_of

ANY = "*"
"""The category of a node in a partial tree that may have any category."""

_UNNAMED = "X"  # the category of a node that no parser has named


class FixedConstituent(NamedTuple):
    """A category, or None for any but ROOT, and a span; see `plcfrs.trees.tree`."""

    category: str | None
    span: int

    @classmethod
    def over(cls, category: str | None, positions: Iterable[int]) -> FixedConstituent:
        """Return the constituent over the tokens with these positions, from 0."""
        return cls(category, span_of(list(positions)))

    def __str__(self) -> str:
        return f"{self.category or ANY} {render_ranges(runs(self.span))}"

    def fits(self, category: str, span: int) -> bool:
        """Return whether a constituent with this category and span is this one."""
        return self.span == span and (
            category == self.category or (self.category is None and category != ROOT)
        )


@dataclass(frozen=True)
class Fixed:
    """What is known of the tree of a sentence.

    Parameters
    ----------
    required, forbidden : tuple of FixedConstituent
        Constituents that the tree has, and that it does not have. Of required ones over the same
        tokens, mothers come first.
    tags : mapping of int to str
        The tags of some tokens, by their positions.
    functions : mapping of FixedConstituent or int to tuple of str
        The functions of required constituents, or of tokens by their positions.

    Raises
    ------
    InputError
        If no tree has all this.

    Examples
    --------
    >>> fixed = Fixed((FixedConstituent.over("NP", [1, 2]),), tags={1: "DT"})
    >>> print(fixed.hold(Tree.from_string("(S (VP (VB see) (NN a)) (NP (NN cat) (RB now)))")))
    (ROOT (S (VB 0=see) (NP (DT 1=a) (NN 2=cat)) (RB 3=now)))
    """

    required: tuple[FixedConstituent, ...] = ()
    forbidden: tuple[FixedConstituent, ...] = ()
    tags: Mapping[int, str] = field(default_factory=dict, hash=False)
    functions: Mapping[FixedConstituent | int, tuple[str, ...]] = field(
        default_factory=dict, hash=False
    )

    def __post_init__(self) -> None:
        for each in (*self.required, *self.forbidden):
            if each.span <= 0:
                raise InputError(f"{each.category or ANY}: a constituent has at least one token")
        for one, other in combinations(self.required, 2):
            if crosses(one.span, other.span):
                raise InputError(f"{one} and {other} cross: no tree has both")
        for one in self.required:
            for other in self.forbidden:
                if one.span == other.span and other.category in (None, one.category):
                    raise InputError(f"{one} is required, but {other} is forbidden")

    @classmethod
    def of(cls, tree: Tree) -> Fixed:
        """Return all constituents below the root, and the functions; `ANY` is no category.

        A node NOPARSE is not fixed.

        Raises
        ------
        InputError
            If the tree has null elements.

        >>> partial = Tree.from_string("(ROOT (DT The) (* (JJ old) (NN ship)) (NP-OBJ (NN oil)))")
        >>> print(*Fixed.of(partial).required, sep=", ")
        * 1-2, NP 3
        """
        nulls = [token.form for token in tree.tokens if token.is_null]
        if nulls:
            raise InputError(f"null element {nulls[0]}: transform the treebank first")
        spans = tree.yields()
        required, functions = [], dict[FixedConstituent | int, tuple[str, ...]]()
        for node in tree.nodes():
            if node is not tree.root and node.category != NO_PARSE:
                category = None if node.category == ANY else node.category
                required.append(FixedConstituent(category, spans[node]))
                if node.functions:
                    functions[required[-1]] = node.functions
        functions |= {
            position: (token.function,)
            for position, token in enumerate(tree.tokens)
            if token.function
        }
        return cls(tuple(required), functions=functions)

    def check(self, length: int) -> None:
        """Raise an InputError if something is outside a sentence of this length."""
        places = [*self.tags, *(each for each in self.functions if isinstance(each, int))]
        outside: list[object] = [each for each in places if not 0 <= each < length]
        outside += [each for each in (*self.required, *self.forbidden) if each.span >> length]
        if outside:
            raise InputError(
                f"{outside[0]}: the tokens of the sentence have numbers 0 to {length - 1}"
            )

    def missing(self, found: Iterable[tuple[str, int]]) -> list[FixedConstituent]:
        """Return the required constituents that are not among the categories and spans found."""
        there: Counter[FixedConstituent] = Counter()
        for category, span in found:
            there[FixedConstituent(category, span)] += 1
            there[FixedConstituent(None, span)] += category != ROOT
        return list((Counter(self.required) - there).elements())

    @property
    def brackets(self) -> list[tuple[int, int]]:
        """The intervals that no interval of a constituent crosses."""
        return sorted({run for each in self.required for run in runs(each.span)})

    def excludes(self, category: str, span: int) -> bool:
        """Return whether a constituent is forbidden, or crosses a required one."""
        return any(each.fits(category, span) for each in self.forbidden) or any(
            crosses(each.span, span) for each in self.required
        )

    def hold(self, tree: Tree) -> Tree:
        """Return a tree with all that is fixed: nodes that contradict it go, missing ones come."""
        held = tree.copy()
        spans, nodes = held.yields(), held.nodes()
        excluded = {node for node in nodes[1:] if self.excludes(node.category, spans[node])}
        if excluded or self.missing((node.category, spans[node]) for node in nodes):
            for node in nodes:
                node.head = None
            _remove(held, excluded)
            for span, categories in self._categories().items():
                _insert(held, span, categories)
            held.sort_children()
        for position, tag in self.tags.items():
            held.tokens[position].tag = tag
        self._set_functions(held)
        return held

    def _categories(self) -> dict[int, list[str]]:
        """Return the categories over each span, mothers first; an empty list is for any."""
        categories: dict[int, list[str]] = defaultdict(list)
        for each in sorted(self.required, key=lambda each: -each.span.bit_count()):
            categories[each.span] += [each.category] if each.category else []
        return categories

    def _set_functions(self, tree: Tree) -> None:
        spans = tree.yields() if self.functions else {}
        for place, functions in self.functions.items():
            if isinstance(place, int):
                tree.tokens[place].function = "-".join(functions)
                continue
            node = next((n for n in tree.nodes() if place.fits(n.category, spans[n])), None)
            if node is not None:
                node.functions = functions


def _remove(tree: Tree, excluded: Collection[Node]) -> None:
    """Remove nodes of a tree; their children go to their mothers."""
    for mother in tree.bottom_up():
        children: list[Node | int] = []
        for child in mother.children:
            is_kept = isinstance(child, int) or child not in excluded
            children += [child] if is_kept else child.children  # type: ignore[union-attr]
        mother.children = children


def _insert(tree: Tree, span: int, categories: Sequence[str]) -> None:
    """Add the missing nodes with some categories over a span that no node crosses."""
    spans = tree.yields()
    chain = [node for node in spans if spans[node] == span]
    if not categories and {*chain} - {tree.root}:
        return
    mother = tree.root  # the lowest node that a new one can be below
    for node in tree.nodes():
        if spans[node] & span == span != spans[node]:
            mother = node
    for category in categories or [_UNNAMED]:
        node = next((each for each in chain if each.category == category), None) or Node(category)
        if node in chain:
            chain.remove(node)
        else:
            node.children = [
                child
                for child in mother.children
                if (1 << child if isinstance(child, int) else spans[child]) & span
            ]
            mother.children = [each for each in mother.children if each not in node.children]
            mother.children.append(node)
            spans[node] = span
        mother = node
