"""Fixtures for the tests of commands."""

import io
import sys
from typing import NamedTuple

import pytest

from plcfrs.cli import run


class Ran(NamedTuple):
    """What a command returned and printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def plcfrs(tmp_path, monkeypatch, capsys):
    """A function that runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def command(*arguments):
        code = run(list(map(str, arguments)))
        return Ran(code, *capsys.readouterr())

    return command


@pytest.fixture
def piped(monkeypatch):
    """A function that gives a text to the standard input of the next command."""

    def pipe(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))

    return pipe
