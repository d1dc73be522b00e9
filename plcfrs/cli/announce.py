"""A word before Numba compiles, so that nobody waits without knowing why."""

from __future__ import annotations

import click

from plcfrs.chart.kernel.jit import is_compiled


def announce_compilation() -> None:
    """Say on stderr that the kernels will be compiled, unless they are in the cache."""
    if not is_compiled():
        click.echo("compiling the parser, once for this user: about 12 seconds ...", err=True)
