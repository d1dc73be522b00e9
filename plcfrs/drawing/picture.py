"""Pictures: trees with their highlights, and colours for every medium.

Secondary edges are dashed arrows from a dependent to a second mother. Null elements are grey; in
pixels, a dashed arrow below the words leads from its antecedent to each. The words of collapsed
constituents become one token for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import hypot
from typing import NamedTuple

from plcfrs.drawing.layout import TreeLayout, lay_out
from plcfrs.errors import check_types
from plcfrs.trees import DependencyTree, Node, SecondaryEdge, Token, Tree, render_label
from plcfrs.trees.antecedents import antecedents
from plcfrs.trees.tree import fan_out, positions, runs, span_of

_BEND, _LEAST_BEND, _MOST_BEND = 0.25, 24, 90
_HALF_HEIGHT = 11  # of a label
_HEAD_LENGTH, _HALF_HEAD_WIDTH = 7, 3.5  # length and half of the width of an arrow head

Point = tuple[float, float]


class SecondaryArrow(NamedTuple):
    """A secondary edge by the numbers of the labels that it joins."""

    label: str
    child: int
    mother: int


class ArrowCurve(NamedTuple):
    """A quadratic Bézier curve with an arrow head, in pixels."""

    start: Point
    control: Point
    end: Point
    head: tuple[Point, Point, Point]  # the corners of the arrow head, its tip first
    middle: Point  # where the label is

    def controls(self) -> tuple[Point, Point]:
        """Return the control points of the same curve as a cubic Bézier curve."""
        (x, y), (from_x, from_y), (to_x, to_y) = self.control, self.start, self.end
        return (
            (from_x + 2 * (x - from_x) / 3, from_y + 2 * (y - from_y) / 3),
            (to_x + 2 * (x - to_x) / 3, to_y + 2 * (y - to_y) / 3),
        )


def secondary_arrows(tree: Tree, numbers: Mapping[Node | int, int]) -> list[SecondaryArrow]:
    """Return the secondary edges between drawn labels of constituents and tags."""
    return [
        SecondaryArrow(edge.label, numbers[edge.child], numbers[edge.parent])
        for edge in tree.secondary_edges
        if edge.child in numbers and edge.parent in numbers
    ]


class Trace(NamedTuple):
    """A null element, by its position, and the words of its antecedent, as a half-open range."""

    null: int
    left: int
    right: int


def _traces(tree: Tree, yields: Mapping[Node, int]) -> list[Trace]:
    traces = []
    for null, phrase in antecedents(tree).items():
        span = yields[phrase]
        for child in phrase.nodes:
            if yields[child] >> null & 1:  # a clause around "she said *T*"
                span &= ~yields[child]
        if span:
            traces.append(Trace(null, *runs(span)[0]))
    return traces


def curve(start: Point, end: Point, halves: tuple[float, float], frame: Point) -> ArrowCurve:
    """Return the curve between two labels (middles, half widths), bent upwards inside a frame.

    >>> curve((20, 60), (90, 60), (10, 10), (100, 80)).control
    (55.0, 36.0)
    """
    across, down = end[0] - start[0], end[1] - start[1]
    length = hypot(across, down) or 1
    bend = min(max(_BEND * length, _LEAST_BEND), _MOST_BEND)
    if abs(across) <= sum(halves):  # one label above the other
        aside = max(halves) + bend, 0.0
    else:
        way = 1 if across > 0 else -1
        aside = bend * way * down / length, -bend * way * across / length
    control = (
        _within((start[0] + end[0]) / 2 + aside[0], frame[0]),
        _within((start[1] + end[1]) / 2 + aside[1], frame[1]),
    )
    start, end = _edge(start, halves[0], control), _edge(end, halves[1], control)
    x, y = ((a + 2 * b + c) / 4 for a, b, c in zip(start, control, end, strict=True))
    return ArrowCurve(start, control, end, _arrow_head(control, end), (x, y))


def _edge(middle: Point, half: float, towards: Point) -> Point:
    across, down = towards[0] - middle[0], towards[1] - middle[1]
    scale = max(abs(across) / half, abs(down) / _HALF_HEIGHT, 1)
    return middle[0] + across / scale, middle[1] + down / scale


def _arrow_head(control: Point, tip: Point) -> tuple[Point, Point, Point]:
    across, down = tip[0] - control[0], tip[1] - control[1]
    length = hypot(across, down) or 1
    across, down = across / length, down / length
    foot = (tip[0] - _HEAD_LENGTH * across, tip[1] - _HEAD_LENGTH * down)
    side = (-_HALF_HEAD_WIDTH * down, _HALF_HEAD_WIDTH * across)
    return (tip, (foot[0] + side[0], foot[1] + side[1]), (foot[0] - side[0], foot[1] - side[1]))


def _within(place: float, size: float) -> float:
    return min(max(place, 0.0), size)


BELOW = ("function", "lemma", "morph")
"""The parts of tokens that can be below the words."""


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
        How dark the paper behind each label is, from 0 to 1, in the order of ``tree.nodes()``, or
        empty. The terminal does not show shades.
    below : collection of str
        The rows below the words, without empty ones: ``function``, ``lemma``, ``morph``.
    """

    tree: Tree
    marked: Collection[Node | int] = ()
    gaps: bool = False
    caption: str = ""
    spacious: bool = False
    shades: Sequence[float] = ()
    below: Collection[str] = ()


