"""The code that figures depend on: a hash of each folder of it, without comments and docstrings.

A tool depends on itself and on the folders of the package of which it has imported a module. What
other processes run for it, or reads, it names by `Report.uses`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from house import ROOT, code_in

# Names and messages, options, and pictures: figures depend on them only where a tool says so.
SHOWN = {"plcfrs", "plcfrs/cli", "plcfrs/drawing"}


def imported() -> set[str]:
    """Return the folders of the package from which a module was imported."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    folders = {Path(file).parent for file in files if file}
    inside = {folder for folder in folders if folder.is_relative_to(ROOT / "plcfrs")}
    return {folder.relative_to(ROOT).as_posix() for folder in inside} - SHOWN


def hashes(names: Iterable[str]) -> dict[str, str]:
    """Return a hash of each file, or of the modules in each folder without those below."""
    return {name: _hash(ROOT / name) for name in sorted(names)}


@cache
def _hash(path: Path) -> str:
    modules = sorted(file for file in path.glob("*") if file.suffix in {".py", ".js"})
    files = [path] if path.is_file() else modules
    found = hashlib.sha256(b"".join(file.name.encode() + b"\0" + _code(file) for file in files))
    return found.hexdigest()[:12]


def _code(file: Path) -> bytes:
    is_python = file.suffix == ".py"
    return code_in(file.read_text("utf-8")).encode() if is_python else file.read_bytes()
