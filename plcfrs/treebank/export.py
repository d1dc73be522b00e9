"""The export format of the NeGra corpus, versions 3 and 4 (Brants 1997).

The mother 0 is ROOT; ``--`` means empty. Several functions are joined by hyphens, a category split
is written ``S^WH``. Without ``#FORMAT``, the number of columns tells the version of a line. The
format cannot hold indices and marks of binarization, and version 3 cannot hold lemmas. An
identifier that is not a number becomes a comment, ``#BOS 1 %% id: wsj_0001:1``, and is read back
from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count

from plcfrs.treebank.format import Chunk, Format, lost_in_columns, numbered_nodes
from plcfrs.trees import ROOT, Node, SecondaryEdge, Token, Tree
from plcfrs.trees.labels import escape, escaping, unescape
from plcfrs.trees.notation import (
    NOTHING,
    add_root,
    category_field,
    field,
    functions_field,
    or_empty,
    read_category,
    read_functions,
)

_ENCODING = re.compile(rb"^%%.*?coding[:=]\s*([-\w.]+)", re.MULTILINE)
_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|%%[^\n]*\n)*#(?:FORMAT|BOT|BOS)\s")
_LINE = re.compile(r"[^\r\n]+")
_COLUMN = re.compile(r"[^ \t]+")
_VERSION = re.compile(r"#FORMAT[ \t]+([34])\b")
_BEGIN = re.compile(r"#BOS[ \t]+([^ \t]+)(?:.*?%% id: ([^ \t]+))?")
_END = re.compile(r"#EOS[ \t]+([^ \t]+)")
_NODE = re.compile(r"#[0-9]{3,18}")
_NUMBER = re.compile(r"[0-9]{1,18}")
_NUMBERED = re.compile(r"s?([0-9]{1,18})")
# What a word or label between blanks must not look like: a node, a mark or a comment.
_IN_COLUMN = escaping(r"[\0\t-\r ]|\A#(?=[0-9]{3,18}\Z|[BE]OS\Z)|\A%(?=%)")
_LEAST_COLUMNS = 5
_BLANKS = " \t\r\n"
_WIDTHS = {3: (24, 8, 16, 8), 4: (24, 24, 8, 16, 8)}


@dataclass
class _Row:
    """One line of a sentence: a token or a node, and the numbers of its mothers."""

    place: int
    name: str
    label: str
    child: Token | Node
    mother: str
    secondary: list[str]


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the text from each #BOS to its #EOS, and each stray line, which is malformed."""
    number = start = 0
    version = ""
    held: list[str] = []
    in_table = False
    for line_number, line in enumerate(lines, start=1):
        if _begins(line, "#BOS"):
            if held:
                yield Chunk(path, start, "".join(held), number, version)
            held, start, number = [line], line_number, number + 1
        elif held:
            held.append(line)
            if _begins(line, "#EOS"):
                yield Chunk(path, start, "".join(held), number, version)
                held = []
        elif _begins(line, "#BOT") or _begins(line, "#EOT"):
            in_table = line.startswith("#BOT")
        elif _begins(line, "#FORMAT"):
            stated = _VERSION.match(line)
            version = stated[1] if stated else ""
        elif not (in_table or _is_empty(line)):
            yield Chunk(path, line_number, line, number)
    if held:
        yield Chunk(path, start, "".join(held), number, version)


def parse(chunk: Chunk) -> Tree:
    """Read a sentence of either version."""
    first, *lines = _LINE.finditer(chunk.text)
    begin = _BEGIN.match(first[0])
    if begin is None:
        raise chunk.error(f"expected '#BOS number', but found {first[0]!r}")
    end = _END.match(lines.pop()[0]) if lines else None
    if end is None or end[1] != begin[1]:
        raise chunk.error(f"'#EOS {begin[1]}' is missing: this sentence does not end")
    rows = [_read_row(chunk, line) for line in lines if not _is_empty(line[0])]
    nodes = _number_nodes(chunk, rows)
    secondary = _link(chunk, rows, nodes)
    _check_links(chunk, rows, nodes)
    tokens = [row.child for row in rows if isinstance(row.child, Token)]
    kept = {row.child for row in rows if isinstance(row.child, Node) and "\\" in row.label}
    name = unescape(begin[2] or begin[1])
    tree = Tree(add_root(nodes[0].children, kept), tokens, name, secondary)
    tree.sort_children()
    nodes_in_tree = set(tree.nodes() if secondary else ())
    for edge in secondary:
        edge.parent = edge.parent if edge.parent in nodes_in_tree else tree.root
    return tree


def render(tree: Tree, number: int, version: int) -> str:
    """Write a sentence with nodes numbered from 500, children before their mothers."""
    numbered = _NUMBERED.fullmatch(tree.id)
    name = numbered[1] if numbered else str(number)
    comment = f" %% id: {escape(tree.id)}" if tree.id and tree.id != name else ""
    numbers = numbered_nodes(tree)
    mothers = _mother_columns(tree, {**numbers, tree.root: 0})
    lines = [f"#BOS {name}{comment}"]
    for position, token in enumerate(tree.tokens):
        texts = token.form, token.lemma, token.tag, token.morph, token.function
        lines.append(_token_columns(texts, version) + mothers[position])
    for node, place in numbers.items():
        label, functions = category_field(tree, node), functions_field(node.functions)
        columns = f"#{place}", NOTHING, label, NOTHING, functions
        lines.append(_padded(columns, version) + mothers[node])
    return "\n".join([*lines, f"#EOS {name}\n"])


