"""Sections of YAML files that people write, with checked values.

Errors name the file, the key and the choices.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Hashable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml

from plcfrs.errors import InputError
from plcfrs.settings import change_settings, settings_of
from plcfrs.wording import suggestion

Choice = TypeVar("Choice", bound=str)
Settings = TypeVar("Settings")

_DEPTH = 8
_VARIABLE = re.compile(r"\$[A-Za-z_]")


class YamlSection:
    """A mapping in a YAML file; its methods return the value of a key or a default.

    >>> section = YamlSection({"kind": "bracket"}, "a.yaml: scores 1")
    >>> section.choice("kind", ["brackets", "trees"])
    Traceback (most recent call last):
    plcfrs.errors.InputError: a.yaml: scores 1: kind: unknown value 'bracket': is it brackets?
    """

    def __init__(self, content: object, place: str) -> None:
        self.place = place
        if not isinstance(content, dict):
            raise InputError(f"{place}: {_quoted(content)} is not a mapping: write KEY: VALUE")
        for key in content:
            if not isinstance(key, str):
                raise InputError(f"{place}: the key {_quoted(key)} is not text: put it in quotes")
        self.content: dict[str, Any] = content

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def error(self, key: str, problem: str) -> InputError:
        """Return an error about the value of a key."""
        return InputError(f"{self.place}: {key}: {problem}")

    def check_keys(self, known: Iterable[str]) -> None:
        """Raise an InputError if a key is unknown."""
        possible = list(known)
        for key in self.content:
            if key not in possible:
                raise InputError(f"{self.place}: unknown key {key!r}{_suggestion(key, possible)}")

    def section(self, key: str) -> YamlSection:
        """Return the mapping below a key; it is empty if the key is missing."""
        return YamlSection(self.content.get(key, {}), self._below(key))

    def sections(self, key: str) -> dict[str, YamlSection]:
        """Return the mappings below a key, by name."""
        above = self.section(key)
        return {
            name: YamlSection({} if value is None else value, above._below(name))
            for name, value in above.content.items()
        }

    def items(self, key: str) -> list[YamlSection]:
        """Return the mappings in the list below a key."""
        values = self.content.get(key, [])
        if not isinstance(values, list):
            raise self.error(key, f"{_quoted(values)} is not a list: write '- KEY: VALUE'")
        return [
            YamlSection(value, self._below(f"{key} {number}"))
            for number, value in enumerate(values, start=1)
        ]

    def check_is_there(self, key: str, known: Collection[str] = ()) -> None:
        """Raise an InputError if a key is missing."""
        if key not in self.content:
            possible = f": one of {', '.join(known)}" if known else ""
            raise InputError(f"{self.place}: the key {key!r} is missing{possible}")

    def choice(self, key: str, known: Collection[Choice], default: Choice | None = None) -> Choice:
        """Return one of the known texts; without a default, the key is required."""
        if default is None:
            self.check_is_there(key, known)
        value = self.content.get(key, default)
        for possible in known:
            if value == possible:
                return possible
        raise self.unknown(key, value, known)

    def unknown(self, key: str, value: object, known: Collection[str]) -> InputError:
        """Return an error about a value, or a part of it, that is not one of the known texts."""
        return self.error(key, f"unknown value {_quoted(value)}{_suggestion(value, known)}")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; it is empty if the key is missing."""
        values = self.content.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.error(key, f"{_quoted(values)} is not a list of texts such as ['a', 'b']")
        return tuple(values)

    def read(
        self, start: Settings, others: Collection[str] = (), **choices: Collection[str]
    ) -> Settings:
        """Return settings with the values of the section, which may have `others` as keys, too.

        `choices` are the possible values of settings for which the file decides them.
        """
        settings = settings_of(start)
        self.check_keys([*(setting.option for setting in settings), *others])
        for setting in settings:
            known = choices.get(setting.name, setting.choices)
            if setting.is_needed:
                self.check_is_there(setting.option, known)
            if setting.name in choices and setting.option in self.content:
                self.choice(setting.option, known)
        return self.settings(start)

    def settings(self, start: Settings, without: Collection[str] = ()) -> Settings:
        """Return settings with the values of the section, except some options."""
        keys = {setting.option for setting in settings_of(start)} - set(without)
        values = {key: value for key, value in self.content.items() if key in keys}
        try:
            return change_settings(start, values)
        except InputError as error:
            raise InputError(f"{self.place}: {error}") from None

    def _below(self, key: str) -> str:
        return f"{self.place}{', ' if ': ' in self.place else ': '}{key}"


def load_section(path: Path) -> YamlSection:
    """Read a YAML file whose top is a mapping.

    References (``*name``) are not allowed, since a small file with them may expand to a huge one.
    A value may begin with an environment variable, ``$NAME``.
    """
    try:
        text = path.read_text(encoding="utf-8")
        content = yaml.load(text, Loader=_Loader)
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in utf-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        raise InputError(f"{path}:{line}: {error.problem}") from None
    except (yaml.YAMLError, ValueError) as error:  # a ValueError: a date such as 2011-99-99
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    return YamlSection(content, str(path))


class _Loader(yaml.SafeLoader):
    """The safe loader; references, deep nesting and repeated keys are errors."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        problem = None
        if self.check_event(yaml.AliasEvent):
            problem = "references such as *name are not allowed: write the value out"
        elif self._depth > _DEPTH:
            problem = f"nested more than {_DEPTH} levels deep"
        if problem:
            raise yaml.composer.ComposerError(problem=problem, problem_mark=self.get_mark())
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:  # noqa: ANN401
        value = super().construct_scalar(node)
        if not isinstance(value, str) or not _VARIABLE.match(value):
            return value
        expanded = os.path.expandvars(value)
        if expanded == value:
            raise yaml.constructor.ConstructorError(
                problem=f"{value}: set this environment variable", problem_mark=node.start_mark
            )
        return expanded

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        mapping = super().construct_mapping(node, deep=deep)
        if len(mapping) < len(node.value):
            keys = [key.value for key, _ in node.value]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise yaml.constructor.ConstructorError(
                problem=f"the key {twice!r} occurs twice", problem_mark=node.start_mark
            )
        return mapping


def _suggestion(value: object, known: Collection[str]) -> str:
    if not known:
        return ": there are none"
    return suggestion(get_close_matches(str(value), known) or [*known])


def _quoted(value: object) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:40]} ..."
