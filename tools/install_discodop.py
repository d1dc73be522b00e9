"""Install the scorer of disco-dop 0.5.2, which has not compiled since Python 3.8.

This downloads the release from PyPI with pip, fixes an import that Python 3.10 removed, and
installs the pure Python modules (scorer, trees, treebanks), without the C extensions, for the
Python that runs it. Disco-dop is under the GPL; ``pip uninstall disco-dop`` removes it.

    python tools/install_discodop.py
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAME, VERSION = "disco-dop", "0.5.2"
SHA256 = "8c44d9014b536e6f51416ba5d93540d1acd570b024e606d8d78e4f272ad96043"
BROKEN = "from collections import Set, Iterable"
MENDED = "from collections.abc import Set, Iterable"
PROJECT = f"""
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "{NAME}"
version = "{VERSION}+pure"
description = "The pure Python modules of {NAME} {VERSION}"
license = {{text = "GPL"}}
[tool.setuptools]
packages = ["discodop"]
include-package-data = false
"""


def main() -> None:
    """Download, fix and install."""
    with tempfile.TemporaryDirectory() as name:
        release = f"{NAME}=={VERSION}"
        _pip("download", "--no-deps", "--no-binary", NAME, "--dest", name, release)
        _pip("install", "--no-deps", "--force-reinstall", str(_mended(Path(name))))
    subprocess.run([sys.executable, "-c", "import discodop.eval"], check=True)


def _pip(*arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *arguments], check=True)


def _mended(folder: Path) -> Path:
    """Unpack the release, and return the folder of a project with its Python modules."""
    archive = folder / f"{NAME}-{VERSION}.tar.gz"
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{archive.name} is not the released file (its sha256 differs)")
    shutil.unpack_archive(archive, folder)
    project = folder / f"{NAME}-{VERSION}"
    utilities = project / "discodop" / "util.py"
    text = utilities.read_text(encoding="utf-8")
    if BROKEN not in text:
        sys.exit(f"{archive.name}: discodop/util.py has no line {BROKEN!r}")
    utilities.write_text(text.replace(BROKEN, MENDED), encoding="utf-8")
    for setup in project.glob("setup.*"):  # they would compile
        setup.unlink()
    (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    return project


if __name__ == "__main__":
    main()
