import os
import subprocess
import sys

import pytest

from plcfrs.extract import Recipe
from plcfrs.transform import transform_all

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


@pytest.mark.full
def test_the_grammar_of_the_training_sections_is_shown_in_a_second(penn_treebank, tmp_path):
    path = tmp_path / "wsj.plcfrs"
    Recipe().grammar(transform_all(penn_treebank[:3396])).save(path)
    for arguments in ([], ["--lhs", "VP*", "--rhs", "WHNP"], ["--fan-out", "2", "--top", "50"]):
        inspect(str(path), *arguments)  # Python compiles its files
        before = os.times()
        done = inspect(str(path), *arguments)
        after = os.times()
        assert done.returncode == 0
        seconds = after.children_user + after.children_system
        seconds -= before.children_user + before.children_system
        assert seconds < 1.0, f"{seconds:.2f} s of CPU for inspect {' '.join(arguments)}"
