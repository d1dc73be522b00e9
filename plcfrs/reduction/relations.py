r"""Relations of head-ordered dependencies, as texts.

Direct and delta: ``S#2`` attaches a token as the second event of its head, a node S;
``SBAR+S#2|NP`` adds a unary SBAR above this S, and a unary NP above the token. Hall and Nivre
(2008): ``NP|S#2`` attaches an NP and an S above it to the second node of the head. After ``root``,
the relation of the head of the sentence, its nodes follow: ``root|NP``, ``root|VP|S``.
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
    """The parts of a relation; a text that is no relation has none of them."""

    labels: str = ""  # what is before the number
    number: int | None = None
    above: str = ""  # what follows after the number or ``root``


@lru_cache(maxsize=10_000)
def parse_relation(text: str) -> Relation:
    r"""Return the parts of a relation.

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

    >>> render_relation("S+VP", 2, "NP")
    'S+VP#2|NP'
    """
    return "|".join([f"{labels}#{number}", *filter(None, [above])])


def render_root(above: str) -> str:
    """Return the relation of the head of a sentence.

    >>> render_root(""), render_root("NP")
    ('root', 'root|NP')
    """
    return "|".join([ROOT_RELATION, *filter(None, [above])])
