"""The settings of all tests."""

import os
import subprocess
import sys
from collections import Counter
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


def test_no_two_files_of_tests_have_the_same_name():
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []  # pytest imports them by name
