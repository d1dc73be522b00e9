"""The guide to the page as a page of its own: the one of the documentation, without its links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HERE = Path(__file__)
_FILES = _HERE.with_name("guide.md"), _HERE.parents[2] / "docs" / "guide" / "page.md"
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The guide to the page of plcfrs</title>
<link rel="icon" href="/static/favicon.svg">
<link rel="stylesheet" href="/static/style.css">
</head>
<body>
<header><a href="/">Page</a> <a href="/api">API</a></header>
<main class="api">
{content}</main>
</body>
</html>
"""


@cache
def guide() -> str:
    """Return the page; a wheel has the text, and a checkout has it in its documentation."""
    text = next(file for file in _FILES if file.exists()).read_text("utf-8")
    markdown = MarkdownIt().enable("table")
    tokens = list(_shown(markdown.parse(text)))
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", inline.content.lower().replace(" ", "-"))
    return _PAGE.format(content=markdown.renderer.render(tokens, markdown.options, {}))


def _shown(tokens: Iterable[Token]) -> Iterator[Token]:
    """Leave out pictures and remarks, and links to other pages, which are not served."""
    for token in tokens:
        if token.type == "html_block" or token.info.startswith("{"):
            continue
        token.children = [each for each in token.children or [] if "link" not in each.type]
        yield token
