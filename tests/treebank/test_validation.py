"""Trees that a caller gives, and mistakes with them."""

import pytest
from demo_trees import raw_demo_trees

from plcfrs import GrammarModel, InputError, Parse, score, write_trees
from plcfrs.treebank.reading import given_trees

DEMO = raw_demo_trees()[:3]
PARSES = [Parse(tree, "parsed") for tree in DEMO]


def test_a_name_is_read():
    assert given_trees(DEMO) is DEMO
    assert list(given_trees("plcfrs:demo"))[:3] == DEMO


def test_a_parse_is_not_a_tree(tmp_path):
    for call, message in [
        (lambda _: score(DEMO, PARSES), r"parse 1 is a Parse, not a Tree: use parse\.tree"),
        (lambda _: score([None], DEMO), r"gold tree 1 is a NoneType, not a Tree$"),
        (lambda path: write_trees([*DEMO, *PARSES], path), r"tree 4 is a Parse.*parse\.tree"),
        (lambda _: GrammarModel.train(PARSES), r"tree 1 is a Parse.*parse\.tree"),
    ]:
        with pytest.raises(InputError, match=message):
            call(tmp_path / "a.export")
