"""The decorators of all kernels, and the cache of their machine code.

Numba notices an edited kernel, but not an edited callee in another file. Therefore the cache folder
is named after a hash of all kernel sources: any edit compiles all of them again. Folders that have
not been used for a month are removed.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar, cast

import numba
import numba.core.event
import numpy as np

config: Any = numba.config
njit: Any = numba.njit
event: Any = numba.core.event

_PACKAGE = Path(__file__).parent
_CACHE_NAME = re.compile("kernels-[0-9a-f]{16}")
_MONTH = 30 * 24 * 60 * 60.0  # seconds

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function with Numba, without the interpreter lock, cached for this user.

    The function must not make arrays: then Numba need not count references, which would take half
    of the time.
    """
    return _compile(function, _nrt=False)


def inner_kernel(function: Function) -> Function:
    """Compile a kernel that only kernels call, without a wrapper for Python."""
    return _compile(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def making_kernel(function: Function) -> Function:
    """Compile a kernel that makes arrays."""
    return _compile(function)


def _compile(function: Function, **options: bool) -> Function:
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE)
    try:
        decorator = njit(nogil=True, cache=CACHE_IS_WRITABLE, **options)
        return cast(Function, decorator(function))
    finally:
        config.CACHE_DIR = previous


def is_compiled(kernel: str) -> bool:
    """Return whether the machine code of a kernel, ``module.function``, is in the cache."""
    return bool(config.DISABLE_JIT) or any(CACHE.glob(f"**/{kernel}-*.nbc"))


def watch_compilation(begin: Callable[[str], object], end: Callable[[], object]) -> None:
    """Call functions whenever kernels are compiled, from now on until the process ends.

    What is read from the cache is not compiled. Numba has a lock around all this: no two threads
    compile at the same time.

    Parameters
    ----------
    begin : callable
        Gets the kernel, ``module.function``. It may begin while one that calls it is compiled.
    end : callable
        Called when the kernel that began last is compiled, or could not be.
    """
    event.register("numba:compile", _Listener(begin, end))


class _Listener(event.Listener):  # type: ignore[misc]
    """What Numba calls; it compiles functions of its own, too, and they do not count."""

    def __init__(self, begin: Callable[[str], object], end: Callable[[], object]) -> None:
        self._begin = begin
        self._end = end

    def on_start(self, event: Any) -> None:  # noqa: ANN401 (of Numba)
        if kernel := _kernel_of(event):
            self._begin(kernel)

    def on_end(self, event: Any) -> None:  # noqa: ANN401
        if _kernel_of(event):
            self._end()


def _kernel_of(event: Any) -> str:  # noqa: ANN401
    function = event.data["dispatcher"].py_func
    package, _, module = function.__module__.rpartition(".")
    return f"{module}.{function.__name__}" if package.startswith("plcfrs") else ""


def _cache_folder() -> Path:
    versions = f"{numba.__version__} {sys.version}"
    digest = hashlib.sha256(versions.encode())
    for source in [Path(__file__), *sorted(_PACKAGE.glob("*/kernel/*.py"))]:
        digest.update(source.read_bytes())
    return _user_cache() / "plcfrs" / f"kernels-{digest.hexdigest()[:16]}"


def _user_cache() -> Path:
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _remove_unused() -> None:
    """Mark the cache as used, and remove caches of other versions that are out of use.

    Other processes may do the same, or use those caches: Numba compiles what it does not find.
    """
    with suppress(OSError):  # the cache of another user
        os.utime(CACHE)
    for folder in CACHE.parent.glob("kernels-*"):
        with suppress(OSError):  # another process was faster
            is_unused = folder.lstat().st_mtime < time.time() - _MONTH
            if is_unused and folder != CACHE and _CACHE_NAME.fullmatch(folder.name):
                rmtree(folder, ignore_errors=True)


CACHE = _cache_folder()
CACHE_IS_WRITABLE = _is_writable(CACHE)
if CACHE_IS_WRITABLE:
    _remove_unused()


@kernel
def wide(number: int) -> int:
    """Return an integer of any width as 64 bits, so that kernels that get it are compiled once."""
    return np.int64(number)  # type: ignore[return-value]
