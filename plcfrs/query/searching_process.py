"""The process that searches texts for regular expressions: a script with few imports."""

import marshal
import os
import re
import signal
import sys
from contextlib import suppress

_MEMORY = 1 << 30  # bytes
_LOOK = 0.5  # seconds between two looks at the parent


def main() -> None:
    """Answer questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    _end_with(os.getppid())
    with suppress(ImportError, OSError, ValueError):  # not on all systems
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    while True:
        try:
            pattern, ignores_case, texts = marshal.load(sys.stdin.buffer)
        except EOFError:
            return
        marshal.dump(_search(pattern, ignores_case, texts), sys.stdout.buffer)
        sys.stdout.flush()


def _end_with(parent: int) -> None:
    """End when the parent does, even while an expression is searched."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == parent else os._exit(1))
        signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)


def _search(pattern: str, ignores_case: bool, texts: list[str]) -> list[int] | str:
    """Return the numbers of the texts that match an expression, or what is wrong with it."""
    try:
        search = re.compile(pattern, re.IGNORECASE if ignores_case else 0).search
        return [place for place, text in enumerate(texts) if search(text)]
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not a regular expression: {error}"
    except MemoryError:
        return "takes too much memory"


if __name__ == "__main__":
    main()
