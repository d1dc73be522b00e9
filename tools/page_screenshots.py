"""Pictures of each tab of the page, at three widths and in dark mode, to look at.

    python tools/page_screenshots.py [FOLDER] [--tab parse] [--width 390]

FOLDER/TAB-WIDTH-light.png and TAB-WIDTH-dark.png are whole pages. FOLDER/page.png shows what fits
in a window: it is `docs/static/page.png`.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import click
from page_server import chromium
from page_views import SCHEMES, VIEWS, WIDTHS, served, show

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

_WINDOW: ViewportSize = {"width": 1100, "height": 860}


@click.command()
@click.argument("folder", default="screenshots", type=click.Path(path_type=Path))
@click.option("--tab", "tabs", multiple=True, type=click.Choice(list(VIEWS)))
@click.option("--width", "widths", multiple=True, type=int)
def main(folder: Path, tabs: tuple[str, ...], widths: tuple[int, ...]) -> None:
    """Write the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        for width, scheme in product(widths or WIDTHS, SCHEMES):
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            for tab in tabs or VIEWS:
                show(page, address, tab)
                page.screenshot(path=folder / f"{tab}-{width}-{scheme}.png", full_page=True)
            page.close()
        page = browser.new_page(viewport=_WINDOW)
        page.goto(f"{address}#parse?text=What+should+we+do+%3F")
        page.wait_for_selector("#parses tbody tr:nth-child(2)")
        page.screenshot(path=folder / "page.png")
        page.close()


if __name__ == "__main__":
    main()
