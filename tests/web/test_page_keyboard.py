"""The main job of each tab, with the keyboard alone."""

import pytest
from page_screenshots import served
from parse_tab import parse

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def page_address():
    with served() as address:
        yield address


def reach(page, selector, key="Tab"):
    """Press a key until an element has the focus, and can be seen to have it."""
    for _ in range(80):
        page.keyboard.press(key)
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
            return
    pytest.fail(f"{key} does not reach {selector}")


def open_tab(page, name):
    """Go from the sentence, which has the focus at first, to a tab."""
    reach(page, "[role=tab]", "Shift+Tab")
    reach(page, f"#{name}-tab", "ArrowRight")
    assert page.is_visible(f"#{name}")


def write(page, text):
    """Replace the text of the field that has the focus."""
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_a_sentence_is_parsed_and_another_parse_chosen(open_page):
    page = open_page()
    page.keyboard.type("What should we do ?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#parses tbody tr:nth-child(2)")
    reach(page, "#parse-picture [data-node]")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("SBARQ")
    first = page.text_content("#derivation tfoot")
    reach(page, "#parses input")
    page.keyboard.press("ArrowDown")
    page.wait_for_function(
        "first => document.querySelector('#derivation tfoot').textContent !== first", arg=first
    )


def test_words_are_read_and_the_analyses_after_one_are_shown(open_page):
    page = open_page()
    open_tab(page, "surprisal")
    page.wait_for_selector(".bars button")
    reach(page, "#surprisal-text")
    write(page, "What should we do ?")
    page.wait_for_selector(".bars button:first-child:has-text('What')")
    reach(page, ".bars button")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#analyses-title:has-text('should')")
    reach(page, "#analyses-list [type=radio]")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#analyses-list tr:nth-child(2) input:checked")


def test_a_rule_leads_to_a_tree(open_page):
    page = open_page()
    open_tab(page, "grammar")
    reach(page, "#lhs")
    write(page, "VP^HINF_2")
    page.wait_for_selector("#rules tbody tr:first-child:has-text('VP^HINF(X,')")
    reach(page, "#rules button[aria-label*='WHNP(X) VB(Y)']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#uses tbody tr:focus")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#treebank-picture g[color]")


def test_a_query_leads_to_a_tree(open_page):
    page = open_page()
    open_tab(page, "treebank")
    page.wait_for_selector("#treebank-picture svg")
    reach(page, "#query")
    write(page, "WHNP")
    page.wait_for_selector("#hits-list tbody tr:nth-child(2)")
    before = page.text_content("#treebank-status")
    reach(page, "#hits-list tbody tr")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "before => document.querySelector('#treebank-status').textContent !== before", arg=before
    )


def test_parses_are_scored_and_a_sentence_is_shown(open_page):
    page = open_page()
    open_tab(page, "compare")
    reach(page, "#gold")
    page.keyboard.type("gold")
    reach(page, "#parses-of")
    page.keyboard.type("parses")
    reach(page, "#compare-form .main")
    page.keyboard.press("Enter")
    page.wait_for_selector(".kinds tbody tr")
    reach(page, ".kinds tbody tr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#report h2:has-text('wrong label')")
    page.wait_for_selector("#report:not([aria-busy])")
    reach(page, ".sentences tbody tr")
    page.keyboard.press("Enter")
    page.wait_for_selector("#pair-parse svg")


def test_a_search_is_followed_step_by_step(open_page):
    page = open_page()
    open_tab(page, "teach")
    page.wait_for_selector("#course .items")
    reach(page, "#teach-text")
    write(page, "What should we do ?")
    page.wait_for_selector("#course .positions:has-text('What')")
    reach(page, "#course [aria-label='Next step']")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector("#course :text('Step 2 of')")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Next step"
    reach(page, "#course [aria-label='Last step']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#course [role=status]:has-text('The goal')")


def test_everything_is_reached_by_keyboard(open_page):
    page = open_page()
    parse(page)
    page.focus("#parse .options summary")
    page.keyboard.press("Enter")
    page.focus("#text")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        inner = page.evaluate(
            "getComputedStyle(document.activeElement.querySelector('text') || document.body)"
            ".outlineStyle"
        )
        if page.evaluate("document.activeElement !== document.body"):
            assert "solid" in (outline, inner)
    assert {"tagged", "strategy", "objective", "nbest", "model", "parse-tab", "g"} <= reached
    page.focus("#parse-tab")
    page.keyboard.press("ArrowRight")
    assert page.is_visible("#surprisal")
    assert page.get_attribute("#surprisal-tab", "aria-selected") == "true"
    assert "#surprisal" in page.url
