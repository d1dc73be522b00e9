"""Pictures of trees for the terminal, by the printer of NLTK.

The printer's own layout draws branches through labels of some discontinuous trees and fails on
others (NLTK 3.8.1 to 3.10), so the places come from `plcfrs.drawing.layout`.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from plcfrs.drawing.layout import Layout, lay_out
from plcfrs.trees import Tree, render_label

if TYPE_CHECKING:
    from nltk.tree.prettyprinter import TreePrettyPrinter

_PRIVATE_USE = 0xF0000


def draw(tree: Tree, *, unicode: bool = True) -> str:
    """Return a picture of a tree, with crossing branches where it is discontinuous.

    A branch has a hole where another one crosses it.

    Parameters
    ----------
    tree : Tree
    unicode : bool
        Draw lines with box-drawing characters rather than ``|`` and ``_``.

    Returns
    -------
    str
        Lines without trailing blanks; for a tree without tokens, the label of its root.

    Raises
    ------
    InputError
        If a constituent of a tree with tokens has none.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ"), Token("me", "PRP")]
    >>> vp = Node("VP", children=[0, 2])
    >>> print(draw(Tree(Node("ROOT", children=[vp, 1]), tokens)))
             ROOT
          ┌───┴─────┐
          VP        │
     ┌────┴──────── │ ───┐
     WP            VBZ  PRP
     │              │    │
    What          helps  me
    """
    if not tree.tokens:
        return render_label(tree.root)
    layout = lay_out(tree)
    columns = [_columns(label) for label in layout.labels]
    # NLTK takes every character for one column wide: give it one private character a column.
    contents = dict.fromkeys(column for label in columns for column in label)
    codes = {content: chr(_PRIVATE_USE + number) for number, content in enumerate(contents)}
    labels = ["".join(codes[column] for column in label) for label in columns]
    # The default width would wrap long words; 3.8.1 does not know None, and 4 is its minimum.
    widest = max(4, *map(len, labels))
    picture = _printer(layout._replace(labels=labels)).text(unicodelines=unicode, maxwidth=widest)
    picture = picture.translate({ord(code): content for content, code in codes.items()})
    return "\n".join(line.rstrip() for line in picture.splitlines())


def _printer(layout: Layout) -> TreePrettyPrinter:
    import nltk
    from nltk.tree.prettyprinter import TreePrettyPrinter

    printer = TreePrettyPrinter(nltk.Tree("", [0]), [""])
    inner = set(layout.mothers)
    printer.nodes = {
        number: nltk.Tree(label, []) if number in inner else label
        for number, label in enumerate(layout.labels)
    }
    printer.coords = dict(enumerate(layout.cells))
    printer.edges = dict(enumerate(layout.mothers[1:], start=1))
    return printer


def _columns(text: str) -> list[str]:
    """Return what each terminal column shows; the second one of a wide character is empty."""
    columns: list[str] = []
    for character in text:
        if columns and unicodedata.category(character) in ("Mn", "Me", "Cf"):
            columns[-1] += character
        else:
            columns.append(character)
            if unicodedata.east_asian_width(character) in ("W", "F"):
                columns.append("")
    return columns
