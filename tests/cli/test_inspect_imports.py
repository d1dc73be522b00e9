import subprocess
import sys

INSPECT = """
import sys
from plcfrs.cli import run

FIGURE = "grammars/evang-kallmeyer-figure-{}.yaml"
for options in [], ["--lhs", "VP_2"], ["--diff", FIGURE.format(6)], ["-o", "-"]:
    code = run(["inspect", FIGURE.format(7), *options])
    print(code, "numba" in sys.modules, "lark" in sys.modules, file=sys.stderr)
"""


def test_numba_is_not_imported():
    done = subprocess.run([sys.executable, "-c", INSPECT], capture_output=True, text=True)
    assert done.stderr == 4 * "0 False False\n"
