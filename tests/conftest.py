"""Fixtures shared by all tests."""

import os

import pytest

from plcfrs.errors import TreebankError
from plcfrs.trees import Tree


@pytest.fixture(scope="session")
def penn_treebank_as_read() -> list[Tree]:
    """The 3,914 trees of NLTK's Penn Treebank sample with their traces: do not change them."""
    from plcfrs.treebank import read_trees

    try:
        return list(read_trees("nltk:treebank"))
    except TreebankError as error:
        if os.environ.get("CI"):
            pytest.fail(f"in CI the Penn Treebank sample must be there: {error}")
        pytest.skip("needs NLTK's Penn Treebank sample: set NLTK_DATA or download 'treebank'")


@pytest.fixture
def penn_treebank(penn_treebank_as_read: list[Tree]) -> list[Tree]:
    """A copy of the Penn Treebank sample that a test may change."""
    import copy

    return copy.deepcopy(penn_treebank_as_read)
