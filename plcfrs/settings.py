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


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of settings.

    The help is for the command line and the documentation; `metavar` stands for a value there.
    The type is bool, int, float, str, or tuple for several names. Numbers have bounds; a float is a
    whole number or infinite unless it may be a fraction. Optional values may be None if they depend
    on other settings. `option` is the name in experiments and files and, after two dashes, on the
    command line. With `commas`, a text has several names; without, the command line repeats the
    option. `read` converts a text to the value. An output is the name of a file that is written.
    """

    help: str
    name: str = ""
    type: type = str
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

    def convert(self, value: object) -> Any:  # noqa: ANN401 (see `type`)
        """Convert a value, such as a list of names; raise an InputError if it is not valid."""
        if self.read is not None:
            return self.read(value) if isinstance(value, str) else value
        if self.type is tuple:
            value = self._names(value)
        elif self.type is float and value == "inf":
            value = inf
        self.check(value)
        return value

    def check(self, value: object) -> None:
        """Raise an InputError if a value is not valid."""
        if self.read is not None or (value is None and self.optional):
            return
        if not self._fits(value):
            raise InputError(f"{self.option}: {value!r} is not {self.expected}")
        if self.choices and isinstance(value, tuple):
            for name in value:
                if name not in self.choices:
                    known = ", ".join(self.choices)
                    raise InputError(f"{self.option}: {name!r} is not one of {known}, none")

    @property
    def expected(self) -> str:
        """The possible values in words."""
        if self.type is bool:
            return "true or false"
        if self.type is tuple:
            return f"a tuple of {', '.join(self.choices) or 'names'}"
        if self.type is str:
            return f"one of {', '.join(self.choices)}" if self.choices else "text"
        bounds = ""
        if self.most < inf:
            bounds = f" from {self.least:g} to {self.most:g}"
        elif self.least > -inf:
            bounds = f" of at least {self.least:g}"
        if self.fraction:
            return f"a number{bounds}"
        return f"a whole number{bounds}{', or inf' if self.type is float else ''}"

    def _fits(self, value: object) -> bool:
        if self.type is tuple:
            return isinstance(value, tuple) and all(isinstance(name, str) for name in value)
        if self.type is str:
            return isinstance(value, str) and (not self.choices or value in self.choices)
        if isinstance(value, bool) or self.type is bool:
            return isinstance(value, bool) and self.type is bool
        if not isinstance(value, int | float) or not self.least <= value <= self.most:
            return False
        return isinstance(value, int) or self.fraction or (self.type is float and value == inf)

    def _names(self, value: object) -> object:
        """Return several names; T is short for *T*, which a shell would expand."""
        if isinstance(value, str) and self.commas:
            value = [name.strip() for name in value.split(",") if name.strip()]
        if value in (None, ["none"]) and self.commas:
            return ()
        if not isinstance(value, list | tuple):
            return value
        return tuple(f"*{name}*" if f"*{name}*" in self.choices else name for name in value)


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
    """Return a field whose value is read from a file, or from a packaged one by its name."""
    about = Setting(help, default=default, metavar=metavar, read=read)
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
    """Raise an InputError if a value is not valid; ``__post_init__`` of settings calls this.

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
    """Return a copy of settings with some values changed; raise an InputError if one is not valid.

    The keys are `Setting.option`, as in experiments. Names may be a list, or text with commas.
    """
    known = {each.option: each for each in settings_of(settings)}
    for name in values:
        if name not in known:
            possible = f"expected one of {', '.join(known)}" if known else "there are none"
            raise InputError(f"there is no setting {name}: {possible}")
    changed = {known[name].name: known[name].convert(value) for name, value in values.items()}
    return settings if not changed else replace(settings, **changed)  # type: ignore[type-var]


def to_texts(settings: Any) -> dict[str, str]:  # noqa: ANN401 (any dataclass)
    """Return the values that models keep as texts, by the names of their options, except for None.

    >>> @dataclass(frozen=True)
    ... class Search:
    ...     beam: float = setting(inf, "Number of derivations that are kept.", least=1)
    ...     keep_all: bool = setting(False, "Keep all.")
    >>> to_texts(Search())
    {'beam': 'inf', 'keep-all': 'no'}
    """
    options = {each.name: each.option for each in settings_of(settings)}
    values = {
        options.get(each.name, _option(each.name)): getattr(settings, each.name)
        for each in fields(settings)
        if each.metadata.get("stored", True)
    }
    return {name: _as_text(value) for name, value in values.items() if value is not None}


def from_texts(settings: Settings, texts: Mapping[str, str]) -> Settings:
    """Return settings with the values of a file: the inverse of `to_texts`, without other keys."""
    known = [each for each in settings_of(settings) if each.option in texts]
    return change_settings(
        settings, {each.option: _from_text(each, texts[each.option]) for each in known}
    )


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (",".join(value) or "none") if isinstance(value, tuple) else str(value)


def _from_text(about: Setting, text: str) -> object:
    """Return the value of a text, or the text if it has none."""
    if about.type is bool:
        return {"yes": True, "no": False}.get(text, text)
    if about.type in (int, float):
        try:
            return float(text) if about.fraction else int(text)
        except ValueError:
            return text
    return text


def _option(name: str) -> str:
    return name.replace("_", "-")


def _complete(about: Setting, name: str, hint: object, settings: object) -> Setting:
    """Complete a setting by the name, type and value of its field."""
    about = replace(about, name=name, option=about.option or _option(name))
    if about.read is not None:
        return about
    optional = get_origin(hint) in (Union, UnionType)
    if optional:
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Literal:
        about, hint = replace(about, choices=get_args(hint)), str
    kind: Any = get_origin(hint) or hint
    return replace(about, type=kind, default=getattr(settings, name), optional=optional)
