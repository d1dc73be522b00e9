"""A model with words that make a process misbehave, and functions for worker processes."""

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

from plcfrs.compiling import tell_watchers
from plcfrs.grammar import PRESETS
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import transform
from plcfrs.treebank import read_trees

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]


class Killer(GrammarModel):
    """KILL kills the process, ONCE:PATH only if there is no such file; HANG and WAIT:1 hang."""

    def _parse(self, sentences, wanted):
        for sentence in sentences:
            for word in sentence.words:
                obey(word)
        return super()._parse(sentences, wanted)


def killer() -> Killer:
    return Killer(
        PRESETS["evang-kallmeyer"].recipe.grammar(map(transform, read_trees("plcfrs:demo")))
    )


def obey(word):
    """Return what follows the colon, unless the word says what to do."""
    command, _, argument = str(word).partition(":")
    if command == "ONCE" and not Path(argument).exists():
        Path(argument).touch()
        command = "KILL"
    if command == "KILL":
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    if command == "HANG":
        time.sleep(1000)
    if command == "COMPILE":
        tell_watchers()
    if command in ("WAIT", "COMPILE"):
        time.sleep(float(argument))
    if command == "ERR":
        raise ZeroDivisionError("on purpose")
    if command == "PID":
        Path(argument).write_text(str(os.getpid()))
    return word


def environment() -> dict[str, str]:
    """Return the environment of a process that is to import this module."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def start():
    return obey


def start_with(value):
    return partial(pow, value)


def never_start():
    os._exit(3)
