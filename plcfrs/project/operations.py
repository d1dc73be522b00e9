"""The operations on a tree of a project, as JSON: what the page asks for, and the journal keeps.

An operation names parts of the tree: ``{"do": "attach", "parts": ["t3"], "mother": "n1"}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plcfrs.errors import InputError
from plcfrs.project.named_tree import NamedTree
from plcfrs.trees import Node, Tree
from plcfrs.trees.editing import (
    Edited,
    Part,
    add_edge,
    add_node,
    add_null,
    annotate,
    attach,
    coindex,
    delete_edge,
    delete_nodes,
    join_tokens,
    relabel,
    split_token,
)

Operation = Mapping[str, Any]

_LONGEST = 100  # labels and words


class _Asked:
    """The values of an operation, with the parts of the tree that it names."""

    def __init__(self, named: NamedTree, operation: Operation) -> None:
        self.named, self.operation = named, operation

    def text(self, key: str, default: str | None = None) -> str:
        value = self.operation.get(key, default)
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise InputError(f"{key}: expected a text of up to {_LONGEST} characters")
        return value.strip(" ")

    def number(self, key: str) -> int:
        value = self.operation.get(key)
        if not isinstance(value, int):
            raise InputError(f"{key}: expected a number")
        return value

    def texts(self, key: str) -> list[str]:
        values = self.operation.get(key)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise InputError(f"{key}: expected a list of texts")
        return values

    def parts(self) -> list[Part]:
        found = [self.named.part(name) for name in self.texts("parts")]
        if not found:
            raise InputError("parts: expected at least one")
        return found

    def part(self) -> Part:
        return self.parts()[0]

    def node(self, key: str) -> Node:
        part = self.named.part(self.text(key))
        if not isinstance(part, Node):
            raise InputError("a word cannot be a mother: choose a constituent")
        return part

    def token(self, key: str) -> int:
        part = self.named.part(self.text(key))
        if isinstance(part, Node):
            raise InputError("choose a word, not a constituent")
        return part

    def place(self, key: str) -> int:
        """Return the position of a token, or that behind the last one without a name."""
        return self.token(key) if self.operation.get(key) else len(self.named.tree.tokens)


def _annotate(tree: Tree, asked: _Asked) -> Edited:
    values = asked.operation.get("values")
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise InputError("values: expected texts by name")
    return annotate(tree, asked.part(), **values)


def _coindex(tree: Tree, asked: _Asked) -> Edited:
    antecedent = asked.node("antecedent") if asked.operation.get("antecedent") else None
    return coindex(tree, asked.token("null"), antecedent)


OPERATIONS: dict[str, Callable[[Tree, _Asked], Edited]] = {
    "attach": lambda tree, asked: attach(tree, asked.parts(), asked.node("mother")),
    "add": lambda tree, asked: add_node(tree, asked.parts(), asked.text("label")),
    "delete": lambda tree, asked: delete_nodes(tree, asked.parts()),
    "relabel": lambda tree, asked: relabel(
        tree, asked.part(), asked.text("label"), asked.text("word", "")
    ),
    "annotate": _annotate,
    "null": lambda tree, asked: add_null(
        tree,
        asked.node("mother"),
        asked.place("before"),
        asked.text("form"),
        asked.text("label", ""),
    ),
    "coindex": _coindex,
    "edge": lambda tree, asked: add_edge(
        tree, asked.part(), asked.node("mother"), asked.text("label")
    ),
    "delete-edge": lambda tree, asked: delete_edge(tree, asked.number("edge")),
    "split": lambda tree, asked: split_token(tree, asked.token("token"), asked.texts("forms")),
    "join": lambda tree, asked: join_tokens(tree, asked.token("first"), asked.token("last")),
}
"""What can be done to the tree of a sentence, by name."""


def perform(named: NamedTree, operation: Operation) -> tuple[NamedTree, list[str]]:
    """Return a tree after an operation, and the names of the parts that moved or changed.

    An InputError says what is wrong.

    >>> named = NamedTree.new(Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))"))
    >>> changed, parts = perform(named, {"do": "relabel", "parts": ["n2"], "label": "NP-SBJ"})
    >>> print(changed.tree, parts)
    (ROOT (S (NP-SBJ (PRP 0=They)) (VP (VBP 1=sing)))) ['n2']
    """
    name = operation.get("do")
    if name not in OPERATIONS:
        raise InputError(f"unknown operation {name!r}: one of {', '.join(OPERATIONS)}")
    edited = OPERATIONS[name](named.tree, _Asked(named, operation))
    after = named.after(edited)
    return after, [after.names[part] for part in edited.parts]


def asked_parts(named: NamedTree, operation: Operation) -> list[str]:
    """Return the names of the parts that an operation is about, at least one."""
    return [named.names[part] for part in _Asked(named, operation).parts()]
