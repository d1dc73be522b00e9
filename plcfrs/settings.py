"""Settings: frozen dataclasses whose fields have a help text and possible values.

The fields become options of the command line and keys of experiments, and their values are checked
when settings are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from math import inf
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from plcfrs.errors import InputError

Value = TypeVar("Value")
Settings = TypeVar("Settings")

_LONGEST = 40  # characters of a value that is shown

Form = Literal["whole number", "whole number or inf", "number", "text", "switch", "names"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of settings.

    Parameters
    ----------
    name : str
        The name in Python.
    form : str
        The kind of its values; "names" is a tuple of texts.
    default : object
    choices : tuple of str
        The possible texts or names; empty if all are possible.
    least, most : float
        Bounds of numbers.
    optional : bool
        Whether None is possible, for values that depend on other settings.
    help : str
        A sentence for the command line and the documentation.
    """

    name: str
    form: Form
    default: Any
    choices: tuple[str, ...]
    least: float
    most: float
    optional: bool
    help: str

    @property
    def option(self) -> str:
        """The name in experiments and, after two dashes, on the command line."""
        return self.name.replace("_", "-")

    def check(self, value: object) -> None:
        """Check that a value is possible.

        Raises
        ------
        InputError
        """
        if value is None and self.optional:
            return
        if not self._fits(value):
            raise InputError(f"{self.option}: {value!r} is not {self.expected}")

    @property
    def expected(self) -> str:
        """The possible values in words."""
        if self.form == "switch":
            return "true or false"
        if self.form == "names":
            return f"a tuple of {', '.join(self.choices) or 'names'}"
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.form == "text":
            return "text"
        bounds = ""
        if self.most < inf:
            bounds = f" from {self.least:g} to {self.most:g}"
        elif self.least > -inf:
            bounds = f" of at least {self.least:g}"
        number, _, or_inf = self.form.partition(" or ")
        return f"a {number}{bounds}{', or inf' if or_inf else ''}"

    def _fits(self, value: object) -> bool:
        if self.form == "switch":
            return isinstance(value, bool)
        if self.form == "names":
            return isinstance(value, tuple) and all(map(self._is_text, value))
        if self.form == "text":
            return self._is_text(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        is_possible = (
            isinstance(value, int)
            or self.form == "number"
            or (self.form == "whole number or inf" and value == inf)
        )
        return is_possible and self.least <= value <= self.most

    def _is_text(self, value: object) -> bool:
        return isinstance(value, str) and (not self.choices or value in self.choices)


def setting(
    default: Value,
    help: str,
    *,
    least: float = -inf,
    most: float = inf,
    choices: tuple[str, ...] = (),
    fraction: bool = False,
    stored: bool = True,
) -> Value:
    """Return the field of a dataclass of settings.

    Parameters
    ----------
    default : object
    help : str
        A sentence for the command line and the documentation.
    least, most : float
        Bounds of a number.
    choices : tuple of str
        The possible texts or names; not needed if the type is a `Literal`.
    fraction : bool
        Whether a float can be any number; otherwise it is a whole number or infinite.
    stored : bool
        Whether models keep it: not if it does not change what a round learns.
    """
    about = {"help": help, "least": least, "most": most, "choices": choices, "fraction": fraction}
    return field(default=default, metadata={**about, "stored": stored})


def settings_of(settings: object) -> tuple[Setting, ...]:
    """Return the fields of settings, or of their type, that were made by `setting`."""
    kind: Any = settings if isinstance(settings, type) else type(settings)
    hints = get_type_hints(kind)
    return tuple(
        _setting(each.name, hints[each.name], getattr(settings, each.name), each.metadata)
        for each in fields(kind)
        if "help" in each.metadata
    )


def check_settings(settings: object) -> None:
    """Check all fields of settings; to be called by their ``__post_init__``.

    Raises
    ------
    InputError
        If a value is not possible; the message has the field, its value, and possible values.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Search:
    ...     beam: int = setting(4, "Number of derivations that are kept.", least=1)
    ...     def __post_init__(self):
    ...         check_settings(self)
    >>> Search(beam=0)
    Traceback (most recent call last):
        ...
    plcfrs.errors.InputError: beam: 0 is not a whole number of at least 1
    """
    for each in settings_of(settings):
        each.check(getattr(settings, each.name))


def texts_of(settings: Any) -> dict[str, str]:  # noqa: ANN401 (any dataclass)
    """Return the settings that models keep as texts, for people; None is left out."""
    values = {
        each.name: getattr(settings, each.name)
        for each in fields(settings)
        if each.metadata.get("stored", True)
    }
    return {
        name: " ".join(value) if isinstance(value, tuple) else str(value)
        for name, value in values.items()
        if value is not None
    }


def show_changes(settings: object) -> str:
    """Return settings as text, with only the values that differ from the defaults.

    To be used as their ``__repr__``.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Search:
    ...     beam: int = setting(4, "Number of derivations that are kept.", least=1)
    ...     seed: int = setting(1, "The seed.")
    ...     __repr__ = show_changes
    >>> Search(8)
    Search(beam=8)
    """
    kind: Any = type(settings)
    changes = []
    for each in fields(kind):
        usual = each.default if each.default_factory is MISSING else each.default_factory()
        value = getattr(settings, each.name)
        if value != usual:
            text = repr(value)
            changes.append(f"{each.name}={text if len(text) <= _LONGEST else '...'}")
    return f"{kind.__name__}({', '.join(changes)})"


def change_settings(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Return a copy of settings with some values changed.

    Parameters
    ----------
    settings : dataclass
    values : mapping of str to object
        The keys are `Setting.option`, as in experiments. Names may be a list, or text with commas.

    Raises
    ------
    InputError
        If there is no such setting, or a value is not possible.
    """
    known = {each.option: each for each in settings_of(settings)}
    for name in values:
        if name not in known:
            possible = f"expected one of {', '.join(known)}" if known else "there are none"
            raise InputError(f"there is no setting {name}: {possible}")
    changed = {}
    for name, value in values.items():
        changed[known[name].name] = read = _read(known[name], value)
        known[name].check(read)
    return settings if not changed else replace(settings, **changed)  # type: ignore[type-var]


def _read(known: Setting, value: object) -> object:
    if known.form == "names" and value is None:
        return ()
    if known.form == "names" and isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    if known.form == "names" and isinstance(value, list):
        return tuple(value)
    return inf if value == "inf" and known.form.endswith("inf") else value


def _setting(name: str, hint: object, default: object, about: Mapping[str, Any]) -> Setting:
    choices: tuple[str, ...] = about["choices"]
    optional = get_origin(hint) in (Union, UnionType)
    if optional:
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Literal:
        choices, hint = get_args(hint), str
    forms: dict[object, Form] = {
        bool: "switch",
        int: "whole number",
        float: "number" if about["fraction"] else "whole number or inf",
        str: "text",
        tuple[str, ...]: "names",
    }
    form = forms[hint]
    return Setting(
        name, form, default, choices, about["least"], about["most"], optional, about["help"]
    )
