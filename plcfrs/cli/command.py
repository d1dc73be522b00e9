"""Commands made of dataclasses: each field is an argument, a setting, or a group of settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, field, fields, is_dataclass, replace
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
            if args[0] == "help":
                raise InputError(_help_of(self, ctx, args)) from None
            from difflib import get_close_matches  # here, for a fast start

            if similar := get_close_matches(args[0], self.list_commands(ctx)):
                ctx.fail(f"No such command {args[0]!r}{suggestion(similar)}")
            raise


def _help_of(group: click.Group, ctx: click.Context, args: list[str]) -> str:
    """Say how to print the help of the command that stands behind ``help``."""
    commands = [name for name in args[1:2] if name in group.list_commands(ctx)]
    return f"for help, type: {' '.join([ctx.command_path, *commands])} --help"


class StrictCommand(click.Command):
    """A command that refuses an option given twice; click would take the last value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the arguments that are left; see `click.Command.parse_args`."""
        if not ctx.resilient_parsing:
            *_, given = self.make_parser(ctx).parse_args(list(args))
            for option in given:
                once = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
                if once and (times := given.count(option)) > 1:
                    ctx.fail(f"{option.opts[-1]} is given {times} times: give it once")
        return super().parse_args(ctx, args)


def argument(metavar: str | None = None, *, nargs: int = 1, default: object = None) -> Any:  # noqa: ANN401
    """Return the field of an argument, which is required unless it has a default."""
    make = partial(
        click.Argument,
        metavar=metavar,
        nargs=nargs,
        required=default is None,
        callback=lambda _context, _parameter, value: value or default,
    )
    return field(default=None, metadata={"argument": make})


def treebanks_argument() -> Any:  # noqa: ANN401 (a field)
    """Return the field of the treebanks; the default is standard input."""
    return argument("[TREEBANK]...", nargs=-1, default=("-",))


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
    """Return a decorator that makes a command of a function; its docstring becomes the help.

    The function gets `defaults` with the values of the options. With ``--preset NAME``, the values
    of the groups `presets[NAME]` become the defaults. `attributes` go to `click.command`.
    """

    def make(function: Callable[[Chosen], None]) -> click.Command:
        def run(**values: Any) -> None:  # noqa: ANN401
            if any(values[parameter] for parameter in outputs):
                from plcfrs.cli.output import check_outputs  # here, for a fast start

                check_outputs(name, values, outputs)
            chosen: Any = _filled(defaults, values)
            more = {name: values.pop(name) for name in list(values) if hasattr(chosen, name)}
            if more or values:  # a command may have options that are not among its settings
                chosen = replace(chosen, **more, others=values)
            function(chosen)

        settings = list(_all_settings(defaults))
        outputs = {
            _parameter(setting): setting.short or f"--{setting.option}"
            for setting in settings
            if setting.is_output
        }
        run.__doc__ = function.__doc__
        command = click.command(name, cls=cls, **attributes)(run)
        command.params = [
            *(field.metadata["argument"]([field.name]) for field in _arguments(defaults)),
            *([_preset_option(presets)] if presets else []),
            *map(option_of, settings),
        ]
        return command

    return make


def _arguments(defaults: DataclassInstance) -> list[Field[Any]]:
    """Return the fields of arguments."""
    return [field for field in fields(defaults) if "argument" in field.metadata]


def _groups(defaults: DataclassInstance) -> dict[str, Any]:
    """Return the groups of settings by the names of their fields."""
    names = [field.name for field in fields(defaults) if not field.metadata]
    return {name: group for name in names if is_dataclass(group := getattr(defaults, name))}


def _all_settings(defaults: DataclassInstance) -> Iterator[Setting]:
    """Yield the settings, including those of groups, in the order of the fields."""
    own = {setting.name: setting for setting in settings_of(defaults)}
    groups = _groups(defaults)
    for name in [entry.name for entry in fields(defaults)]:
        if name in own:
            yield own[name]
        elif name in groups:
            yield from _all_settings(groups[name])


def _filled(defaults: Chosen, values: dict[str, Any]) -> Chosen:
    """Return the defaults with the values of a command line; remove these from `values`."""
    changes = {name: _filled(group, values) for name, group in _groups(defaults).items()}
    changes |= {field.name: values.pop(field.name) for field in _arguments(defaults)}
    given: dict[str, Any] = {}
    for setting in settings_of(defaults):
        value = values.pop(_parameter(setting))
        given[setting.option] = value
        if setting.read is not None and value is not None:
            given[setting.option] = setting.read(value)
    try:
        return replace(change_settings(defaults, given), **changes)
    except InputError as error:
        names_option = str(error).partition(":")[0] in given
        raise click.UsageError(f"{'--' * names_option}{error}.") from None


def _preset_option(presets: Mapping[str, tuple[object, ...]]) -> click.Option:
    def use(context: click.Context, _: click.Parameter, name: str | None) -> None:
        if name is not None:
            context.default_map = {
                _parameter(setting): _default_of(setting)
                for group in presets[name]
                for setting in settings_of(group)
            }

    return click.Option(
        ["--preset"],
        type=click.Choice(list(presets)),
        is_eager=True,
        expose_value=False,
        callback=use,
        help="Well-known settings and category splits; other options override them.",
    )


def _parameter(setting: Setting) -> str:
    """Return the name of a setting among the parameters of click."""
    return setting.option.replace("-", "_")


def option_of(setting: Setting) -> click.Option:
    """Return the option of a setting."""
    names = [setting.short] if setting.short else []
    names += [f"--{setting.option}", _parameter(setting)]
    default = _default_of(setting)
    shown = default not in (None, "", "-") and default is not False
    if setting.type is bool:
        if default is not False:
            names[-2] += f"/--no-{setting.option}"
        return click.Option(
            names, is_flag=True, default=default, show_default=shown, help=setting.help
        )
    several: dict[str, Any] = {"multiple": True} if setting.type is tuple else {}
    if several and setting.commas:
        several["callback"] = _joined
    type, metavar = _type_of(setting)
    return click.Option(
        names,
        **several,
        **({} if setting.is_needed else {"default": default}),  # for click, None would be a value
        type=type,
        show_default=shown,
        required=setting.is_needed,
        metavar=setting.metavar or metavar,
        help=setting.help,
    )


def _joined(_context: object, _parameter: object, names: tuple[str, ...]) -> str | None:
    """Return the values of a repeated option as one text."""
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


def _type_of(setting: Setting) -> tuple[click.ParamType[Any], str | None]:
    """Return the type of an option, without bounds, and its metavar."""
    if setting.type is tuple and (setting.commas or not setting.choices):
        return click.STRING, "NAMES"
    if setting.choices:
        return click.Choice(setting.choices), None
    if setting.type is float:
        return (click.FLOAT, "X") if setting.fraction else (_NumberOrInf(), "N")
    return (click.INT, "N") if setting.type is int else (click.STRING, "TEXT")


def _default_of(setting: Setting) -> Any:  # noqa: ANN401
    """Return the default as people write it; None if it depends on other settings."""
    if setting.type is tuple:
        if setting.default and setting.commas:
            return [",".join(setting.default)]
        return setting.default or (["none"] if setting.choices and setting.commas else None)
    return "inf" if setting.default == inf else setting.default


def given_besides(*names: str) -> str | None:
    """Return an option of the command line, if any, that is not one of these parameters."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and option.name not in names:
            return option.opts[-1]
    return None


