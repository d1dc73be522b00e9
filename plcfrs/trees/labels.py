"""Node labels of Penn-Treebank-style files: ``CAT(^SPLIT)(-FUNC)*(-INDEX)(=GAPINDEX)``.

Readers take a label apart once, with `parse_label`; from then on a node has fields,
and `render_label` prints them. In binarized trees, ``NP>S>ROOT`` is an NP that remembers the
categories above it, and ``@NP>S+DT+JJ`` an intermediate node of such an NP behind DT and JJ.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from plcfrs.trees.tree import Node

_LABEL = re.compile(
    r"(?P<category>-[A-Z]+-|[^-=^]+)(?:\^(?P<split>[^-=]+))?"
    r"(?P<functions>(?:-[^-=\d][^-=]*)*)(?:-(?P<index>\d{1,9}))?(?:=(?P<gap_index>\d{1,9}))?"
)
_INDEX_BEHIND_GAP_INDEX = re.compile(r"(=\d{1,9})(-\d{1,9})$")  # NP-SBJ=1-3 in wsj_0163


@dataclass(frozen=True, slots=True)
class _Parts:
    category: str
    functions: tuple[str, ...] = ()
    split: str = ""
    index: int | None = None
    gap_index: int | None = None
    ancestors: tuple[str, ...] = ()
    intermediate: bool = False
    siblings: tuple[str, ...] = ()


def parse_label(label: str) -> Node:
    """Return a node without children that has the parts of a printed label.

    A label that does not follow the pattern is a category as a whole.

    Parameters
    ----------
    label : str

    Returns
    -------
    Node

    Examples
    --------
    >>> node = parse_label("NP-SBJ-1")
    >>> node.category, node.functions, node.index
    ('NP', ('SBJ',), 1)
    >>> parse_label("PP-LOC=3").gap_index
    3
    >>> parse_label("-LRB-").category
    '-LRB-'
    >>> parse_label("S^WH").split
    'WH'
    >>> parse_label("@VP>S+NP+-LRB-").siblings
    ('NP', '-LRB-')
    """
    parts = _parts(label)
    return Node(
        parts.category,
        parts.functions,
        split=parts.split,
        index=parts.index,
        gap_index=parts.gap_index,
        ancestors=parts.ancestors,
        intermediate=parts.intermediate,
        siblings=parts.siblings,
    )


def render_label(node: Node) -> str:
    """Return the printed label of a node, the inverse of `parse_label`.

    Examples
    --------
    >>> render_label(Node("NP", ("SBJ",), index=1))
    'NP-SBJ-1'
    """
    label = "-".join([render_category(node), *node.functions])
    if node.index is not None:
        label += f"-{node.index}"
    if node.gap_index is not None:
        label += f"={node.gap_index}"
    label = ">".join([label, *node.ancestors])
    return "+".join([f"@{label}", *node.siblings]) if node.intermediate else label


def render_category(node: Node) -> str:
    """Return the category of a node with its split.

    Examples
    --------
    >>> render_category(Node("S", ("NOM",), split="WH"))
    'S^WH'
    """
    return f"{node.category}^{node.split}" if node.split else node.category


@lru_cache(maxsize=10_000)  # treebanks have few labels, and many of each
def _parts(label: str) -> _Parts:
    if label.startswith("@") and len(label) > 1:
        own, *siblings = label[1:].split("+")
        return replace(_parts(own), intermediate=True, siblings=tuple(siblings))
    own, *ancestors = label.split(">")
    if own and ancestors and all(ancestors):
        return replace(_parts(own), ancestors=tuple(ancestors))
    match = _LABEL.fullmatch(_INDEX_BEHIND_GAP_INDEX.sub(r"\2\1", label))
    if match is None:
        return _Parts(label)
    index, gap_index = match["index"], match["gap_index"]
    return _Parts(
        match["category"],
        tuple(match["functions"].split("-")[1:]),
        match["split"] or "",
        int(index) if index else None,
        int(gap_index) if gap_index else None,
    )
