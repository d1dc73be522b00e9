"""Damaged files give a result or a readable error.

Small valid files are changed at random (`fuzz_mutations.py`) and read, and the results are used
(`fuzz_targets.py`): trees are written in every format, grammars are written and used for parsing.
Findings of longer runs are tested where they were fixed.
"""

import os
import signal
import time
import traceback
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from fuzz_targets import TARGETS
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from quick import examples

from plcfrs.errors import PlcfrsError

pytestmark = pytest.mark.full

SLOW = ("refined", "features", "lexicon", "zip")
MOST_SECONDS = 10  # of CPU time, for an input
TURN = 0.2  # seconds for a target before the next one's turn


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_are_right(tmp_path, name):
    """Otherwise all changes would only find the first error."""
    for content in TARGETS[name].seeds:
        TARGETS[name].use(content, tmp_path)


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in SLOW])
@examples(8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(random=st.randoms(use_true_random=False))
def test_a_result_or_an_error_for_people(tmp_path, name, random):
    try:
        TARGETS[name].use(TARGETS[name].mutated(random), tmp_path)
    except PlcfrsError as error:
        assert "\n" not in str(error)  # noqa: PT017 (there may be none)


class TooSlowError(Exception):
    """An input took too long."""


def too_slow(*_):
    raise TooSlowError


def crash(target, content, folder):
    """Use a file, and return where this crashes, or None; keep the file in case Python dies."""
    current = folder / f"current-{target.name}"
    current.write_bytes(content)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        with suppress(PlcfrsError):
            target.use(content, folder)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        place = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[::-1])
        return f"{type(error).__name__} at {place}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    current.unlink()
    return None


def test_all_readers_by_turns(tmp_path):
    """In CI always with the same inputs, like Hypothesis; elsewhere with new ones.

    PLCFRS_FUZZ_SECONDS says how long (30 by default). Each input that crashes is kept.
    """
    seconds = float(os.environ.get("PLCFRS_FUZZ_SECONDS", "30"))
    seed = 1 if os.environ.get("CI") else Random().randrange(10**9)
    signal.signal(signal.SIGVTALRM, too_slow)
    turns = [(target, Random(f"{seed} {target.name}")) for target in TARGETS.values()]
    crashes = {}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for target, random in turns:
            turn = time.monotonic() + min(TURN, seconds / len(turns))
            while time.monotonic() < turn:
                content = target.mutated(random)
                found = crash(target, content, tmp_path)
                if found and found not in crashes:
                    crashes[found] = tmp_path / f"crash-{len(crashes) + 1}-{target.name}"
                    crashes[found].write_bytes(content)
    assert not crashes, "\n".join(f"{path}: {found}" for found, path in crashes.items())
