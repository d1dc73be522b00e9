"""Commands made of dataclasses: each field is an argument, a setting, or a group of settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plcfrs.errors import InputError
from plcfrs.settings import Setting, change_settings, settings_of
from plcfrs.wording import suggestion

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Chosen = TypeVar("Chosen", bound="DataclassInstance")


class SuggestingGroup(click.Group):
    """A group of commands that suggests the nearest name for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command with its arguments."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from difflib import get_close_matches  # here, for a fast start

            if similar := get_close_matches(args[0], self.list_commands(ctx)):
                ctx.fail(f"No such command {args[0]!r}{suggestion(similar)}")
            raise


class StrictCommand(click.Command):
    """A command that refuses an option with two values, of which click takes the last one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the arguments that are left; see `click.Command.parse_args`."""
        if not ctx.resilient_parsing:
            *_, given = self.make_parser(ctx).parse_args(list(args))
            for option in given:
                once = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
                if once and given.count(option) > 1:
                    ctx.fail(
                        f"{option.opts[-1]} is given {given.count(option)} times: it has one value"
                    )
        return super().parse_args(ctx, args)


def argument(metavar: str | None = None, *, nargs: int = 1, default: object = None) -> Any:  # noqa: ANN401
    """Return the field of an argument, which is needed unless it has a default."""
    made = partial(
        click.Argument,
        metavar=metavar,
        nargs=nargs,
        required=default is None,
        callback=lambda _context, _parameter, value: value or default,
    )
    return field(default=None, metadata={"argument": made})


def group(kind: Callable[[], Chosen]) -> Chosen:
    """Return the field of a group of settings that several commands have."""
    return field(default_factory=kind)


def command_of(
    name: str,
    defaults: Chosen,
    *,
    cls: type[click.Command] = StrictCommand,
    presets: Mapping[str, tuple[object, ...]] | None = None,
    **attributes: Any,  # noqa: ANN401 (of click)
) -> Callable[[Callable[[Chosen], None]], click.Command]:
    """Return a decorator that makes a command of a function, whose help is its docstring.

    The function gets `defaults` with the values of the options; `presets` has the groups whose
    values become the defaults with ``--preset``; the rest is of `click.command`.
    """

    def make(function: Callable[[Chosen], None]) -> click.Command:
        def run(**values: Any) -> None:  # noqa: ANN401
            outputs = {_parameter(e): e.short or f"--{e.option}" for e in written}
            if any(values[each] for each in outputs):
                from plcfrs.cli.overwriting import check_outputs  # here, for a fast start

                check_outputs(name, values, outputs)
            chosen: Any = _filled(defaults, values)
            known = {name: values.pop(name) for name in list(values) if hasattr(chosen, name)}
            if known or values:  # a command may have options that are not among its fields
                chosen = replace(chosen, **known, others=values)
            function(chosen)

        written = [each for each in _all_settings(defaults) if each.is_output]
        run.__doc__ = function.__doc__
        made = click.command(name, cls=cls, **attributes)(run)
        arguments = [each for each in fields(defaults) if "argument" in each.metadata]
        made.params = [
            *(each.metadata["argument"]([each.name]) for each in arguments),
            *([_preset_option(presets)] if presets else []),
            *map(option_of, _all_settings(defaults)),
        ]
        return made

    return make


def _groups(defaults: DataclassInstance) -> dict[str, Any]:
    """Return the groups of settings by the names of their fields."""
    found = ((e.name, getattr(defaults, e.name)) for e in fields(defaults) if not e.metadata)
    return {name: each for name, each in found if is_dataclass(each)}


def _all_settings(defaults: DataclassInstance) -> Iterator[Setting]:
    """Yield the settings in the order of the fields."""
    own = {each.name: each for each in settings_of(defaults)}
    groups = _groups(defaults)
    for each in fields(defaults):
        if each.name in own:
            yield own[each.name]
        elif each.name in groups:
            yield from _all_settings(groups[each.name])


def _filled(defaults: Chosen, values: dict[str, Any]) -> Chosen:
    """Return the defaults with the values of a command line, which are taken out of `values`."""
    changes = {name: _filled(each, values) for name, each in _groups(defaults).items()}
    changes |= {e.name: values.pop(e.name) for e in fields(defaults) if "argument" in e.metadata}
    known = settings_of(defaults)
    given = {each.option: values.pop(_parameter(each)) for each in known}
    for each in known:
        if each.read and given[each.option] is not None:
            given[each.option] = each.read(given[each.option])
    try:
        return replace(change_settings(defaults, given), **changes)
    except InputError as error:
        is_of_one = str(error).partition(":")[0] in given
        raise click.UsageError(f"{'--' * is_of_one}{error}.") from None


def _preset_option(presets: Mapping[str, tuple[object, ...]]) -> click.Option:
    def use(context: click.Context, _: click.Parameter, name: str | None) -> None:
        if name is not None:
            known = [each for group in presets[name] for each in settings_of(group)]
            context.default_map = {_parameter(each): _default_of(each) for each in known}

    return click.Option(
        ["--preset"],
        type=click.Choice(list(presets)),
        is_eager=True,
        expose_value=False,
        callback=use,
        help="Well-known settings and category splits; other options override them.",
    )


def _parameter(each: Setting) -> str:
    """Return the name that click has for the values of a setting."""
    return each.option.replace("-", "_")


def option_of(each: Setting) -> click.Option:
    """Return the option of a setting."""
    names = [*([each.short] if each.short else []), f"--{each.option}", _parameter(each)]
    default = _default_of(each)
    shown = default not in (None, "", "-") and default is not False
    if each.type is bool:
        if default is not False:
            names[-2] += f"/--no-{each.option}"
        return click.Option(
            names, is_flag=True, default=default, show_default=shown, help=each.help
        )
    several: dict[str, Any] = {"multiple": True} if each.type is tuple else {}
    if several and each.commas:
        several["callback"] = _joined
    type, metavar = _type_of(each)
    return click.Option(
        names,
        **several,
        **({} if each.is_needed else {"default": default}),  # click takes None for a value
        type=type,
        show_default=shown,
        required=each.is_needed,
        metavar=each.metavar or metavar,
        help=each.help,
    )


def _joined(_context: object, _parameter: object, names: tuple[str, ...]) -> str | None:
    """Return the names of an option that may be repeated as one text."""
    return ",".join(names) or None


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


def _type_of(each: Setting) -> tuple[click.ParamType[Any], str | None]:
    """Return the type of an option, which checks no bounds, and what stands for a value."""
    if each.type is tuple and (each.commas or not each.choices):
        return click.STRING, "NAMES"
    if each.choices:
        return click.Choice(each.choices), None
    if each.type is float:
        return (click.FLOAT, "X") if each.fraction else (_NumberOrInf(), "N")
    return (click.INT, "N") if each.type is int else (click.STRING, "TEXT")


def _default_of(each: Setting) -> Any:  # noqa: ANN401
    """Return the default as on the command line; None if it depends on other settings."""
    if each.type is tuple:
        if each.default and each.commas:
            return [",".join(each.default)]
        return each.default or (["none"] if each.choices and each.commas else None)
    return "inf" if each.default == inf else each.default


def given_besides(*names: str) -> str | None:
    """Return an option of the command line that is not one of these parameters."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and option.name not in names:
            return option.opts[-1]
    return None
