"""Trees on one line: brackets, ``(S (PRP They))``, and discbracket, ``(S (PRP 0=They))``.

The fields of other formats are here, too. A text that would be misread is escaped (`escape`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import lru_cache
from itertools import islice
from operator import itemgetter

from plcfrs.errors import InputError
from plcfrs.trees.labels import (
    EMPTY,
    NO_BLANKS,
    ROOT,
    escape,
    escaping,
    parse_label,
    render_label,
    unescape,
    written_label,
)
from plcfrs.trees.tree import Node, Token, Tree

NOTHING = "--"
"""Stands for an empty field in files (as in NeGra; here in all formats)."""

_ROOT_LABELS = ("", ROOT, "TOP", "VROOT")
_IN_BRACKETS = escaping(r"[\0\t-\r ]")
_BEHIND_POSITION = escaping(r"[\0\t-\r ]|#(?=[LR]RB#)")
_IN_TAG = escaping(r"[\0\t-\r ()-]")
_IN_CATEGORY = escaping(r"[\0\t-\r ^]")
_IN_FUNCTION = escaping(r"[\0\t-\r -]")
_FIRST_IN_BRACKETS = escaping(r"[\0\t-\r ]|\A[0-9](?=[0-9]*=)")  # not the position of a word
# A word with its tag and the brackets closed behind it, or a label, or something unexpected.
# ASCII: a no-break space belongs to its word.
_PART = re.compile(
    r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)([\s)]*)|\(\s*([^\s()]*)|([^\s()]+|\))", re.ASCII
)
_LEAF = re.compile(r"([0-9]{1,18})=(.+)")

MakeError = Callable[[str, int], Exception]
"""Returns an error, given a message and the place in the text."""


def parse_line(text: str) -> Tree:
    """Return the tree of a text; it is discbracket if all words begin with a position and ``=``."""
    tree = _parse(text, _input_error)
    if not tree.tokens:
        raise InputError(
            "not a tree: expected brackets such as (S (NP (PRP They)) (VP (VBP sing)))"
        )
    if all(_LEAF.fullmatch(token.form) for token in tree.tokens):
        _place_tokens(tree, _input_error)
    return _unescaped(tree)


def parse_brackets(text: str, error: MakeError) -> Tree:
    """Return the tree of a text in brackets, or raise the exception that `error` makes."""
    return _unescaped(_parse(text, error)) if "\\" in text else _parse(text, error)


def _unescaped(tree: Tree) -> Tree:
    for token in tree.tokens:
        if "\\" in token.form:
            token.form = unescape(token.form)
    return tree


def _parse(text: str, error: MakeError) -> Tree:
    """Return a tree whose words are still escaped."""
    tokens: list[Token] = []
    above = Node("")
    open_nodes = [above]
    kept: set[Node] = set()
    for number, (tag, word, closing, label, stray) in enumerate(_PART.findall(text)):
        if word:
            open_nodes[-1].children.append(len(tokens))
            tokens.append(Token(word, tag if tag.isalpha() else _read_tag(tag)))
            if closing and (closed := closing.count(")")):
                if closed >= len(open_nodes):
                    raise _misread(text, number, open_nodes, error)
                del open_nodes[-closed:]
        elif stray or not (label or len(open_nodes) == 1):
            raise _misread(text, number, open_nodes, error)
        else:
            # Most labels are just a category.
            node = Node(label) if label.isalpha() else Node(*parse_label(label))
            open_nodes[-1].children.append(node)
            open_nodes.append(node)
            if "\\" in label:
                kept.add(node)
    if len(open_nodes) > 1:
        raise error(f"missing ')': {len(open_nodes) - 1} more needed to close this tree", 0)
    if len(above.children) > 1:
        raise error("more than one tree", 0)
    return Tree(add_root(above.children, kept), tokens)


def parse_discbracket(text: str, error: MakeError) -> Tree:
    """Return the tree of a text in discbracket, or raise the exception that `error` makes."""
    tree = _parse(text, error)
    _place_tokens(tree, error)
    return _unescaped(tree)


def render_brackets(tree: Tree, top: str = "") -> str:
    """Return a tree in brackets, the outermost with the label `top`; ``(`` in words is -LRB-."""
    written = [_without_brackets(token.form) for token in tree.tokens]
    forms = [escape(form, _IN_BRACKETS) for form in written]
    forms[:1] = [escape(form, _FIRST_IN_BRACKETS) for form in written[:1]]
    return _render(tree, top, forms)


def render_discbracket(tree: Tree) -> str:
    """Return a tree in brackets whose words carry their positions; ``(`` in words is #LRB#."""
    forms = [
        f"{position}={_without_brackets(escape(token.form, _BEHIND_POSITION), '#')}"
        for position, token in enumerate(tree.tokens)
    ]
    return _render(tree, written_label(tree.root), forms)


def add_root(children: list[Node | int], kept: Container[Node] = ()) -> Node:
    """Return ROOT above the topmost nodes of a file; it replaces an unlabelled root, TOP or VROOT.

    Nodes that are `kept` stay: their labels are escaped.

    >>> add_root([Node("TOP", children=[Node("S", children=[0])])]).nodes[0].category
    'S'
    """
    root = Node(ROOT, children=children)
    while len(root.nodes) == len(root.children) == 1:
        only = root.nodes[0]
        if only in kept or render_label(only) not in _ROOT_LABELS:
            break
        root.children = only.children
    return root


def renamed_root(top: Node | int, names: Container[str]) -> Node:
    """Return a top node renamed to ROOT if it has one of some names, or else a ROOT above it."""
    if isinstance(top, Node) and top.category in names:
        top.category = ROOT
        return top
    return Node(ROOT, children=[top])


def field(text: str, special: re.Pattern[str] = NO_BLANKS, nothing: str = NOTHING) -> str:
    r"""Return a text as a field between blanks.

    >>> field("in front of"), field(""), field("--")
    ('in\\u{20}front\\u{20}of', '--', '\\u{}--')
    """
    return EMPTY + text if text == nothing else escape(text, special, nothing)


def or_empty(text: str) -> str:
    """Return the text of a field; ``--`` stands for an empty one."""
    return "" if text == NOTHING else unescape(text) if "\\" in text else text


def category_field(tree: Tree, node: Node) -> str:
    r"""Return the category of a node with its split as a field; `read_category` reads it.

    >>> tree = Tree(Node("ROOT", children=[Node("TOP", children=[0])]), [])
    >>> category_field(tree, tree.root.nodes[0]), category_field(tree, Node("S", split="WH"))
    ('TOP\\u{}', 'S^WH')
    """
    split = f"^{escape(node.split)}" if node.split else ""
    return _not_root(tree, node, escape(node.category, _IN_CATEGORY) + split)


def read_category(text: str) -> Node:
    """Return the node of a category with its split."""
    category, _, split = text.partition("^")
    return Node(unescape(category), split=unescape(split))


@lru_cache(maxsize=1000)
def functions_field(functions: tuple[str, ...]) -> str:
    r"""Return functions, joined by hyphens, as a field; `read_functions` reads it.

    >>> functions_field(("OC", "X")), functions_field(("V-MOD",)), functions_field(("", ""))
    ('OC-X', 'V\\u{2D}MOD', '-')
    """
    joined = "-".join(escape(function, _IN_FUNCTION, "") for function in functions)
    return EMPTY + joined if functions and joined in ("", NOTHING) else joined or NOTHING


def read_functions(text: str) -> tuple[str, ...]:
    """Return the functions of a field."""
    return () if text in ("", NOTHING) else tuple(map(unescape, text.split("-")))


def _not_root(tree: Tree, node: Node, label: str) -> str:
    """Mark a label with an empty escape if the node would be taken for the root."""
    return label + EMPTY if label in _ROOT_LABELS and node in tree.root.children else label


def _render(tree: Tree, top: str, forms: list[str]) -> str:
    words = [
        f" ({_written_tag(token.tag)} {form})"
        for token, form in zip(tree.tokens, forms, strict=True)
    ]
    parts = [f"({top}"]
    stack: list[Node | int | str] = [")", *tree.root.children[::-1]]
    while stack:
        child = stack.pop()
        if isinstance(child, int):
            parts.append(words[child])
        elif isinstance(child, str):
            parts.append(child)
        else:
            parts.append(f" ({_not_root(tree, child, written_label(child))}")
            stack.append(")")
            stack += child.children[::-1]
    return "".join(parts)


def _place_tokens(tree: Tree, error: MakeError) -> None:
    places = []
    for token in tree.tokens:
        found = _LEAF.fullmatch(token.form)
        if found is None:
            raise error(f"expected position=word, as in 0=What, but found {token.form!r}", 0)
        place, form = found.groups()
        # As in disco-dop, so that -LRB- stays a word.
        token.form = form.replace("#LRB#", "(").replace("#RRB#", ")") if "#" in form else form
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
    seen: set[int] = set()
    for place in places:
        if place in seen:
            raise error(f"position {place} occurs twice in this tree", 0)
        seen.add(place)
    for place in range(len(places)):
        if place not in seen:
            raise error(
                f"position {place} is missing in this tree: "
                f"the positions must be 0 to {len(places) - 1}",
                0,
            )


def _misread(text: str, number: int, open_nodes: list[Node], error: MakeError) -> Exception:
    """Return an error that says why a part of a text cannot be read."""
    part = next(islice(_PART.finditer(text), number, None))
    _, word, _, label, stray = part.groups()
    place = part.start()
    if word or (stray == ")" and len(open_nodes) == 1):
        closed = [i for i in range(place, part.end()) if text[i] == ")"]
        return error("extra ')': no bracket is open here", closed[len(open_nodes) if word else 0])
    if stray == ")":
        label = render_label(open_nodes[-1])
        return error(f"empty constituent: ({label}) has neither a word nor children", place)
    if label == "":
        return error("a bracket without a label: only the outermost may have none", place)
    if len(open_nodes) == 1:
        return error(f"{stray!r} is outside all brackets", place)
    return error(f"the word {stray!r} needs a bracket and a tag of its own: (TAG word)", place)


@lru_cache(maxsize=1000)
def _written_tag(tag: str) -> str:
    printed = field(_without_brackets(tag))
    return printed if _read_tag(printed) == tag else field(tag, _IN_TAG)


def _without_brackets(text: str, sign: str = "-") -> str:
    return text.replace("(", f"{sign}LRB{sign}").replace(")", f"{sign}RRB{sign}")


@lru_cache(maxsize=1000)
def _read_tag(tag: str) -> str:
    """Return the tag of a field; ``$-LRB-`` is ``$(`` of STTS."""
    if "-" in tag and tag not in ("-LRB-", "-RRB-"):
        tag = tag.replace("-LRB-", "(").replace("-RRB-", ")")
    return or_empty(tag)


def _input_error(message: str, place: int) -> InputError:
    return InputError(f"character {place + 1}: {message}")
