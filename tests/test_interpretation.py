"""Kernels that are interpreted give what compiled ones give, and take no longer than they may."""

import os
import subprocess
import sys
from itertools import count
from threading import RLock

import numpy as np
import pytest

from plcfrs import interpretation
from plcfrs.interpretation import Interpreter
from plcfrs.jit import kernel

PARSING = """
import sys
from plcfrs import load_model, read_trees, train
from plcfrs.jit import interpreter

interpreter.seconds = float(sys.argv[1])
trees = list(read_trees("plcfrs:demo"))[:12]
for model in (load_model("plcfrs:english"), train("grammar", "plcfrs:demo")):
    for tree in trees:
        for objective in model.objectives:
            parse = model.parse(tree, objective=objective, posteriors=True, explained=True)
            print(parse.tree, repr(parse.score), parse.posteriors, parse.explanation)
        if "nbest" in model.capabilities:
            print(*((each.tree, repr(each.score)) for each in model.parse_nbest(tree, 5)))
print(interpreter.seconds > 0, file=sys.stderr)
"""


def parse(seconds, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", PARSING, seconds]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


@pytest.mark.full
def test_parses_are_the_same(tmp_path):
    interpreted, still = parse("inf", tmp_path)
    assert still == "True\n"
    assert not list(tmp_path.rglob("chart.kernel*/*.nbi"))
    assert interpreted
    for seconds in ("0.2", "0"):  # changing over in the middle of a search, and compiled
        assert parse(seconds, tmp_path) == (interpreted, "False\n")


@kernel
def one():
    return np.int64(1)


@kernel
def add_ones(numbers):
    for place in range(numbers.shape[0]):
        numbers[place] += one()
    return numbers[0]


def test_a_kernel_does_what_it_does_compiled():
    interpreter, numbers = Interpreter(RLock()), np.zeros(9, np.int64)
    result = interpreter.run(add_ones, numbers)
    assert (numbers == 1).all()
    assert type(result) is int
    assert interpreter.seconds > 0


def test_a_call_that_takes_too_long_is_undone_and_compiled(monkeypatch):
    ticks = count()
    monkeypatch.setattr(interpretation, "thread_time", lambda: next(ticks))
    monkeypatch.setattr(interpretation, "perf_counter", lambda: next(ticks))
    interpreter, numbers = Interpreter(RLock()), np.zeros(9, np.int64)
    assert interpreter.run(add_ones, numbers) == 1
    assert (numbers == 1).all()
    assert interpreter.seconds == 0


def test_a_call_with_large_arrays_is_compiled(monkeypatch):
    monkeypatch.setattr(interpretation, "_BYTES", 8)
    interpreter, numbers = Interpreter(RLock()), np.zeros(9, np.int64)
    interpreter.run(add_ones, numbers)
    assert (numbers == 1).all()
    assert interpreter.seconds == 0
