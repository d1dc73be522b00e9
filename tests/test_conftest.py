"""The settings of all tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from quick import PROFILES

CODE = """
import conftest
from hypothesis import given, strategies as st

@given(st.lists(st.integers()))
def show(numbers):
    print(numbers)

show()
"""


@pytest.mark.full
def test_in_ci_hypothesis_draws_the_same_examples_each_time():
    environment = {
        **os.environ,
        "CI": "true",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-c", CODE]
    first, second = (
        subprocess.run(
            command,
            env=environment,
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    )
    assert first == second
    assert first.count("[") == PROFILES["quick"]
