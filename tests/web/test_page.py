"""The page in a browser."""

import re

import pytest
from parse_tab import AMBIGUOUS, SENTENCE, parse, settle
from serving import running

pytestmark = pytest.mark.full


def colour(page, selector, name="color"):
    """Return the lightness of a colour, from 0 to 255."""
    text = page.eval_on_selector(selector, f"one => getComputedStyle(one).{name}")
    return sum(map(float, re.findall(r"[\d.]+", text)[:3])) / 3


def test_the_page_begins_with_examples_and_a_parse(open_page):
    page = open_page()
    page.wait_for_selector("#examples button")
    page.wait_for_selector("#parse-picture svg")
    examples = page.locator("#examples button")
    first, second, *_ = examples.all_text_contents()
    assert "Parsed" in page.text_content("#parse-status")
    assert page.input_value("#text") == first
    examples.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    settle(page)
    assert page.input_value("#text") == second
    words = page.locator("#parse-picture [data-token] text:last-child").all_text_contents()
    assert words == second.split()


def test_english_is_served_without_arguments(browser):
    """Tabs that need a grammar choose one, and the other ones keep their model."""
    with running() as (_, address):
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#parse-picture svg")
        assert page.locator("#model option").all_text_contents() == [
            "plcfrs:english",
            "plcfrs:english-grammar",
        ]
        page.fill("#text", "Who did she give the book to?")
        page.keyboard.press("Enter")
        page.wait_for_selector("#parse-picture [data-token='7']")
        for tab, shown in (("surprisal", ".bars button"), ("teach", "#course table")):
            page.click(f"#{tab}-tab")
            page.wait_for_selector(shown)
            assert page.input_value("#model") == "plcfrs:english-grammar"
            page.click("#parse-tab")
            assert page.input_value("#model") == "plcfrs:english"
            assert page.locator("#parse-picture [data-token]").count() == 8
        page.close()


def test_back_and_forward_go_through_what_was_shown(open_page):
    page = open_page()
    parse(page)
    page.wait_for_selector("#parses tbody tr")
    parse(page, AMBIGUOUS)
    page.check("#parses label:has-text('2') input")
    second = page.inner_html("#parse-picture")
    page.click("#grammar-tab")
    page.fill("#lhs", "VP_2")
    page.press("#lhs", "Enter")
    page.wait_for_selector("#grammar:not([aria-busy]) #rules table")
    page.go_back()
    page.wait_for_selector("#rules .pages")
    assert page.input_value("#lhs") == ""
    page.go_back()
    assert page.is_visible("#parse")
    assert page.inner_html("#parse-picture") == second
    page.go_back()
    settle(page)
    assert page.locator("#parses input").nth(0).is_checked()
    page.go_back()
    settle(page)
    assert page.input_value("#text") == SENTENCE
    page.go_forward()
    page.go_forward()
    settle(page)
    assert page.locator("#parses input").nth(1).is_checked()
    assert page.inner_html("#parse-picture") == second


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("parse?model=steps&text=What+should+we+do+%3F", "#parse-status:has-text('Parsed: 5')"),
        ("grammar?lhs=VP_2", "#rules td:has-text('VP_2 ->')"),
        ("treebank?query=VP&tree=3", "#treebank-status:has-text('matches in red')"),
        ("parse?model=none&text=What", "#parse-error:has-text('none')"),
    ],
)
def test_an_address_can_be_opened_elsewhere(open_page, page_address, address, shown):
    page = open_page()
    page.goto("about:blank")
    page.goto(f"{page_address}#{address}")
    page.wait_for_selector(shown)
    assert page.url == f"{page_address}#{address}"


def test_another_model_parses_again(open_page):
    page = open_page()
    parse(page, "What/WP should/XYZ ?/.")
    assert "XYZ" in page.text_content("#parse-error")
    page.select_option("#model", "steps")
    settle(page)
    assert page.is_hidden("#parse-error")
    assert page.text_content("#derivation th") == "transition"
    page.go_back()
    settle(page)
    assert page.input_value("#model") == "demo"
    assert "XYZ" in page.text_content("#parse-error")


