"""The options that limit the search for a sentence."""

from __future__ import annotations

import click

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.cli.options import Command, number_or_inf

POSITIVE = click.FloatRange(min=0, min_open=True)
"""The type of options for times and sizes, which may be inf."""


def budget_options(command: Command) -> Command:
    """Add the options of a budget, `max_items`, `max_seconds` and `max_memory`; None by default."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_budget(
    max_items: float | None, max_seconds: float | None, max_memory: float | None
) -> Budget:
    """Return the budget of the options; those not given are as usual."""
    given = {"max_items": max_items, "max_seconds": max_seconds, "max_memory": max_memory}
    return DEFAULT._replace(**{name: value for name, value in given.items() if value is not None})


_OPTIONS = (
    click.option(
        "--max-items",
        type=number_or_inf(1),
        metavar="N",
        help="Stop the search of a sentence after N chart items.  [default: inf]",
    ),
    click.option(
        "--max-seconds",
        type=POSITIVE,
        metavar="SECONDS",
        help="Stop the search of a sentence after this time; inf for no limit.  "
        f"[default: {DEFAULT.max_seconds:g}]",
    ),
    click.option(
        "--max-memory",
        type=POSITIVE,
        metavar="GIB",
        help="Stop the search of a sentence when its arrays take more memory than this; inf for no "
        f"limit.  [default: {DEFAULT.max_memory:g}]",
    ),
)
