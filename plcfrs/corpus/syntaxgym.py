"""Test suites of SyntaxGym (Gauthier et al. 2020): JSON with the regions of sentences.

Each item has conditions, and each condition is a sentence that is cut into regions. Regions without
text are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from plcfrs.errors import InputError

COLUMNS = ["item", "condition", "region", "region_name", "word"]


def is_suite(start: bytes) -> bool:
    """Return whether a file begins like a test suite.

    >>> is_suite(b'{"meta": {}, "items": [{"conditions": [{"regions": ['), is_suite(b'{"a": 1}')
    (True, False)
    """
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"regions"' in start


def regions_of(text: str, path: str) -> Iterator[dict[str, str]]:
    """Yield a row for each region of a test suite, with all `COLUMNS`."""
    try:
        suite = json.loads(text)
        names = suite.get("region_meta", {})
        for item in suite["items"]:
            for condition in item["conditions"]:
                for region in condition["regions"]:
                    number = str(region["region_number"])
                    cells = [
                        str(item["item_number"]),
                        condition["condition_name"],
                        number,
                        names.get(number, ""),
                        region["content"],
                    ]
                    if region["content"].strip():
                        yield dict(zip(COLUMNS, cells, strict=True))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except (LookupError, TypeError, AttributeError, RecursionError):
        raise InputError(
            f"{path}: not a test suite of SyntaxGym: expected items with conditions with regions"
        ) from None
