"""The options of a command that are those of all families: they are imported only where needed."""

from __future__ import annotations

from dataclasses import replace

import click

from plcfrs.cli.command import option_of
from plcfrs.pipeline.registry import families
from plcfrs.settings import Setting, settings_of


class FamilyCommand(click.Command):
    """A command with options of its own, and after them those of all families.

    Importing all families takes a tenth of a second. Therefore a command line without any of their
    options is read without them: the command must have defaults for them.
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
        own = {"-", "--"}.union(*(each.opts for each in self._own))
        names = {each.partition("=")[0] for each in args if each.startswith("-")}
        if names <= own:
            return click.Command(self.name, params=self._own).parse_args(ctx, args)
        return super().parse_args(ctx, args)


def _options_of_families() -> list[click.Parameter]:
    """Return the objective and the options of each family; an option that is not given is None."""
    objectives: set[str] = set()
    owners: dict[Setting, list[str]] = {}
    for family in families().values():
        objectives.update(family.objectives)
        for each in settings_of(family.options):
            owners.setdefault(each, []).append(family.kind)
    options: list[click.Parameter] = [
        click.Option(
            ["--objective"],
            type=click.Choice(sorted(objectives)),
            help="The best tree is the one of the most probable derivation (mpd), of most "
            "constituents expected to be correct (mcp), or of the rules most probably correct "
            "(max-rule-product, max-rule-sum).  [default: the first that the model has]",
        )
    ]
    for each, kinds in owners.items():
        default = f"  [default: {each.default}]" if each.default not in (None, ()) else ""
        text = f"{each.help} For {', '.join(kinds)}.{default}"
        options.append(option_of(replace(each, default=None, help=text)))
    return options
