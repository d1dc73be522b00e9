"""Options that commands share, and the options of all families of parsers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from plcfrs.cli.command import StrictCommand, argument, option_of
from plcfrs.settings import Setting, setting, settings_of
from plcfrs.treebank import WRITABLE

if TYPE_CHECKING:
    from plcfrs.budget import BudgetSettings


def treebanks_argument() -> Any:  # noqa: ANN401 (a field)
    """Return the field of the treebanks; the default is standard input."""
    return argument("[TREEBANK]...", nargs=-1, default=("-",))


def output_setting(help: str = "Output file.  [default: standard output]") -> str:
    """Return the field of ``-o``."""
    return setting("-", help, short="-o", metavar="FILE", is_output=True)


def saved_setting(what: str, metavar: str = "MODEL") -> str:
    """Return the field of a required ``-o``."""
    return setting("", what, short="-o", metavar=metavar, is_needed=True, is_output=True)


def format_setting(formats: Iterable[str] = WRITABLE) -> str | None:
    """Return the field of ``--to`` for trees."""
    help = "Format of the output.  [default: by file extension, else discbracket]"
    return setting(None, help, choices=tuple(formats))


def wall_seconds_of(budget: BudgetSettings) -> float:
    """Return the seconds for a sentence after which a process is ended.

    Search and fallback have a budget each; the rest is for everything else, such as compiling
    kernels in all processes at once.
    """
    return 4 * budget.chosen.max_seconds + 120


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
