"""Constituent trees as dependency trees with order labels (Fernández-González and Martins 2015).

Any dependency parser can then parse constituents, discontinuous or not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from plcfrs.errors import InputError
from plcfrs.reduction.events import event_orders, event_places, event_relations, spines_of_events
from plcfrs.reduction.hall_nivre import spine_relations, spines_of_spines
from plcfrs.reduction.orders import differences, from_differences, nested_orders
from plcfrs.reduction.relations import Relation, parse_relation
from plcfrs.reduction.repair import repaired_heads
from plcfrs.reduction.spines import spines_of, tree_of
from plcfrs.trees import DependencyTree, Tree

Encoding = Literal["direct", "delta", "hall-nivre"]
Unaries = Literal["dropped", "labels"]


def to_dependencies(
    tree: Tree, encoding: Encoding = "direct", unaries: Unaries = "dropped"
) -> DependencyTree:
    """Return a constituent tree as a dependency tree (algorithm 1 of the paper).

    A token depends on the lexical head of the lowest node above it that has another one. Its
    relation has the label of that node, and says as which event of the head it is attached: of the
    nodes that have this head and several children (the paper's examples do not count unary nodes,
    either), the lowest is the first event. The head of the sentence is a ``root``.

    Parameters
    ----------
    tree : Tree
        With heads marked, without null elements. Only categories, splits and tokens are kept.
    encoding : {"direct", "delta", "hall-nivre"}
        Direct is ``S#2``. Delta numbers each side of a head from the head outward, and has the
        difference to the token before, which gaps can make negative. Hall and Nivre (2008) write
        the spine of the token, from the bottom up, and its place at the head: ``NP|S#2``.
    unaries : {"dropped", "labels"}
        Whether unary nodes are lost, or relations carry them: ``SBAR+S#2|NP`` has a unary SBAR
        above S, and a unary NP above the token. Hall and Nivre always keep them; a top node with
        one child is always restored.

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
    _check("unaries", unaries, Unaries)
    _check("encoding", encoding, Encoding)
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

    Whatever a parser predicts is a tree over all tokens. A token whose head is out of range depends
    on the root, and so does the first token of each cycle; a relation with the label ROOT counts as
    one to the root. Only the order of a head's numbers counts; without a number, a token belongs to
    the first event (in delta, to that of its neighbour nearer to the head). If labels of an event
    differ, that of the token nearest to the head counts, of two the left one; without any, the
    category is X. In the encoding of Hall and Nivre, a number that is too high stands for the
    highest node.

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
) -> tuple[list[int], list[Relation], list[int]]:
    """Return heads (a tree), relations and orders of attachment; entry 0 of each is not used."""
    _check("encoding", encoding, Encoding)
    heads = repaired_heads(dependencies.heads)
    relations = [Relation(), *map(parse_relation, dependencies.relations)]
    numbers = [relation.number for relation in relations]
    if encoding == "delta":
        return heads, relations, from_differences(heads, numbers)
    return heads, relations, [1 if number is None else number for number in numbers]


def _check(name: str, value: str, allowed: object) -> None:
    if value not in get_args(allowed):
        raise InputError(f"{name}: {value!r} is not one of {', '.join(get_args(allowed))}")
