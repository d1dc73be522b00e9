"""Constituent trees as dependency trees (Fernández-González and Martins 2015), and back.

Nodes with several children are the *events* 1 to J of their head. ``S#2`` attaches a token to the
second event of its head, a node S; ``SBAR+S#2|NP`` adds a unary SBAR above this S, and a unary NP
above the token. In the encoding of Hall and Nivre (2008), ``NP|S#2`` is the whole spine of the
token, attached to the second node of the head. The head of a sentence is ``root``, with its nodes:
``root|VP|S``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

from plcfrs.errors import check_choice
from plcfrs.transformation.spines import (
    Spines,
    dependents,
    differences,
    from_differences,
    nested_orders,
    spines_of,
    split,
    top_down,
    tree_of,
)
from plcfrs.trees import DependencyTree, Tree
from plcfrs.trees.tree import fan_out

ROOT_RELATION = "root"
_RELATION = re.compile(
    rf"(?:{ROOT_RELATION}|(?P<labels>(?:\\.|[^\\#])*)#(?P<number>-?[0-9]{{1,9}}))"
    r"(?:\|(?P<above>.*))?",
    re.DOTALL,
)


class RelationParts(NamedTuple):
    """The parts of a relation; all are empty if a text is not a relation."""

    labels: str = ""  # before the number
    number: int | None = None
    above: str = ""  # after the number or ``root``


@lru_cache(maxsize=10_000)
def parse_relation(text: str) -> RelationParts:
    r"""Return the parts of a relation.

    >>> parse_relation("S+VP#2|NP")
    RelationParts(labels='S+VP', number=2, above='NP')
    >>> parse_relation("root|VP|S").above, parse_relation("nsubj").number
    ('VP|S', None)
    """
    match = _RELATION.fullmatch(text)
    if match is None:
        return RelationParts()
    number = match["number"]
    return RelationParts(
        match["labels"] or "", int(number) if number else None, match["above"] or ""
    )


def render_relation(labels: str, number: int, above: str = "") -> str:
    """Return the text of a relation.

    >>> render_relation("S+VP", 2, "NP")
    'S+VP#2|NP'
    """
    return "|".join([f"{labels}#{number}", *filter(None, [above])])


def render_root(above: str) -> str:
    """Return the relation of the head of a sentence.

    >>> render_root(""), render_root("NP")
    ('root', 'root|NP')
    """
    return "|".join([ROOT_RELATION, *filter(None, [above])])


def event_places(spines: Spines) -> list[list[int]]:
    """Return the places of each spine to which other tokens are attached, from the bottom up."""
    places: list[set[int]] = [set() for _ in spines.heads]
    for head, place in zip(spines.heads, spines.places, strict=True):
        if head:
            places[head].add(place)
    return list(map(sorted, places))


def event_orders(spines: Spines, events: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of the event by which each token is attached; 0 without a head."""
    return [
        events[head].index(place) + 1 if head else 0
        for head, place in zip(spines.heads, spines.places, strict=True)
    ]


def event_relations(
    spines: Spines, numbers: Sequence[int], events: Sequence[Sequence[int]], *, unaries: bool
) -> list[str]:
    """Return the relations of all tokens with their numbers, and an empty one as entry 0."""
    names: dict[tuple[int, int], str] = {}
    above = []
    for token, places in enumerate(events):
        labels = spines.labels[token]
        ends = [*(place - 1 for place in places), len(labels)]
        for place, end in zip(places, ends[1:], strict=True):
            names[token, place] = _join_labels(labels[place - 1 : end if unaries else place])
        above.append(_join_labels(labels[: ends[0]]) if unaries else "")
    return [
        render_relation(names[head, place], numbers[token], above[token])
        if head
        else render_root(above[token])
        for token, (head, place) in enumerate(zip(spines.heads, spines.places, strict=True))
    ]


def spines_of_events(
    heads: Sequence[int], relations: Sequence[RelationParts], orders: Sequence[int]
) -> Spines:
    """Return the spines that relations describe; if labels differ, the nearest one counts."""
    spines = Spines(
        list(heads), [0] * len(heads), [_split_labels(part.above) for part in relations]
    )
    events: dict[tuple[int, int], list[int]] = defaultdict(list)
    for token, head in enumerate(heads):
        if head:
            events[head, orders[token]].append(token)
    for (head, _), tokens in sorted(events.items()):
        nearest = sorted(tokens, key=lambda token: abs(token - head))
        named = (relations[token].labels for token in nearest if relations[token].labels)
        for token in tokens:
            spines.places[token] = len(spines.labels[head]) + 1
        spines.labels[head] += _split_labels(next(named, "")) or [""]
    return spines


