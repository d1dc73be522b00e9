"""Inspecting a grammar imports no compiler and no parser of queries."""

import subprocess
import sys

import pytest

INSPECT = """
import sys
from plcfrs.cli import run

FIGURE = "grammars/evang-kallmeyer-figure-{}.yaml"
for options in [], ["--lhs", "VP_2"], ["--diff", FIGURE.format(6)], ["-o", "-"]:
    code = run(["inspect", FIGURE.format(7), *options])
    print(code, "numba" in sys.modules, "lark" in sys.modules, file=sys.stderr)
"""


@pytest.mark.full
def test_numba_is_not_imported():
    done = subprocess.run([sys.executable, "-c", INSPECT], capture_output=True, text=True)
    assert done.stderr == 4 * "0 False False\n"
