"""Each tab of the page with everything that it can show, and what is served for that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

from page_server import running
from splits import RUNS

from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import remove_splits, transform_all
from plcfrs.treebank import read_trees, write_trees

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 800, 1400)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@contextmanager
def served() -> Iterator[str]:
    """Serve grammars of the demo treebank and of its first half, with parses of the second half.

    Yields
    ------
    str
        The address of the page.
    """
    trees = list(transform_all(read_trees("plcfrs:demo")))
    half = GrammarModel.train(trees[:70])
    with TemporaryDirectory() as folder:
        demo, first, gold, parses = (
            Path(folder, name)
            for name in ("demo.plcfrs", "half.plcfrs", "gold.discbracket", "parses.discbracket")
        )
        GrammarModel.train(trees).save(demo)
        half.save(first)
        wanted = list(map(remove_splits, trees[70:]))
        write_trees(wanted, gold)
        write_trees([half.parse(tree).tree for tree in wanted], parses)
        treebanks = ("plcfrs:demo", gold, parses)
        options = [part for name in treebanks for part in ("--treebank", name)]
        with running(demo, first, *options) as (_, address):
            yield address


def _parse(page: Page) -> None:
    page.fill("#want", "NP 0-1")
    page.press("#want", "Enter")
    page.wait_for_selector("#wanted:not([hidden])")


def _treebank(page: Page) -> None:
    page.select_option("#hits-by", "words")
    page.wait_for_selector("#hits-counts tbody tr")


# The fields of each tab's address, and what is there when all of it is shown.
VIEWS: dict[str, tuple[dict[str, str], list[str]]] = RUNS["views"]
# What is done then, where the address does not say all.
_ACTS = {"parse": _parse, "treebank": _treebank}


def show(page: Page, address: str, tab: str) -> None:
    """Open the page with everything that a tab can show.

    Parameters
    ----------
    page : Page
    address : str
        Of the server that `served` has started.
    tab : str
        One of `VIEWS`.
    """
    fields, shown = VIEWS[tab]
    page.goto("about:blank")
    page.goto(f"{address}#{tab}?{urlencode(fields)}")
    for selector in ("body[data-ready]", *shown):
        page.wait_for_selector(selector)
    if tab in _ACTS:
        _ACTS[tab](page)
    page.wait_for_selector(f"#{tab}:not([aria-busy]):not(:has([aria-busy]))")