def _join_labels(labels: Sequence[str]) -> str:
    return "+".join(reversed(labels))


def _split_labels(chain: str) -> list[str]:
    return list(reversed(split(chain, "+")))


def spine_relations(spines: Spines) -> list[str]:
    """Return the relations of all tokens, and an empty one as entry 0."""
    texts = map("|".join, spines.labels)
    return [
        render_relation(text, place) if head else render_root(text)
        for text, head, place in zip(texts, spines.heads, spines.places, strict=True)
    ]


def spines_of_spines(
    heads: Sequence[int], relations: Sequence[RelationParts], orders: Sequence[int]
) -> Spines:
    """Return the spines that relations describe; a place beyond a spine is its nearest node."""
    labels = [list(split(relation.labels or relation.above, "|")) for relation in relations]
    places = [0] * len(heads)
    for token, head in enumerate(heads):
        if head:
            labels[head] = labels[head] or [""]
            places[token] = min(max(orders[token], 1), len(labels[head]))
    return Spines(list(heads), places, labels)


def repaired_heads(heads: Sequence[int]) -> list[int]:
    """Return heads without cycles; words are numbered from 1, and entry 0 is not used.

    The root, 0, becomes the head of each word whose head is out of range, and of the first word of
    each cycle.

    >>> repaired_heads([2, 3, 2, 9])
    [0, 2, 0, 2, 0]
    """
    repaired = [0, *(head if 0 <= head <= len(heads) else 0 for head in heads)]
    walk_of = [0] * len(repaired)
    for start in range(1, len(repaired)):
        token = start
        while token and not walk_of[token]:
            walk_of[token] = start
            token = repaired[token]
        if token and walk_of[token] == start:
            repaired[min(_cycle(token, repaired))] = 0
    return repaired


def _cycle(token: int, heads: Sequence[int]) -> list[int]:
    cycle = [token]
    while heads[cycle[-1]] != token:
        cycle.append(heads[cycle[-1]])
    return cycle


Encoding = Literal["direct", "delta", "hall-nivre"]
Unaries = Literal["dropped", "labels"]


def to_dependencies(
    tree: Tree, encoding: Encoding = "direct", unaries: Unaries = "dropped"
) -> DependencyTree:
    """Return a constituent tree as a dependency tree (algorithm 1 of the paper).

    A token depends on the lexical head of the lowest node above it that has another lexical head.
    Its relation has the label of that node, and its number among the events of the head: the nodes
    with this head and several children, the lowest first (the paper's examples do not count unary
    nodes, either). The head of the sentence is a ``root``.

    Parameters
    ----------
    tree : Tree
        With heads marked, without null elements. Only categories, splits and tokens are kept.
    encoding : {"direct", "delta", "hall-nivre"}
        Direct is ``S#2``. Delta has the difference to the next token on the way to the head, which
        gaps can make negative. Hall and Nivre (2008) write the spine of the token, from the bottom
        up, and its place at the head: ``NP|S#2``.
    unaries : {"dropped", "labels"}
        Whether unary nodes are dropped, or kept in relations: ``SBAR+S#2|NP`` has a unary SBAR
        above S, and a unary NP above the token. The encoding of Hall and Nivre always keeps them; a
        top node with one child is always restored.

    Raises
    ------
    TreebankError
        If a head is not marked, or the tree has null elements or is not complete.
    InputError
        If the encoding or the treatment of unary nodes is unknown.

    Examples
    --------
    >>> from plcfrs.trees import mark_heads
    >>> tree = mark_heads(Tree.from_string("(S (NP (PRP They)) (VP (VBP sing) (NP (NNS songs))))"))
    >>> dependencies = to_dependencies(tree)
    >>> dependencies.heads, dependencies.relations
    ([2, 0, 2], ['S#2', 'root', 'VP#1'])
    >>> to_dependencies(tree, unaries="labels").relations
    ['S#2|NP', 'root', 'VP#1|NP']
    >>> to_dependencies(tree, "hall-nivre").relations
    ['NP#2', 'root|VP|S', 'NP#1']
    """
    check_choice("unaries", unaries, Unaries)
    check_choice("encoding", encoding, Encoding)
    spines = spines_of(tree)
    if encoding == "hall-nivre":
        relations = spine_relations(spines)
    else:
        events = event_places(spines)
        numbers = event_orders(spines, events)
        if encoding == "delta":
            numbers = differences(spines.heads, numbers)
        relations = event_relations(spines, numbers, events, unaries=unaries == "labels")
    tokens = [replace(token) for token in tree.tokens]
    return DependencyTree(tokens, spines.heads[1:], relations[1:], tree.id)