def test_other_parses_and_queries_can_be_stopped(open_page):
    page = open_page()
    settle(page)
    page.route("**/api/v1/parse", lambda route: hold(route, "nbest" in route.request.post_data))
    page.route("**/api/v1/trees?*", lambda route: hold(route, "query=NP" in route.request.url))
    page.fill("#text", SENTENCE)
    page.press("#text", "Enter")
    page.wait_for_selector("#parse .wait:has-text('best parse')")
    assert page.locator("#parses tbody tr").count() == 1
    page.click("#parse .wait button")
    settle(page)
    assert page.is_hidden("#parse .wait")
    assert page.is_hidden("#parse-error")
    assert "Parsed" in page.text_content("#parse-status")
    page.click("#treebank-tab")
    page.wait_for_selector(status("demo:1"))
    page.fill("#query", "NP")
    page.press("#query", "Enter")
    page.click("#treebank .wait button")
    page.wait_for_selector("#treebank:not([aria-busy])")
    assert page.is_visible("#treebank-picture svg")


def hold(route, held):
    """Let a request wait forever, or go on."""
    if not held:
        route.continue_()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What/WP should/XYZ ?/.", "XYZ"),
        ("should/MD should/MD", "no parse"),
        ("  ", "no sentence"),
        ("a/NN " * 31, "31 words"),
    ],
)
def test_errors_are_shown_and_go_away(open_page, text, named):
    page = open_page()
    parse(page, text)
    assert named in page.text_content("#parse-error")
    assert page.get_attribute("#parse-error", "role") == "alert"
    parse(page)
    assert page.is_hidden("#parse-error")
    assert page.is_visible("#parse-picture svg")


def test_markup_in_a_sentence_is_text(open_page):
    page = open_page()
    word = "<img/src=x/onerror=alert(1)>"
    parse(page, f"What/WP should/MD {word}/PRP do/VB ?/.")
    assert word in page.locator("#parse-picture text").all_text_contents()
    assert page.locator("#parse img").count() == 0


def test_a_transition_parser_has_no_rules_to_search(open_page):
    page = open_page()
    page.click("#grammar-tab")
    page.wait_for_selector("#rules table")
    page.select_option("#model", "steps")
    assert page.is_hidden("#grammar-form")
    assert page.is_hidden("#rules")
    assert "SR-GAP (Coavoux and Crabbé 2017): " in page.text_content("#figures")
    page.wait_for_selector("#inspected:has-text('weights')")
    page.select_option("#model", "fine")
    page.fill("#symbol", "VP")
    page.press("#symbol", "Enter")
    page.wait_for_selector("#inspected:has-text('VP in grammar')")
    page.select_option("#model", "demo")
    page.wait_for_selector("#rules table")
    assert page.is_visible("#grammar-form")


def status(text):
    return f"#treebank-status:has-text('{text}')"


def test_dark_mode_has_dark_paper_and_light_ink(open_page):
    light, dark = open_page(), open_page(color_scheme="dark")
    for page, is_dark in ((light, False), (dark, True)):
        parse(page)
        paper = colour(page, "body", "backgroundColor")
        assert (paper < 60) == is_dark
        for selector in ("body", "#parse-picture svg", "#parse-picture text", "h1", ".hint"):
            assert abs(colour(page, selector) - paper) > 100
        lines = colour(page, "#parse-picture path", "stroke")
        assert abs(lines - paper) > 100
        assert (
            page.eval_on_selector("#parse-picture rect", "one => getComputedStyle(one).fill")
            == "none"
        )


def test_a_narrow_screen_is_not_scrolled_sideways(open_page):
    page = open_page(viewport={"width": 340, "height": 700})
    parse(page, AMBIGUOUS)
    for tab in ("parse", "grammar", "treebank", "errors", "teach"):
        page.click(f"#{tab}-tab")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 340


def test_the_tabs_are_in_one_line_on_a_phone(open_page):
    page = open_page(viewport={"width": 390, "height": 800})
    page.click("#surprisal-tab")
    tops = page.eval_on_selector_all("[role=tab]", "all => all.map(one => one.offsetTop)")
    assert len(set(tops)) == 1


def test_the_api_is_described_on_a_page(open_page, page_address):
    page = open_page()
    page.goto(f"{page_address}api")
    page.wait_for_selector("h2")
    assert "POST /api/v1/parse" in page.text_content("main")
    assert "word/TAG" in page.text_content("main")
