"""Watchers that are told when kernels are compiled; Numba itself, a slow import, is not here."""

from __future__ import annotations

from collections.abc import Callable

watchers: set[Callable[[], object]] = set()
"""Called whenever a kernel is compiled here or in a worker process, or when one is waited for."""


def tell_watchers() -> None:
    """Call all watchers; they may leave meanwhile."""
    for watcher in tuple(watchers):
        watcher()