def from_dependencies(
    dependencies: DependencyTree, encoding: Encoding = "direct", *, nested: bool = False
) -> Tree:
    """Return the constituent tree of a dependency tree, with heads (algorithm 2 of the paper).

    Any predictions of a parser give a tree over all tokens. A token whose head is out of range
    depends on the root, and so does the first token of each cycle; a relation with the label ROOT
    counts as a relation to the root. Only the order of a head's numbers counts; a token without a
    number belongs to the first event (in delta, to the event of its neighbour nearer to the head).
    If the labels of an event differ, that of the token nearest to the head counts, or the left one
    of two; without labels, the category is X. In the encoding of Hall and Nivre, a number that is
    too high stands for the highest node.

    Parameters
    ----------
    dependencies : DependencyTree
    encoding : {"direct", "delta", "hall-nivre"}
        An InputError is raised for any other.
    nested : bool
        Whether to lower the number of a token until it is not attached later than one that is
        farther from the same head on the same side. If the dependencies are projective and none
        has the label ROOT, the tree is then continuous (proposition 3 of the paper).

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP"), Token("songs", "NNS")]
    >>> print(from_dependencies(DependencyTree(tokens, [2, 0, 2], ["S#2", "root", "VP#1"])))
    (ROOT (S (PRP 0=They) (VP (VBP 1=sing) (NNS 2=songs))))
    """
    heads, relations, orders = read_orders(dependencies, encoding)
    if nested:
        orders = nested_orders(heads, orders)
    read = spines_of_spines if encoding == "hall-nivre" else spines_of_events
    return tree_of(read(heads, relations, orders), dependencies.tokens, dependencies.id)


def read_orders(
    dependencies: DependencyTree, encoding: Encoding
) -> tuple[list[int], list[RelationParts], list[int]]:
    """Return heads (a tree), relations and orders of attachment; entry 0 of each is not used."""
    check_choice("encoding", encoding, Encoding)
    heads = repaired_heads(dependencies.heads)
    relations = [RelationParts(), *map(parse_relation, dependencies.relations)]
    numbers = [relation.number for relation in relations]
    if encoding == "delta":
        return heads, relations, from_differences(heads, numbers)
    return heads, relations, [1 if number is None else number for number in numbers]


def is_projective(dependencies: DependencyTree) -> bool:
    """Return whether every token and all tokens below it form a block without a gap.

    Heads that are not a tree are repaired as in `from_dependencies`.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token(word, "XY") for word in ("What", "should", "I", "do")]
    >>> is_projective(DependencyTree(tokens, [4, 0, 2, 2], ["VP#1", "root", "SQ#1", "SQ#1"]))
    False
    """
    heads = repaired_heads(dependencies.heads)
    spans = [1 << number for number in range(len(heads))]
    for token in reversed(top_down(dependents(heads))):
        if fan_out(spans[token]) > 1:
            return False
        spans[heads[token]] |= spans[token]
    return True


def is_nested(dependencies: DependencyTree, encoding: Encoding = "direct") -> bool:
    """Return whether no dependent is attached later than one farther away on the same side.

    >>> from plcfrs.trees import Token
    >>> tokens = [Token(word, "XY") for word in ("What", "should", "I", "do")]
    >>> is_nested(DependencyTree(tokens, [4, 0, 2, 2], ["VP#1", "root", "SQ#1", "SQ#1"]))
    True
    >>> is_nested(DependencyTree(tokens, [4, 0, 2, 2], ["VP#1", "root", "SQ#2", "SQ#1"]))
    False
    """
    heads, _, orders = read_orders(dependencies, encoding)
    return nested_orders(heads, orders) == orders
