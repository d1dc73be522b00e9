"""A word before Numba compiles, so that nobody waits without knowing why."""

from __future__ import annotations

import click

from plcfrs.chart import Objective
from plcfrs.chart.kernel.jit import is_compiled

# The kernel that is compiled last.
_LAST = {"mpd": "deduction.deduce", "mcp": "masses.sum_table_outside"}


def announce_compilation(objective: Objective = "mpd") -> None:
    """Say on stderr that the kernels will be compiled, unless they are in the cache."""
    if not is_compiled(_LAST[objective]):
        click.echo("compiling the parser, once for this user: about 15 seconds ...", err=True)
