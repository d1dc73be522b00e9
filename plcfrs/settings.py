"""Settings: dataclasses whose fields have a help text and possible values.

The fields become options of the command line, keys of experiments and of model files, and rows of
the documentation. Their values are checked when settings are made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from math import inf
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from plcfrs.errors import InputError

Value = TypeVar("Value")
Settings = TypeVar("Settings")

_LONGEST = 40  # characters of a value that is shown

_ABOUT = "setting"  # the key in the metadata of a field

Form = Literal["whole number", "whole number or inf", "number", "text", "switch", "names", "file"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of settings.

    The help is for the command line and the documentation; `metavar` stands for a value there.
    "names" are a tuple of texts, and "file" is the value that `read` makes of a text. Numbers have
    bounds; a float is a whole number or infinite unless it may be a fraction. Optional values may
    be None if they depend on other settings. `option` is the name in experiments and files and,
    after two dashes, on the command line. A text with commas is several names; without, the command
    line repeats the option. An output is the name of a file that is written.
    """

    help: str
    name: str = ""
    form: Form = "text"
    default: Any = None
    choices: tuple[str, ...] = ()
    least: float = -inf
    most: float = inf
    fraction: bool = False
    optional: bool = False
    option: str = ""
    short: str = ""
    metavar: str = ""
    is_needed: bool = False
    is_output: bool = False
    commas: bool = True
    read: Callable[[str], Any] | None = None

    def check(self, value: object) -> None:
        """Raise if a value is not possible."""
        if (value is None and self.optional) or self.form == "file":
            return
        if self.form == "names" and self.choices and isinstance(value, tuple):
            for name in value:
                if name not in self.choices:
                    known = ", ".join(self.choices)
                    raise InputError(f"{self.option}: {name!r} is not one of {known}, none")
        if not self._fits(value):
            raise InputError(f"{self.option}: {value!r} is not {self.expected}")

    def choice(self, name: object) -> object:
        """Return the choice that a name means: T is short for *T*, which a shell would expand."""
        starred = f"*{name}*"
        return starred if starred in self.choices else name

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
    stored: bool = True,
    **about: Any,  # noqa: ANN401 (see Setting)
) -> Value:
    """Return the field of a dataclass of settings; `about` is as for `Setting`.

    Models keep stored settings; a setting without effect on what a round learns is not stored.
    """
    return field(default=default, metadata={_ABOUT: Setting(help, **about), "stored": stored})


def file_setting(
    default: str, help: str, read: Callable[[str], Value], *, metavar: str = "FILE"
) -> Value:
    """Return a field whose value is read from a file, or is packaged and has a name."""
    about = Setting(help, form="file", default=default, metavar=metavar, read=read)
    return field(default_factory=lambda: read(default), metadata={_ABOUT: about, "stored": False})


def settings_of(settings: object) -> tuple[Setting, ...]:
    """Return the fields of settings, or of their type, that were made by `setting`."""
    kind: Any = settings if isinstance(settings, type) else type(settings)
    hints = get_type_hints(kind)
    return tuple(
        _complete(each.metadata[_ABOUT], each.name, hints[each.name], settings)
        for each in fields(kind)
        if _ABOUT in each.metadata
    )


def check_settings(settings: object) -> None:
    """Raise if a value is not possible; the ``__post_init__`` of settings calls this.

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


class Checked:
    """Settings that are checked when they are made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_settings(self)


def texts_of(settings: Any) -> dict[str, str]:  # noqa: ANN401 (any dataclass)
    """Return the settings that models keep as texts, for people; None is left out."""
    found = {}
    for each in fields(settings):
        value = getattr(settings, each.name)
        if value is not None and each.metadata.get("stored", True):
            found[each.name] = " ".join(value) if isinstance(value, tuple) else str(value)
    return found


def show_changes(settings: object) -> str:
    """Return the values that differ from the defaults as text, for use as ``__repr__``.

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
    """Return a copy of settings with some values changed, or raise if one is not possible.

    The keys are `Setting.option`, as in experiments. Names may be a list, or text with commas.
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


def to_texts(settings: object) -> dict[str, str]:
    """Return the values as texts for a file, except for None and values read from a file.

    >>> @dataclass(frozen=True)
    ... class Search:
    ...     beam: float = setting(inf, "Number of derivations that are kept.", least=1)
    ...     keep_all: bool = setting(False, "Keep all.")
    >>> to_texts(Search())
    {'beam': 'inf', 'keep-all': 'no'}
    """
    values = {
        each.option: getattr(settings, each.name)
        for each in settings_of(settings)
        if each.form != "file"
    }
    return {name: _as_text(value) for name, value in values.items() if value is not None}


def from_texts(settings: Settings, texts: Mapping[str, str]) -> Settings:
    """Return settings with the values of a file: the inverse of `to_texts`, without other keys."""
    known = [each for each in settings_of(settings) if each.option in texts]
    return change_settings(settings, {each.option: _of(each, texts[each.option]) for each in known})


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (",".join(value) or "none") if isinstance(value, tuple) else str(value)


def _of(known: Setting, text: str) -> object:
    """Return the value of a text, or the text if it has none."""
    if known.form == "switch":
        return {"yes": True, "no": False}.get(text, text)
    if "number" in known.form:
        try:
            return float(text) if known.form == "number" else int(text)
        except ValueError:
            return text
    return text


def _read(known: Setting, value: object) -> object:
    if known.read is not None and isinstance(value, str):
        return known.read(value)
    if known.form == "names":
        if isinstance(value, str) and known.commas:
            value = [name.strip() for name in value.split(",") if name.strip()]
        names = () if value in (None, ["none"]) and known.commas else value
        return tuple(map(known.choice, names)) if isinstance(names, list | tuple) else names
    return inf if value == "inf" and "number" in known.form else value


def _complete(about: Setting, name: str, hint: object, settings: object) -> Setting:
    """Complete a setting by the name, type and value of its field."""
    about = replace(about, name=name, option=about.option or name.replace("_", "-"))
    if about.form == "file":
        return about
    choices = about.choices
    optional = get_origin(hint) in (Union, UnionType)
    if optional:
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Literal:
        choices, hint = get_args(hint), str
    forms: dict[object, Form] = {
        bool: "switch",
        int: "whole number",
        float: "number" if about.fraction else "whole number or inf",
        str: "text",
        tuple[str, ...]: "names",
    }
    default = getattr(settings, name)
    return replace(about, form=forms[hint], default=default, choices=choices, optional=optional)
