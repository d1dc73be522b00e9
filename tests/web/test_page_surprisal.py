"""The tab that shows surprisal, in a browser."""

import csv
from io import StringIO

import pytest
from parse_tab import columns, downloaded, lit, parse
from surprisal_tab import SENTENCE, read, settle

from plcfrs import load_model

pytestmark = pytest.mark.full

TAGGED = "What/WP should/MD we/PRP do/VB ?/."


def choose(page, position):
    page.locator(".bars button").nth(position).click()
    page.wait_for_selector(f".bars button:nth-child({position + 1})[aria-pressed=true]")
    page.wait_for_selector("#analysis-picture svg")
    settle(page)


def heights(page, part):
    return page.eval_on_selector_all(
        f".bars .{part}", "all => all.map(one => one.getBoundingClientRect().height)"
    )


@pytest.fixture(scope="module")
def expected(demo):
    return load_model(demo).surprisal(SENTENCE, 5, derivation_entropy=True)


def test_bars_are_as_high_as_words_are_surprising(open_page, expected):
    page = open_page()
    read(page)
    assert page.locator(".bars .bits").all_text_contents() == [
        f"{word.surprisal:.2f}" for word in expected
    ]
    highest = max(word.surprisal for word in expected)
    full = page.locator(".bars .stack").first.bounding_box()["height"]
    for part, shares in (
        ("lexical", [word.word_surprisal for word in expected]),
        ("syntactic", [word.tag_surprisal for word in expected]),
    ):
        assert heights(page, part) == pytest.approx(
            [full * share / highest for share in shares], abs=1
        )
    assert page.locator(".bars .interval").count() == 0
    name = page.locator(".bars button").first.get_attribute("aria-label")
    assert name == "What: 5.54 bits, syntactic 0.34, lexical 5.20"


def test_entropy_is_beside_it_if_it_is_wanted(open_page, expected):
    page = open_page()
    read(page)
    assert page.locator(".bars .series").count() == 0
    page.select_option("#series", "entropy")
    full = page.locator(".bars .stack").first.bounding_box()["height"]
    highest = max(word.surprisal for word in expected)
    assert heights(page, "series") == pytest.approx(
        [full * word.entropy / highest for word in expected], abs=1
    )
    assert page.locator("#numbers th:has-text('derivations')").count() == 0
    page.select_option("#series", "derivation_entropy")
    page.wait_for_selector("#numbers th:has-text('entropy of derivations')")
    name = page.locator(".bars button").first.get_attribute("aria-label")
    assert name.endswith(f"entropy of derivations {expected[0].derivation_entropy:.2f}")


def test_a_word_is_chosen_with_the_mouse(open_page, expected):
    page = open_page()
    read(page)
    assert "Choose a word" in page.text_content("#surprisal-result")
    choose(page, 3)
    assert page.text_content("#analyses-title") == "Analyses after “do”"
    known = expected[3].analyses
    place = "#analyses-list"
    found = [float(text) for text in columns(page, place, 2)]
    assert found == pytest.approx([one.probability for one in known], rel=1e-3)
    assert columns(page, place, 3) == [" ".join(one.open) for one in known]
    assert page.locator("#analysis-picture [data-token]").count() == 4
    assert page.locator("#analysis-picture g[color]").count() == len(known[0].open)
    assert page.locator("#numbers tr.lit td").nth(1).text_content() == "do"


def test_awaited_constituents_are_lit(open_page, expected):
    position, rank = next(
        (position, rank)
        for position, word in enumerate(expected)
        for rank, one in enumerate(word.analyses)
        if one.awaited
    )
    one = expected[position].analyses[rank]
    page = open_page()
    read(page)
    choose(page, position)
    page.locator("#analyses-list [type=radio]").nth(rank).check()
    label, positions = one.awaited[0]
    words = " ".join(SENTENCE.split()[place] for place in positions)
    assert f"{label}({words})" in columns(page, "#analyses-list", 4)[rank]
    page.wait_for_selector("#analysis-picture [data-node].lit")
    assert set(positions) <= set(lit(page, "#analysis-picture"))


def test_words_are_reached_and_chosen_with_the_keyboard(open_page):
    page = open_page()
    read(page)
    page.focus(".bars button")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowLeft"):
        page.keyboard.press(key)
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused).startswith("do: ")
    page.keyboard.press("Enter")
    page.wait_for_selector("#analyses-title:has-text('do')")
    page.wait_for_selector("#analysis-picture svg")
    assert page.evaluate(focused).startswith("do: ")
    assert page.locator(".bars button[tabindex='0']").count() == 1
    page.keyboard.press("Home")
    assert page.evaluate(focused).startswith("What: ")


def test_a_row_of_the_table_chooses_its_word(open_page):
    page = open_page()
    read(page)
    page.focus("#numbers tbody tr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#analyses-title:has-text('should')")


