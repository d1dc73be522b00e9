"""Completion: what click answers to a shell, and what bash makes of it."""

import os
import shutil
import subprocess
import sys

import pytest

from plcfrs.cli import run


def complete(words, number):
    """Return the kinds and values that plcfrs tells bash."""
    environment = {
        **os.environ,
        "_PLCFRS_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(number),
    }
    command = [sys.executable, "-m", "plcfrs"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.full
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("plcfrs tra", ["plain,transform", "plain,train"]),
        ("plcfrs train sk", ["plain,skipshift"]),
        ("plcfrs extract --est", ["plain,--estimator"]),
        ("plcfrs extract --estimator fact", ["plain,factored"]),
        ("plcfrs parse gram", ["file,gram"]),
        ("plcfrs --vers", ["plain,--version"]),
    ],
)
def test_what_click_answers(words, expected):
    assert complete(words, len(words.split()) - 1) == expected


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes(tmp_path, capfd):
    assert run(["completion", "bash"]) == 0
    (tmp_path / "plcfrs").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m plcfrs "$@"\n')
    (tmp_path / "plcfrs").chmod(0o755)
    script = f"""{capfd.readouterr().out}
        COMP_WORDS=(plcfrs tra); COMP_CWORD=1
        _plcfrs_completion plcfrs
        echo "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["transform", "train"]


def test_scripts(capsys):
    for shell in ["bash", "zsh", "fish"]:
        assert run(["completion", shell]) == 0
        assert "_PLCFRS_COMPLETE=" + shell in capsys.readouterr().out
