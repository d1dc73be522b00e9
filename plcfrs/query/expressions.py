r"""Regular expressions of queries: each searches many texts at once.

Python's engine cannot be stopped, and other threads wait for it: ``(\w+-?)+ungen$`` takes days for
some words. So the search runs in another process, which is killed when the time is over.
"""

from __future__ import annotations

import atexit
import marshal
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.stopping import StoppedError, check_stopped

MOST_SECONDS = 10.0
"""How long the regular expressions of a query may take, by default."""

_PROCESS = Path(__file__).with_name("searching_process.py")
_SECONDS_BETWEEN_CHECKS = 0.02
# Without these characters, the time for an expression is proportional to the length of the text.
_MAY_TAKE_LONG = re.compile(r"[*+?{|\[]")

_idle: list[subprocess.Popen[bytes]] = []


class Expression(NamedTuple):
    """A regular expression of Python; see `re`."""

    pattern: str
    ignores_case: bool = False

    def __str__(self) -> str:
        return f"{'i@' * self.ignores_case}/{self.pattern}/"

    def places(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of the texts that match, from 0.

        Raises
        ------
        InputError
            If it is not a regular expression, or takes too much memory.
        StoppedError
            If it takes too long, or the caller cancelled the search; see `plcfrs.stopping`.
        """
        if not self.ignores_case and not _MAY_TAKE_LONG.search(self.pattern):
            with suppress(re.error, OverflowError, RecursionError):  # the process reports it
                search = re.compile(self.pattern).search
                return [place for place, text in enumerate(texts) if search(text)]
        try:
            answer = _ask((self.pattern, self.ignores_case, list(texts)))
        except StoppedError as error:
            advice = "avoid a repeat within a repeat, such as (a+)+"
            raise StoppedError(
                f"the regular expression {self} was stopped: {error}; {advice}"
            ) from None
        if isinstance(answer, str):
            raise InputError(f"{self} {answer}")
        return answer


def _ask(question: tuple[str, bool, list[str]]) -> list[int] | str:
    """Return the answer of a process, which is kept for the next question."""
    process = _idle_or_new()
    answers: list[list[int] | str] = []

    def talk() -> None:
        assert process.stdin
        assert process.stdout
        with suppress(OSError, EOFError):  # the process has ended
            marshal.dump(question, process.stdin)
            process.stdin.flush()
            answers.append(marshal.load(process.stdout))

    thread = Thread(target=talk, daemon=True)
    thread.start()
    try:
        thread.join(_SECONDS_BETWEEN_CHECKS)
        while thread.is_alive():
            check_stopped()
            thread.join(_SECONDS_BETWEEN_CHECKS)
    except BaseException:
        process.kill()
        thread.join()
        _end(process)
        raise
    if not answers:
        _end(process)
        return "takes too much memory"
    _idle.append(process)
    return answers[0]


def _idle_or_new() -> subprocess.Popen[bytes]:
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.poll() is None:
                return process
            _end(process)
    # Without packages, for a fast start, and without warnings about syntax that may change.
    command = [sys.executable, "-I", "-S", "-W", "ignore", str(_PROCESS)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError), process:  # texts that were not sent yet are lost
        pass


@atexit.register
def _end_idle() -> None:
    with suppress(IndexError):  # other threads take them, too
        while True:
            _end(_idle.pop())


if hasattr(os, "register_at_fork"):  # two processes cannot share one
    os.register_at_fork(before=_end_idle)
