"""Install the scorer of disco-dop 0.5.2, which has not compiled since Python 3.8.

This downloads the release from PyPI with pip, fixes an import that Python 3.10 removed, and
installs the pure Python modules (scorer, trees, treebanks), without the C extensions, for the
Python that runs it. Disco-dop is under the GPL; ``pip uninstall disco-dop`` removes it.

    python tools/install_discodop.py
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

NAME, VERSION = "disco-dop", "0.5.2"
RELEASE = f"{NAME}-{VERSION}"
SHA256 = "8c44d9014b536e6f51416ba5d93540d1acd570b024e606d8d78e4f272ad96043"
BROKEN = "from collections import Set, Iterable"
MENDED = "from collections.abc import Set, Iterable"
MENDED_VERSION = f"{VERSION}+pure"
METADATA = f"disco_dop-{MENDED_VERSION}.dist-info"
FILES = {
    f"{METADATA}/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {MENDED_VERSION}\n"
    f"Summary: The pure Python modules of {NAME} {VERSION}\nLicense: GPL\n",
    f"{METADATA}/WHEEL": "Wheel-Version: 1.0\nGenerator: plcfrs\nRoot-Is-Purelib: true\n"
    "Tag: py3-none-any\n",
}


def main() -> None:
    """Download, fix and install."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        release = f"{NAME}=={VERSION}"
        _pip("download", "--no-deps", "--no-binary", NAME, "--dest", name, release)
        wheel = folder / f"disco_dop-{MENDED_VERSION}-py3-none-any.whl"
        _write_wheel(wheel, _modules(folder / f"{RELEASE}.tar.gz"))
        _pip("install", "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    subprocess.run([sys.executable, "-c", "import discodop.eval"], check=True)


def _pip(*arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *arguments], check=True)


def _modules(archive: Path) -> dict[str, str]:
    """Return the fixed Python modules of the release by their paths, and the licence."""
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{archive.name} is not the released file (its sha256 differs)")
    found = {}
    with tarfile.open(archive) as release:
        for member in release.getmembers():
            path = member.name.removeprefix(f"{RELEASE}/")
            content = release.extractfile(member)
            if content and (path == "LICENSE" or Path(path).match("discodop/*.py")):
                found[path] = content.read().decode("utf-8")
    if BROKEN not in found["discodop/util.py"]:
        sys.exit(f"{archive.name}: discodop/util.py has no line {BROKEN!r}")
    found["discodop/util.py"] = found["discodop/util.py"].replace(BROKEN, MENDED)
    found[f"{METADATA}/LICENSE"] = found.pop("LICENSE")
    return found


def _write_wheel(path: Path, modules: dict[str, str]) -> None:
    contents = {**modules, **FILES}
    record = f"{METADATA}/RECORD"
    contents[record] = "".join(f"{name},,\n" for name in [*contents, record])
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in contents.items():
            wheel.writestr(name, text)


if __name__ == "__main__":
    main()
