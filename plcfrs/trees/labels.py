r"""Node labels of Penn-Treebank-style files: ``CAT(^SPLIT)(-FUNC)*(-INDEX)(=GAPINDEX)``.

In binarized trees, ``NP>S>ROOT`` is an NP that remembers the categories above it, and ``@NP>S+DT``
is an intermediate node of such an NP after DT. A collapsed unary chain is ``ROOT+S^WH+VP``.

In files, a character that would be misread is escaped by its number: the category R-QUIM is
``R\u{2D}QUIM`` where ``R-QUIM`` is an R with a function, and ``\u{}`` is an empty text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from plcfrs.trees.tree import Node

ROOT = "ROOT"
# Categories with hyphens are -LRB-, in the Tübingen treebanks R-SIMPX and P-SIMPX, and labels of
# another binarization, S|<VP-.>.
_LABEL = re.compile(
    r"(?P<category>-[A-Z]+-|[RP]-SIMPX|[^|]+\|<[^<>]*>|[^-=^]+)(?:\^(?P<split>[^-=]+))?"
    r"(?P<functions>(?:-[^-=\d][^-=]*)*)(?:-(?P<index>\d{1,9}))?(?:=(?P<gap_index>\d{1,9}))?"
)
_INDEX_BEHIND_GAP_INDEX = re.compile(r"(=\d{1,9})(-\d{1,9})$")  # NP-SBJ=1-3 in wsj_0163
_SPECIAL = re.compile(r"([\\+^@])")
_PARTS = re.compile(r"((?:\\.|[^\\+^])+)(?:\^((?:\\.|[^\\+])*))?")
_ESCAPED = re.compile(r"\\(.)")
_BY_NUMBER = re.compile(r"\\u\{((?!D[89A-F]..\})[0-9A-F]{0,5})\}")  # no surrogates
EMPTY = "\\u{}"


def escaping(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of what to escape in a file; it includes what looks like an escape."""
    return re.compile(rf"\\(?=u\{{)|{pattern}")


NO_BLANKS = escaping(r"[\0\t-\r ]")
_PART = escaping(r"[\0\t-\r ()=^>@+-]|\A\d")
_BREAKS = re.compile(r"[\0\t-\r ()]")


def escape(text: str, special: re.Pattern[str] = NO_BLANKS, empty: str = EMPTY) -> str:
    r"""Return a text with its special characters escaped, or `empty` for an empty text.

    >>> escape("in front of"), escape("")
    ('in\\u{20}front\\u{20}of', '\\u{}')
    """
    return text if text.isalpha() else special.sub(_numbers, text) or empty


def unescape(text: str) -> str:
    r"""Return a text without escapes, the inverse of `escape`.

    >>> unescape(r"R\u{2D}QUIM")
    'R-QUIM'
    """
    return _BY_NUMBER.sub(_character, text) if "\\" in text else text


def _numbers(match: re.Match[str]) -> str:
    return "".join(f"\\u{{{ord(character):X}}}" for character in match[0])


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else ""


class Label(NamedTuple):
    """The parts of a node's label.

    Parameters
    ----------
    category : str
    functions : tuple of str
        Function tags or edge labels.
    split : str
        The category split, ``"WH"`` for SWH.
    index, gap_index : int or None
        The Penn Treebank's ``-1`` and ``=1``.
    ancestors : tuple of str
        The categories above that a label remembers, the mother first (vertical Markovization).
    intermediate : bool
        Whether binarization made the node. It has the category of its constituent.
    siblings : tuple of str
        The sisters that the label of an intermediate node remembers (horizontal Markovization).
    chain : tuple of Label
        The other labels of a collapsed unary chain, from the top down.
    """

    category: str
    functions: tuple[str, ...] = ()
    split: str = ""
    index: int | None = None  # type: ignore[assignment]  # tuples have a method of this name
    gap_index: int | None = None
    ancestors: tuple[str, ...] = ()
    intermediate: bool = False
    siblings: tuple[str, ...] = ()
    chain: tuple[Label, ...] = ()


label_parts = attrgetter(*Label._fields)
"""Returns the parts of a label, or of the label of a node."""


@lru_cache(maxsize=10_000)  # treebanks repeat a few labels
def parse_label(label: str) -> Label:
    """Return the parts of a printed label; a label of another form is a category as a whole.

    >>> label = parse_label("NP-SBJ-1")
    >>> label.category, label.functions, label.index
    ('NP', ('SBJ',), 1)
    >>> parse_label("PP-LOC=3").gap_index
    3
    >>> parse_label("-LRB-").category
    '-LRB-'
    >>> parse_label("S^WH").split, parse_label("S|<VP-.>").category
    ('WH', 'S|<VP-.>')
    >>> parse_label("@VP>S+NP+-LRB-").siblings
    ('NP', '-LRB-')
    """
    parts = _divide(label)
    return _change_texts(unescape, parts) if "\\" in label else parts