def test_back_and_forward_go_through_words_and_sentences(open_page):
    page = open_page()
    read(page)
    choose(page, 1)
    choose(page, 3)
    page.locator("#analyses-list [type=radio]").nth(1).check()
    page.wait_for_url("**word=3&analysis=2")
    address = page.url
    page.go_back()
    page.go_back()
    page.wait_for_selector("#analyses-title:has-text('should')")
    page.go_back()
    page.wait_for_selector("#analyses-list", state="detached")
    read(page, "We do it .")
    page.go_back()
    page.wait_for_selector(".bars button:nth-child(1):has-text('What')")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#analyses-title:has-text('do')")
    page.wait_for_selector("#analyses-list tr:nth-child(2) input:checked")


def test_an_example_is_read(open_page):
    page = open_page()
    page.click("#surprisal-tab")
    page.wait_for_selector(".bars button")
    example = page.locator("#surprisal-examples button").nth(1)
    text = example.text_content()
    example.click()
    page.wait_for_selector(f".bars button:nth-child({len(text.split())})")
    settle(page)
    assert page.locator(".bars button > span:last-child").all_text_contents() == text.split()


def test_tags_are_recognized_and_read(open_page):
    page = open_page()
    read(page, TAGGED)
    assert page.is_checked("#surprisal-tagged")
    assert columns(page, "#numbers", 3) == ["WP", "MD", "PRP", "VB", "."]
    choose(page, 4)
    assert page.locator("#analysis-picture [data-token]").count() == 5


def test_the_words_of_a_parse_are_read(open_page):
    page = open_page()
    parse(page, "What should we do?")
    page.click("text=Surprisal of these words")
    page.wait_for_selector(".bars button:last-child:has-text('?')")
    assert page.input_value("#surprisal-text") == SENTENCE
    page.go_back()
    page.wait_for_selector("#parse:not([hidden])")


@pytest.mark.parametrize(("kind", "delimiter"), [("TSV", "\t"), ("CSV", ",")])
def test_the_table_is_downloaded(open_page, expected, kind, delimiter):
    page = open_page()
    read(page)
    name, content = downloaded(page, f"#surprisal-result button:text-is('{kind}')")
    assert name == f"surprisal.{kind.lower()}"
    rows = list(csv.DictReader(StringIO(content.decode()), delimiter=delimiter))
    assert [float(row["surprisal"]) for row in rows] == pytest.approx(
        [word.surprisal for word in expected], rel=1e-5
    )


def test_a_model_that_cannot(open_page):
    page = open_page()
    read(page)
    page.select_option("#model", "fine")
    page.wait_for_selector(
        "#without-surprisal:has-text('fine is a grammar whose symbols have substates')"
    )
    assert not page.is_visible("#surprisal-form")
    assert page.locator(".bars").count() == 0
    page.select_option("#model", "demo")
    page.wait_for_selector(".bars button:last-child:has-text('?')")
    assert not page.is_visible("#without-surprisal")


def test_words_after_which_there_is_no_sentence(open_page):
    page = open_page()
    read(page, "should/MD should/MD should/MD")
    assert page.locator(".bars .bits").last.text_content() == "∞"
    page.wait_for_selector("#surprisal-error:has-text('no sentence that goes on with “should”')")
    page.locator(".bars button").last.click()
    page.wait_for_selector("#analyses-list [role=status]:has-text('There are none: no sentence.')")


def test_more_analyses_are_looked_for(open_page):
    page = open_page()
    read(page)
    choose(page, 3)
    page.fill("#analyses", "8")
    page.press("#analyses", "Tab")
    page.wait_for_selector("#analyses-list tbody tr:nth-child(8)")
    assert "analyses=8" in page.url
    page.fill("#analyses", "99")  # more than the server allows: nothing changes
    page.press("#analyses", "Tab")
    assert page.locator("#analyses-list tbody tr").count() == 8
    assert not page.is_visible("#surprisal-error")


def test_an_error_is_shown(open_page):
    page = open_page()
    page.click("#surprisal-tab")
    page.wait_for_selector(".bars button")
    page.fill("#surprisal-text", "word " * 40)
    page.press("#surprisal-text", "Enter")
    page.wait_for_selector("#surprisal-error:has-text('40 words')")
    assert page.locator(".bars").count() == 0


def test_what_takes_long_is_stopped(open_page):
    page = open_page()
    read(page)
    page.route("**/api/v1/surprisal", lambda _: None)
    page.press("#surprisal-text", "Enter")
    page.click("#surprisal .wait button")
    settle(page)
    assert page.evaluate("document.activeElement.id") == "surprisal-text"


@pytest.mark.parametrize("width", [390, 1400])
def test_the_page_is_not_wider_than_the_window(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    read(page)
    choose(page, 4)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
