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
        models = page.locator("#model option").evaluate_all("all => all.map((one) => one.value)")
        assert models == ["plcfrs:english", "plcfrs:english-grammar"]
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
        for tab, shown, model in (
            ("surprisal", ".bars button", "plcfrs:english-grammar"),
            ("teach", "#course table", "plcfrs:english-grammar"),
            ("compare", ".hint:has-text('scores')", "plcfrs:english"),
        ):
            page = browser.new_page()
            page.goto(f"{address}#{tab}")
            page.wait_for_selector(f"#{tab} {shown}")
            assert page.input_value("#model") == model
            page.click("#parse-tab")
            assert page.input_value("#model") == "plcfrs:english"
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


def test_the_first_picture_of_each_model_has_a_gap_in_colour(open_page):
    page = open_page()
    for model in page.locator("#model option").evaluate_all("all => all.map((one) => one.value)"):
        page.select_option("#model", model)
        page.wait_for_selector("#examples button")
        page.click("#examples button >> nth=0")
        settle(page)
        coloured = page.locator("#parse-picture [data-node] g[color]").first
        positions = coloured.locator("..").get_attribute("data-yield").split()
        assert int(positions[-1]) - int(positions[0]) >= len(positions)


def test_tabs_share_a_sentence(open_page):
    page = open_page()
    parse(page, "What/WP should/MD we/PRP do/VB ?/.")
    for tab, shown in (("surprisal", ".bars"), ("teach", "#course .positions")):
        page.click(f"#{tab}-tab")
        page.wait_for_selector(f"{shown}:has-text('should')")
        assert page.input_value(f"#{tab} [name=text]") == SENTENCE
        assert page.is_checked(f"#{tab} [name=tagged]")
        assert "What%2FWP" in page.url
    page.fill("#teach-text", "When should we leave ?")
    page.press("#teach-text", "Enter")
    page.wait_for_selector("#course .positions:has-text('leave')")
    page.click("#parse-tab")
    page.wait_for_selector("#parse-picture text:text-is('leave')")
    assert page.input_value("#text") == "When should we leave ?"
    page.click("#grammar-tab")
    page.wait_for_selector("#rules table")
    page.click("#surprisal-tab")
    page.wait_for_selector(".bars:has-text('leave')")


def test_each_tab_and_search_has_a_title(open_page):
    page = open_page()
    parse(page)
    assert page.title() == f"{SENTENCE} - Parse - plcfrs"
    page.click("#treebank-tab")
    page.wait_for_selector("#treebank-picture svg")
    assert page.title() == "Treebank - plcfrs"
    page.fill("#query", "WHNP")
    page.press("#query", "Enter")
    page.wait_for_function("() => document.title === 'WHNP - Treebank - plcfrs'")
    page.go_back()
    page.wait_for_function("() => document.title === 'Treebank - plcfrs'")


def test_keys_lead_through_the_page(open_page, page_address):
    page = open_page()
    settle(page)
    reading = page.evaluate("document.activeElement.id")
    assert reading == "text"
    page.keyboard.type("/?")  # where one types, keys are letters
    assert page.input_value("#text") == "/?"
    page.focus("#parse-tab")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.focus("#parse-tab")
    page.keyboard.press("?")
    assert page.is_visible("#shortcuts")
    page.keyboard.press("Escape")
    assert page.is_hidden("#shortcuts")
    for tab in page.locator("[role=tab]:not([hidden])").all():
        tab.click()
        name = tab.get_attribute("aria-controls")
        assert page.get_attribute("#guide", "href") == f"/guide/page#{name}"
    page.goto(f"{page_address}guide/page#teach")
    assert page.is_visible("h2#teach")
    page.goto(page_address)
    page.wait_for_selector("body[data-ready]")
    page.focus("#skip")
    address = page.url
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.url == address


def test_one_action_is_one_step_of_history(open_page):
    page = open_page()
    settle(page)

    def steps(act, shown):
        before = page.evaluate("history.length")
        act()
        page.wait_for_selector(shown)
        page.wait_for_selector("main:not(:has([aria-busy]))")
        return page.evaluate("history.length") - before

    assert steps(lambda: parse(page), "#parse-picture text:text-is('should')") == 1
    assert steps(lambda: page.click("#examples button >> nth=1"), "#parse-picture svg") == 1
    assert steps(lambda: page.click("#surprisal-tab"), ".bars button") == 1
    assert steps(lambda: page.click("#grammar-tab"), "#rules table") == 1
    assert steps(lambda: page.click("#treebank-tab"), "#treebank-picture svg") == 1
    assert steps(lambda: page.click("#parse-tab"), "#parse-picture svg") == 1
    assert steps(lambda: page.select_option("#model", "steps"), "#derivation th") == 1


def test_the_page_comes_back_after_a_restart(browser, demo):
    with running(demo) as (process, address):
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#parse-picture svg")
        parse(page)
        process.kill()
        process.wait()
        parse(page, AMBIGUOUS)
        assert "does not answer" in page.text_content("#parse-error")
    with running(demo, port=int(address.rsplit(":", 1)[1].strip("/"))):
        page.wait_for_selector("#parse-picture text:text-is('mill')", timeout=60_000)
        assert page.is_hidden("#parse-error")
        page.close()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("parse?model=steps&text=What+should+we+do+%3F", "#parse-status:has-text('Parsed: 5')"),
        ("grammar?lhs=VP_2", "#rules td:has-text('VP_2 ->')"),
        ("treebank?query=VP&tree=3", "#treebank-status:has-text('matches marked')"),
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
    for tab in ("parse", "grammar", "treebank", "compare", "teach", "draw"):
        page.click(f"#{tab}-tab")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 340


def test_the_tabs_are_in_one_line_on_a_phone(open_page):
    page = open_page(viewport={"width": 390, "height": 800})
    page.click("#surprisal-tab")
    tops = page.eval_on_selector_all(
        "[role=tab]:not([hidden])", "all => all.map(one => one.offsetTop)"
    )
    assert len(set(tops)) == 1


def test_the_api_is_described_on_a_page(open_page, page_address):
    page = open_page()
    page.goto(f"{page_address}api")
    page.wait_for_selector("h2")
    assert "POST /api/v1/parse" in page.text_content("main")
    assert "word/TAG" in page.text_content("main")
