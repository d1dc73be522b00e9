"""A word before Numba compiles, so that nobody waits without knowing why."""

from __future__ import annotations

import click

from plcfrs.jit import is_compiled

# The last kernel that takes long to compile.
_LAST = {
    "mpd": "deduction.deduce",
    "mcp": "masses.sum_table_outside",
    "refined": "pruning.fill_outside_costs",
    "transition": "beam.parse",
    "transition training": "beam.find_violation",
}


def announce_compilation(parsing: str = "mpd") -> None:
    """Say on stderr that the kernels will be compiled, unless they are in the cache.

    Parameters
    ----------
    parsing : {"mpd", "mcp", "refined", "transition", "transition training"}
        The objective of a plain grammar, or another kind of model.
    """
    if not is_compiled(_LAST[parsing]):
        click.echo("compiling the parser, once for this user: about 15 seconds ...", err=True)
