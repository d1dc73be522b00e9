"""The program as a process, ``plcfrs`` or ``python -m plcfrs``: Ctrl-C always prints one line.

This module and the package itself import nothing that takes long, so that nearly all of the start
is inside `main`. We cannot change what Python does before.
"""

import gc
import signal
import sys
from _thread import interrupt_main
from threading import Timer
from types import FrameType

# Grammars and modules are many objects that stay: with the default of 700, the garbage collector
# would take a tenth of the start to look through them.
_NEW_OBJECTS = 200_000

# An exception during imports may be lost in some `except`; while LLVM compiles, its callbacks and
# its clean-up lose every exception.
_DEAF = ("_frozen_importlib", "importlib", "llvmlite")


class Interruption(KeyboardInterrupt):
    """Ctrl-C.

    If a plain KeyboardInterrupt passes through `exec` or `eval`, with which Numba and dataclasses
    make functions, Python ends by the signal even if the exception was caught.
    """


def main() -> None:
    """Run the command line with the arguments of the process."""
    gc.set_threshold(_NEW_OBJECTS)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not in the background
        signal.signal(signal.SIGINT, interrupt)
    try:
        from plcfrs.cli import run

        code = run(sys.argv[1:])
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # there is nothing left to interrupt
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("plcfrs: interrupted\n")
        code = 1
    sys.exit(code)


def interrupt(_signal: int, frame: FrameType | None) -> None:
    """Raise an `Interruption`, or try again in a moment if it could be lost here."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_DEAF):
            Timer(0.01, interrupt_main).start()
            return
        frame = frame.f_back
    raise Interruption


if __name__ == "__main__":
    main()