class FamilyCommand(StrictCommand):
    """A command with its own options, followed by those of all families.

    Importing all families takes a tenth of a second. A command line without their options is read
    without importing them, so the command must have defaults for them.
    """

    _all: list[click.Parameter] | None = None

    @property
    def params(self) -> list[click.Parameter]:
        """All parameters."""
        if self._all is None:
            self._all = [*self._own, *_options_of_families()]
        return self._all

    @params.setter
    def params(self, own: list[click.Parameter]) -> None:
        self._own = own

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read a command line."""
        own = {"-", "--"}.union(*(parameter.opts for parameter in self._own))
        names = {text.partition("=")[0] for text in args if text.startswith("-")}
        if names <= own:
            return StrictCommand(self.name, params=self._own).parse_args(ctx, args)
        return super().parse_args(ctx, args)


def _options_of_families() -> list[click.Parameter]:
    """Return --objective and the options of each family, all with the default None."""
    from plcfrs.parsing.registry import families

    objectives: set[str] = set()
    owners: dict[Setting, list[str]] = {}
    for family in families().values():
        objectives.update(family.objectives)
        for option in settings_of(family.options):
            owners.setdefault(option, []).append(family.kind)
    options: list[click.Parameter] = [
        click.Option(
            ["--objective"],
            type=click.Choice(sorted(objectives)),
            help="The best tree has the most probable derivation (mpd), the most constituents "
            "expected to be correct (mcp), or the rules most probably correct (max-rule-product, "
            "max-rule-sum).  [default: the first that the model has]",
        )
    ]
    for option, kinds in owners.items():
        default = f"  [default: {option.default}]" if option.default not in (None, ()) else ""
        help = f"{option.help} For {', '.join(kinds)}.{default}"
        options.append(option_of(replace(option, default=None, help=help)))
    return options