class DependencyPicture(NamedTuple):
    """A dependency tree to draw. The arcs above marked tokens, given by position, are red.

    With `gaps`, each arc above a word that does not depend on the head of the arc gets its own
    colour.
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
GREY = Colour(2, "#767676", "gray")
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
    check_types("draw(tree)", (tree, (Tree, DependencyTree)))
    if isinstance(tree, DependencyTree):
        words = [part for part in marked if isinstance(part, int)]
        return DependencyPicture(tree, words, gaps, caption)
    return Picture(tree, marked, gaps, caption, below=below)


class Sketch:
    """A picture with its layout; the numbers of labels there have colours, marks and shades."""

    def __init__(self, picture: Picture) -> None:
        tree = picture.tree
        self.nodes = tree.nodes() if tree.tokens else [tree.root]
        alone = TreeLayout([render_label(tree.root)], [[]], [(0, 0)])
        self.layout = lay_out(tree) if tree.tokens else alone
        self.first_tag = len(self.nodes)
        self.first_word = len(self.nodes) + len(tree.tokens)
        numbers: dict[Node | int, int] = {node: number for number, node in enumerate(self.nodes)}
        numbers |= {i: self.first_tag + i for i in range(len(tree.tokens))}
        self.marked = {numbers[part] for part in (picture.marked if tree.tokens else ())}
        self.arrows = secondary_arrows(tree, numbers) if tree.tokens else []
        rows = ([getattr(t, name) for t in tree.tokens] for name in BELOW if name in picture.below)
        self.rows = [row for row in rows if any(row)]
        """The texts below the words."""
        self.yields = tree.yields()
        null = span_of([i for i, token in enumerate(tree.tokens) if token.is_null])
        grey = [numbers[node] for node, span in self.yields.items() if span and span & ~null == 0]
        grey += [first + i for i in positions(null) for first in (self.first_tag, self.first_word)]
        self.colours = dict.fromkeys(grey, GREY) | dict.fromkeys(self.marked, RED)
        self.traces = _traces(tree, self.yields) if tree.tokens else []
        self.shades = dict(enumerate(picture.shades if tree.tokens else ()))
        self.bars: list[Bar] = []
        for node in self.nodes if picture.gaps else ():
            if fan_out(self.yields[node]) < 2:
                continue
            colour = OTHERS[len(self.bars) % len(OTHERS)]
            self.colours.setdefault(numbers[node], colour)
            self.bars.append(Bar(render_label(node), colour, runs(self.yields[node])))

    def widths(self, width_of: Callable[[str], int]) -> list[int]:
        """Return the width of each label; a word is as wide as the texts below it."""
        widths = list(map(width_of, self.layout.labels))
        for row in self.rows:
            for number, text in enumerate(row, start=self.first_word):
                widths[number] = max(widths[number], width_of(text))
        return widths

    @property
    def words(self) -> list[str]:
        """The labels of the last row."""
        return self.layout.labels[self.first_word :]


MANY = "…"
"""The tag of several words."""


class Collapsed(NamedTuple):
    """A tree with collapsed constituents."""

    tree: Tree
    nodes: list[Node]  # the original of each node, in the order of `Tree.nodes`
    parts: list[list[int]]  # the original positions of each token


def collapse(tree: Tree, chosen: Collection[Node]) -> Collapsed:
    """Return a tree in which the chosen constituents have only their words below them.

    >>> tree = Tree.from_string("(S (VP (A 0=a) (B 3=d)) (NP (C 1=b) (D 2=c)))")
    >>> _, _, vp, np = tree.nodes()
    >>> [token.form for token in collapse(tree, [np]).tree.tokens]
    ['a', 'b c', 'd']
    >>> collapse(tree, [vp]).parts  # one word each
    [[0], [1], [2], [3]]
    """
    yields = tree.yields()
    collapsed = _outermost(tree, chosen, yields)
    hidden = {position for node in collapsed for position in positions(yields[node])}
    ranges = [run for node in collapsed for run in runs(yields[node])]
    ranges += [(i, i + 1) for i in range(len(tree.tokens)) if i not in hidden]
    parts = [list(range(*ends)) for ends in sorted(ranges)]
    place = {position: number for number, part in enumerate(parts) for position in part}
    copies: dict[Node, Node] = {}
    for node in tree.bottom_up():
        children: list[Node | int]
        if node in collapsed:
            children = [place[left] for left, _ in runs(yields[node])]
        else:
            children = [place[c] if isinstance(c, int) else copies[c] for c in node.children]
        copies[node] = replace(node, children=children, head=None)
    originals = {copy: node for node, copy in copies.items()}
    drawn = Tree(copies[tree.root], [_joined(tree, part) for part in parts], tree.id)
    shown: dict[Node | int, Node | int] = {originals[node]: node for node in drawn.nodes()}
    shown |= {part[0]: position for position, part in enumerate(parts) if len(part) == 1}
    drawn.secondary_edges = _shown_edges(tree, shown)
    return Collapsed(drawn, [originals[node] for node in drawn.nodes()], parts)


def _shown_edges(tree: Tree, shown: dict[Node | int, Node | int]) -> list[SecondaryEdge]:
    edges = []
    for edge in tree.secondary_edges:
        child, parent = shown.get(edge.child), shown.get(edge.parent)
        if child is not None and isinstance(parent, Node):
            edges.append(SecondaryEdge(edge.label, child, parent))
    return edges


def _outermost(tree: Tree, chosen: Collection[Node], yields: dict[Node, int]) -> list[Node]:
    inside: set[Node] = set()
    for node in tree.nodes():
        if node in chosen or node in inside:
            inside.update(node.nodes)
    return [node for node in tree.nodes() if node in chosen and node not in inside and yields[node]]


def _joined(tree: Tree, part: list[int]) -> Token:
    if len(part) == 1:
        return tree.tokens[part[0]]
    return Token(" ".join(tree.tokens[position].form for position in part), MANY)
