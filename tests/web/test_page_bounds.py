"""The tab of surprisal when the limits of the server are too low for a sentence, in a browser."""

import pytest
from parse_tab import columns
from serving import running
from surprisal_tab import read

pytestmark = pytest.mark.full

LONG = "What should we do about the ferries that the council wants to sell ?"


@pytest.fixture(scope="module")
def page_address(demo):
    with running(demo, "--max-items", "830") as (_, address):
        yield address


def test_bounds_are_shown(open_page):
    page = open_page()
    read(page, LONG)
    assert page.locator(".bars .interval").count() == 2
    assert page.locator(".bars .bits").nth(8).text_content().startswith("≈ ")
    assert ", between " in page.locator(".bars button").nth(8).get_attribute("aria-label")
    assert page.locator("#numbers th:has-text('at least')").count() == 1
    assert "limit of items was reached" in page.text_content("#surprisal-error")


def test_words_beyond_the_limits_have_no_bars(open_page):
    page = open_page()
    read(page, LONG)
    assert page.locator(".bars .bits").last.text_content() == "\N{EN DASH}"
    assert page.locator(".bars .stack").count() < len(LONG.split())
    assert "limit of items was reached" in page.text_content("#surprisal-error")
    assert columns(page, "#numbers", 2) == LONG.split()
    assert page.locator("#numbers td:last-child").last.text_content() == "out of items"
