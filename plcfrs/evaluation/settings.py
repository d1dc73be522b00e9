"""What a comparison of brackets counts, and what it leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plcfrs.settings import show_changes


@dataclass(frozen=True)
class Settings:
    """What is compared.

    Parameters
    ----------
    ignored_labels : frozenset of str
        Categories of constituents that do not count; their children do.
    ignored_tags, ignored_words : frozenset of str
        Tokens with these tags in the gold tree, and these words, are taken out of all
        constituents, which may close a gap; the others are numbered anew, and a constituent
        left empty vanishes.
    equal_labels, equal_words : mapping of str to str
        Categories, words that count as another one.
    uncounted_tags : frozenset of str
        Tokens with these tags in the gold tree do not add to the length of a sentence;
        all others do, ignored or not.
    cutoff : int, optional
        Sentences of this length at most are scored once more by themselves.
    labelled : bool
        Whether categories matter.
    discontinuous_only : bool
        Whether only constituents with a gap count, and only sentences that have any.
    ignore_root_tokens : bool
        Whether tokens right below the root of the gold tree are taken out, too.

    Notes
    -----
    Null elements are no words: they are taken out under any settings, each tree's own.
    """

    ignored_labels: frozenset[str] = frozenset()
    ignored_tags: frozenset[str] = frozenset()
    equal_labels: Mapping[str, str] = field(default_factory=dict)
    ignored_words: frozenset[str] = frozenset()
    equal_words: Mapping[str, str] = field(default_factory=dict)
    uncounted_tags: frozenset[str] = frozenset()
    cutoff: int | None = None
    labelled: bool = True
    discontinuous_only: bool = False
    ignore_root_tokens: bool = False

    __repr__ = show_changes
