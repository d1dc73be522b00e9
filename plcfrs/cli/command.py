"""The program and its commands, each in a file of its own that is loaded when it is called.

A command is made of a dataclass: each field is an argument, a setting, or a group of settings.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from functools import cache, partial
from importlib import import_module
from io import TextIOWrapper
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plcfrs import __version__
from plcfrs.compiling import not_kept, watchers
from plcfrs.errors import InputError, PlcfrsError, TreebankWarning, WorkerError
from plcfrs.settings import Setting, change_settings, settings_of
from plcfrs.stopping import StoppedError
from plcfrs.wording import suggestion, unencodable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from click.shell_completion import CompletionItem

Chosen = TypeVar("Chosen", bound="DataclassInstance")

_COMPILING = "compiling the parsers, once in this environment: a minute or more ..."

COMMANDS = {
    "transform": "Turn traces into crossing branches.",
    "extract": "Extract a grammar from a treebank and binarize it.",
    "train": "Train a parser, such as a refined grammar or a transition parser.",
    "combine": "Combine several parsers into a better one.",
    "parse": "Parse sentences.",
    "eval": "Score parses against gold trees.",
    "compare": "Compare parsers on gold trees.",
    "inspect": "Show the statistics and rules of a model, or compare two grammars.",
    "explain": "Show why a sentence has its parse.",
    "surprisal": "Say how surprising each word is, given the words before it.",
    "convert": "Convert treebanks or a grammar between formats.",
    "index": "Compile a treebank into one file that is fast to search.",
    "find": "Search trees with a query.",
    "draw": "Draw trees in the terminal, as SVG, PDF, PNG or LaTeX source.",
    "experiment": "Run a whole experiment from one file.",
    "serve": "Serve a web page for parsing and for browsing grammars and treebanks.",
    "compile": "Compile what a model needs, as for the image of a container.",
    "demo": "Go from a small treebank to scored parses.",
    "completion": "Print the script that completes commands in a shell.",
}


_COMPLETING = "_PLCFRS_COMPLETE"  # the variable by which a shell asks


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


class LazyGroup(SuggestingGroup):
    """A group that imports each command only when it is called, so that --help is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order in which they are usually run."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"plcfrs.cli.{cmd_name}_command").command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option, without importing a command."""
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(name, help=help)
            for name, help in COMMANDS.items()
            if name.startswith(incomplete)
        ] or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="plcfrs")
def plcfrs() -> None:
    """Discontinuous constituents: treebanks, grammars, exact parsing.

    \b
    Example, with NLTK's sample of the Penn Treebank:
      plcfrs extract nltk:treebank --sentences 1-3396 -o wsj.plcfrs
      echo 'What/WP should/MD I/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
    """  # noqa: D301 (\b keeps click from filling the lines)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code.

    0: done; 1: a failed or interrupted run; 2: bad input or usage.
    """
    news = cache(_tell_of_kernels)  # each line once
    watchers.add(news)
    if {"-h", "--help"} & {*arguments} and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # it has names of people
    if _COMPLETING in os.environ:
        import_module("plcfrs.cli.completion_command")  # how shells are answered
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", TreebankWarning)
            warnings.showwarning = _show_warning
            return _run(arguments)
    finally:
        watchers.discard(news)


def _run(arguments: list[str]) -> int:
    try:
        plcfrs.main(arguments, prog_name="plcfrs", standalone_mode=False)
    except PlcfrsError as error:
        return _fail(str(error), 1 if isinstance(error, WorkerError | StoppedError) else 2)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "plcfrs"
        message = error.format_message().rstrip(".")
        if isinstance(error, click.MissingParameter) and "MODEL" in message:
            from plcfrs.storage.included import INCLUDED  # here, for a fast start

            message += f": a file, or {' or '.join(INCLUDED)}"
        end = "" if message.endswith("?") else "."
        return _fail(f"{message}{end} See '{command} --help'.", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 1)
    except BrokenPipeError:
        # The reader of the output has closed it; Python must not complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UnicodeEncodeError as error:
        return _fail(f"output: {unencodable(error, sys.stdout.encoding)}", 2)
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror}", 1)
    except MemoryError:
        return _fail("out of memory", 1)
    return 0


def _tell_of_kernels(trouble: str) -> None:
    """Say that parsers are compiled, or why compiled ones cannot be kept."""
    line = not_kept(trouble) if trouble else _COMPILING
    if "tqdm" in sys.modules:  # there may be a progress bar
        from tqdm import tqdm

        tqdm.write(line, file=sys.stderr)
    else:
        click.echo(line, err=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"plcfrs: {message}", err=True)


def _fail(message: str, code: int) -> int:
    click.echo(f"plcfrs: {' '.join(message.split())}", err=True)
    return code


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
