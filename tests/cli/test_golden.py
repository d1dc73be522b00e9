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
from collections import defaultdict
from difflib import unified_diff
from pathlib import Path

import pytest
from quick import full

from plcfrs.cli import run

GOLDEN = Path(__file__).parent.parent / "golden"
SLOW = (
    "compare",
    "experiment",
    "explain-features",
    "inspect-substates-of-tag",
    "parse-features",
    "parse-features-words",
    "parse-nbest-features",
    "parse-refined-words",
    "train-skipshift",
)
TIMES = re.compile(r"\d+\.\d\d s CPU(, .*tokens/s)?|(?<=seconds )\d+\.\d+")
COMPILATION = re.compile(r"compiling .*\n")  # unless it is in the cache


def cases() -> dict[str, list[str]]:
    """Return the cases of each command, and the slow cases."""
    found = defaultdict(list)
    for path in sorted(GOLDEN.iterdir()):
        *_, line = (path / "command").read_text(encoding="utf-8").splitlines()
        found["slow" if path.name in SLOW else line.split()[1]].append(path.name)
    return found


@pytest.mark.parametrize(
    "cases",
    [
        full(names, id=key) if key == "slow" else pytest.param(names, id=key)
        for key, names in cases().items()
    ],
)
def test_golden(cases, tmp_path, session_folder, monkeypatch, capsys):
    differences = []
    for case in cases:
        shutil.copytree(GOLDEN / case, tmp_path / case)
        monkeypatch.chdir(tmp_path / case)
        text = Path("input").read_bytes() if Path("input").exists() else b""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
        *preparations, command = Path("command").read_text(encoding="utf-8").splitlines()
        for line in preparations:
            prepare(arguments_of(line), session_folder)
            capsys.readouterr()
        code = run(arguments_of(command))
        captured = capsys.readouterr()
        found = {
            "stdout": captured.out,
            "stderr": COMPILATION.sub("", TIMES.sub("N s CPU", captured.err)),
            "exit": f"{code}\n" if code else "",
        }
        for file in sorted((GOLDEN / case / "files").glob("*")):
            found[f"files/{file.name}"] = Path(file.name).read_text(encoding="utf-8")
        differences += [line for name in found for line in difference(case, name, found[name])]
    assert not differences, "\n" + "\n".join(differences)


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


def difference(case: str, name: str, found: str) -> list[str]:
    """Return the lines in which the output differs from a file of the case, or accept it."""
    path = GOLDEN / case / name
    if os.environ.get("PLCFRS_ACCEPT"):
        if found or path.exists():
            path.write_text(found, encoding="utf-8")
        return []
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = (text.splitlines(keepends=True) for text in (expected, found))
    return [line.rstrip("\n") for line in unified_diff(*lines, f"{case}/{name}", "now")]
