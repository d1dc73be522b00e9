"""The message before Numba compiles, so that users know why they wait."""

from __future__ import annotations

import click

from plcfrs.jit import is_compiled


def announce_compilation(kernel: str | None) -> None:
    """Say on stderr that kernels will be compiled, unless they are in the cache.

    Parameters
    ----------
    kernel : str, optional
        The last kernel that takes long to compile, ``module.function``; see `Family.kernels`.
    """
    if kernel is not None and not is_compiled(kernel):
        click.echo("compiling the parser, once for this user: about 15 seconds ...", err=True)
