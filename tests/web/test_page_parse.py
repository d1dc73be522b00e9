"""The tab that parses sentences, in a browser."""

import pytest
from parse_tab import (
    AMBIGUOUS,
    DISCONTINUOUS,
    SENTENCE,
    columns,
    lit,
    open_options,
    parse,
    settle,
)
from serving import running

from plcfrs import train

pytestmark = pytest.mark.full

PERCENT = "() => parseInt(document.querySelector('#parse .zoom output').value)"
LONG = AMBIGUOUS.replace(" ?/.", 7 * " at/IN the/DT mill/NN" + " ?/.")


def width(page, selector="#parse-picture svg"):
    return page.locator(selector).bounding_box()["width"]


def test_a_typed_sentence_is_drawn_with_crossing_branches(open_page):
    page = open_page()
    page.keyboard.type(SENTENCE)  # the field has the focus, and the example is selected
    assert page.is_checked("#tagged")
    page.keyboard.press("Enter")
    settle(page)
    assert "Parsed: 5 words" in page.text_content("#parse-status")
    labels = page.locator("#parse-picture [data-node] text").all_text_contents()
    assert {"ROOT", "SBARQ", "VP"} <= set(labels)
    vp = page.locator("#parse-picture [data-yield='0 3']")
    assert vp.get_attribute("aria-label") == "VP: What … do"
    rules = page.locator("#derivation tbody tr").all_text_contents()
    assert any(DISCONTINUOUS.search(rule) for rule in rules)
    assert "items created" in page.text_content("#chart")


def test_functions_and_traces(open_page, tmp_path):
    train("grammar", "plcfrs:demo").save(tmp_path / "demo.plcfrs")
    with running(tmp_path / "demo.plcfrs") as (_, address):
        page = open_page()
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        show_functions_and_traces(page)
        page.close()  # before its server


def show_functions_and_traces(page):
    parse(page)
    open_options(page)
    page.check("#parse-traces")
    page.wait_for_selector("#parse-picture [data-trace='4']")  # What should we do *T*-1 ?
    settle(page)
    assert page.locator("#parse-picture [data-node]:has(text:text-is('NP-SBJ'))").count() == 1
    assert page.locator("#parse-picture [data-token='4']").get_attribute("role") == "img"
    page.locator("#derivation tbody tr", has_text="?").last.click()
    assert lit(page) == [5]
    assert "traces=true" in page.url
    page.click("#parse-picture [data-token='3']")
    page.fill("#tag-input", "VBP")
    page.press("#tag-input", "Enter")
    page.wait_for_selector("#text >> visible=true")
    settle(page)
    assert page.input_value("#text") == "What/WP should/MD we/PRP do/VBP ?/."
    page.uncheck("#parse-functions")
    page.wait_for_selector("#parse-picture [data-trace]", state="detached")
    assert page.is_disabled("#parse-traces")
    assert page.locator("#parse-picture [data-node]:has(text:text-is('NP-SBJ'))").count() == 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What should we do?", "tokenize"),
        ("What should we do ?", None),
        ("We left at 5 p.m. on Sunday .", None),
        ("We didn't leave", "tokenize"),
        (SENTENCE, "tagged"),
    ],
)
def test_the_kind_of_text_is_noticed(open_page, text, kind):
    page = open_page()
    page.fill("#text", text)
    checked = [name for name in ("tagged", "tokenize") if page.is_checked(f"#{name}")]
    assert checked == ([kind] if kind else [])


def shown(page):
    return page.locator("#parse-picture [data-token] text:last-child").all_text_contents()


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("What should we do? We leave.", "What should we do?", "We leave."),
        ("What should we do ?\n\nWe leave .", "What should we do ?", "We leave ."),
        (f"{SENTENCE}\nWe/PRP leave/VBP ./.", SENTENCE, "We/PRP leave/VBP ./."),
    ],
)
def test_several_sentences_are_not_parsed_as_one(open_page, text, first, second):
    page = open_page()
    settle(page)
    steps = page.evaluate("history.length")
    parse(page, text)
    assert "2 sentences" in page.text_content("#parse-form [role=status]")
    assert shown(page) == ["What", "should", "we", "do", "?"]
    assert page.input_value("#text") == first
    assert page.evaluate("history.length") == steps + 1
    page.click("#parse-form [aria-label=Sentences] button:nth-child(2)")
    page.wait_for_selector("#parse-picture text:text-is('leave')")
    assert (page.input_value("#text"), shown(page)) == (second, ["We", "leave", "."])
    page.click("#parse-form button:text-is('All as one')")
    settle(page)
    assert "8 words" in page.text_content("#parse-status")
    parse(page, second)
    assert page.locator("#parse-form [aria-label=Sentences]").count() == 0


