r"""Relations of head-ordered dependencies, as texts.

Direct and delta: ``S#2`` attaches a token to its head as the second event, which makes a node S. If
relations carry unary nodes, ``SBAR+S#2|NP`` adds a unary SBAR above this S, and a unary NP above
the token itself.

Hall and Nivre (2008): ``NP|S#2`` says that the token heads an NP and an S above it, and that this S
is a child of the second node of its head.

The head of the sentence has the relation ``root``. What it heads follows in the same way:
``root|NP`` with a unary NP, or ``root|VP|S``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

ROOT_RELATION = "root"
_RELATION = re.compile(
    rf"(?:{ROOT_RELATION}|(?P<labels>(?:\\.|[^\\#])*)#(?P<number>-?[0-9]{{1,9}}))"
    r"(?:\|(?P<above>.*))?",
    re.DOTALL,
)


class Relation(NamedTuple):
    """The parts of a relation; a text that is no relation has none of them.

    Parameters
    ----------
    labels : str
        What is before the number.
    number : int or None
    above : str
        What follows after the number or ``root``.
    """

    labels: str = ""
    number: int | None = None
    above: str = ""


@lru_cache(maxsize=10_000)
def parse_relation(text: str) -> Relation:
    r"""Return the parts of a relation.

    Examples
    --------
    >>> parse_relation("S+VP#2|NP")
    Relation(labels='S+VP', number=2, above='NP')
    >>> parse_relation("root|VP|S").above, parse_relation("nsubj").number
    ('VP|S', None)
    """
    match = _RELATION.fullmatch(text)
    if match is None:
        return Relation()
    number = match["number"]
    return Relation(match["labels"] or "", int(number) if number else None, match["above"] or "")


def render_relation(labels: str, number: int, above: str = "") -> str:
    """Return the text of a relation.

    Examples
    --------
    >>> render_relation("S+VP", 2, "NP")
    'S+VP#2|NP'
    """
    return "|".join([f"{labels}#{number}", *filter(None, [above])])


def render_root(above: str) -> str:
    """Return the relation of the head of a sentence.

    Examples
    --------
    >>> render_root(""), render_root("NP")
    ('root', 'root|NP')
    """
    return "|".join([ROOT_RELATION, *filter(None, [above])])
