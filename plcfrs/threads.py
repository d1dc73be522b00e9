"""One thread for the small matrices of networks: several would mostly wait for each other.

Where other programs are busy, waiting makes a network five to ten times as slow.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from functools import cached_property
from threading import Lock

from threadpoolctl import OpenBLASController, ThreadpoolController


class _OneThread(ContextDecorator):
    """A context in which NumPy multiplies matrices in one thread.

    The whole process has one number of threads. So the first of several overlapping contexts
    changes it, and the last one restores it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._contexts = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._contexts:
                self._limits = self._libraries.limit(limits=1)
            self._contexts += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._contexts -= 1
            if not self._contexts:
                self._limits.restore_original_limits()
            # Otherwise only this thread could change the number from now on.
            OpenBLASController.clear_controlling_thread()

    @cached_property
    def _libraries(self) -> ThreadpoolController:
        """The libraries of NumPy; finding them takes a millisecond, so it is done once."""
        return ThreadpoolController().select(user_api="blas")


one_thread = _OneThread()
"""The context of the process, also a decorator: ``@one_thread``."""
