"""Trees whose parts have names that stay over edits, and the tables of these parts.

A table has a row for each constituent and token, by its name, and a row without a name for the
sentence. Two tables differ by a *change*: the rows before and after it. The inverse of a change
swaps them, so that every edit can be undone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields
from itertools import count
from typing import Any

from plcfrs.errors import InputError
from plcfrs.trees import Node, SecondaryEdge, Token, Tree
from plcfrs.trees.editing import Edited, Part
from plcfrs.trees.labels import parse_label, written_label

Row = dict[str, Any]
Table = dict[str, Row]
Change = dict[str, tuple[Row | None, Row | None]]

SENTENCE = ""
"""The name of the row of the sentence."""

_OF_TOKEN = {part.name: part.default for part in fields(Token)}


@dataclass(frozen=True, eq=False)
class NamedTree:
    """A tree with a name for each of its parts: ``n0`` for the root, ``t0`` for the first token.

    >>> named = NamedTree.new(Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))"))
    >>> named.part("n2").category, named.part("t1")
    ('NP', 1)
    """

    tree: Tree
    names: dict[Part, str]

    @classmethod
    def new(cls, tree: Tree) -> NamedTree:
        """Name the parts of a tree."""
        return cls(tree, _completed(tree, {}))

    def part(self, name: str) -> Part:
        """Return the part with a name, or raise an InputError."""
        for part, own in self.names.items():
            if own == name:
                return part
        raise InputError(f"there is no part {name} in the tree {self.tree.id}")

    def after(self, edited: Edited) -> NamedTree:
        """Return the edited tree; parts keep their names, and new parts get new names."""
        kept = {part: self.names[origin] for part, origin in edited.origins.items()}
        return NamedTree(edited.tree, _completed(edited.tree, kept, set(self.names.values())))

    def replaced_by(self, tree: Tree) -> NamedTree:
        """Return another tree of the same sentence; parts with the same words keep their names."""
        old = {key: self.names[part] for part, key in _keys(self.tree)}
        kept = {part: old[key] for part, key in _keys(tree) if key in old}
        return NamedTree(tree, _completed(tree, kept, set(self.names.values())))

    def table(self) -> Table:
        """Return the rows of all parts."""
        tree, names = self.tree, self.names
        mothers = tree.mothers()
        order = [names[place] for place in range(len(tree.tokens))]
        sentence: Row = {"id": tree.id, "tokens": order}
        if tree.secondary_edges:
            edges = tree.secondary_edges
            sentence["edges"] = [[e.label, names[e.child], names[e.parent]] for e in edges]
        if tree.comments:
            sentence["comments"] = list(tree.comments)
        table = {SENTENCE: sentence}
        for part, name in names.items():
            row = _row(tree, part)
            if part in mothers:
                row["mother"] = names[mothers[part]]
            table[name] = row
        return table

    @classmethod
    def from_table(cls, table: Table) -> NamedTree:
        """Return the tree of a table."""
        sentence = table[SENTENCE]
        names: dict[str, Part] = {name: place for place, name in enumerate(sentence["tokens"])}
        tokens = [
            Token(**{key: value for key, value in table[name].items() if key in _OF_TOKEN})
            for name in names
        ]
        for name, row in table.items():
            if name not in names and name != SENTENCE:
                names[name] = Node(*parse_label(row["label"]), note=row.get("note", ""))
        tree = Tree(Node(""), tokens, sentence["id"], comments=sentence.get("comments", []))
        for name, part in names.items():
            mother = names.get(table[name].get("mother", ""))
            if isinstance(mother, Node):
                mother.children.append(part)
            elif isinstance(part, Node):
                tree.root = part
        tree.sort_children()
        tree.secondary_edges = list(_edges(sentence.get("edges", []), names))
        return cls(tree, {part: name for name, part in names.items()})


def parts_of(tree: Tree) -> list[Part]:
    """Return the nodes of a tree, mothers first, and the positions of its tokens."""
    return [*tree.nodes(), *range(len(tree.tokens))]


def difference(before: Table, after: Table) -> Change:
    """Return the change between two tables."""
    return {
        name: (before.get(name), after.get(name))
        for name in before | after
        if before.get(name) != after.get(name)
    }


def inverse(change: Change) -> Change:
    """Return the change that takes a change back."""
    return {name: (after, before) for name, (before, after) in change.items()}


def is_removal(change: Change) -> bool:
    """Whether a change takes the whole tree away."""
    return SENTENCE in change and change[SENTENCE][1] is None


def changed(table: Table, change: Change) -> Table:
    """Return a table after a change; raise an InputError if the table is not the one before it."""
    result = dict(table)
    for name, (before, after) in change.items():
        if table.get(name) != before:
            raise InputError("the tree has changed in the meantime")
        result.pop(name, None)
        if after is not None:
            result[name] = after
    return result


def _row(tree: Tree, part: Part) -> Row:
    if isinstance(part, Node):
        return {"label": written_label(part)} | ({"note": part.note} if part.note else {})
    values = {name: getattr(tree.tokens[part], name) for name in _OF_TOKEN}
    return {name: value for name, value in values.items() if value != _OF_TOKEN[name]}


def _edges(rows: list[list[str]], names: dict[str, Part]) -> Iterator[SecondaryEdge]:
    for label, child, mother in rows:
        parent = names[mother]
        assert isinstance(parent, Node)
        yield SecondaryEdge(label, names[child], parent)


def _completed(tree: Tree, names: dict[Part, str], used: Collection[str] = ()) -> dict[Part, str]:
    """Return the names of all parts, nodes first; those without a name get the next number."""
    numbers = {Node: count(), int: count()}
    completed: dict[Part, str] = {}
    for part in parts_of(tree):
        letter = "n" if isinstance(part, Node) else "t"
        unused = (
            name for number in numbers[type(part)] if (name := f"{letter}{number}") not in used
        )
        completed[part] = names[part] if part in names else next(unused)
    return completed


def _keys(tree: Tree) -> Iterator[tuple[Part, object]]:
    """Yield each part with what it has in common with the same part of another tree.

    Null elements have their places between the words; of nodes with the same words and category,
    the higher one comes first.
    """
    seen: dict[object, int] = {}
    words = 0
    place: dict[int, tuple[int, str]] = {}
    for position, token in enumerate(tree.tokens):
        words += not token.is_null
        place[position] = (words, token.form if token.is_null else "")
    spans = tree.yields()
    for part in [*range(len(tree.tokens)), *tree.nodes()]:
        if isinstance(part, int):
            key: object = place[part]
        else:
            inside = [spot for position, spot in place.items() if spans[part] >> position & 1]
            key = part.category, tuple(spot for spot in inside if not spot[1]) or tuple(inside)
        seen[key] = seen.get(key, 0) + 1
        yield part, (key, seen[key])
