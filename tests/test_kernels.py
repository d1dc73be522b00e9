"""The cache of machine code is named by the sources of all kernels."""

import re
from pathlib import Path

import plcfrs

ROOT = Path(plcfrs.__file__).parent


def test_kernels_are_in_the_files_that_name_the_cache():
    hashed = {*ROOT.rglob("kernel.py"), *ROOT.rglob("kernel/*.py")}
    having_kernels = {
        path
        for path in ROOT.rglob("*.py")
        if re.search(r"^from plcfrs\.jit import .*kernel", path.read_text("utf-8"), re.MULTILINE)
    }
    assert having_kernels
    assert having_kernels <= hashed
