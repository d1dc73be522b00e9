"""The table of CONTRIBUTING.md that says how to add things names existing files and entries."""

import re
from pathlib import Path

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


def test_the_files_of_each_row_are_there():
    for row in ROWS:
        paths = re.findall(r"`([^`\s]+/[^`\s]*)`", " ".join(row[1:]))
        assert paths, row
        for path in paths:
            assert list(ROOT.glob(path.rstrip("/").replace("NAME", "*"))), path


def test_the_entries_of_each_row_are_there():
    for row in ROWS:
        for *names, path in ENTRY.findall(row[2]):
            text = (ROOT / path).read_text(encoding="utf-8")
            for name in filter(None, names):
                entry = rf"^(?:export const |def |class )?{name}\b"
                assert re.search(entry, text, re.M), (name, path)


def test_each_family_has_a_folder_of_its_own_and_one_entry():
    folders = {path.parent.name for path in (ROOT / "plcfrs" / "parsers").glob("*/__init__.py")}
    assert {module.rpartition(".")[2] for module in MODULES.values()} == folders
    assert set(families()) == set(MODULES)
