"""The settings of a project, in its file project.toml."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from plcfrs.checking.labels import KINDS
from plcfrs.checking.rules import Rule
from plcfrs.errors import InputError
from plcfrs.query import parse_query
from plcfrs.storage.files import read_utf8
from plcfrs.treebank.files import PROJECT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PERSON = re.compile(r"[\w-]{1,40}")
_KEYS = ("people", "parser", "base", "without-parse", "null-elements", "labels", "rules")
_TYPES = {str: "text", list: "list", dict: "table"}
T = TypeVar("T", str, list[Any], dict[str, Any])


@dataclass(frozen=True)
class ProjectSettings:
    """What people decide about a project.

    Parameters
    ----------
    people : tuple of str
        Their names, which are names of folders and files.
    parser : str
        The model that proposes trees; empty for none.
    base : str
        A treebank from which a parser of the project learns, too; empty for none.
    without_parse : float
        The share of sentences that are shown without a parse.
    null_elements : bool
        Whether proposed trees have null elements and indices in place of crossing branches.
    labels : mapping of str to tuple of str
        The categories, functions, tags and null elements that trees may have; all are allowed of
        a kind that is missing.
    rules : tuple of Rule
    """

    people: tuple[str, ...]
    parser: str = ""
    base: str = ""
    without_parse: float = 0.0
    null_elements: bool = False
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()

    @classmethod
    def read(cls, folder: Path) -> ProjectSettings:
        """Read the settings of a project, or raise an InputError."""
        path = folder / PROJECT
        if not path.is_file():
            raise InputError(
                f"{folder}: not a project: begin one with plcfrs annotate new {folder}"
            )
        try:
            content = tomllib.loads(read_utf8(path, "settings"))
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path}: {error}") from None
        try:
            return cls._checked(content)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _checked(cls, content: dict[str, Any]) -> ProjectSettings:
        _check_keys(content, _KEYS)
        people = _texts(content, "people")
        if not people:
            raise InputError("people: expected the name of at least one person")
        share = content.get("without-parse", 0.0)
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
            raise InputError("without-parse: expected a number from 0 to 1")
        has_nulls = content.get("null-elements", False)
        if not isinstance(has_nulls, bool):
            raise InputError("null-elements: expected true or false")
        labels = _typed(content, "labels", dict, {})
        _check_keys(labels, KINDS, "labels: ")
        rules = []
        for rule in _typed(content, "rules", list, []):
            if not isinstance(rule, dict) or set(rule) != {"query", "message"}:
                raise InputError("rules: expected a query and a message in each")
            parse_query(_typed(rule, "query", str, ""))
            _typed(rule, "message", str, "")
            rules.append(Rule(**rule))
        return cls(
            tuple(map(person_named, people)),
            _typed(content, "parser", str, ""),
            _typed(content, "base", str, ""),
            float(share),
            has_nulls,
            {kind: _texts(labels, kind) for kind in labels},
            tuple(rules),
        )


def person_named(name: str) -> str:
    """Return a name that can be the name of a folder, or raise an InputError.

    >>> person_named("anna")
    'anna'
    """
    if not _PERSON.fullmatch(name):
        raise InputError(f"{name}: the name of a person has up to 40 letters, digits, _ and -")
    return name


def _check_keys(content: dict[str, Any], known: Sequence[str], place: str = "") -> None:
    for key in content:
        if key not in known:
            raise InputError(f"{place}unknown key {key!r}: one of {', '.join(known)}")


def _typed(content: dict[str, Any], key: str, kind: type[T], default: T) -> T:
    value = content.get(key, default)
    if not isinstance(value, kind):
        raise InputError(f"{key}: expected a {_TYPES[kind]}")
    return value


def _texts(content: dict[str, Any], key: str) -> tuple[str, ...]:
    values = _typed(content, key, list, [])
    if not all(isinstance(value, str) for value in values):
        raise InputError(f"{key}: expected a list of texts")
    return tuple(values)
