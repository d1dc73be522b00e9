"""Settings: frozen dataclasses that say of each field what it is for and what it may be.

The command line makes its options of them, experiments their keys, and whoever makes one in Python
hears at once what is wrong with it.
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
        As in Python.
    form : str
        What its values are; "names" is a tuple of texts.
    default : object
    choices : tuple of str
        The texts, or the names, that are possible; empty if any are.
    least, most : float
        Of numbers.
    optional : bool
        Whether None is possible, for what depends on other settings.
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
        """The name on the command line, without its dashes, and in experiments."""
        return self.name.replace("_", "-")

    def check(self, value: object) -> None:
        """Raise an error unless a value is possible.

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
        """What values are possible, in words."""
        if self.form == "switch":
            return "true or false"
        if self.form == "names":
            return f"a tuple of {', '.join(self.choices) or 'names'}"
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.form == "text":
            return "text"
        bounds = f"{self.least:g} to {self.most:g}"
        if self.most == inf:
            bounds = f"{self.least:g} on"
        number, _, or_inf = self.form.partition(" or ")
        return f"a {number} from {bounds}{', or inf' if or_inf else ''}"

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
) -> Value:
    """Return the field of a dataclass of settings.

    Parameters
    ----------
    default : object
    help : str
        A sentence for the command line and the documentation.
    least, most : float
        Of a number.
    choices : tuple of str
        Of a text or of names, unless the type is a `Literal`, which says so itself.
    fraction : bool
        Whether a float is any number; otherwise it is a whole one, or infinite.
    """
    about = {"help": help, "least": least, "most": most, "choices": choices, "fraction": fraction}
    return field(default=default, metadata=about)


def settings_of(settings: object) -> tuple[Setting, ...]:
    """Return the fields that were made by `setting`, of settings or their type."""
    kind: Any = settings if isinstance(settings, type) else type(settings)
    hints = get_type_hints(kind)
    return tuple(
        _setting(each.name, hints[each.name], getattr(settings, each.name), each.metadata)
        for each in fields(kind)
        if "help" in each.metadata
    )


def check_settings(settings: object) -> None:
    """Check all fields of settings, as their ``__post_init__`` does.

    Raises
    ------
    InputError
        That names the field, its value, and what is possible.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Search:
    ...     beam: int = setting(4, "How many derivations are kept.", least=1)
    ...     def __post_init__(self):
    ...         check_settings(self)
    >>> Search(beam=0)
    Traceback (most recent call last):
        ...
    plcfrs.errors.InputError: beam: 0 is not a whole number from 1 on
    """
    for each in settings_of(settings):
        each.check(getattr(settings, each.name))


def show_changes(settings: object) -> str:
    """Return what settings are, as their ``__repr__``: values that are not the usual ones.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Search:
    ...     beam: int = setting(4, "How many derivations are kept.", least=1)
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
    """Return settings with other values.

    Parameters
    ----------
    settings : dataclass
    values : mapping of str to object
        By `Setting.option`, as in experiments. Names may be a list, or text with commas.

    Raises
    ------
    InputError
        If there is no such setting, or a value is not possible.
    """
    known = {each.option: each for each in settings_of(settings)}
    for name in values:
        if name not in known:
            possible = f"it is one of {', '.join(known)}" if known else "there are none"
            raise InputError(f"no setting is called {name}: {possible}")
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