def is_export(start: bytes) -> bool:
    """Whether a file begins with a sentence, or with a line that may precede one.

    >>> is_export(b"#FORMAT 3 "), is_export(b"#BOSS is a word")
    (True, False)
    """
    return _START.match(start) is not None


def _lost_in_version_3(tree: Tree) -> Iterator[str]:
    if any(token.lemma for token in tree.tokens):
        yield "lemmas"
    yield from lost_in_columns(tree)


_FORMAT = partial(
    Format, split=split, parse=parse, encoding_declaration=_ENCODING, signature=is_export
)
EXPORT = _FORMAT(
    "export",
    (".export", ".negra"),
    render=partial(render, version=4),
    header="#FORMAT 4\n",
    lost=lost_in_columns,
)
EXPORT3 = _FORMAT(
    "export3",
    (".export3",),
    render=partial(render, version=3),
    header="#FORMAT 3\n",
    lost=_lost_in_version_3,
)


def _begins(line: str, mark: str) -> bool:
    """Return whether the first column of a line is a mark, not a word such as ``#BOSS``."""
    return line.startswith(mark) and not line[len(mark) : len(mark) + 1].strip(_BLANKS)


def _is_empty(line: str) -> bool:
    return line.lstrip(_BLANKS)[:2] in ("", "%%")


def _columns(chunk: Chunk, line: re.Match[str]) -> list[str]:
    columns = _COLUMN.findall(line[0])
    if "%%" in line[0]:
        comments = (i for i, column in enumerate(columns) if column.startswith("%%"))
        columns = columns[: next((i for i in comments if i >= _LEAST_COLUMNS), None)]
    if len(columns) < _LEAST_COLUMNS:
        raise chunk.error(
            f"expected 5 columns (version 3) or 6 (version 4), but found {len(columns)}",
            line.start(),
        )
    if chunk.version and (len(columns) - int(chunk.version)) % 2:
        raise chunk.error(
            f"expected {int(chunk.version) + 2} columns (#FORMAT {chunk.version}), then pairs of "
            f"label and mother, but found {len(columns)} columns",
            line.start(),
        )
    return columns


def _read_row(chunk: Chunk, line: re.Match[str]) -> _Row:
    name, *columns = _columns(chunk, line)
    lemma = or_empty(columns.pop(0)) if len(columns) % 2 else ""
    tag, morph, edge, mother, *secondary = columns
    child: Token | Node
    if name.startswith("#") and _NODE.fullmatch(name):
        child = read_category(tag)
        child.functions = read_functions(edge)
    else:
        child = Token(unescape(name), or_empty(tag), lemma, or_empty(morph), or_empty(edge))
    return _Row(line.start(), name, tag, child, mother, secondary)


def _number_nodes(chunk: Chunk, rows: list[_Row]) -> dict[int, Node]:
    nodes = {0: Node(ROOT)}
    for row in rows:
        if isinstance(row.child, Node):
            number = int(row.name[1:])
            if number in nodes:
                raise chunk.error(f"there are two lines for node {row.name}", row.place)
            nodes[number] = row.child
    return nodes


def _link(chunk: Chunk, rows: list[_Row], nodes: dict[int, Node]) -> list[SecondaryEdge]:
    secondary = []
    positions = count()
    for row in rows:
        child: Node | int = row.child if isinstance(row.child, Node) else next(positions)
        _mother(chunk, row, row.mother, nodes).children.append(child)
        for label, mother in zip(row.secondary[::2], row.secondary[1::2], strict=True):
            parent = _mother(chunk, row, mother, nodes)
            secondary.append(SecondaryEdge(or_empty(label), child, parent))
    return secondary


def _mother(chunk: Chunk, row: _Row, number: str, nodes: dict[int, Node]) -> Node:
    place = _number(number)
    if place is None:
        raise chunk.error(
            f"expected the number of a mother, but found {number!r}: a line has 5 columns "
            "(version 3) or 6 (version 4), then pairs of label and mother",
            row.place,
        )
    if place not in nodes:
        raise chunk.error(f"the mother {number} has no line '#{number} ...'", row.place)
    return nodes[place]


@lru_cache(maxsize=1000)
def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def _check_links(chunk: Chunk, rows: list[_Row], nodes: dict[int, Node]) -> None:
    reached = set(nodes[0].preorder())
    for row in rows:
        if isinstance(row.child, Node) and not row.child.children:
            raise chunk.error(f"node {row.name} has no children", row.place)
        if isinstance(row.child, Node) and row.child not in reached:
            raise chunk.error(f"node {row.name} is in a cycle, or below a cycle", row.place)


def _mother_columns(tree: Tree, numbers: dict[Node, int]) -> dict[Node | int, str]:
    columns = {child: str(number) for node, number in numbers.items() for child in node.children}
    for edge in tree.secondary_edges:
        # A transformation may have removed either end.
        if edge.parent in numbers and edge.child in columns:
            label = field(edge.label, _IN_COLUMN)
            columns[edge.child] += f"\t{label}\t{numbers[edge.parent]}"
    return columns


@lru_cache(maxsize=100_000)
def _token_columns(texts: tuple[str, ...], version: int) -> str:
    form, *others = texts
    return _padded((escape(form, _IN_COLUMN), *map(field, others)), version)


def _padded(columns: tuple[str, ...], version: int) -> str:
    if version == 3:
        columns = columns[:1] + columns[2:]
    return "".join(map(_column, columns, _WIDTHS[version]))


@lru_cache(maxsize=10_000)
def _column(text: str, width: int) -> str:
    return text + "\t" * max(1, (width - len(text) + 7) // 8)
