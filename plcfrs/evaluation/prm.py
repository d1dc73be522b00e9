"""Settings for comparing brackets, and their files, as in EVALB and disco-dop (``.prm``).

A line has a key, blanks, and one value (two for ``EQ_LABEL`` and ``EQ_WORD``); a line that begins
with ``#`` is a comment. The guide to scores has a table of the keys.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources import files
from itertools import chain
from pathlib import Path

from plcfrs.errors import InputError
from plcfrs.settings import show_changes
from plcfrs.wording import suggestion


@dataclass(frozen=True)
class Settings:
    """What counts in a comparison of brackets.

    Null elements are never words; the root and NOPARSE are never constituents.

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
    align : bool
        Whether to align words by their characters, for parses with another tokenization.
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
    align: bool = False

    __repr__ = show_changes


PACKAGED = ("field", "all")
_SETS = ("DELETE_LABEL", "DELETE_WORD", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")
_PAIRS = ("EQ_LABEL", "EQ_WORD")
_SWITCHES = ("LABELED", "DISC_ONLY", "DELETE_ROOT_PRETERMS")
_NUMBERS = ("DEBUG", "MAX_ERROR", "CUTOFF_LEN")
_NOT_COMPUTED = {
    "LA": "the leaf-ancestor metric",
    "TED": "the tree edit distance",
    "DEP": "disco-dop's dependencies",
}
_NUMBER = re.compile(r"[0-9]{1,9}")
_KEYS = (*_SETS, *_PAIRS, *_SWITCHES, *_NUMBERS, *_NOT_COMPUTED)


@dataclass
class _Entries:
    """The values of a file, by key."""

    sets: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    pairs: dict[str, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))
    numbers: dict[str, int] = field(default_factory=dict)


def load_settings(name: str | Path) -> Settings:
    """Return packaged settings, ``field`` or ``all``, or the settings of a ``.prm`` file.

    Parameters
    ----------
    name : str or Path

    Raises
    ------
    InputError
        If the file cannot be read, or has an unknown key or a bad value.

    Examples
    --------
    >>> sorted(load_settings("all").ignored_labels)
    ['NOPARSE', 'ROOT']
    """
    if name in PACKAGED:
        packaged = files("plcfrs") / "data" / f"{name}.prm"
        return parse_settings(packaged.read_text("utf-8").splitlines(), f"{name}.prm")
    try:
        lines = Path(name).read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{name}: settings must be in utf-8") from None
    except OSError as error:
        raise InputError(
            f"{name}: cannot be read: {error.strerror}; settings are {', '.join(PACKAGED)} "
            "or a .prm file"
        ) from None
    return parse_settings(lines, str(name))


def parse_settings(lines: Iterable[str], path: str = "settings") -> Settings:
    """Return the settings in the lines of a ``.prm`` file; messages name its path.

    >>> parse_settings(["EQ_LABEL ADVP PRT"]).equal_labels
    {'PRT': 'ADVP'}
    """
    entries = _Entries()
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            _enter(entries, *line.split())
        except ValueError as error:
            raise InputError(f"{path}:{number}: {error}") from None
    return _settings(entries)


def _enter(entries: _Entries, key: str, *values: str) -> None:
    if key not in _KEYS:
        similar = get_close_matches(key, _KEYS) or _KEYS
        raise ValueError(f"unknown key {key!r}{suggestion(similar)}")
    wanted = 2 if key in _PAIRS else 1
    if len(values) != wanted:
        raise ValueError(
            f"{key} takes {'two values' if wanted == 2 else 'one value'}, "
            f"not {len(values)}: {' '.join(values)!r}"
        )
    if key in _SETS:
        entries.sets[key].add(values[0])
    elif key in _PAIRS:
        entries.pairs[key].append(values)
    elif key in entries.numbers:
        raise ValueError(f"{key} occurs twice")
    else:
        entries.numbers[key] = _number(key, values[0])


def _number(key: str, text: str) -> int:
    if not _NUMBER.fullmatch(text.removeprefix("-" if key == "DEBUG" else "")):
        raise ValueError(f"{key} takes a number, not {text!r}")
    number = int(text)
    if key not in _NUMBERS and number not in (0, 1):
        raise ValueError(f"{key} must be 0 or 1, not {number}")
    if number and key in _NOT_COMPUTED:
        raise ValueError(f"{key}: {_NOT_COMPUTED[key]} is not computed: set it to 0")
    return number


def _settings(entries: _Entries) -> Settings:
    labels = frozenset(entries.sets["DELETE_LABEL"])
    equal = _representatives(entries.pairs["EQ_LABEL"])
    ignored = {equal.get(label, label) for label in labels}
    return Settings(
        ignored_labels=labels | ignored | {label for label in equal if equal[label] in ignored},
        ignored_tags=labels,
        equal_labels=equal,
        ignored_words=frozenset(entries.sets["DELETE_WORD"]),
        equal_words=_representatives(entries.pairs["EQ_WORD"]),
        uncounted_tags=frozenset(entries.sets["DELETE_LABEL_FOR_LENGTH"]),
        cutoff=entries.numbers.get("CUTOFF_LEN", 40),
        labelled=bool(entries.numbers.get("LABELED", 1)),
        discontinuous_only=bool(entries.numbers.get("DISC_ONLY", 0)),
        ignore_root_tokens=bool(entries.numbers.get("DELETE_ROOT_PRETERMS", 0)),
    )


def _representatives(pairs: Iterable[tuple[str, ...]]) -> Mapping[str, str]:
    """Return for each name the first of all names that are equal to it, also through chains."""
    first_of = {name: name for name in chain.from_iterable(pairs)}
    for name, equal_name in pairs:
        kept, replaced = first_of[name], first_of[equal_name]
        first_of = {name: kept if first == replaced else first for name, first in first_of.items()}
    return {name: first for name, first in first_of.items() if first != name}


FIELD = load_settings("field")
"""The usual settings: no roots, no punctuation, ADVP and PRT are equal."""

ALL = load_settings("all")
"""Every constituent except the root, over every word."""
