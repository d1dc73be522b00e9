"""How much of many examples `pytest` takes: a few, and all of them with `-m ""`."""

import pytest
from hypothesis import settings

PROFILES = {"quick": 3, "full": 20}
"""The examples of a test that states no number of its own."""


def examples(number, **others):
    """Settings for a number of examples in a full run, and a few in the core."""
    share = settings.default.max_examples / PROFILES["full"]
    return settings(max_examples=number if share == 1 else min(9, round(number * share)), **others)


def core(number, names, cases, **others):
    """Parametrize a test: a number of cases, spread evenly, are core, and the others are full."""
    cases = list(cases)
    step = (len(cases) - 1) / max(number - 1, 1)
    chosen = {round(place * step) for place in range(number)}
    marked = [case if i in chosen else _full(names, case) for i, case in enumerate(cases)]
    return pytest.mark.parametrize(names, marked, **others)


def _full(names, case):
    """Mark a case of a parametrized test."""
    if hasattr(case, "marks"):  # it is a pytest.param
        return case._replace(marks=[*case.marks, pytest.mark.full])
    several = not isinstance(names, str) or "," in names
    return pytest.param(*(case if several else [case]), marks=pytest.mark.full)


def full(*values, **others):
    """Parameters of a test for a full run alone."""
    return pytest.param(*values, marks=pytest.mark.full, **others)


JOBS = [1, full(2)]
"""Numbers of processes: a quick run starts none."""
