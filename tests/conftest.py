"""Fixtures shared by all tests."""

import os

import hypothesis
import pytest

from plcfrs.errors import TreebankError
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

# The first call of a kernel compiles it, which no deadline should see.
hypothesis.settings.register_profile("plcfrs", deadline=None)
hypothesis.settings.load_profile("plcfrs")


@pytest.fixture
def penn_treebank() -> list[Tree]:
    """The 3,914 trees of NLTK's Penn Treebank sample with their traces, for the test to change."""
    try:
        return list(read_trees("nltk:treebank"))
    except TreebankError as error:
        if os.environ.get("CI"):
            pytest.fail(f"in CI the Penn Treebank sample must be there: {error}")
        pytest.skip("needs NLTK's Penn Treebank sample: set NLTK_DATA or download 'treebank'")
