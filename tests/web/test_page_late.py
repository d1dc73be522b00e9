"""Answers that come late, in a browser: the page shows what was asked for last."""

import pytest
from held import Held
from parse_tab import parse, settle
from surprisal_tab import read

pytestmark = pytest.mark.full

EXAMPLES = "**/api/v1/examples?*"
OTHERS = "**/static/other-tabs.js"
PARSE = "**/api/v1/parse"


@pytest.fixture
def page(browser, page_address):
    """Return a page that is not open yet, and its address."""
    page = browser.new_page(base_url=page_address)
    page.set_default_timeout(60_000)
    yield page
    page.close()


def wait_for_tabs(page):
    page.wait_for_selector("body[data-ready]")


def test_without_examples_the_page_works(page):
    problem = {"error": {"status": 400, "message": "mine.export: line 3 is no tree"}}
    page.route(EXAMPLES, lambda route: route.fulfill(status=400, json=problem))
    page.goto("/")
    wait_for_tabs(page)
    assert page.text_content("#parse-error") == problem["error"]["message"]
    page.click("#grammar-tab")
    page.wait_for_selector("#rules tbody tr")


def test_what_is_typed_before_the_tabs_are_there_stays(page):
    examples, others = Held(page, EXAMPLES), Held(page, OTHERS)
    with others.asked():
        page.goto("/")
    page.fill("#text", "my own sentence")
    others.give()
    wait_for_tabs(page)
    examples.give()
    page.wait_for_selector("#examples button")
    assert page.input_value("#text") == "my own sentence"
    assert page.is_hidden("#parse-result")


def test_a_model_that_is_chosen_before_the_tabs_are_there_stays(page):
    others = Held(page, OTHERS)
    with others.asked():
        page.goto("/")
    settle(page)
    page.select_option("#model", "steps")
    parse(page)
    others.give()
    wait_for_tabs(page)
    assert page.input_value("#model") == "steps"
    page.click("#grammar-tab")
    page.wait_for_selector("#figures:has-text('steps')")


def test_another_model_parses_while_the_first_one_does(page):
    parses = Held(page, PARSE)
    with parses.asked():
        page.goto("/")
    with parses.asked():
        page.select_option("#model", "steps")
    parses.give()
    page.wait_for_selector("#derivation")
    settle(page)
    assert page.text_content("#derivation th") == "transition"


def test_back_in_another_tab_parses_with_the_model_of_then(open_page):
    page = open_page()
    parse(page)
    page.click("#grammar-tab")
    page.select_option("#model", "steps")
    page.go_back()
    page.wait_for_function("document.querySelector('#model').value === 'demo'")
    page.click("#parse-tab")
    settle(page)
    assert page.text_content("#derivation th") == "rule"
    assert "model=" not in page.url


def test_a_reading_that_comes_too_late_is_not_shown(open_page):
    page = open_page()
    read(page)
    address = page.url
    readings = Held(page, "**/api/v1/surprisal")
    with readings.asked():
        page.fill("#surprisal-text", "What happened ?")
        page.press("#surprisal-text", "Enter")
    page.go_back()
    page.wait_for_selector("#surprisal:not([aria-busy])")
    readings.give()
    assert page.url == address
    assert page.locator(".bars button").count() == 5


def test_what_was_asked_of_another_model_is_not_shown(open_page):
    page = open_page()
    inspections = Held(page, "**/api/v1/inspection?*")
    with inspections.asked():
        page.click("#grammar-tab")
    page.click("#parse-tab")
    page.select_option("#model", "fine")
    inspections.give()
    page.click("#grammar-tab")
    page.wait_for_selector("#inspected:has-text('substate')")


def test_a_report_is_no_longer_busy_when_it_is_asked_for_again(open_page):
    page = open_page()
    page.click("#compare-tab")
    page.fill("#sentences", "1-3")
    page.click("#compare-form button.main")
    page.wait_for_selector("#report .sentences")
    reports = Held(page, "**/api/v1/errors?*")
    with reports.asked():
        page.click("#report .sentences th button >> nth=0")
    with reports.asked():
        page.click("#compare-form button.main")
    reports.give()
    for place in ("#compare", "#report"):
        page.wait_for_selector(f"{place}:not([aria-busy])", state="attached")
    assert page.is_visible("#report .sentences")


@pytest.mark.parametrize(("tab", "asked"), [("treebank", "/trees?"), ("teach", "/course")])
def test_a_tab_asks_once_when_it_is_opened(open_page, tab, asked):
    page = open_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.click(f"#{tab}-tab")
    page.wait_for_selector("#treebank-picture svg" if tab == "treebank" else "#course table")
    page.wait_for_selector(f"#{tab}:not([aria-busy])")
    assert sum(asked in url for url in requests) == 1
