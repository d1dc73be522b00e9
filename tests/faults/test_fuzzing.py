"""A short run of `tools/fuzz.py`: damaged files give a result or a readable error.

Findings of longer runs are tested where they were fixed.
"""

import os
import sys
import warnings
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from quick import examples

from plcfrs.errors import PlcfrsError
from plcfrs.experiment.loading import load_experiment
from plcfrs.query import parse_query

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from fuzz import Findings, fuzz_at_random
from fuzz_targets import TARGETS

SLOW = ("refined", "features", "lexicon", "zip")


@pytest.mark.full
@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_are_right(tmp_path, name):
    """Otherwise all changes would only find the first error."""
    for content in TARGETS[name].seeds:
        TARGETS[name].use(content, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in TARGETS if name not in SLOW])
@examples(8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(random=st.randoms(use_true_random=False))
def test_a_result_or_an_error_for_people(tmp_path, name, random):
    try:
        TARGETS[name].use(TARGETS[name].mutated(random), tmp_path)
    except PlcfrsError as error:
        assert "\n" not in str(error)  # noqa: PT017 (there may be none)


@pytest.mark.full
def test_half_a_minute_of_it(tmp_path):
    """In CI always with the same inputs, like Hypothesis; elsewhere with new ones."""
    seed = 1 if os.environ.get("CI") else Random().randrange(10**9)
    findings = Findings(tmp_path / "findings")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fuzz_at_random(TARGETS.values(), 30, seed, findings)
    assert not findings.crashes, str(findings)


def test_numbers_of_thousands_of_digits(tmp_path):
    """Found by fuzzing."""
    path = tmp_path / "x.yaml"
    path.write_bytes(
        TARGETS["experiment"].seeds[0].replace(b"grammars: 2", b"grammars: " + b"9" * 20)
    )
    with pytest.raises(PlcfrsError, match="is not a whole number from 1 to 1000"):
        load_experiment(path)
    with pytest.raises(PlcfrsError, match="query, column"):
        parse_query(f"VP <{'9' * 5000} NP")
