"""Matches of a query one by one, and the values by which they are counted and sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from unicodedata import combining, normalize

from plcfrs.errors import InputError
from plcfrs.trees import Node, Token, Tree, render_label
from plcfrs.trees.tree import leftmost, runs

Found = tuple[Tree, list[Node | int]]
"""A tree and its matches: nodes, and positions of tokens."""


class Hit(NamedTuple):
    """A match: the number of its tree among those found, from 1, and its tokens as a bitset."""

    number: int
    tree: Tree
    match: Node | int
    span: int

    @property
    def printed(self) -> str:
        """The label of a constituent as it is printed, or the tag of a token."""
        return self.label_by(render_label)

    @property
    def function(self) -> str:
        """The functions of a constituent, or of a token."""
        if isinstance(self.match, int):
            return self.tree.tokens[self.match].function
        return "-".join(self.match.functions)

    @property
    def words(self) -> str:
        """The words, with dots for gaps."""
        return self.join(lambda token: token.form)

    @property
    def children(self) -> str:
        """The categories and tags of the children of a constituent."""
        if isinstance(self.match, int):
            return ""
        tokens = self.tree.tokens
        return " ".join(
            tokens[child].tag if isinstance(child, int) else child.category
            for child in self.match.children
        )

    def label_by(self, label_of: Callable[[Node], str]) -> str:
        """Return the label of a constituent, or the tag of a token."""
        if isinstance(self.match, int):
            return self.tree.tokens[self.match].tag
        return label_of(self.match)

    def join(self, text_of: Callable[[Token], str]) -> str:
        """Return a text of each token that has one, with dots for gaps."""
        parts = (map(text_of, self.tree.tokens[left:right]) for left, right in runs(self.span))
        return " ... ".join(filter(None, (" ".join(filter(None, part)) for part in parts)))


KEYS: dict[str, Callable[[Hit], int | str]] = {
    "category": lambda hit: hit.label_by(lambda node: node.category),
    "label": lambda hit: hit.label_by(lambda node: "-".join([node.category, *node.functions])),
    "function": lambda hit: hit.function,
    "words": lambda hit: hit.words,
    "tags": lambda hit: hit.join(lambda token: token.tag),
    "lemmas": lambda hit: hit.join(lambda token: token.lemma),
    "morph": lambda hit: hit.join(lambda token: token.morph),
    "children": lambda hit: hit.children,
    "gap-degree": lambda hit: len(runs(hit.span)) - 1,
    "length": lambda hit: hit.span.bit_count(),
}
"""The keys by which hits are counted and sorted: texts, and numbers of gaps and of tokens."""


def _before(hit: Hit) -> str:
    first = leftmost(hit.span)
    return " ".join(token.form for token in reversed(hit.tree.tokens[:first]))


def _after(hit: Hit) -> str:
    return " ".join(token.form for token in hit.tree.tokens[hit.span.bit_length() :])


ORDERS: dict[str, Callable[[Hit], int | str]] = {
    **KEYS,
    "sentence": lambda hit: hit.number,
    "before": _before,
    "after": _after,
}
"""The keys by which hits are sorted: also their sentence, and the words before them (the last
first) and after them."""


def hits_of(found: Iterable[Found]) -> Iterator[Hit]:
    """Yield each match in the order of the treebank.

    >>> tree = Tree.from_string("(S (VP (A 0=a) (B 2=c)) (C 1=b))")
    >>> [hit.words for hit in hits_of([(tree, [tree.root.nodes[0].nodes[0], 1])])]
    ['a ... c', 'b']
    """
    for number, (tree, matches) in enumerate(found, start=1):
        yields = tree.yields() if matches else {}
        for match in matches:
            span = 1 << match if isinstance(match, int) else yields[match]
            yield Hit(number, tree, match, span)


def sort_hits(hits: Iterable[Hit], by: str) -> list[Hit]:
    """Return hits sorted by one of `ORDERS`, ignoring case; after a hyphen the last come first."""
    value_of = _named(ORDERS, by.removeprefix("-"))

    def key(hit: Hit) -> tuple[int, str, str]:
        value = value_of(hit)
        return (value, "", "") if isinstance(value, int) else (0, _plain(value), value)

    return sorted(hits, key=key, reverse=by.startswith("-"))


def _plain(text: str) -> str:
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFD", text) if not combining(sign))
    return text.casefold()


def count_hits(hits: Iterable[Hit], by: str) -> Counter[int | str]:
    """Return how many hits have each value of one of `KEYS`, the most frequent first."""
    counts = Counter(map(_named(KEYS, by), hits))
    return Counter(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def keep_hits(hits: Iterable[Hit], by: str, value: str) -> list[Hit]:
    """Return the hits with a value (as text) of one of `KEYS`."""
    value_of = _named(KEYS, by)
    return [hit for hit in hits if str(value_of(hit)) == value]


def _named(keys: dict[str, Callable[[Hit], int | str]], name: str) -> Callable[[Hit], int | str]:
    if name not in keys:
        raise InputError(f"{name}: expected one of {', '.join(keys)}")
    return keys[name]
