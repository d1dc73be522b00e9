"""A bar, or a line, while Numba compiles, so that nobody waits without knowing why."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click

from plcfrs.jit import is_compiled, watch_compilation
from plcfrs.pipeline.kernels import Kernels

if TYPE_CHECKING:
    from tqdm import tqdm


def announce_compilation(kernels: Iterable[Kernels], *, elsewhere: bool = False) -> None:
    """Show on stderr that kernels are compiled, unless they are in the cache.

    On a terminal a bar counts them, once they are needed; anywhere else there is a line now, and
    one for those that are for difficult sentences, when the first such sentence needs them.

    Parameters
    ----------
    kernels : iterable of Kernels
        See `Family.kernels_for`.
    elsewhere : bool
        Whether other processes compile them, which a bar cannot show.
    """
    # What one member of a parser needs at once is not announced for another one's later use.
    needed = {each.last: each for each in sorted(kernels, key=attrgetter("modules"), reverse=True)}
    missing = {each for each in needed.values() if not is_compiled(each.last)}
    later = {each for each in missing if each.modules and not elsewhere}
    now = missing - later
    seconds = sum(each.seconds for each in now)
    if sys.stderr.isatty() and missing and not elsewhere:
        bar = CompilationBar(sum(each.number for each in now), seconds, later)
        watch_compilation(bar.begin, bar.end)
        return
    if now:
        _write_line("the parser", seconds)
    if later:
        watch_compilation(partial(_write_later, later), lambda: None)


def _pop_with(kernel: str, later: set[Kernels]) -> Kernels | None:
    """Return the kernels that one belongs to, the first time."""
    module, _, _ = kernel.partition(".")
    found = next((each for each in later if module in each.modules), None)
    if found:
        later.remove(found)
    return found


def _write_later(later: set[Kernels], kernel: str) -> None:
    if found := _pop_with(kernel, later):
        _write_line("what difficult sentences need", found.seconds)


def _write_line(what: str, seconds: int) -> None:
    click.echo(f"compiling {what}, once for this version: about {seconds} seconds ...", err=True)


_FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"


class CompilationBar:
    """A bar on stderr that is there while kernels are compiled.

    Between them it is removed: nobody knows which one is the last, if some are in the cache.

    Parameters
    ----------
    number : int
        The kernels that are expected.
    seconds : int
        How long they take, as the bar says.
    later : iterable of Kernels
        Kernels for difficult sentences: with the first of them the bar begins anew.
    """

    def __init__(self, number: int, seconds: int, later: Iterable[Kernels] = ()) -> None:
        self._later = set(later)
        self._expect(number, seconds)
        self._depth = 0
        self._bar: tqdm[Any] | None = None

    def _expect(self, number: int, seconds: int) -> None:
        self._number = number
        self._description = f"compiling, once, about {seconds} s"
        self._start: float | None = None
        self._done = 0

    def begin(self, kernel: str) -> None:
        """Show the bar; it names the kernel that Python has called."""
        if found := _pop_with(kernel, self._later):
            self._expect(found.number, found.seconds)
        self._depth += 1
        if self._bar is None:
            from tqdm import tqdm  # here, for a fast start

            self._start = self._start or time.time()
            bar: tqdm[Any] = tqdm(
                desc=self._description,
                total=self._number,
                initial=self._done,
                bar_format=_FORMAT,
                leave=False,
            )
            bar.start_t = self._start
            bar.set_postfix_str(kernel)
            self._bar = bar

    def end(self) -> None:
        """Count a kernel."""
        self._depth -= 1
        self._done += 1
        if self._bar is not None:
            self._bar.update()
            if self._depth == 0:
                self._bar.close()
                self._bar = None
