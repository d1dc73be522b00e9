"""Going through a derivation step by step, and how probable constituents are, in a browser."""

import re

import pytest
from parse_tab import AMBIGUOUS, columns, lit, open_options, parse, settle

pytestmark = pytest.mark.full

STEP = "#derivation [aria-label=Steps] span"
NEXT, LAST = "#derivation [aria-label='Next step']", "#derivation [aria-label='Last step']"


def made(page):
    """Return the labels of the constituents that are lit."""
    return page.locator("#parse-picture [data-node].lit text").all_text_contents()


def dimmed(page):
    return "dimmed" in (page.get_attribute("#parse-picture", "class") or "")


def opacity(page, selector):
    return float(page.eval_on_selector(selector, "one => getComputedStyle(one).opacity"))


def test_steps_light_up_what_they_make(open_page):
    page = open_page()
    parse(page)
    assert not dimmed(page)
    page.click(NEXT)
    assert (made(page), lit(page)) == (["ROOT"], [0, 1, 2, 3, 4])
    for _ in range(3):
        page.click(NEXT)
    assert (made(page), lit(page)) == (["VP"], [0, 3])
    assert dimmed(page)
    assert opacity(page, "#parse-picture [data-yield='0 3']") == 1
    assert opacity(page, "#parse-picture [data-token='1']") < 0.5
    assert page.text_content(STEP).startswith("Step 4 of")
    assert page.get_attribute("#derivation tbody tr >> nth=3", "aria-current") == "step"
    assert "VP^HINF(X,Y) ->" in page.text_content("#derivation .step")
    page.click(LAST)
    assert (made(page), lit(page)) == ([], [4])
    page.click("#derivation [aria-label='First step']")
    assert (made(page), lit(page), dimmed(page)) == ([], [], False)


def test_steps_by_keyboard(open_page):
    page = open_page()
    parse(page)
    page.focus("#derivation input[type=range]")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert made(page) == ["VP"]
    page.keyboard.press("Home")
    assert not dimmed(page)
    page.focus("#derivation tbody tr[tabindex='0']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert (made(page), dimmed(page)) == (["SQ"], True)
    page.keyboard.press("Tab")
    assert not dimmed(page)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # now it stays
    page.keyboard.press("Tab")
    assert (made(page), dimmed(page)) == (["SQ"], True)


def test_a_step_has_an_address_and_another_parse_has_others(open_page):
    page = open_page()
    parse(page, AMBIGUOUS)
    address = page.url
    for _ in range(2):
        page.click(NEXT)
    assert page.url == f"{address}&step=2"
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector("#parses tbody tr:nth-child(2)")
    assert made(page) == ["SBARQ"]
    page.check("#parses label:has-text('2') input")
    assert page.text_content(STEP).startswith("Step 0 of")
    assert page.url == f"{address}&rank=2"
    page.go_back()
    settle(page)
    assert made(page) == ["SBARQ"]


def test_transitions_show_their_configurations(open_page):
    page = open_page()
    page.select_option("#model", "steps")
    parse(page)
    headings = page.locator("#derivation thead th").all_text_contents()
    assert headings == ["transition", "score", "stack", "deque", "buffer", "words"]
    wanted = columns(page, "#derivation", 6).index("What … do")
    page.locator("#derivation input[type=range]").fill(str(wanted + 1))
    assert (made(page), lit(page)) == (["VP"], [0, 3])
    said = page.text_content("#derivation .step")
    assert re.match(
        r"REDUCE-RIGHT-(VP\S*); stack: should NP\[we\]; deque: \1\[do\]; buffer: \?", said
    )


def test_dependencies_are_drawn_beside_the_tree(open_page):
    page = open_page()
    page.select_option("#model", "arcs")
    parse(page)
    assert page.text_content("#derivation thead th") == "dependency"
    assert page.locator("#arcs [data-token]").count() == 5
    page.click(NEXT)
    assert page.locator("#arcs .lit").count() == 1
    assert page.get_attribute("#arcs .lit", "data-token") == "0"
    head = int(re.match(r"(\d)=\w+ -> 0=What", columns(page, "#derivation", 1)[0])[1])
    assert lit(page) == sorted({0, head})
    assert opacity(page, "#arcs [data-token='4']") < 0.5
    page.hover("#arcs [data-token='2'] text >> nth=-1")
    assert 2 in lit(page)
    page.select_option("#model", "demo")
    settle(page)
    assert page.locator("#arcs").count() == 0
    assert page.text_content("#derivation thead th") == "rule"


def shades(page):
    return page.locator("#parse-picture rect[fill='#2f74d0']").count()


def test_posteriors_are_shades_with_numbers(open_page):
    page = open_page()
    open_options(page)
    parse(page, AMBIGUOUS)
    assert not page.is_checked("#posteriors")
    assert shades(page) == 0
    page.focus("#posteriors")
    page.keyboard.press("Space")
    settle(page)
    nodes = page.locator("#parse-picture [data-node]").count()
    assert shades(page) == nodes
    assert "posteriors=true" in page.url
    pp = page.locator("#parse-picture [data-yield='4 5 6']")
    name = pp.get_attribute("aria-label")
    assert re.fullmatch(r"PP: at the mill, probability [01]\.\d{3}", name)
    pp.focus()
    assert page.text_content("#parse .pointed") == name
    page.focus("#text")
    assert page.text_content("#parse .pointed") == ""
    pp.locator("text").hover()
    assert page.text_content("#parse .pointed") == name
    page.check("#parses label:has-text('2') input")
    assert shades(page) > nodes  # each parse has its own
    page.click("#parse-picture [data-yield='4 5 6'] text")
    page.wait_for_selector("#parse-picture [aria-expanded=false]")
    assert shades(page) == page.locator("#parse-picture [data-node]").count()
    page.uncheck("#posteriors")
    settle(page)
    assert shades(page) == 0


def test_posteriors_are_offered_where_the_model_can(open_page):
    page = open_page()
    open_options(page)
    assert page.is_visible("#posteriors")
    page.check("#posteriors")
    page.select_option("#model", "steps")
    settle(page)
    assert page.is_hidden("#posteriors")
    assert shades(page) == 0
    page.select_option("#model", "fine")
    settle(page)
    assert page.is_visible("#posteriors")
    assert shades(page) > 0


FITS = """place => [...document.querySelectorAll(`${place} .scroll`)].every(
    (one) => one.scrollWidth <= one.clientWidth)"""


def test_no_number_is_pushed_out_of_the_window(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    for model in ("demo", "fine"):
        page.select_option("#model", model)
        parse(page, AMBIGUOUS.replace(" ?/.", 2 * " at/IN the/DT mill/NN" + " ?/."))
        assert page.evaluate(FITS, "#derivation")
    page.click("#teach-tab")
    page.click("#course [aria-label='Last step']")
    page.wait_for_selector("#course [role=status]:has-text('The goal')")
    assert page.locator("#course .items td.number").count() > 0
    assert page.evaluate(FITS, "#course")
