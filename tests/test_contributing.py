"""The table of CONTRIBUTING.md that says how to add things names existing files and entries."""

import re
from pathlib import Path

import pytest

from plcfrs.parsing.registry import MODULES, families

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.split("| to add |")[1].split("\n\n")[0].splitlines()[2:]
]
ENTRY = re.compile(r"`(\w+)`(?: and `(\w+)`)? in `([^`]+)`")


def test_the_rows_are_found():
    assert {"a parser family", "a treebank format", "a query operator", "a command"} <= {
        row[0] for row in ROWS
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_files_of_a_row_are_there(row):
    paths = re.findall(r"`([^`\s]+/[^`\s]*)`", " ".join(row[1:]))
    assert paths
    for path in paths:
        assert list(ROOT.glob(path.rstrip("/").replace("NAME", "*"))), path


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_entries_of_a_row_are_there(row):
    for *names, path in ENTRY.findall(row[2]):
        text = (ROOT / path).read_text(encoding="utf-8")
        for name in filter(None, names):
            assert re.search(rf"^(?:export const |def |class )?{name}\b", text, re.M), (name, path)


def test_each_family_has_a_folder_of_its_own_and_one_entry():
    folders = {path.parent.name for path in (ROOT / "plcfrs" / "parsers").glob("*/__init__.py")}
    assert {module.rpartition(".")[2] for module in MODULES.values()} == folders
    assert set(families()) == set(MODULES)