def test_running_text_is_split_and_its_words_are_shown(open_page):
    page = open_page()
    parse(page, "What should we do?")
    assert "Parsed: 5 words" in page.text_content("#parse-status")
    words = page.locator("#parse-picture [data-token] text:last-child").all_text_contents()
    assert words == ["What", "should", "we", "do", "?"]


def shown_percent(page):
    return int(page.text_content("#parse .zoom output").split()[0])


def test_a_picture_is_fitted_and_zoomed(open_page):
    page = open_page(viewport={"width": 700, "height": 700})
    parse(page)
    assert shown_percent(page) == 100  # never larger
    before = width(page)
    page.click("#parse .view [aria-label=Larger]")
    assert width(page) == pytest.approx(1.25 * before)
    assert shown_percent(page) == 125
    for _ in range(6):
        page.click("#parse .view [aria-label=Larger]")
    assert width(page, "#parse-picture") <= width(page, "#parse")
    page.click("#parse .view button:text('Fit')")
    assert width(page) == before
    page.focus("#parse-picture [data-node='0']")
    page.keyboard.press("-")
    assert width(page) == pytest.approx(before / 1.25)
    page.keyboard.press("0")
    page.check("#parse .view label:has-text('Spacious') input")
    page.wait_for_function(
        f"() => document.querySelector('#parse-picture svg').clientWidth > {before}"
    )


