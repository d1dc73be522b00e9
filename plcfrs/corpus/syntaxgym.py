"""Test suites of SyntaxGym (Gauthier et al. 2020): JSON with the regions of sentences.

Each item has conditions, and each condition is a sentence that is cut into regions. Regions without
text are left out.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from plcfrs.errors import InputError


def is_suite(start: bytes) -> bool:
    """Return whether a file begins like a test suite.

    >>> is_suite(b'{"meta": {}, "items": [{"conditions": [{"regions": ['), is_suite(b'{"a": 1}')
    (True, False)
    """
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"regions"' in start


def lines_of(text: str, path: str) -> Iterator[str]:
    """Return the lines of a table with a row for each region of a test suite."""
    table = StringIO(newline="")
    writer = csv.writer(table, delimiter="\t")
    writer.writerow(["item", "condition", "region", "region_name", "word"])
    try:
        suite = json.loads(text)
        names = suite.get("region_meta", {})
        for item in suite["items"]:
            for condition in item["conditions"]:
                sentence = [item["item_number"], condition["condition_name"]]
                for region in condition["regions"]:
                    number, words = region["region_number"], region["content"]
                    if words.strip():
                        writer.writerow([*sentence, number, names.get(str(number)), words])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        expected = "a test suite of SyntaxGym, with items, conditions and regions"
        raise InputError(f"{path}: not {expected}: {error}") from None
    table.seek(0)
    return iter(table)
