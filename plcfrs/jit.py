"""The decorators of all kernels, and the cache of their machine code.

Processes share the cache: while one compiles a kernel, others that need it wait, and then load it.

Numba notices an edited kernel, but not an edited callee in another file. Therefore the cache folder
is named after a hash of all kernel sources: any edit compiles all of them again. Copies of plcfrs
with the same sources share it, wherever they are. Folders that have not been used for a month are
removed.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile
from typing import Any, TypeVar, cast

import numba
import numba.core.caching
import numba.core.compiler_lock
import numba.core.event
import numpy as np

from plcfrs.compiling import tell_watchers, user_cache, working_cpu_time, working_time
from plcfrs.interpretation import Interpreter

if sys.platform != "win32":
    import fcntl

config: Any = numba.config
njit: Any = numba.njit
event: Any = numba.core.event
FunctionCache: Any = numba.core.caching.FunctionCache
CompileResultCacheImpl: Any = numba.core.caching.CompileResultCacheImpl
compiler_lock: Any = numba.core.compiler_lock.global_compiler_lock

interpreter = Interpreter(compiler_lock)

_PACKAGE = Path(__file__).parent
_CACHE_NAME = re.compile("kernels-[0-9a-f]{16}")
_WAITING = "plcfrs:waiting"  # the event of waiting for another process
_MONTH = 30 * 24 * 60 * 60.0  # seconds

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function with Numba, without the interpreter lock, cached for this user.

    The function must not make arrays: then Numba need not count references, which would take half
    of the time.
    """
    return _compile(function)


def inner_kernel(function: Function) -> Function:
    """Compile a kernel that only kernels call, without a wrapper for Python."""
    return _compile(function, no_cpython_wrapper=True)


def _compile(function: Function, **options: bool) -> Function:
    dispatcher = njit(nogil=True, _nrt=False, no_cfunc_wrapper=True, **options)(function)
    if not config.DISABLE_JIT:
        dispatcher.compile = partial(_compile_alone, dispatcher, dispatcher.compile)
    return cast(Function, dispatcher)


class _NotKeptError(Exception):
    """A kernel is not in the cache, and is interpreted."""


class _Lock:
    """A lock among processes, which ends with them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def acquire(self, waiting: AbstractContextManager[object]) -> None:
        """Wait for the lock, unless this process has it or the file system knows no locks."""
        if self._descriptor >= 0 or sys.platform == "win32":
            return
        with suppress(OSError):
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                with waiting:
                    fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def release(self) -> None:
        """Let another process have the lock, if this one has it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _compile_alone(
    dispatcher: Any,  # noqa: ANN401 (of Numba)
    compile: Callable[[object], object],
    signature: object,
) -> object:
    """Load a kernel, compile it while no other process does, or return what interprets it.

    Kernels do not call each other in circles, so no two processes wait for each other.
    """
    with compiler_lock:
        if not isinstance(dispatcher._cache, _SharedCache):  # the first time: most are never needed
            dispatcher._cache = _SharedCache(dispatcher.py_func)
        try:
            return compile(signature)
        except _NotKeptError:
            return partial(interpreter.run, dispatcher)
        finally:
            dispatcher._cache.lock.release()


class _Locator:
    """The place of the machine code of a kernel: a folder with a hash of its sources in the name.

    Numba's own locators ask where the source is and when it was changed.
    """

    def __init__(self, function: Callable[..., object], path: str) -> None:
        self._py_file = path  # Numba's warnings name it
        self._folder = str(CACHE / function.__module__)
        self._line = str(function.__code__.co_firstlineno)

    from_function = classmethod(lambda cls, function, path: cls(function, path))

    def ensure_cache_path(self) -> None:
        Path(self._folder).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> None:
        return None

    def get_disambiguator(self) -> str:
        return self._line


class _Storage(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _SharedCache(FunctionCache):  # type: ignore[misc]
    """The cache of a kernel, whose misses wait until no other process compiles it.

    The machine code of kernels, which do not count references, does not need the modules that Numba
    would import before it loads the code, which takes 0.15 s.
    """

    _impl_class = _Storage
    trouble = ""  # why no process can keep its kernels

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        self.lock = _Lock(CACHE / f"{function.__module__}.{function.__qualname__}.lock")

    def load_overload(self, sig: object, target_context: Any) -> object:  # noqa: ANN401 (of Numba)
        """Return the compiled kernel, or None if it is to be compiled."""
        code = self._load(sig, target_context)
        if code is None:
            if interpreter.wants(self._py_func):
                raise _NotKeptError
            self.lock.acquire(event.trigger_event(_WAITING, {"function": self._py_func}))
            code = self._load(sig, target_context)  # another process may have compiled it now
        return code

    def save_overload(self, sig: object, data: object) -> None:
        """Keep a compiled kernel, unless an earlier one could not be kept."""
        if not _SharedCache.trouble:
            try:
                super().save_overload(sig, data)
            except OSError as error:
                _SharedCache.trouble = f"{CACHE}: {error.strerror}"
                tell_watchers(_SharedCache.trouble)

    def _load(self, sig: object, target_context: Any) -> object:  # noqa: ANN401
        """Return the compiled kernel, or None if there is none or its file cannot be read."""
        try:
            return self._load_overload(sig, target_context)
        except OSError:
            return None
        except Exception:  # whatever a damaged pickle raises
            with suppress(OSError):
                self.flush()
            return None


class _Announcement(event.Listener):  # type: ignore[misc]
    """Stops the clocks while this process compiles kernels or waits for them, and tells watchers.

    What is read from the cache is not compiled.
    """

    def on_start(self, event: Any) -> None:  # noqa: ANN401 (of Numba)
        working_time.stop()
        working_cpu_time.stop()
        if _is_kernel(event):
            tell_watchers(_SharedCache.trouble)

    def on_end(self, event: Any) -> None:  # noqa: ANN401, ARG002
        working_time.go_on()
        working_cpu_time.go_on()


event.register("numba:compile", _Announcement())
event.register(_WAITING, _Announcement())


def _is_kernel(event: Any) -> bool:  # noqa: ANN401
    """Whether a function is ours: Numba compiles functions of its own, too."""
    function = event.data.get("function") or event.data["dispatcher"].py_func
    return str(function.__module__).startswith("plcfrs.")


def _cache_folder() -> Path:
    versions = f"{numba.__version__} {sys.version}"
    digest = hashlib.sha256(versions.encode())
    kernels = [*_PACKAGE.rglob("kernel.py"), *_PACKAGE.rglob("kernel/*.py")]
    for source in [Path(__file__), *sorted(kernels)]:
        digest.update(source.read_bytes())
    return Path(config.CACHE_DIR or user_cache()) / "plcfrs" / f"kernels-{digest.hexdigest()[:16]}"


def _trouble_with(folder: Path) -> str:
    """Return why files cannot be made in a folder; empty if they can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        return f"{folder}: {error.strerror}"
    return ""


def _remove_unused() -> None:
    """Mark the cache as used, and remove caches that have not been used for a month.

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
_SharedCache.trouble = _trouble_with(CACHE)
if not _SharedCache.trouble:
    _remove_unused()


@kernel
def wide(number: int) -> int:
    """Return an integer of any width as 64 bits, so that kernels that get it are compiled once."""
    return np.int64(number)  # type: ignore[return-value]
