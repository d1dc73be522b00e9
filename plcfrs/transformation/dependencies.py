"""Constituent trees as dependency trees (Fernández-González and Martins 2015), and back.

Nodes with several children are the *events* 1 to J of their head. ``S#2`` attaches a token to the
second event of its head, a node S; ``SBAR+S#2|NP`` adds a unary SBAR above this S, and a unary NP
above the token. In the encoding of Hall and Nivre (2008), ``NP|S#2`` is the whole spine of the
token, attached to the second node of the head. The head of a sentence is ``root``, with its nodes:
``root|VP|S``.

The *spine* of a token is all nodes that it heads (Carreras et al. 2008); each spine is attached to
a node of another spine. A node is written as its category with its split, ``S^WH``; labels are
joined to chains, ``S+VP``, and spines, ``VP|S``; a number follows ``#``. In categories, these
characters get a backslash, and so does ROOT below the top node. The order in which dependents are
attached to a head may be written as differences, and may be nested.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Literal, NamedTuple

from plcfrs.errors import check_choice
from plcfrs.trees import ROOT, DependencyTree, Node, Token, Tree
from plcfrs.trees.heads import unmarked_head
from plcfrs.trees.labels import Label, parse_chain, render_chain
from plcfrs.trees.tree import check_tree, fan_out

DEFAULT = "X"
"""The category of a node whose label cannot be read."""

_SPECIAL = re.compile(r"([#|])")
_LABEL = re.compile(r"(?:\\.|[^\\+^])+(?:\^(?:\\.|[^\\+])*)?")
_PIECES = {
    separator: re.compile(rf"(?:\\.|[^\\{separator}])+", re.DOTALL) for separator in ("+", "|")
}
ROOT_RELATION = "root"
_RELATION = re.compile(
    rf"(?:{ROOT_RELATION}|(?P<labels>(?:\\.|[^\\#])*)#(?P<number>-?[0-9]{{1,9}}))"
    r"(?:\|(?P<above>.*))?",
    re.DOTALL,
)


def label_of(node: Node, *, is_top: bool) -> str:
    r"""Return the label of a node.

    >>> label_of(Node("S", split="WH"), is_top=False), label_of(Node("A|#"), is_top=False)
    ('S^WH', 'A\\|\\#')
    >>> label_of(Node("ROOT"), is_top=True), label_of(Node("ROOT"), is_top=False)
    ('ROOT', '\\ROOT')
    """
    return _rendered(node.category, node.split, is_top)


@lru_cache(maxsize=10_000)  # treebanks repeat a few labels
def _rendered(category: str, split: str, is_top: bool) -> str:
    return _SPECIAL.sub(r"\\\1", render_chain(Label(category, split=split), is_top=is_top))


def node_of(label: str) -> Node:
    """Return a new node with this label; a text that is not a label becomes the category X.

    >>> node_of("S^WH"), node_of("")
    (<Node S^WH: 0 children>, <Node X: 0 children>)
    """
    return Node(*_parsed(label))


@lru_cache(maxsize=10_000)
def _parsed(label: str) -> Label:
    if label == ROOT or not _LABEL.fullmatch(label):
        return Label(DEFAULT)
    return parse_chain(label)


@lru_cache(maxsize=10_000)
def split(text: str, separator: str) -> tuple[str, ...]:
    r"""Return the labels that are joined in a text.

    >>> split(r"S+A\+B", "+")
    ('S', 'A\\+B')
    """
    return tuple(_PIECES[separator].findall(text))


class Spines(NamedTuple):
    """The spines of all tokens, which are numbered from 1; entry 0 of each list is not used."""

    # The token to whose spine the spine of a token is attached; 0 is the top of the tree.
    heads: list[int]
    places: list[int]  # the node of that spine to which it is attached: 1 is the lowest one
    labels: list[list[str]]  # the labels of the nodes of a spine, from the bottom up


def spines_of(tree: Tree) -> Spines:
    """Return the spines of a tree; a top node with one child is on no spine."""
    check_tree(tree)
    size = len(tree.tokens) + 1
    spines = Spines([0] * size, [0] * size, [[] for _ in range(size)])
    head_of: dict[Node, int] = {}
    for node in tree.bottom_up():
        if node.head is None:
            raise unmarked_head(node, tree)
        tokens = [
            child + 1 if isinstance(child, int) else head_of[child] for child in node.children
        ]
        head = head_of[node] = tokens.pop(node.head)
        is_top = node is tree.root
        if tokens or not is_top:
            spines.labels[head].append(label_of(node, is_top=is_top))
        for token in tokens:
            spines.heads[token], spines.places[token] = head, len(spines.labels[head])
    return spines


class _Subtree(NamedTuple):
    first: int  # the place that orders it among its sisters
    child: Node | int


def tree_of(spines: Spines, tokens: Sequence[Token], sentence: str = "") -> Tree:
    """Return the tree of spines without cycles, with marked heads.

    Tokens without a head, and tokens attached to a node ROOT of a spine, are below the top node.
    """
    below = dependents(spines.heads)
    attached: dict[tuple[int, int], list[int]] = defaultdict(list)
    for token in range(1, len(spines.heads)):
        attached[spines.heads[token], spines.places[token]].append(token)
    high = below[0].copy()
    subtrees: dict[int, _Subtree] = {}
    for token in reversed(top_down(below)):
        subtree = _Subtree(token - 1, token - 1)
        for place, label in enumerate(spines.labels[token], start=1):
            if label == ROOT:
                high += attached[token, place]
            else:
                others = [subtrees[other] for other in attached[token, place]]
                subtree = _joined(node_of(label), [subtree, *others])
        subtrees[token] = subtree
    root = Node(ROOT)
    if high:
        _joined(root, [subtrees[token] for token in high])
    return Tree(root, [replace(token) for token in tokens], sentence)


def _joined(node: Node, subtrees: list[_Subtree]) -> _Subtree:
    """Give a node its children, of which the first is the head, and return it as a subtree."""
    ordered = sorted(subtrees, key=itemgetter(0))
    node.children = [subtree.child for subtree in ordered]
    node.head = ordered.index(subtrees[0])
    return _Subtree(ordered[0].first, node)


def dependents(heads: Sequence[int]) -> list[list[int]]:
    """Return the dependents of the root and of each token, from left to right."""
    below: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads[1:], start=1):
        below[head].append(token)
    return below


def top_down(below: Sequence[Sequence[int]]) -> list[int]:
    """Return all tokens below the root, heads before their dependents."""
    order = list(below[0])
    for token in order:
        order += below[token]
    return order


def sides(heads: Sequence[int]) -> Iterator[list[int]]:
    """Yield the left and the right dependents of each token, each from the head outward.

    >>> list(filter(None, sides([0, 3, 3, 0, 3])))
    [[2, 1], [4]]
    """
    for head, others in enumerate(dependents(heads)):
        if head:
            yield [other for other in reversed(others) if other < head]
            yield [other for other in others if other > head]


def differences(heads: Sequence[int], orders: Sequence[int]) -> list[int]:
    """Return the differences of the orders on each side of a head, from the head outward.

    >>> differences([0, 4, 4, 4, 0, 4], [0, 4, 3, 1, 0, 2])
    [0, 1, 2, 1, 0, 2]
    """
    numbers = list(orders)
    for side in sides(heads):
        for nearer, farther in pairwise(side):
            numbers[farther] = orders[farther] - orders[nearer]
    return numbers


def from_differences(heads: Sequence[int], numbers: Sequence[int | None]) -> list[int]:
    """Return the orders: the inverse of `differences`.

    A token without a number has the order of its neighbour nearer to the head, or else 1.

    >>> from_differences([0, 4, 4, 4, 0, 4], [0, 1, 2, 1, 0, None])
    [0, 4, 3, 1, 0, 1]
    """
    orders = [1 if head else 0 for head in heads]
    for side in sides(heads):
        order = 0
        for token in side:
            number = numbers[token]
            order = orders[token] = max(order, 1) if number is None else order + number
    return orders


def nested_orders(heads: Sequence[int], orders: Sequence[int]) -> list[int]:
    """Lower orders until no dependent is attached later than one farther from the head.

    See Fernández-González and Martins (2015), section 4.3.

    >>> nested_orders([0, 4, 4, 4, 0, 4], [0, 2, 1, 3, 0, 1])
    [0, 2, 1, 1, 0, 1]
    """
    nested = list(orders)
    for side in sides(heads):
        for farther, nearer in pairwise(reversed(side)):
            nested[nearer] = min(nested[nearer], nested[farther])
    return nested


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
