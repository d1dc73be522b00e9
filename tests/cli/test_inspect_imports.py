import subprocess
import sys

LOADED = "import sys; from plcfrs.cli import run; code = run(sys.argv[1:]); "
LOADED += "print('numba' in sys.modules, 'lark' in sys.modules, file=sys.stderr); sys.exit(code)"


def inspect(*arguments):
    return subprocess.run(
        [sys.executable, "-c", LOADED, "inspect", *arguments], capture_output=True, text=True
    )


def test_numba_is_not_imported():
    for arguments in (
        [],
        ["--lhs", "VP_2"],
        ["--diff", "grammars/evang-kallmeyer-figure-6.yaml"],
        ["-o", "-"],
    ):
        done = inspect("grammars/evang-kallmeyer-figure-7.yaml", *arguments)
        assert (done.returncode, done.stderr) == (0, "False False\n")
