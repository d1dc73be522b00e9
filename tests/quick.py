"""How many examples Hypothesis draws: `pytest` draws a few, `pytest -m ""` all of them."""

from hypothesis import settings

PROFILES = {"quick": 3, "full": 20}
"""The examples of a test that states no number of its own."""


def examples(number, **others):
    """Settings for a number of examples in a full run, and its share in a quick one."""
    share = settings.default.max_examples / PROFILES["full"]
    return settings(max_examples=round(number * share), **others)
