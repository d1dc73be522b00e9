"""Kernels run as Python code at first, so that a few short sentences need no compilation.

Compiling them takes as long as interpreting them for some dozens of short sentences. Therefore each
process has a few seconds for this, and compiles all kernels afterwards. A call that takes too long
is given up: its arrays are restored, and its kernel is compiled.

Only those kernels are interpreted that give the same results, to the last bit, as compiled ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter, thread_time
from types import FunctionType
from typing import Any

import numba
import numba.core.dispatcher
import numpy as np

from plcfrs.compiling import working_cpu_time, working_time

Kernel = Any  # a dispatcher of Numba
Dispatcher: Any = numba.core.dispatcher.Dispatcher
config: Any = numba.config

_PACKAGES = ("plcfrs.chart.kernel.", "plcfrs.networks.kernel")
_SECONDS = 6.0  # of CPU time
_BYTES = 1 << 26  # of the arrays of a call, which are copied before


class TooSlowError(Exception):
    """A call has used up the time for interpretation."""


class Interpreter:
    """Runs kernels as Python code for some seconds in all.

    Parameters
    ----------
    lock : RLock
        Held meanwhile: one thread at a time is interpreted, or compiles.
    """

    def __init__(self, lock: Any) -> None:  # noqa: ANN401 (of Numba)
        self.seconds = _SECONDS
        self._lock = lock
        self._end = self._next_look = 0.0
        self._namespaces: dict[str, dict[str, Any]] = {}

    def stop(self) -> None:
        """Have all kernels compiled from now on."""
        self.seconds = 0.0

    def wants(self, function: Callable[..., object]) -> bool:
        """Whether a function that is not compiled is interpreted now."""
        is_same = function.__module__.startswith(_PACKAGES)
        return is_same and self.seconds > 0.0 and working_time.is_running

    def run(self, kernel: Kernel, *arguments: object) -> object:
        """Return the result of a kernel, which is compiled if it cannot be interpreted in time."""
        arrays = [each for each in _arrays(arguments) if each.flags.writeable]
        if sum(each.nbytes for each in arrays) <= _BYTES:
            before = [each.copy() for each in arrays]
            try:
                result = self._interpret(kernel, arguments)
                return result.item() if isinstance(result, np.generic) else result
            except Exception:  # too slow, or a value has another type in Python than in Numba
                for array, old in zip(arrays, before, strict=True):
                    array[...] = old
        self.stop()
        return kernel(*arguments)

    def _interpret(self, kernel: Kernel, arguments: tuple[object, ...]) -> object:
        with self._lock:
            start = thread_time()
            self._end, self._next_look = start + self.seconds, 0.0
            working_time.stop()
            working_cpu_time.stop()
            try:
                with np.errstate(all="ignore"):
                    return self._namespace(kernel.__module__)[kernel.__name__](*arguments)
            finally:
                working_time.go_on()
                working_cpu_time.go_on()
                self.seconds -= thread_time() - start

    def _namespace(self, module: str) -> dict[str, Any]:
        """Return the names of a module, in which functions stand for the kernels."""
        if module not in self._namespaces:
            names = self._namespaces[module] = dict(vars(sys.modules[module]))
            for name, value in vars(sys.modules[module]).items():
                if isinstance(value, Dispatcher) and value.__module__ == module:
                    function = FunctionType(value.py_func.__code__, names)
                    names[name] = partial(self._in_time, function)
                elif isinstance(value, Dispatcher):
                    names[name] = self._namespace(value.__module__)[value.__name__]
        return self._namespaces[module]

    def _in_time(self, function: Callable[..., object], *arguments: object) -> object:
        if perf_counter() > self._next_look:  # faster to read than the other clock
            left = self._end - thread_time()
            if left < 0.0:
                raise TooSlowError
            self._next_look = perf_counter() + left
        return function(*arguments)


def _arrays(values: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield all arrays in nested tuples."""
    for value in values:
        if isinstance(value, tuple):
            yield from _arrays(value)
        elif isinstance(value, np.ndarray):
            yield value