def test_a_long_sentence_is_fitted_into_the_window(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    parse(page, LONG)
    frame = page.locator("#parse-picture").bounding_box()
    tree = page.locator("#parse-picture svg").bounding_box()
    assert shown_percent(page) < 100
    assert tree["width"] <= frame["width"] <= 1280
    assert frame["y"] < 200
    assert frame["y"] + frame["height"] < 800


def test_a_subtree_is_fitted_by_a_double_click_and_by_a_key(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    parse(page, AMBIGUOUS)
    label = page.locator("#parse-picture [data-yield='2 3'] text").first
    for act in (label.dblclick, lambda: label.locator("..").press("z")):
        page.click("#parse .view button:text('Fit')")
        act()
        page.wait_for_function(PERCENT + " > 150")
        frame = page.locator("#parse-picture").bounding_box()
        for one in ("fire", "the"):
            word = page.locator(f"#parse-picture text:text-is('{one}')").first.bounding_box()
            assert frame["x"] <= word["x"] <= frame["x"] + frame["width"]
    assert page.locator("#parse-picture [aria-expanded=false]").count() == 0


def test_a_picture_is_zoomed_at_the_pointer_and_dragged(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    parse(page, LONG)
    page.click("#parse .view button:text('Fit')")
    word = page.locator("#parse-picture text:text-is('mill')").nth(3)

    def place():
        box = word.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    x, y = place()
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.wait_for_function(PERCENT + " > 150")
    page.keyboard.up("Control")
    assert place()[0] == pytest.approx(x, abs=2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 50, y - 20, steps=4)
    page.mouse.move(x - 120, y - 20, steps=4)
    page.mouse.up()
    assert place()[0] == pytest.approx(x - 120, abs=10)
    assert page.is_hidden("#tag-dialog")  # a drag is no click
    assert page.evaluate("getSelection().toString()") == ""


def test_two_fingers_zoom_a_picture(open_page):
    page = open_page(viewport={"width": 390, "height": 800}, has_touch=True)
    parse(page)
    before = width(page)
    page.evaluate(
        """() => {
          const figure = document.querySelector("#parse-picture");
          const fingers = (...all) => all.map(([x, y], identifier) => (
            new Touch({ identifier, target: figure, clientX: x, clientY: y })));
          const send = (name, ...all) => figure.dispatchEvent(new TouchEvent(
            name, { touches: fingers(...all), cancelable: true, bubbles: true }));
          send("touchstart", [100, 300], [200, 300]);
          send("touchmove", [50, 300], [250, 300]);
        }"""
    )
    assert width(page) == pytest.approx(2 * before)


def test_a_picture_fills_the_screen(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    parse(page)
    page.click("#parse .view [aria-label='Full screen']")
    page.wait_for_function(PERCENT + " > 150")
    page.click("#parse .view [aria-label='Full screen']")
    page.wait_for_function(PERCENT + " === 100")


def test_a_constituent_is_collapsed_and_opened(open_page):
    page = open_page()
    parse(page)
    whole = page.inner_html("#parse-picture")
    page.click("#parse-picture [data-node] text:text-is('SBARQ')")
    page.wait_for_selector("#parse-picture [aria-expanded=false]")
    assert "What should we do ?" in page.locator("#parse-picture text").all_text_contents()
    assert page.locator("#parse-picture [data-node]").count() == 2
    page.locator("#derivation tbody tr").nth(3).hover()
    assert lit(page) == [0]
    page.focus("#parse-picture [aria-expanded=false]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#parse-picture [data-token='4']")
    assert page.locator("#parse-picture text").count() == whole.count("</text>")
    assert page.evaluate("document.activeElement.textContent") == "SBARQ"


def test_a_constituent_that_collapses_stays_in_sight(open_page):
    page = open_page(viewport={"width": 390, "height": 800})
    parse(page, AMBIGUOUS)
    for _ in range(5):
        page.click("#parse-result button[aria-label='Larger']")
    page.focus("#parse-picture [data-node='3']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#parse-picture:not([aria-busy]) [data-node='3']:focus")
    frame = page.locator("#parse-picture").bounding_box()
    box = page.locator("#parse-picture [data-node]:focus text").bounding_box()
    assert frame["x"] <= box["x"] + box["width"] / 2 <= frame["x"] + frame["width"]


def test_the_root_is_in_sight_on_a_phone(open_page):
    page = open_page(viewport={"width": 340, "height": 640})
    parse(page, AMBIGUOUS.replace(" ?/.", 3 * " at/IN the/DT mill/NN" + " ?/."))
    root = page.locator("#parse-picture [data-node='0'] text").bounding_box()
    assert 0 <= root["x"] < 340 - root["width"]
    assert 0 <= root["y"] < 640 - root["height"]


def test_the_scores_on_the_page_add_up(open_page):
    page = open_page()
    parse(page, AMBIGUOUS)
    scores = page.locator("#derivation tbody td.number").all_text_contents()
    total = float(page.text_content("#derivation tfoot td.number"))
    assert sum(map(float, scores)) == pytest.approx(total, rel=1e-3)


def test_other_parses_are_shown_when_they_are_chosen(open_page):
    page = open_page()
    parse(page, AMBIGUOUS)
    radios = page.locator("#parses input")
    assert radios.count() > 1
    scores = [float(row.split("\t")[0]) for row in columns(page, "#parses", 4)]
    assert scores == sorted(scores, reverse=True)
    first = page.inner_html("#parse-picture")
    radios.first.focus()
    page.keyboard.press("ArrowDown")
    assert radios.nth(1).is_checked()
    assert page.inner_html("#parse-picture") != first


def test_a_tag_is_changed_by_a_click(open_page):
    page = open_page()
    parse(page)
    page.click("#parse-picture [data-token='1'] text >> nth=0")
    assert page.text_content("#tag-label") == "Tag of “should”"
    page.fill("#tag-input", "VBD")
    page.keyboard.press("Enter")
    page.wait_for_selector("#parse-picture [data-token='1']:has-text('VBD')")
    settle(page)
    assert page.input_value("#text") == SENTENCE.replace("MD", "VBD")
    page.click("#untag")
    settle(page)
    assert page.input_value("#text") == "What should we do ?"
    assert not page.is_checked("#tagged")


def test_a_tag_is_changed_by_keyboard_and_left_by_escape(open_page):
    page = open_page()
    parse(page)
    page.focus("#parse-picture [data-node='0']")
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.token") == "0"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.is_hidden("#tag-dialog")
    assert page.input_value("#text") == SENTENCE
    page.keyboard.press("Enter")
    page.keyboard.type("WDT")
    page.keyboard.press("Enter")
    page.wait_for_selector("#parse-picture [data-token='0']:has-text('WDT')")
    assert page.input_value("#text").startswith("What/WDT should/MD")


def test_the_yield_of_a_constituent_lights_up(open_page):
    page = open_page()
    parse(page)
    page.hover("#parse-picture [data-yield='0 3'] text")
    assert lit(page) == [0, 3]
    page.hover("#parse-status")
    assert lit(page) == []
    page.focus("#parse-picture [data-node='0']")
    assert lit(page) == [0, 1, 2, 3, 4]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert lit(page) == [0, 1, 2, 3]
    page.keyboard.press("ArrowUp")
    assert lit(page) == [0, 1, 2, 3, 4]
    row = page.locator("#derivation tbody tr", has_text=DISCONTINUOUS).first
    row.hover()
    assert lit(page) == [0, 3]


def test_a_refined_grammar_hides_what_it_does_not_have(open_page):
    page = open_page()
    open_options(page)
    page.select_option("#model", "fine")
    assert page.is_hidden("#strategy")
    assert page.is_hidden("#nbest")
    parse(page)
    assert "Parsed" in page.text_content("#parse-status")
    assert "%" not in page.text_content("#parses")
    page.select_option("#model", "demo")
    assert page.is_visible("#strategy")


def test_a_transition_parser_shows_its_transitions(open_page):
    page = open_page()
    open_options(page)
    page.select_option("#model", "steps")
    assert page.is_hidden("#strategy")
    assert page.is_hidden("#objective")
    assert page.is_visible("#nbest")
    page.fill("#nbest", "3")
    parse(page)
    assert "Parsed" in page.text_content("#parse-status")
    page.wait_for_selector("#parses tbody tr:nth-child(3)")
    assert "%" not in page.text_content("#parses")
    assert "sum of the weights of the transitions" in page.text_content("#parses th >> nth=1")
    assert page.text_content("#derivation th") == "transition"
    assert columns(page, "#derivation", 1)[0] == "SHIFT"
    scores = page.locator("#derivation tbody td.number").all_text_contents()
    total = float(page.text_content("#derivation tfoot td.number"))
    assert sum(map(float, scores)) == pytest.approx(total, rel=1e-2)
    assert page.is_hidden("#chart")
    parse(page, "What should xyzzy do ?")
    assert "Parsed" in page.text_content("#parse-status")


def test_gaps_have_colours_and_brackets(open_page):
    page = open_page()
    parse(page)
    vp = page.locator("#parse-picture [data-yield='0 3']")
    assert vp.get_attribute("aria-label") == "VP: What … do"
    assert page.locator("#parse-picture svg [color]").count() > 0
    page.uncheck("#parse .view :text('Gaps')")
    page.wait_for_function("() => !document.querySelector('#parse-picture svg g[color]')")
    page.check("#parse .view :text('Gaps')")
    page.wait_for_selector("#parse-picture svg g[color]")


def test_why_a_constituent_is_missing(open_page):
    page = open_page()
    parse(page)
    page.fill("#want", "NP 0-1")
    page.press("#want", "Enter")
    page.wait_for_selector("#wanted:not([hidden])")
    assert "NP 0-1: " in page.text_content("#wanted")
    page.fill("#want", "nonsense")
    page.press("#want", "Enter")
    page.wait_for_selector("#derivation [role=alert]:not([hidden])")
    assert page.is_hidden("#wanted")
    page.select_option("#model", index=2)
    page.wait_for_selector("#parse-status:has-text('Parsed')")
    assert page.is_visible("#want-form")  # for parsers of all families


def test_unknown_words_are_hatched(open_page):
    page = open_page()
    parse(page, "What/WP should/MD xyzzy/PRP do/VB ?/.")
    word = page.locator("#parse-picture [data-token='2']")
    assert page.locator("#parse-picture .hatched").count() == word.locator(".hatched").count() == 1
    assert word.get_attribute("aria-label").endswith(", unknown word")
    text = word.locator("text").nth(1).bounding_box()
    paper = word.locator(".hatched").bounding_box()
    assert paper["x"] < text["x"] < text["x"] + text["width"] < paper["x"] + paper["width"]
    assert "unknown words" in page.text_content("#unknown")
    parse(page)
    assert page.locator("#parse-picture .hatched, #unknown").count() == 0
