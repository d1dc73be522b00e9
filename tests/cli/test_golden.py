"""Transcripts: a folder of tests/golden has a command, its input files, and its expected output.

`command` is the command line, run in a copy of the folder; lines before it are commands that
prepare it, whose models are shared. `input` is its standard input; `stdout`, `stderr` and `exit` (0
if missing) are expected; every file in `files/` is expected afterwards, with that content. To
accept a change, run with PLCFRS_ACCEPT=1 and read the diff.
"""

import hashlib
import io
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from quick import full

from plcfrs.cli import run

GOLDEN = Path(__file__).parent.parent / "golden"
SLOW = ("experiment", "inspect-substates-of-tag", "train-skipshift")
CASES = [
    full(path.name) if path.name in SLOW else path.name
    for path in sorted(GOLDEN.iterdir())
    if path.is_dir()
]
TIMES = re.compile(r"\d+\.\d\d s CPU(, .*tokens/s)?|(?<=seconds )\d+\.\d+")
COMPILATION = re.compile(r"compiling .*\n")  # unless it is in the cache


@pytest.mark.parametrize("case", CASES)
def test_golden(case, tmp_path, session_folder, monkeypatch, capsys):
    folder = tmp_path / case
    shutil.copytree(GOLDEN / case, folder)
    monkeypatch.chdir(folder)
    text = (folder / "input").read_bytes() if (folder / "input").exists() else b""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
    *preparations, command = (folder / "command").read_text(encoding="utf-8").splitlines()
    for line in preparations:
        prepare(arguments_of(line), session_folder)
        capsys.readouterr()
    code = run(arguments_of(command))
    captured = capsys.readouterr()
    check(case, "stdout", captured.out)
    check(case, "stderr", COMPILATION.sub("", TIMES.sub("N s CPU", captured.err)))
    check(case, "exit", f"{code}\n" if code else "")
    for file in sorted((GOLDEN / case / "files").glob("*")):
        check(case, f"files/{file.name}", (folder / file.name).read_text(encoding="utf-8"))


def prepare(arguments: list[str], shared: Path) -> None:
    """Run a command in the folder of the case, or copy the model that another case has trained."""
    if arguments[0] != "train":
        assert run(arguments) == 0
        return
    *training, _, output = arguments
    key = hashlib.sha256(" ".join(training).encode()).hexdigest()[:16]
    model = shared / f"{key}-{output}"
    if not model.exists():
        assert run(arguments) == 0
        part = shared / f"{os.getpid()}-{model.name}"
        shutil.copy(output, part)
        part.replace(model)  # another process may have trained the same one
    shutil.copy(model, output)


def arguments_of(line: str) -> list[str]:
    """Return the arguments of plcfrs in a command line."""
    program, *arguments = shlex.split(line)
    assert program == "plcfrs"
    return arguments


def check(case: str, name: str, found: str) -> None:
    """Compare the output with a file of the case, or write it there."""
    path = GOLDEN / case / name
    if os.environ.get("PLCFRS_ACCEPT"):
        if found or path.exists():
            path.write_text(found, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    assert found == expected, f"{case}: {name} differs"
