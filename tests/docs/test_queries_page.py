"""The guide and the page explain the whole language, and each example finds what they say."""

import os
import re
from functools import cache
from pathlib import Path

import pytest
from demo_trees import demo_trees, raw_demo_trees

from plcfrs import Treebank
from plcfrs.cli.find_command import command
from plcfrs.query import parse_query
from plcfrs.query.help import SECTIONS
from plcfrs.query.joins import OPERATORS
from plcfrs.query.syntax import NUMBERS, TEXTS

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "queries.md"
ENTRIES = [entry for section in SECTIONS for entry in section.entries]
ROW = re.compile(r"\| (?:``|`)((?:[^|\\]|\\.)+?)(?:`|``) \| (\d+) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def matches():
    """Return a function that counts what a query finds: null elements in trees with traces."""
    transformed, raw = Treebank(demo_trees()), Treebank(raw_demo_trees())

    def count(query):
        return len((raw if parse_query(query).is_about_nulls else transformed).find(query))

    return cache(count)


def code(text):
    fence = "``" if "`" in text else "`"
    return fence + text.replace("|", r"\|") + fence


def table(matches, section):
    lines = ["| written | meaning | example | matches |", "|---|---|---|---|"]
    for entry in section.entries:
        written = ", ".join(code(text) for text in (entry.written, entry.also) if text)
        found = matches(entry.example)
        lines.append(f"| {written} | {entry.meaning} | {code(entry.example)} | {found} |")
    return "\n".join(lines)


def test_the_guide_has_the_help(matches):
    page = PAGE.read_text(encoding="utf-8")
    expected = {section: table(matches, section) for section in SECTIONS}
    if os.environ.get("PLCFRS_ACCEPT"):
        for section, rows in expected.items():
            heading = re.compile(rf"(^##+ {section.title}\n.*?\n)\|.*?(?=\n\n)", re.S | re.M)
            page = heading.sub(lambda found, rows=rows: found[1] + rows, page, count=1)
        PAGE.write_text(page, encoding="utf-8")
    for section, rows in expected.items():
        assert rows in page
        assert section.about in " ".join(page.split())


def test_an_example_finds_as_much_as_the_guide_says(matches):
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert rows
    found = [(query, str(matches(query.replace(r"\|", "|")))) for query, _ in rows]
    assert found == rows


def test_every_example_finds_something(matches):
    assert [entry for entry in ENTRIES if not matches(entry.example)] == []


def test_every_operator_is_explained():
    written = {part for entry in ENTRIES for part in f"{entry.written} {entry.also}".split()}
    examples = " ".join(entry.example for entry in ENTRIES).split()
    assert set(OPERATORS) <= written
    also_written = {"<`", ">`"}
    assert set(OPERATORS) - also_written <= {part.lstrip("!") for part in examples}


def test_every_attribute_is_explained():
    examples = {entry.written: entry.example for entry in ENTRIES}
    for attribute in [*TEXTS, *NUMBERS, "discontinuous"]:
        assert re.search(rf"\[[^]]*\b{attribute}\b", examples[attribute])


def test_the_command_explains_every_operator():
    for operator in OPERATORS:
        assert operator in command.help
