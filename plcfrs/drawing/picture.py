"""Pictures: trees and their highlights, with colours for every medium."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import attrgetter
from typing import NamedTuple

from plcfrs.drawing.layout import Layout, lay_out
from plcfrs.drawing.secondary import secondary_arrows
from plcfrs.trees import DependencyTree, Node, Token, Tree, render_label
from plcfrs.trees.spans import fan_out, runs

BELOW: dict[str, Callable[[Token], str]] = {
    name: attrgetter(name) for name in ("function", "lemma", "morph")
}
"""What can be below the words."""


class Picture(NamedTuple):
    """A tree to draw.

    Parameters
    ----------
    tree : Tree
    marked : collection of Node or int
        Nodes, and positions of tokens; their labels and tags are red, in a frame or in brackets.
    gaps : bool
        Whether each discontinuous constituent gets its own colour, and a line below the words that
        shows its parts and its gaps.
    caption : str
        The text above the tree.
    spacious : bool
        Whether there is more space between the labels; only in pixels.
    shades : sequence of float
        How dark the paper behind each label is, from 0 to 1, in the order of ``tree.nodes()``; no
        label has a shade if it is empty. Not in the terminal.
    below : collection of str
        What is below the words, as far as there is any: ``function``, ``lemma``, ``morph``.
    """

    tree: Tree
    marked: Collection[Node | int] = ()
    gaps: bool = False
    caption: str = ""
    spacious: bool = False
    shades: Sequence[float] = ()
    below: Collection[str] = ()


class DependencyPicture(NamedTuple):
    """A dependency tree to draw: positions of tokens are marked, and the arcs above them are red.

    With `gaps`, each arc above a word that does not depend on its head gets its own colour.
    """

    tree: DependencyTree
    marked: Collection[int] = ()
    gaps: bool = False
    caption: str = ""


AnyPicture = Picture | DependencyPicture


class Colour(NamedTuple):
    """A colour in a terminal, in SVG (legible on white and on black) and in xcolor for tikz."""

    terminal: int
    svg: str
    tikz: str


RED = Colour(31, "#d9304c", "red!80!black")
BLUE = Colour(34, "#2f74d0", "blue!80!black")
DARKEST = 0.3
"""The opacity of the darkest shade behind a label: black, white and colours are legible on it."""
GREEN = Colour(32, "#2a8540", "green!50!black")
OTHERS = (
    BLUE,
    GREEN,
    Colour(35, "#a64fc4", "violet"),
    Colour(36, "#137f8f", "teal"),
    Colour(33, "#a56a00", "orange!70!black"),
)


class Bar(NamedTuple):
    """The line below the words that shows the parts and the gaps of a constituent."""

    label: str
    colour: Colour
    parts: list[tuple[int, int]]  # the first token and the token after the last one, of each part


def picture_of(
    tree: Tree | DependencyTree,
    marked: Collection[Node | int] = (),
    gaps: bool = False,
    caption: str = "",
    below: Collection[str] = (),
) -> AnyPicture:
    """Return the picture of a tree of either kind; dependency trees have nothing below."""
    if isinstance(tree, DependencyTree):
        words = [part for part in marked if isinstance(part, int)]
        return DependencyPicture(tree, words, gaps, caption)
    return Picture(tree, marked, gaps, caption, below=below)


class Sketch:
    """A picture with its layout, by whose numbers the labels have colours, marks and shades."""

    def __init__(self, picture: Picture) -> None:
        tree = picture.tree
        self.nodes = tree.nodes() if tree.tokens else [tree.root]
        alone = Layout([render_label(tree.root)], [[]], [(0, 0)])
        self.layout = lay_out(tree) if tree.tokens else alone
        self.first_tag = len(self.nodes)
        self.first_word = len(self.nodes) + len(tree.tokens)
        numbers: dict[Node | int, int] = {node: number for number, node in enumerate(self.nodes)}
        numbers |= {i: self.first_tag + i for i in range(len(tree.tokens))}
        self.marked = {numbers[part] for part in (picture.marked if tree.tokens else ())}
        self.arrows = secondary_arrows(tree, numbers) if tree.tokens else []
        rows = ([BELOW[name](t) for t in tree.tokens] for name in BELOW if name in picture.below)
        self.rows = [row for row in rows if any(row)]
        """The texts below the words."""
        self.colours = dict.fromkeys(self.marked, RED)
        self.shades = dict(enumerate(picture.shades if tree.tokens else ()))
        self.bars: list[Bar] = []
        self.yields = tree.yields()
        for node in self.nodes if picture.gaps else ():
            if fan_out(self.yields[node]) < 2:
                continue
            colour = OTHERS[len(self.bars) % len(OTHERS)]
            self.colours.setdefault(numbers[node], colour)
            self.bars.append(Bar(render_label(node), colour, runs(self.yields[node])))

    def widths(self, width_of: Callable[[str], int]) -> list[int]:
        """Return the width of each label; a word is as wide as what is below it."""
        found = list(map(width_of, self.layout.labels))
        for row in self.rows:
            for number, text in enumerate(row, start=self.first_word):
                found[number] = max(found[number], width_of(text))
        return found

    @property
    def words(self) -> list[str]:
        """The labels of the last row."""
        return self.layout.labels[self.first_word :]
