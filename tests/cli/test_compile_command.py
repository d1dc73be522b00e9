"""``plcfrs compile``: afterwards, the model compiles nothing."""

import os
import subprocess
import sys

import pytest

GRAMMAR = "grammars/evang-kallmeyer-figure-7.yaml"
PLCFRS = (sys.executable, "-m", "plcfrs")
USE = f"""
from plcfrs import load_model
from plcfrs.compiling import watchers
from plcfrs.jit import interpreter

interpreter.stop()
watchers.add(print)
model = load_model("{GRAMMAR}")
for number in 1, 2:
    model.parse_nbest([(tag, tag) for tag in model.tags], number)
"""


def run(*command, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.full
def test_nothing_is_left_to_compile(tmp_path):
    compiled = run(*PLCFRS, "compile", GRAMMAR, cache=tmp_path)
    assert compiled.returncode == 0
    assert str(tmp_path) in compiled.stderr.splitlines()[-1]
    used = run(sys.executable, "-c", USE, cache=tmp_path)
    assert (used.returncode, used.stdout) == (0, ""), used.stderr
    again = run(*PLCFRS, "compile", GRAMMAR, cache=tmp_path)
    assert again.stderr.startswith("0 kernels were compiled")


@pytest.mark.full
def test_a_cache_that_cannot_be_written_is_a_failed_run():
    done = run(*PLCFRS, "compile", GRAMMAR, cache=os.devnull)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("the compiled kernels could not be saved")


def test_a_file_that_is_not_a_model(plcfrs):
    done = plcfrs("compile", "nowhere.plcfrs")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "nowhere.plcfrs" in done.err
