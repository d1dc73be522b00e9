"""No tab of the page breaks a rule of axe-core, on a phone and on a desk, in light and in dark."""

import pytest
from page_screenshots import VIEWS, served, show

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def page_address():
    with served() as address:
        yield address


def violations(page):
    """Return each violation with the elements that have it."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for one in found
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("tab", VIEWS)
def test_a_tab_breaks_no_rule(open_page, page_address, tab, width, scheme):
    page = open_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    show(page, page_address, tab)
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_counts_names_and_help_of_queries_break_no_rule(open_page, page_address, width, scheme):
    page = open_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto("about:blank")
    query = "query=VP%3Da+<+NP%3Db&side=counts&by=a.label%2C+b.function"
    page.goto(f"{page_address}#treebank?{query}")
    page.wait_for_selector("#hits-counts tbody tr")
    page.click("#choose")
    page.click("#treebank-picture [data-node] text")
    assert violations(page) == []
    for aside in ("query-help", "history"):
        page.click(f"[popovertarget={aside}]")
        assert violations(page) == []
        page.keyboard.press("Escape")


def test_what_is_broken_is_found(open_page, page_address):
    page = open_page()
    show(page, page_address, "teach")
    page.eval_on_selector("#teach .status", "one => one.style.color = '#ddd'")
    page.eval_on_selector("#exercise", "one => one.parentElement.replaceWith(one)")
    rules = {text.partition(":")[0] for text in violations(page)}
    assert rules == {"color-contrast", "label"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_description_of_the_api_breaks_no_rule(open_page, page_address, scheme):
    page = open_page(color_scheme=scheme)
    page.goto(f"{page_address}api")
    page.wait_for_selector("h2")
    assert violations(page) == []
