"""Editing a tree by hand: moving and changing its parts, adding and deleting them.

A part is a constituent, or a token (its position). Every function returns a changed copy without
marked heads, the edited parts of the copy, and where all its parts come from. The root stays, nodes
that lose all their children are removed, and a move may make branches cross.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees.labels import parse_label, render_label
from plcfrs.trees.tree import NULL_TAG, Node, SecondaryEdge, Token, Tree, null_parts

Part = Node | int
_OF_TOKENS = ("form", "tag", "lemma", "morph", "function")


class Edited(NamedTuple):
    """A tree after an edit.

    Parameters
    ----------
    tree : Tree
    parts : list of Node or int
        The parts that moved, changed, are new, or lost their mother.
    origins : dict of Node or int to Node or int
        For each part of the tree but new ones, the part of the tree before the edit.
    """

    tree: Tree
    parts: list[Part]
    origins: dict[Part, Part]


def attach(tree: Tree, parts: Iterable[Part], mother: Node) -> Edited:
    """Move parts of a tree to another mother.

    >>> tree = Tree.from_string("(S (NP (WP What)) (VP (MD should) (PRP we) (VB do)))")
    >>> _, s, np, vp = tree.nodes()
    >>> print(attach(tree, [1, 2], s).tree)
    (ROOT (S (NP (WP 0=What)) (MD 1=should) (PRP 2=we) (VP (VB 3=do))))
    >>> print(attach(tree, [0], vp).tree)
    (ROOT (S (VP (WP 0=What) (MD 1=should) (PRP 2=we) (VB 3=do))))
    """
    work = _Work(tree)
    target, *moved = work.parts([mother, *dict.fromkeys(parts)])
    assert isinstance(target, Node)
    mothers = work.tree.mothers()
    for part in moved:
        if part is work.tree.root:
            raise InputError("the root cannot be moved")
        if isinstance(part, Node) and target in part.preorder():
            where = "itself" if part is target else f"{render_label(target)}, which is below it"
            raise InputError(f"{work.name(part)} cannot be attached to {where}")
        mothers[part].children.remove(part)
        target.children.append(part)
    return work.finished(moved)


def add_node(tree: Tree, parts: Iterable[Part], label: str) -> Edited:
    """Put a new node above a part of a tree, or above several sisters.

    >>> tree = Tree.from_string("(S (DT The) (NN ship) (VBD sank))")
    >>> print(add_node(tree, [0, 1], "NP").tree)
    (ROOT (S (NP (DT 0=The) (NN 1=ship)) (VBD 2=sank)))
    """
    work = _Work(tree)
    chosen = work.parts(dict.fromkeys(parts))
    if work.tree.root in chosen:
        raise InputError("no node can be above the root")
    mothers = work.tree.mothers()
    above = {mothers[part] for part in chosen}
    if len(above) != 1:
        raise InputError("a node can only be put above sisters, which have the same mother")
    (mother,) = above
    node = Node(*parse_label(_nonempty(label)), children=chosen)
    mother.children = [*(child for child in mother.children if child not in chosen), node]
    return work.finished([node])


def delete_nodes(tree: Tree, parts: Iterable[Part]) -> Edited:
    """Delete nodes, whose children go to their mothers, and null elements.

    >>> tree = Tree.from_string("(S (NP (DT The) (NN ship)) (VBD sank))")
    >>> print(delete_nodes(tree, [tree.nodes()[2]]).tree)
    (ROOT (S (DT 0=The) (NN 1=ship) (VBD 2=sank)))
    """
    work = _Work(tree)
    chosen = work.parts(dict.fromkeys(parts))
    freed: list[Part] = []
    for part in chosen:
        if part is work.tree.root:
            raise InputError("the root cannot be deleted")
        mother = work.tree.mothers()[part]
        mother.children.remove(part)
        if isinstance(part, Node):
            mother.children += part.children
            freed += part.children
        elif not work.tree.tokens[part].is_null:
            raise InputError(f"{work.name(part)} is a word: choose a constituent to delete")
    work.renumber([place for place in range(len(work.tree.tokens)) if place not in chosen])
    return work.finished([part for part in freed if part not in chosen])


def relabel(tree: Tree, part: Part, label: str, word: str = "") -> Edited:
    """Give a node another label, or a token another tag, and perhaps another word.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    >>> print(relabel(tree, tree.nodes()[2], "NP-SBJ").tree)
    (ROOT (S (NP-SBJ (PRP 0=They)) (VP (VBP 1=sing))))
    >>> print(relabel(tree, 1, "VBD", "sang").tree)
    (ROOT (S (NP (PRP 0=They)) (VP (VBD 1=sang))))
    """
    if isinstance(part, int):
        return annotate(tree, part, tag=_nonempty(label), **({"form": word} if word else {}))
    work = _Work(tree)
    (changed,) = work.parts([part])
    if changed is work.tree.root:
        raise InputError("the root keeps its label")
    for name, value in parse_label(_nonempty(label))._asdict().items():
        setattr(changed, name, value)
    return work.finished([changed])


def annotate(tree: Tree, part: Part, **values: str) -> Edited:
    """Change what is known about a part.

    A token has a form, tag, lemma, morphology (`morph`) and function, a node a function (several
    are joined by hyphens) and a note.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    >>> annotate(tree, 1, lemma="sing").tree.tokens[1].lemma
    'sing'
    >>> print(annotate(tree, tree.nodes()[2], function="SBJ").tree)
    (ROOT (S (NP-SBJ (PRP 0=They)) (VP (VBP 1=sing))))
    """
    work = _Work(tree)
    (changed,) = work.parts([part])
    known = ("function", "note") if isinstance(changed, Node) else _OF_TOKENS
    for name, value in values.items():
        if name not in known:
            raise InputError(
                f"{work.name(changed)} cannot have a {name}: it can have {', '.join(known)}"
            )
        if isinstance(changed, int):
            setattr(work.tree.tokens[changed], name, value)
        elif name == "note":
            changed.note = value
        elif changed is work.tree.root:
            raise InputError("the root keeps its label")
        else:
            changed.functions = tuple(value.split("-")) if value else ()
    return work.finished([changed])


def add_null(tree: Tree, mother: Node, position: int, form: str, label: str = "") -> Edited:
    """Put a null element before the token at a position, perhaps below a new node with a label.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBD left)))")
    >>> print(add_null(tree, tree.nodes()[3], 2, "*T*", "ADVP").tree)
    (ROOT (S (NP (PRP 0=They)) (VP (VBD 1=left) (ADVP (-NONE- 2=*T*)))))
    """
    work = _Work(tree)
    (above,) = work.parts([mother])
    assert isinstance(above, Node)
    places = list(range(len(tree.tokens)))
    if not 0 <= position <= len(places):
        raise InputError(f"{position} is not a position in the sentence")
    work.tree.tokens.append(Token(_nonempty(form), NULL_TAG))
    child: Part = len(places)
    if label:
        child = Node(*parse_label(label), children=[child])
    above.children.append(child)
    work.renumber([*places[:position], len(places), *places[position:]])
    return work.finished([position if isinstance(child, int) else child])


def coindex(tree: Tree, null: int, antecedent: Node | None) -> Edited:
    """Give a null element and its antecedent the same index; without antecedent, it has none.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP seem) (S (-NONE- *) (VP (TO to)))))")
    >>> print(coindex(tree, 2, tree.nodes()[2]).tree)
    (ROOT (S (NP-1 (PRP 0=They)) (VP (VBP 1=seem) (S (-NONE- 2=*-1) (VP (TO 3=to))))))
    """
    work = _Work(tree)
    tokens = work.tree.tokens
    token, *filler = *work.parts([null]), *work.parts([antecedent] if antecedent else [])
    if not isinstance(token, int) or not tokens[token].is_null:
        raise InputError(f"{work.name(token)} is not a null element")
    form, old = null_parts(tokens[token].form)
    tokens[token] = replace(tokens[token], form=form)
    for node in work.tree.nodes():
        if node.index == old and old not in _indices_of_traces(work.tree):
            node.index = None
    for node in (part for part in filler if isinstance(part, Node)):
        if node is work.tree.root:
            raise InputError("the root cannot be an antecedent")
        if node.index is None:
            used = _indices_of_traces(work.tree) | {each.index for each in work.tree.nodes()}
            node.index = next(number for number in count(1) if number not in used)
        tokens[token] = replace(tokens[token], form=f"{form}-{node.index}")
    return work.finished([token, *filler])


def add_edge(tree: Tree, child: Part, mother: Node, label: str) -> Edited:
    """Add a secondary edge.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    >>> [edge.label for edge in add_edge(tree, 1, tree.nodes()[1], "HD").tree.secondary_edges]
    ['HD']
    """
    work = _Work(tree)
    dependent, parent = work.parts([child, mother])
    assert isinstance(parent, Node)
    if dependent is work.tree.root or dependent is parent:
        raise InputError("a secondary edge goes from a part to another node than itself")
    work.tree.secondary_edges.append(SecondaryEdge(_nonempty(label), dependent, parent))
    return work.finished([dependent])


def delete_edge(tree: Tree, number: int) -> Edited:
    """Delete the secondary edge with a number, from 0."""
    work = _Work(tree)
    if not 0 <= number < len(tree.secondary_edges):
        raise InputError(f"there is no secondary edge {number}")
    return work.finished([work.tree.secondary_edges.pop(number).child])


def split_token(tree: Tree, position: int, forms: Sequence[str]) -> Edited:
    """Divide a token into several with the same tag, below the same node.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP cannot) (VP (VB sing))))")
    >>> print(split_token(tree, 1, ["can", "not"]).tree)
    (ROOT (S (NP (PRP 0=They)) (VP (VBP 1=can) (VBP 2=not) (VP (VB 3=sing)))))
    """
    work = _Work(tree)
    tokens, (place,) = work.tree.tokens, work.parts([position])
    if not isinstance(place, int) or tokens[place].is_null:
        raise InputError(f"{work.name(place)} is not a word: choose a word to split")
    old, number = tokens[place], len(tokens)
    if len(forms) < 2 or not all(forms) or "".join(forms) != old.form:
        raise InputError(f"{'|'.join(forms)} is not a division of {old.form}")
    start = old.start
    for form in forms:
        end = None if start is None else start + len(form)
        tokens.append(replace(old, form=form, start=start, end=end))
        start = end
    if tokens[-1].end != old.end:  # the text has another form of the word
        tokens[number:] = [replace(each, start=None, end=None) for each in tokens[number:]]
    tokens[place] = tokens.pop(number)
    new = range(number, len(tokens))
    work.tree.mothers()[place].children += new
    work.renumber([*range(place + 1), *new, *range(place + 1, number)])
    return work.finished(list(range(place, place + len(forms))))


def join_tokens(tree: Tree, first: int, last: int) -> Edited:
    """Make one token of neighbours, with the tag and the mother of the first one.

    >>> tree = Tree.from_string("(S (NP (DT the) (NN week) (NN end)) (VP (VBZ ends)))")
    >>> print(join_tokens(tree, 1, 2).tree)
    (ROOT (S (NP (DT 0=the) (NN 1=weekend)) (VP (VBZ 2=ends))))
    """
    work = _Work(tree)
    tokens = work.tree.tokens
    if not 0 <= first < last < len(tokens):
        raise InputError("choose two or more neighbouring words to join")
    joined = tokens[first : last + 1]
    if any(token.is_null for token in joined):
        raise InputError("a null element cannot be joined with a word")
    form = "".join(token.form for token in joined)
    tokens[first] = replace(joined[0], form=form, lemma="", end=joined[-1].end)
    work.renumber([*range(first + 1), *range(last + 1, len(tokens))])
    return work.finished([first])


def split_sentence(tree: Tree, position: int) -> tuple[Edited, Edited]:
    """Divide a sentence before the token at a position.

    Constituents with tokens on both sides are on both sides; what is between the sides, such as a
    secondary edge, is lost.

    >>> tree = Tree.from_string("(S (S (UH Yes)) (S (NP (PRP They)) (VP (VBP sing))))")
    >>> for part in split_sentence(tree, 1):
    ...     print(part.tree)
    (ROOT (S (S (UH 0=Yes))))
    (ROOT (S (S (NP (PRP 0=They)) (VP (VBP 1=sing)))))
    """
    size = len(tree.tokens)
    if not 0 < position < size:
        raise InputError("a sentence is divided before one of its words, but not the first one")
    sides = []
    for places in (range(position), range(position, size)):
        if all(tree.tokens[place].is_null for place in places):
            raise InputError("each part of a divided sentence needs a word")
        work = _Work(tree)
        work.renumber(places)
        sides.append(work.finished([work.tree.root]))
    return sides[0], sides[1]


def join_sentences(first: Tree, second: Tree) -> Edited:
    """Put a sentence behind another, whose identifier it gets; its parts count as new.

    >>> print(join_sentences(Tree.from_string("(INTJ (UH Yes))"), Tree.from_string("(. !)")).tree)
    (ROOT (INTJ (UH 0=Yes)) (. 1=!))
    """
    work, other = _Work(first), _Work(second)
    tree, size = work.tree, len(first.tokens)
    for node in other.tree.nodes():
        node.children = [
            child + size if isinstance(child, int) else child for child in node.children
        ]
    for edge in other.tree.secondary_edges:
        edge.child = edge.child + size if isinstance(edge.child, int) else edge.child
    _raise_indices(other.tree, max((node.index or 0 for node in tree.nodes()), default=0))
    tree.tokens += other.tree.tokens
    tree.root.children += other.tree.root.children
    tree.secondary_edges += [
        edge for edge in other.tree.secondary_edges if edge.parent is not other.tree.root
    ]
    return work.finished([tree.root])


class _Work:
    """A copy of a tree without marked heads and annotation, whose parts know their origins."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree.copy()
        self.tree.annotation = None
        nodes = self.tree.nodes()
        for node in nodes:
            node.head = None
        self._copies: dict[Part, Part] = dict(zip(tree.nodes(), nodes, strict=True))
        self._copies |= {position: position for position in range(len(tree.tokens))}
        self.origins = {copy: part for part, copy in self._copies.items()}

    def parts(self, parts: Iterable[Part]) -> list[Part]:
        """Return parts of the copy, given those of the tree."""
        try:
            return [self._copies[part] for part in parts]
        except KeyError:
            raise InputError("expected constituents and positions of tokens of the tree") from None

    def name(self, part: Part) -> str:
        return self.tree.tokens[part].form if isinstance(part, int) else render_label(part)

    def renumber(self, order: Iterable[int]) -> None:
        """Put the tokens in another order, and delete all others."""
        old = list(order)
        new = {position: number for number, position in enumerate(old)}
        self.tree.tokens = [self.tree.tokens[position] for position in old]

        def renumbered(parts: Iterable[Part]) -> Iterator[Part]:
            for part in parts:
                if isinstance(part, Node) or part in new:
                    yield part if isinstance(part, Node) else new[part]

        for node in self.tree.nodes():
            node.children = list(renumbered(node.children))
        self.tree.secondary_edges = [
            replace(edge, child=child)
            for edge in self.tree.secondary_edges
            for child in renumbered([edge.child])
        ]
        self.origins = {
            child: origin for part, origin in self.origins.items() for child in renumbered([part])
        }

    def finished(self, parts: list[Part]) -> Edited:
        """Return the tree with its children in order, without nodes that lost all of theirs."""
        self.tree.remove_empty_nodes()
        self.tree.sort_children()
        kept: set[Part] = {*self.tree.nodes(), *range(len(self.tree.tokens))}
        self.tree.secondary_edges = [
            edge for edge in self.tree.secondary_edges if edge.child in kept and edge.parent in kept
        ]
        origins = {part: origin for part, origin in self.origins.items() if part in kept}
        return Edited(self.tree, [part for part in parts if part in kept], origins)


def _nonempty(label: str) -> str:
    if not label:
        raise InputError("a label is missing")
    return label


def _indices_of_traces(tree: Tree) -> set[int | None]:
    """Return the indices of null elements, and those of gapping."""
    traces = {null_parts(token.form)[1] for token in tree.tokens if token.is_null}
    return traces | {node.gap_index for node in tree.nodes()}


def _raise_indices(tree: Tree, number: int) -> None:
    """Add a number to all indices."""
    for node in tree.nodes():
        node.index = node.index and node.index + number
        node.gap_index = node.gap_index and node.gap_index + number
    for place, token in enumerate(tree.tokens):
        form, index = null_parts(token.form)
        if token.is_null and index:
            tree.tokens[place] = replace(token, form=f"{form}-{index + number}")
