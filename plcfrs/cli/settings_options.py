"""Options made from settings: one for each field, with its name and its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from math import inf
from typing import Any, TypeVar

import click

from plcfrs.cli.options import splits_of
from plcfrs.errors import InputError
from plcfrs.settings import Setting, change_settings, settings_of
from plcfrs.transformation import Options

Command = TypeVar("Command", bound=Callable[..., None])


def settings_options(defaults: object) -> Callable[[Command], Command]:
    """Return a decorator that adds an option for each field; the command gets `settings`.

    Parameters
    ----------
    defaults : dataclass
        The settings if no option is given; see `plcfrs.settings`.
    """
    known = settings_of(defaults)

    def add(command: Command) -> Command:
        @wraps(command)
        def wrapped(**values: Any) -> None:  # noqa: ANN401 (some belong to the command)
            given = {each.option: values.pop(each.name) for each in known}
            try:
                chosen = change_settings(defaults, given)
            except InputError as error:
                is_of_one = str(error).partition(":")[0] in given
                raise click.UsageError(f"{'--' * is_of_one}{error}.") from None
            command(**values, settings=chosen)

        for each in reversed(known):
            wrapped = setting_option(each)(wrapped)
        return wrapped  # type: ignore[return-value]

    return add


def preset_option(presets: Mapping[str, tuple[Any, Options]]) -> Callable[[Command], Command]:
    """Return a decorator that adds ``--preset``, which sets the defaults of the other options.

    Parameters
    ----------
    presets : mapping of str to tuple
        Settings, and how the training trees are transformed.
    """

    def use(context: click.Context, _parameter: click.Parameter, name: str | None) -> None:
        if name is not None:
            settings, transformation = presets[name]
            values = {each.name: _default_of(each) for each in settings_of(settings)}
            context.default_map = {**values, "splits": splits_of(transformation)}

    return click.option(
        "--preset",
        type=click.Choice(list(presets)),
        is_eager=True,
        expose_value=False,
        callback=use,
        help="Well-known settings and category splits; options that are given override them.",
    )


def setting_option(each: Setting, help: str = "") -> Callable[[Command], Command]:
    """Return a decorator that adds the option of one field.

    Parameters
    ----------
    each : Setting
    help : str
        Text before the help of the setting.
    """
    text = f"{help} {each.help}".strip()
    if each.form == "switch":
        flag = f"--{each.option}/--no-{each.option}"
        return click.option(flag, each.name, default=each.default, show_default=True, help=text)
    several: dict[str, Any] = {"multiple": True, "callback": _joined}
    return click.option(
        f"--{each.option}",
        each.name,
        **(several if each.form == "names" else {}),
        type=_type_of(each),
        default=_default_of(each),
        show_default=_default_of(each) is not None,
        metavar=None if each.form == "text" and each.choices else _METAVARS[each.form],
        help=text,
    )


def _joined(_context: object, _parameter: object, names: tuple[str, ...]) -> str | None:
    """Return the names of an option that may be repeated as one text."""
    return ",".join(names) or None


_METAVARS = {
    **{"whole number": "N", "whole number or inf": "N", "number": "X", "text": "TEXT"},
    "names": "NAMES",
}


class _NumberOrInf(click.ParamType):  # type: ignore[type-arg]  # it takes one since click 8.4
    """A whole number or inf; the settings check the bounds."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:  # noqa: ANN401
        """Read the option."""
        if value in ("inf", inf):
            return inf
        try:
            return int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number or inf", param, ctx)


def _type_of(each: Setting) -> click.ParamType[Any]:
    if each.form == "text" and each.choices:
        return click.Choice(each.choices)
    types: dict[str, click.ParamType[Any]] = {
        "whole number": click.INT,
        "whole number or inf": _NumberOrInf(),
        "number": click.FLOAT,
    }
    return types.get(each.form, click.STRING)


def _default_of(each: Setting) -> object:
    """Return the default as on the command line; None if it depends on other settings."""
    if each.form == "names":
        return each.default or None
    return "inf" if each.default == inf else each.default
