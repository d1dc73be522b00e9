"""Settings of a comparison of brackets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plcfrs.settings import show_changes


@dataclass(frozen=True)
class Settings:
    """What counts in a comparison of brackets; null elements are never words.

    Parameters
    ----------
    ignored_labels : frozenset of str
        Categories of constituents that do not count; their children do.
    ignored_tags, ignored_words : frozenset of str
        Tokens with these tags in the gold tree, and these words, are removed from all
        constituents, which may close a gap; constituents that become empty are removed.
    equal_labels, equal_words : mapping of str to str
        Categories or words that count as another one.
    uncounted_tags : frozenset of str
        Tokens with these tags in the gold tree do not add to the length of a sentence.
    cutoff : int, optional
        Sentences of at most this length are also scored separately.
    labelled : bool
        Whether categories matter.
    discontinuous_only : bool
        Whether only constituents with a gap count, and only sentences that have any.
    ignore_root_tokens : bool
        Whether tokens right below the root of the gold tree are removed, too.
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