def _change_texts(change: Callable[[str], str], label: Label) -> Label:
    return label._replace(
        category=change(label.category),
        functions=tuple(map(change, label.functions)),
        split=change(label.split) if label.split else "",
        ancestors=tuple(map(change, label.ancestors)),
        siblings=tuple(map(change, label.siblings)),
    )


def _divide(label: str) -> Label:
    if label.startswith("@") and label[1:2] not in ("", "@"):
        own, *siblings = label[1:].split("+")
        return _divide(own)._replace(intermediate=True, siblings=tuple(siblings))
    own, *ancestors = label.split(">")
    if own and ancestors and all(ancestors):
        return _divide(own)._replace(ancestors=tuple(ancestors))
    match = _LABEL.fullmatch(_INDEX_BEHIND_GAP_INDEX.sub(r"\2\1", label))
    if match is None:
        return Label(label)
    index, gap_index = match["index"], match["gap_index"]
    return Label(
        match["category"],
        tuple(match["functions"].split("-")[1:]),
        match["split"] or "",
        int(index) if index else None,
        int(gap_index) if gap_index else None,
    )


def render_label(label: Label | Node) -> str:
    """Return the printed label of a node, the inverse of `parse_label`.

    >>> render_label(Label("NP", ("SBJ",), index=1))
    'NP-SBJ-1'
    """
    category = render_category(label)
    if label.chain:
        category = "+".join([category, *map(render_category, label.chain)])
    text = "-".join([category, *label.functions])
    if label.index is not None:
        text += f"-{label.index}"
    if label.gap_index is not None:
        text += f"={label.gap_index}"
    text = ">".join([text, *label.ancestors])
    return "+".join([f"@{text}", *label.siblings]) if label.intermediate else text


def written_label(label: Label | Node) -> str:
    r"""Return the label of a node in a file: printed, and escaped if it would be misread.

    >>> written_label(Label("NP", ("SBJ",))), written_label(Label("NP-SBJ"))
    ('NP-SBJ', 'NP\\u{2D}SBJ')
    """
    return _written(label_parts(label))


@lru_cache(maxsize=10_000)
def _written(parts: tuple[Any, ...]) -> str:
    label = Label._make(parts)
    printed = render_label(label)
    if printed and parse_label(printed) == label and not _BREAKS.search(printed):
        return printed
    return render_label(_change_texts(partial(escape, special=_PART), label))


def render_category(label: Label | Node) -> str:
    """Return the category of a node with its split.

    >>> render_category(Label("S", ("NOM",), split="WH"))
    'S^WH'
    """
    return f"{label.category}^{label.split}" if label.split else label.category


@lru_cache(maxsize=10_000)
def render_chain(label: Label, *, is_top: bool) -> str:
    r"""Return the symbol of a chain: its categories with their splits, from the top down.

    Special characters get a backslash, and so does ROOT below the top of a tree.

    >>> render_chain(Label("ROOT", chain=(Label("S", split="WH"), Label("A+B"))), is_top=True)
    'ROOT+S^WH+A\\+B'
    """
    parts = [(part.category, part.split) for part in (label, *label.chain)]
    escaped = [[_SPECIAL.sub(r"\\\1", text) for text in part if text] for part in parts]
    text = "+".join(map("^".join, escaped))
    return text if is_top or not text.startswith(ROOT) else "\\" + text


def parse_chain(symbol: str) -> Label:
    """Return the label of a chain, the inverse of `render_chain`.

    >>> label = parse_chain("ROOT+S^WH")
    >>> label.category, label.chain[0].category, label.chain[0].split
    ('ROOT', 'S', 'WH')
    """
    top, *others = (
        Label(_ESCAPED.sub(r"\1", category), split=_ESCAPED.sub(r"\1", split))
        for category, split in _PARTS.findall(symbol)
    )
    return top._replace(chain=tuple(others))


def labels_of_chain(symbol: str) -> tuple[Label, ...]:
    """Return the labels of a chain one by one, from the top down; none for an empty symbol.

    >>> [label.category for label in labels_of_chain("ROOT+S^WH")]
    ['ROOT', 'S']
    """
    if not symbol:
        return ()
    top = parse_chain(symbol)
    return top._replace(chain=()), *top.chain


def is_axiom(symbol: str) -> bool:
    """Return whether a symbol belongs to a top node: ROOT, or a chain that begins with ROOT.

    >>> is_axiom("ROOT+S"), is_axiom("S")
    (True, False)
    """
    return symbol == ROOT or symbol.startswith(f"{ROOT}+")
