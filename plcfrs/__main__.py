"""The program as a process, ``plcfrs`` or ``python -m plcfrs``: whenever Ctrl-C comes, one line.

This module, and the package itself, import nothing that takes time, so that nearly all of the
start is below `main`. What Python does before that is not in our hands.
"""

import signal
import sys
from _thread import interrupt_main
from threading import Timer
from types import FrameType

# An exception among imports may be lost in somebody's `except`; LLVM, while it compiles, calls back
# and cleans up where every exception is lost.
_DEAF = ("_frozen_importlib", "importlib", "llvmlite")


class Interruption(KeyboardInterrupt):
    """Ctrl-C.

    If an exception that is just a KeyboardInterrupt passes through `exec` or `eval`, by which
    Numba and data classes make functions, Python ends by the signal even if it was caught.
    """


def main() -> None:
    """Run the command line with the arguments of the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # in the background it is not
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
    """Raise an `Interruption`, a moment later if it could be lost here."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_DEAF):
            Timer(0.01, interrupt_main).start()
            return
        frame = frame.f_back
    raise Interruption


if __name__ == "__main__":
    main()
