"""Pairs of quotes, brackets and dashes: both marks get the same mother."""

from __future__ import annotations

from plcfrs.transformation.places import Paths
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.punctuation import is_punctuation
from plcfrs.trees.spans import fan_out

_PAIRS = """`` ''  ` '  „ “  „ ”  „ "  “ ”  ‚ ‘  ‚ ’  ‘ ’  » «  « »  › ‹  ‹ ›  " "  ' '
    ( )  [ ]  { }  -LRB- -RRB-  -LSB- -RSB-  -LCB- -RCB-  - -  -- --  --- ---  – –  — —
"""  # noqa: RUF001 (quotes and dashes of all kinds)
_CLOSED_BY: dict[str, set[str]] = {}
for _left, _right in zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True):
    _CLOSED_BY.setdefault(_left, set()).add(_right)


@on_copy
def pair_marks(tree: Tree) -> Tree:
    """Give both marks of each pair the same mother; inner pairs come first.

    The mother is the lowest node that covers the tokens between the marks and to which both can be
    attached without a new gap in any constituent. Marks stay where they are if there is no such
    node, if they already have the same mother below the root, or if nothing is between them. The
    tree must have no null elements. Mark heads afterwards.
    """
    for left, right in find_pairs(tree.tokens):
        paths = Paths(tree)
        apart = paths.mothers[left] is not paths.mothers[right]
        if right - left > 1 and (apart or paths.mothers[left] is tree.root):
            _join(tree, left, right, paths)
    return tree


def find_pairs(tokens: list[Token]) -> list[tuple[int, int]]:
    """Return the positions of paired marks, inner pairs first.

    A mark closes the nearest open mark before it that matches. Marks that look the same on both
    sides, such as dashes, do not pair across an open bracket or quote.

    Examples
    --------
    >>> find_pairs([Token(form, "$(") for form in '" ( - ) - "'.split()])
    [(1, 3), (0, 5)]
    """
    pairs = []
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if not is_punctuation(token):
            continue
        place = _opener(token.form, [tokens[mark].form for mark in opened])
        if place is not None:
            pairs.append((opened[place], position))
            del opened[place:]
        elif token.form in _CLOSED_BY:
            opened.append(position)
    return pairs


def _opener(form: str, opened: list[str]) -> int | None:
    for place in reversed(range(len(opened))):
        closing = _CLOSED_BY[opened[place]]
        if form in closing:
            return place
        if form in _CLOSED_BY.get(form, ()) and opened[place] not in closing:
            return None
    return None


def _join(tree: Tree, left: int, right: int, paths: Paths) -> None:
    spans = tree.yields()
    path = [tree.root, *paths.above_both(left + 1, right - 1)]
    while path and _makes_gaps(spans, 1 << left | 1 << right, set(path)):
        path.pop()
    if path:
        for mark in (left, right):
            paths.mothers[mark].children.remove(mark)
            path[-1].children.append(mark)
        tree.sort_children()


def _makes_gaps(spans: dict[Node, int], marks: int, above: set[Node]) -> bool:
    """Return whether moving marks below some nodes makes a gap or leaves a node empty."""
    for node, span in spans.items():
        after = span | marks if node in above else span & ~marks
        if not after or fan_out(after) > fan_out(span):
            return True
    return False
