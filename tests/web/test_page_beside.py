"""A parse beside another tree, in a browser."""

import pytest
from demo_trees import raw_demo_trees
from parse_tab import AMBIGUOUS, open_options, parse, settle
from serving import running

pytestmark = pytest.mark.full

STATUS = "#beside-status"


def compared(page, text):
    page.wait_for_selector(f"{STATUS}:has-text('{text}')")


def red(page, picture):
    return page.locator(f"#{picture}-picture [data-node]:has(> g[color]) text").all_text_contents()


def test_another_model_is_beside_by_keyboard(open_page):
    page = open_page()
    open_options(page)
    parse(page, AMBIGUOUS)
    assert page.is_hidden(STATUS)
    assert page.locator("#beside-picture").count() == 0
    page.focus("#beside")
    page.keyboard.type("steps")
    compared(page, "0 constituents only by demo, 1 constituent only by steps.")
    assert (red(page, "parse"), red(page, "beside")) == ([], ["NP"])
    page.check("#parses label:has-text('2') input")
    compared(page, "The same tree.")
    assert (red(page, "parse"), red(page, "beside")) == ([], [])
    page.focus("#beside")
    page.keyboard.type("nothing")
    page.wait_for_selector("#beside-picture", state="detached")
    assert page.is_hidden(STATUS)


def test_what_is_beside_has_an_address(open_page):
    page = open_page()
    open_options(page)
    parse(page, AMBIGUOUS)
    first = page.url
    page.select_option("#beside", "steps")
    compared(page, "only by steps")
    page.check("#parses label:has-text('3') input")
    compared(page, "only by demo")
    third, (left, right) = page.url, (red(page, "parse"), red(page, "beside"))
    assert third == f"{first}&beside=steps&rank=3"
    page.go_back()
    compared(page, "0 constituents only by demo")
    page.go_back()
    page.wait_for_selector("#beside-picture", state="detached")
    page.goto("about:blank")
    page.goto(third)
    page.wait_for_selector("#beside-picture svg")
    compared(page, "only by demo")
    assert (red(page, "parse"), red(page, "beside")) == (left, right)


def hold_first(page, path):
    """Hold the first request of some kind, and return a list that gets it."""
    held = []

    def handle(route):
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(path, handle)
    return held


def test_a_tree_of_another_sentence_is_not_beside(open_page):
    """While the parse beside is awaited, another sentence is typed."""
    page = open_page()
    open_options(page)
    settle(page)
    comparison = hold_first(page, "**/api/v1/compare")
    with page.expect_request("**/api/v1/compare"):
        page.select_option("#beside", "steps")
    parsing = hold_first(page, "**/api/v1/parse")
    page.fill("#text", AMBIGUOUS)
    with page.expect_request("**/api/v1/parse"):
        page.press("#text", "Enter")
    comparison[0].continue_()
    parsing[0].continue_()
    compared(page, "1 constituent only by steps.")
    words = page.locator("#beside-picture [data-token] text:last-child").all_text_contents()
    assert words == [word.split("/")[0] for word in AMBIGUOUS.split()]


def test_marks_and_shades_are_shown_together(open_page):
    page = open_page()
    open_options(page)
    page.select_option("#beside", "steps")
    page.check("#posteriors")
    parse(page, AMBIGUOUS)
    page.check("#parses label:has-text('3') input")
    compared(page, "only by demo")
    page.wait_for_selector("#parse-picture g[color] rect[fill='#2f74d0']")
    assert page.locator("#beside-picture rect[fill='#2f74d0']").count() == 0


def test_a_model_that_cannot_parse_says_why(open_page):
    page = open_page()
    open_options(page)
    page.select_option("#model", "steps")
    page.select_option("#beside", "demo")
    parse(page, "What/XYZ should/MD we/PRP do/VB ?/.")
    compared(page, "demo: The grammar does not have the tag XYZ.")
    assert red(page, "beside") == []


def test_the_model_itself_is_not_beside(open_page):
    page = open_page()
    open_options(page)
    page.select_option("#beside", "steps")
    options = page.locator("#beside option").all_text_contents()
    assert options == ["nothing", "fine", "steps", "arcs"]
    page.select_option("#model", "steps")
    settle(page)
    assert page.input_value("#beside") == ""


def gold_of(page, number):
    """Parse a tree of the treebank, with the gold tree beside it."""
    page.click("#treebank-tab")
    page.wait_for_selector("#treebank-picture svg")
    page.fill("#number", str(number))
    page.press("#number", "Enter")
    page.wait_for_selector(f"#treebank-status:has-text('demo:{number}')")
    page.click("#parse-this")
    settle(page)
    open_options(page)
    page.select_option("#beside", "gold tree")
    page.wait_for_selector("#beside-picture svg")


def test_the_gold_tree_is_beside(open_page):
    page = open_page()
    page.select_option("#model", "steps")
    gold_of(page, 3)
    page.wait_for_function("document.querySelector('#beside-status').textContent.endsWith('.')")
    tree = raw_demo_trees()[2]
    words = [token.form for token in tree.tokens if not token.is_null]
    shown = page.locator("#beside-picture [data-token] text:last-child").all_text_contents()
    assert shown == words  # traces became crossing branches
    address, status = page.url, page.text_content(STATUS)
    assert "treebank=plcfrs%3Ademo&tree=3" in address
    page.goto("about:blank")
    page.goto(address)
    compared(page, status)
    page.fill("#text", "We left .")  # another sentence has no gold tree
    assert page.locator("#beside option").all_text_contents() == ["nothing", "demo", "fine", "arcs"]
    assert page.input_value("#beside") == ""


def test_errors_of_a_parse_are_named(demo, transitions, browser, tmp_path):
    trees = tmp_path / "gold.discbracket"
    trees.write_text(
        "(ROOT (SBARQ (SQ (WHNP (WP 0=What)) (VP (VBD 1=caused) (NP (NP (DT 2=the) (NN 3=fire))"
        " (PP (IN 4=at) (NP (DT 5=the) (NN 6=mill)))))) (. 7=?)))\n"
    )
    with running(demo, transitions, "--treebank", trees) as (_, address):
        page = browser.new_page()
        page.goto(f"{address}#treebank")
        page.wait_for_selector("#treebank-picture svg")
        page.click("#parse-this")
        settle(page)
        open_options(page)
        page.select_option("#beside", "gold tree")
        compared(page, "1 constituent missed, 0 constituents spurious.")
        assert (red(page, "parse"), red(page, "beside")) == ([], ["NP"])
        assert page.locator("#parse .trees li").all_text_contents() == [
            "attachment: NP missed: 'the fire at the mill'"
        ]
        page.close()
