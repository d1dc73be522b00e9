"""Trees as one line: brackets, ``(S (PRP They))``, and discbracket, ``(S (PRP 0=They))``."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter

from plcfrs.errors import InputError
from plcfrs.trees.labels import ROOT, parse_label, render_label
from plcfrs.trees.tree import Node, Token, Tree

NOTHING = "--"
"""Stands for an empty field in files (as in NeGra; here in all formats)."""

_ROOT_LABELS = ("", ROOT, "TOP", "VROOT")
_WHITESPACE = re.compile(r"\s", re.ASCII)
# ASCII: a no-break space belongs to its word.
_PIECE = re.compile(
    r"\(\s*(?P<tag>[^\s()]+)\s+(?P<word>[^\s()]+)\s*\)"
    r"|\(\s*(?P<label>[^\s()]*)"
    r"|(?P<close>\))"
    r"|(?P<stray>[^\s()]+)",
    re.ASCII,
)
_LEAF = re.compile(r"([0-9]{1,18})=(.+)")

MakeError = Callable[[str, int], Exception]
"""Returns an error, given a message and the place in the text."""


def parse_line(text: str) -> Tree:
    """Return the tree of a text; it is discbracket if all words begin with a position and ``=``."""
    tree = parse_brackets(text, _input_error)
    if not tree.tokens:
        raise InputError("no tree: expected brackets such as (S (NP (PRP They)) (VP (VBP sing)))")
    if all(_LEAF.fullmatch(token.form) for token in tree.tokens):
        _place_tokens(tree, _input_error)
    return tree


def parse_brackets(text: str, error: MakeError) -> Tree:
    """Return the tree of a text in brackets; if it is not a tree, raise an error by `error`."""
    tokens: list[Token] = []
    above = Node("")
    open_nodes = [above]
    for piece in _PIECE.finditer(text):
        tag, word, label, close, stray = piece.groups()
        if word is not None:
            open_nodes[-1].children.append(len(tokens))
            tokens.append(Token(word, _read_tag(tag) if "-" in tag else tag))
        elif close is not None:
            if len(open_nodes) == 1 or not open_nodes[-1].children:
                raise _misclosed(piece.start(), open_nodes, error)
            open_nodes.pop()
        elif stray is not None or (not label and len(open_nodes) > 1):
            raise _misplaced(piece.start(), stray, open_nodes, error)
        else:
            # Most labels are just a category.
            node = Node(label) if label.isalpha() else Node(*parse_label(label))
            open_nodes[-1].children.append(node)
            open_nodes.append(node)
    if len(open_nodes) > 1:
        raise error(f"missing ')': {len(open_nodes) - 1} more needed to close this tree", 0)
    if len(above.children) > 1:
        raise error("more than one tree", 0)
    return Tree(add_root(above.children), tokens)


def parse_discbracket(text: str, error: MakeError) -> Tree:
    """Return the tree of a text in discbracket; if it is not a tree, raise an error by `error`."""
    tree = parse_brackets(text, error)
    _place_tokens(tree, error)
    return tree


def render_brackets(tree: Tree, top: str = "") -> str:
    """Return a tree in brackets; the outermost brackets may have no label."""
    return _render(tree, top, [token.form for token in tree.tokens])


def render_discbracket(tree: Tree) -> str:
    """Return a tree in brackets whose words carry their positions."""
    forms = [f"{position}={token.form}" for position, token in enumerate(tree.tokens)]
    return _render(tree, render_label(tree.root), forms)


def add_root(children: list[Node | int]) -> Node:
    """Return ROOT above the topmost nodes of a file, instead of an empty label, ROOT, TOP or VROOT.

    >>> add_root([Node("TOP", children=[Node("S", children=[0])])]).nodes[0].category
    'S'
    """
    root = Node(ROOT, children=children)
    while len(root.nodes) == len(root.children) == 1:
        only = root.nodes[0]
        if render_label(only) not in _ROOT_LABELS:
            break
        root.children = only.children
    return root


def one_word(text: str) -> str:
    """Return a text as one field between blanks.

    >>> one_word("in front of"), one_word("")
    ('in_front_of', '--')
    """
    return _WHITESPACE.sub("_", text) or NOTHING


def or_empty(text: str) -> str:
    """Return the text of a field; ``--`` stands for an empty one."""
    return "" if text == NOTHING else text


def _render(tree: Tree, top: str, forms: list[str]) -> str:
    text: dict[Node | int, str] = {
        position: f"({_escape(token.tag)} {_escape(form)})"
        for position, (token, form) in enumerate(zip(tree.tokens, forms, strict=True))
    }
    for node in tree.bottom_up():
        label = top if node is tree.root else _escape(render_label(node))
        text[node] = f"({' '.join([label, *(text.pop(child) for child in node.children)])})"
    return text[tree.root]


def _place_tokens(tree: Tree, error: MakeError) -> None:
    places = []
    for token in tree.tokens:
        found = _LEAF.fullmatch(token.form)
        if found is None:
            raise error(f"expected position=word, as in 0=What, but found {token.form!r}", 0)
        place, token.form = found.groups()
        places.append(int(place))
    if places != list(range(len(places))):  # most trees have no crossing branches
        _check_places(places, error)
        _move_tokens(tree, places)


def _move_tokens(tree: Tree, places: list[int]) -> None:
    """Move the tokens to their places in the sentence, and put all children in order.

    This takes one walk; with `Tree.nodes` and `Tree.sort_children`, reading takes a third longer.
    """
    tokens = dict(zip(places, tree.tokens, strict=True))
    tree.tokens = [tokens[place] for place in range(len(places))]
    nodes = [tree.root]
    for node in nodes:
        nodes.extend([child for child in node.children if isinstance(child, Node)])
    leftmost: dict[Node, int] = {}
    for node in reversed(nodes):
        children = [
            (leftmost[child] if isinstance(child, Node) else places[child], child)
            for child in node.children
        ]
        children.sort(key=itemgetter(0))
        node.children = [child if isinstance(child, Node) else place for place, child in children]
        leftmost[node] = children[0][0]


def _check_places(places: list[int], error: MakeError) -> None:
    found: set[int] = set()
    for place in places:
        if place in found:
            raise error(f"position {place} occurs twice in this tree", 0)
        found.add(place)
    for place in range(len(places)):
        if place not in found:
            raise error(
                f"position {place} is missing in this tree: "
                f"the positions must be 0 to {len(places) - 1}",
                0,
            )


def _misclosed(place: int, open_nodes: list[Node], error: MakeError) -> Exception:
    if len(open_nodes) == 1:
        return error("extra ')': no bracket is open here", place)
    label = render_label(open_nodes[-1])
    return error(f"empty constituent: ({label}) has neither a word nor children", place)


def _misplaced(place: int, word: str | None, open_nodes: list[Node], error: MakeError) -> Exception:
    if word is None:
        return error("a bracket without a label: only the outermost may have none", place)
    if len(open_nodes) == 1:
        return error(f"{word!r} is outside all brackets", place)
    return error(
        f"the word {word!r} needs a bracket and a tag of its own: (TAG word); "
        "a file of skeletons without tags has to be tagged first",
        place,
    )


def _escape(text: str) -> str:
    return one_word(text).replace("(", "-LRB-").replace(")", "-RRB-")


def _read_tag(tag: str) -> str:
    """Return a tag as read, but ``$(`` of STTS for ``$-LRB-``."""
    if tag not in ("-LRB-", "-RRB-"):
        tag = tag.replace("-LRB-", "(").replace("-RRB-", ")")
    return or_empty(tag)


def _input_error(message: str, place: int) -> InputError:
    return InputError(f"character {place + 1}: {message}")
