"""The tables of the page about queries: each example finds as much as they say, none is missing."""

import re
from pathlib import Path

import pytest

from plcfrs import find, read_trees
from plcfrs.query.attributes import NUMBERS, TEXTS
from plcfrs.query.relations import RELATIONS
from plcfrs.transformation import transform_all

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "queries.md").read_text(encoding="utf-8")
ROWS = [
    (query.replace(r"\|", "|"), int(matches))
    for query, matches in re.findall(
        r"\| (?:``|`)((?:[^|\\]|\\.)+?)(?:`|``) \| (\d+) \|$", PAGE, re.M
    )
]


@pytest.fixture(scope="module")
def trees():
    return list(transform_all(read_trees("plcfrs:demo")))


@pytest.mark.parametrize(("query", "matches"), ROWS)
def test_an_example_finds_as_much_as_the_page_says(trees, query, matches):
    assert sum(len(find(tree, query)) for tree in trees) == matches


def test_every_operator_has_an_example():
    queries = " ".join(query for query, _ in ROWS).split()
    also_written = {"<`", ">`"}
    assert RELATIONS.keys() - also_written <= set(queries)


@pytest.mark.parametrize("attribute", [*TEXTS, *NUMBERS, "discontinuous"])
def test_every_attribute_has_an_example(attribute):
    assert re.search(rf"\[[^]]*\b{attribute}\b", PAGE)
