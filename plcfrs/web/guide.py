"""The guides to the page and to its API: those of the documentation, without links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HERE = Path(__file__)
_DOCUMENTATION = _HERE.parents[2] / "docs"
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} - plcfrs</title>
<link rel="icon" href="/static/favicon.svg">
<link rel="stylesheet" href="/static/style.css">
</head>
<body>
<header><a href="/">Page</a> <a href="/guide/page">Guide</a> <a href="/api">API</a>
<a href="/openapi.json">OpenAPI document</a></header>
<main class="api">
{content}</main>
</body>
</html>
"""


@cache
def guide(name: str) -> str:
    """Return a page of the documentation by its path, such as ``guide/page``.

    A wheel has the text beside this module, and a checkout has it in its documentation.
    """
    packaged = _HERE.with_name(f"{Path(name).name}.md")
    file = packaged if packaged.exists() else _DOCUMENTATION / f"{name}.md"
    markdown = MarkdownIt().enable("table")
    tokens = list(_shown(markdown.parse(file.read_text("utf-8"))))
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", inline.content.lower().replace(" ", "-"))
    content = markdown.renderer.render(tokens, markdown.options, {})
    return _PAGE.format(title=tokens[1].content, content=content)


def _shown(tokens: Iterable[Token]) -> Iterator[Token]:
    """Leave out pictures and remarks, and links to other pages, which are not served."""
    for token in tokens:
        if token.type == "html_block" or token.info.startswith("{"):
            continue
        token.children = [each for each in token.children or [] if "link" not in each.type]
        yield token
