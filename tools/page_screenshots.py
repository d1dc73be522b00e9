"""Pictures of each tab of the page with everything that it can show, to look at.

    python tools/page_screenshots.py [FOLDER] [--tab parse] [--width 390]

The pictures are of three widths, light and dark. FOLDER/TAB-WIDTH-light.png and TAB-WIDTH-dark.png
are whole pages. FOLDER/page.png and FOLDER/annotate.png show what fits in a window: they are in
`docs/static`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

import click
from bench_page import PAGE
from measuring import PLCFRS
from page_server import chromium, running

from plcfrs import GrammarModel, read_trees, write_trees
from plcfrs.transformation import remove_splits, transform_all

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

WIDTHS = (390, 800, 1400)
_TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorials" / "make-a-treebank.md"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The fields in the address of each tab, and the elements that exist when all of it is shown.
VIEWS: dict[str, tuple[dict[str, str], list[str]]] = PAGE["views"]


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
        demo, first = Path(folder, "demo.plcfrs"), Path(folder, "half.plcfrs")
        gold, parses = Path(folder, "gold.discbracket"), Path(folder, "parses.discbracket")
        GrammarModel.train(trees).save(demo)
        half.save(first)
        wanted = list(map(remove_splits, trees[70:]))
        write_trees(wanted, gold)
        write_trees([half.parse(tree).tree for tree in wanted], parses)
        treebanks = ("plcfrs:demo", gold, parses)
        options = [part for name in treebanks for part in ("--treebank", name)]
        with running(demo, first, *options) as (_, address):
            yield address


@contextmanager
def served_project() -> Iterator[str]:
    """Serve the English project of the tutorial; yield the address of the page."""
    _, _, text = _TUTORIAL.read_text(encoding="utf-8").partition("<!-- file: harbour.txt -->")
    with TemporaryDirectory() as folder:
        project, file = Path(folder, "harbour"), Path(folder, "harbour.txt")
        file.write_text(text.split("```")[1].removeprefix("text"), encoding="utf-8")
        subprocess.run([*PLCFRS, "annotate", "new", project, "--text", file], check=True)
        with running(project, command=("annotate", "serve")) as (_, address):
            yield address


def show(page: Page, address: str, tab: str) -> None:
    """Open the page with everything that a tab can show.

    Parameters
    ----------
    page : Page
    address : str
        The address of the server that `served` has started.
    tab : str
        One of `VIEWS`.
    """
    fields, shown = VIEWS[tab]
    page.goto("about:blank")
    page.goto(f"{address}#{tab}?{urlencode(fields)}")
    for selector in ("body[data-ready]", *shown):
        page.wait_for_selector(selector)
    if tab == "parse":  # the address does not contain all that it shows
        page.fill("#want", "NP 0-1")
        page.press("#want", "Enter")
        page.wait_for_selector("#wanted:not([hidden])")
    if tab == "surprisal":
        page.eval_on_selector("#items", "one => one.open = true")
        page.fill("#items-text", "item,sentence\n1,What zyzzyva we do ?\n2,\n")
        page.click("#items button.main")
        page.wait_for_selector("#items-table tbody tr")
    page.wait_for_selector(f"#{tab}:not([aria-busy]):not(:has([aria-busy]))")


@click.command()
@click.argument("folder", default="screenshots", type=click.Path(path_type=Path))
@click.option("--tab", "tabs", multiple=True, type=click.Choice(list(VIEWS)))
@click.option("--width", "widths", multiple=True, type=int)
def main(folder: Path, tabs: tuple[str, ...], widths: tuple[int, ...]) -> None:
    """Write the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        for width, scheme in product(widths or WIDTHS, SCHEMES):
            window: ViewportSize = {"width": width, "height": 900}
            with browser.new_page(viewport=window, color_scheme=scheme) as page:
                for tab in tabs or VIEWS:
                    show(page, address, tab)
                    page.screenshot(path=folder / f"{tab}-{width}-{scheme}.png", full_page=True)
        with browser.new_page(viewport={"width": 1100, "height": 860}) as page:
            page.goto(f"{address}#parse?text=What+should+we+do+%3F")
            page.wait_for_selector("#parses tbody tr:nth-child(2)")
            page.screenshot(path=folder / "page.png")
    with served_project() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("#annotate .choices-row kbd")
        page.wait_for_timeout(2000)  # for the doubts of all sentences
        page.screenshot(path=folder / "annotate.png")


if __name__ == "__main__":
    main()
