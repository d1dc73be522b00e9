"""Telling that kernels are compiled, and clocks that stand still meanwhile.

This module does not import Numba, which is slow. The folder of the user's cache is here, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter, process_time

watchers: set[Callable[[str], object]] = set()
"""Called whenever this process or a worker compiles a kernel or waits for one, with the reason why
compiled kernels cannot be kept, if there is one."""


def tell_watchers(trouble: str = "") -> None:
    """Call all watchers; they may leave meanwhile. If there are none, warn of trouble once."""
    if trouble and not watchers:
        _warn(not_kept(trouble))
    for watcher in tuple(watchers):
        watcher(trouble)


def not_kept(trouble: str) -> str:
    """Return a line about kernels that cannot be kept."""
    return (
        f"compiling the parsers at each start, because they cannot be kept: {trouble}: "
        "set NUMBA_CACHE_DIR to another folder"
    )


@cache
def _warn(line: str) -> None:
    import logging  # here, since it is rarely needed

    logging.getLogger(__name__).warning(line)


def user_cache() -> Path:
    """Return the folder for caches of this user."""
    try:
        home = Path.home()
    except RuntimeError:  # a container may run as a user that it does not know
        home = Path(os.devnull)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


class Clock:
    """A clock, in seconds, that stands still while kernels are compiled here or waited for.

    Otherwise the compiler would use up the time of the first sentence.
    """

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read
        self._lost = self._stopped_at = 0.0
        self._stops = 0  # compiling a kernel may compile others

    def __call__(self) -> float:
        """Return the time."""
        return (self._stopped_at if self._stops else self._read()) - self._lost

    @property
    def is_running(self) -> bool:
        """Whether it runs now."""
        return not self._stops

    def stop(self) -> None:
        """Stop the clock; `go_on` must be called as often."""
        if not self._stops:
            self._stopped_at = self._read()
        self._stops += 1

    def go_on(self) -> None:
        """Let the clock go on, after as many calls as of `stop`."""
        self._stops -= 1
        if not self._stops:
            self._lost += self._read() - self._stopped_at


working_time = Clock(perf_counter)
working_cpu_time = Clock(process_time)
