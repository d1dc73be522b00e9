"""Fixtures for the tests of treebank formats."""

import pytest

from plcfrs.treebank import read_trees


@pytest.fixture
def read(tmp_path):
    """A function that reads the trees of a text in one of the XML formats."""

    def reader(text, encoding="utf-8", **options):
        path = tmp_path / "a.xml"
        path.write_bytes(text.encode(encoding))
        return list(read_trees(path, **options))

    return reader
