"""Heads: which child of a constituent is its head (Collins 1999, appendix A, by default)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees.tree import Node, Tree

PUNCTUATION_TAGS = frozenset([",", ":", ".", "``", "''", "-LRB-", "-RRB-"])
_OTHERS = "*"


class HeadRule(NamedTuple):
    """One line of a file of head rules; `plcfrs/data/collins.heads` explains them."""

    from_left: bool
    how: str
    names: tuple[str, ...]


HeadRules = dict[str, list[HeadRule]]


def read_head_rules(path: str | Path) -> HeadRules:
    """Read head rules from a file in the format of `plcfrs/data/collins.heads`.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is not a head rule.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot read head rules: {error}") from None
    return _parse(text, str(path))


@cache
def collins() -> HeadRules:
    """Return the head rules of Collins (1999) for the Penn Treebank."""
    path = files("plcfrs") / "data" / "collins.heads"
    return _parse(path.read_text(encoding="utf-8"), str(path))


def find_head(mother: str, children: list[str], rules: HeadRules) -> int:
    """Return which child is the head.

    Parameters
    ----------
    mother : str
        Its category.
    children : list of str
        Their categories or tags, ordered by leftmost token.
    rules : HeadRules

    Examples
    --------
    >>> find_head("VP", ["WHNP", "VB"], collins())
    1
    >>> find_head("NP", ["NP", "CC", "NP"], collins())
    0
    """
    lines = rules.get(mother) or rules[_OTHERS]
    wh_lines = [line._replace(names=tuple(f"WH{name}" for name in line.names)) for line in lines]
    for line in lines + wh_lines:
        for place in _search(line, children):
            return _first_conjunct(children, place)
    return _first_conjunct(children, 0 if lines[-1].from_left else len(children) - 1)


def mark_heads(tree: Tree, rules: HeadRules | None = None) -> Tree:
    """Set the head of every node.

    Parameters
    ----------
    tree : Tree
    rules : HeadRules, optional
        Those of Collins (1999) by default.

    Returns
    -------
    Tree
        The same tree.
    """
    rules = collins() if rules is None else rules
    for node in tree.nodes():
        if node.children:
            node.head = find_head(node.category, _categories(tree, node), rules)
    return tree


def lexical_heads(tree: Tree) -> dict[Node, int]:
    """Return the position of the token that heads each node, by its marked heads."""
    found: dict[Node, int] = {}
    for node in tree.bottom_up():
        if node.head is not None:
            child = node.children[node.head]
            found[node] = child if isinstance(child, int) else found[child]
    return found


def _categories(tree: Tree, node: Node) -> list[str]:
    return [
        tree.tokens[child].tag if isinstance(child, int) else child.category
        for child in node.children
    ]


def _search(rule: HeadRule, children: list[str]) -> Iterator[int]:
    places = list(range(len(children)))
    if not rule.from_left:
        places.reverse()
    if rule.how == "outermost":
        places = places[:1]
    wanted = [(name,) for name in rule.names] if rule.how == "priority" else [rule.names]
    for names in wanted:
        for place in places:
            if children[place] in names:
                yield place


def _first_conjunct(children: list[str], head: int) -> int:
    if head < 2 or children[head - 1] != "CC":
        return head
    for place in range(head - 2, -1, -1):
        if children[place] not in PUNCTUATION_TAGS:
            return place
    return head


def _parse(text: str, path: str) -> HeadRules:
    rules: HeadRules = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        mother, side, how, *names = [*line.split(), "", ""]
        if side not in ("left", "right") or how not in ("priority", "any", "outermost"):
            raise InputError(
                f"{path}:{number}: expected MOTHER left|right priority|any|outermost NAMES..."
            )
        rule = HeadRule(side == "left", how, tuple(name for name in names if name))
        rules.setdefault(mother, []).append(rule)
    if _OTHERS not in rules:
        raise InputError(f"{path}: a line for the mother {_OTHERS} (all others) is missing")
    return rules
