"""The tab that shows surprisal, in a browser."""

import csv
from io import StringIO
from xml.etree import ElementTree

import pytest
from parse_tab import columns, downloaded, lit, parse
from surprisal_tab import SENTENCE, options, read, settle

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
    options(page)
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
    assert not page.is_visible("#items")
    assert page.locator(".bars").count() == 0
    page.select_option("#model", "demo")
    page.wait_for_selector(".bars button:last-child:has-text('?')")
    assert not page.is_visible("#without-surprisal")


def test_words_after_which_there_is_no_sentence(open_page):
    page = open_page()
    read(page, "should/MD should/MD should/MD")
    assert page.locator(".bars .bits").last.text_content() == "∞"
    page.wait_for_selector("#surprisal-error:has-text('no sentence that continues with “should”')")
    page.locator(".bars button").last.click()
    page.wait_for_selector("#analyses-list [role=status]:has-text('no analyses: no sentence.')")


def test_more_analyses_are_looked_for(open_page):
    page = open_page()
    read(page)
    choose(page, 3)
    options(page)
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
    page.click("#surprisal .wait:not([hidden]) button")
    settle(page)
    assert page.evaluate("document.activeElement.id") == "surprisal-text"


UNKNOWN = "What zyzzyva we do ?"


def test_unknown_words_are_hatched_and_the_legend_says_so(open_page):
    page = open_page(color_scheme="dark")
    read(page)
    assert page.locator(".bars .unknown").count() == 0
    assert "does not know" not in page.text_content("#surprisal .legend")
    read(page, UNKNOWN)
    (name,) = page.eval_on_selector_all(
        ".bars .unknown", "all => all.map(one => one.getAttribute('aria-label'))"
    )
    assert name.startswith("zyzzyva: ")
    assert "unknown word" in name
    image = "one => getComputedStyle(one).backgroundImage"
    assert "gradient" in page.eval_on_selector(".bars .unknown .lexical", image)
    assert page.eval_on_selector(".bars .word:not(.unknown) .lexical", image) == "none"
    assert "a word that the model does not know" in page.text_content("#surprisal .legend")


def test_an_axis_has_bits(open_page, expected):
    page = open_page()
    read(page)
    ticks = [int(text) for text in page.locator(".axis b").all_text_contents()]
    assert ticks == [0, 2, 4, 6, 8, 10]
    foot = page.locator(".plot").first.bounding_box()
    full = page.locator(".bars .stack").first.bounding_box()["height"]
    highest = max(word.surprisal for word in expected)
    for place, tick in enumerate(ticks):
        box = page.locator(".axis b").nth(place).bounding_box()
        middle = foot["y"] + foot["height"] - box["y"] - box["height"] / 2
        assert middle == pytest.approx(full * tick / highest, abs=3)


def test_a_control_is_on_the_same_scale(open_page, demo, expected):
    page = open_page()
    read(page)
    page.focus("#control")
    page.keyboard.type(UNKNOWN)
    page.keyboard.press("Enter")
    page.wait_for_selector(".chart:nth-child(3)")
    control = load_model(demo).surprisal(UNKNOWN)
    both = [word.surprisal for word in [*expected, *control]]
    full = page.locator(".bars .stack").first.bounding_box()["height"]
    found = [
        lexical + syntactic
        for lexical, syntactic in zip(
            heights(page, "lexical"), heights(page, "syntactic"), strict=True
        )
    ]
    assert found == pytest.approx([full * bits / max(both) for bits in both], abs=1)
    total = sum(word.surprisal for word in control)
    assert f"Control: 5 words, {total:.4g} bits, {total / 5:.4g} per word" in page.text_content(
        "#surprisal-result"
    )
    _, content = downloaded(page, "#surprisal-result button:text-is('TSV')")
    rows = list(csv.DictReader(StringIO(content.decode()), delimiter="\t"))
    assert [row["sentence"] for row in rows] == [*"11111", *"22222"]
    assert [float(row["surprisal"]) for row in rows] == pytest.approx(both, rel=1e-5)
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector(".chart:nth-child(3)")
    page.fill("#control", "word " * 40)
    page.press("#control", "Enter")
    page.wait_for_selector("#surprisal-error:has-text('Control: the sentence has 40 words')")


def test_the_chart_is_downloaded_as_it_is_shown(open_page):
    page = open_page()
    read(page)
    page.fill("#control", UNKNOWN)
    options(page)
    page.select_option("#series", "entropy")
    page.press("#control", "Enter")
    page.wait_for_selector(".chart:nth-child(3)")
    name, content = downloaded(page, "#surprisal-result button:text-is('SVG')")
    assert name == "surprisal.svg"
    texts = [one.text for one in ElementTree.fromstring(content).iter() if one.text]
    shown = page.locator(".bars .word > span:not(.plot)").all_text_contents()
    assert set(shown) <= set(texts)
    assert {"bits", "entropy", "a word that the model does not know"} <= set(texts)
    name, content = downloaded(page, "#surprisal-result button:text-is('PNG')")
    assert (name, content[:4]) == ("surprisal.png", b"\x89PNG")


ITEMS = (
    "item\tcondition\tsentence\n1\tobject\tWhat should we do?\n"
    f"1\tlong\t{'we ' * 40}\n2\tsubject\tWho left?\n"
)


def read_items(page, text=ITEMS):
    page.click("#surprisal-tab")
    page.wait_for_selector(".bars button")
    page.click("#items summary")
    page.fill("#items-text", text)
    page.click("#items button.main")


def test_many_sentences_become_one_table(open_page, expected):
    page = open_page()
    read_items(page)
    page.wait_for_selector("#items-table [role=status]:has-text('3 sentences')")
    assert columns(page, "#items-table", 1) == ["1", "2", "3"]
    assert columns(page, "#items-table", 3) == ["object", "long", "subject"]
    first, bad, last = columns(page, "#items-table", 4)
    for word in expected:
        assert f"{word.surprisal:.2f}" in first
    assert "the sentence has 40 words" in bad
    assert "Who" in last
    bits, _, _ = columns(page, "#items-table", 5)
    assert float(bits) == pytest.approx(sum(word.surprisal for word in expected), abs=0.01)
    name, content = downloaded(page, "#items-table button:text-is('CSV')")
    assert name == "surprisal.csv"
    rows = list(csv.DictReader(StringIO(content.decode())))
    assert [(row["sentence"], row["item"]) for row in rows] == [
        *[("1", "1")] * 5,
        ("2", "1"),
        *[("3", "2")] * 3,
    ]
    assert [float(row["surprisal"]) for row in rows[:5]] == pytest.approx(
        [word.surprisal for word in expected], rel=1e-5
    )


def test_an_item_is_read_with_the_mouse_and_by_keyboard(open_page):
    page = open_page()
    read_items(page)
    page.click("#items-table tbody tr:nth-child(3)")
    page.wait_for_selector(".bars button:nth-child(2):has-text('left')")
    assert page.input_value("#surprisal-text") == "Who left ?"
    page.focus("#items-table tbody tr:nth-child(3)")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector(".bars button:nth-child(2):has-text('should')")


IS_IN_SIGHT = """() => {
    const { top, bottom } = document.querySelector(".bars").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}"""


def test_the_bars_of_an_item_come_into_sight(open_page):
    page = open_page(viewport={"width": 1280, "height": 700})
    read_items(page, 40 * "What should we do?\n" + "Who left?\n")
    page.wait_for_selector("#items-table [role=status]:has-text('41 sentences')")
    page.evaluate("scrollTo(0, 0)")
    assert not page.evaluate(IS_IN_SIGHT)
    page.click("#items-table tbody tr:nth-child(40)")
    page.wait_for_function(IS_IN_SIGHT)
    assert page.locator("#items-table tr.lit").evaluate("row => row.rowIndex") == 40


def test_a_file_of_sentences_is_read(open_page, tmp_path):
    path = tmp_path / "items.txt"
    path.write_text("What/WP should/MD\nwe/PRP do/VB\n")
    page = open_page()
    page.click("#surprisal-tab")
    page.click("#items summary")
    page.set_input_files("#items-file", path)
    page.wait_for_selector("#items-table [role=status]:has-text('2 sentences')")
    assert page.is_checked("#items-tagged")
    page.click("#items-table tbody tr:nth-child(2)")
    page.wait_for_selector(".bars button:first-child:has-text('we')")
    assert page.input_value("#surprisal-text") == "we/PRP do/VB"


def test_a_long_list_is_stopped_and_what_is_read_stays(open_page, serve):
    page = open_page()
    first = serve().post("/api/v1/surprisal/items", json={"text": "What ?"}).json()
    asked = []

    def answer(route):
        asked.append(route.request.post_data_json["first"])
        if len(asked) == 1:  # as if the server had read one of them in its second
            route.fulfill(json={**first, "total": 3})

    page.route("**/api/v1/surprisal/items", answer)
    read_items(page, "What ?\nWho ?\nWhy ?")
    page.click("#surprisal .wait:not([hidden]) button")
    page.wait_for_selector("#items:not([aria-busy])")
    assert asked == [0, 1]
    assert "1 of 3 sentences" in page.text_content("#items-table [role=status]")
    _, content = downloaded(page, "#items-table button:text-is('TSV')")
    assert content.decode() == first["tsv"]


def test_another_model_takes_the_table_away(open_page):
    page = open_page()
    read_items(page)
    page.wait_for_selector("#items-table tbody tr")
    page.select_option("#model", "fine")
    page.wait_for_selector("#items-table tbody tr", state="detached")


def test_a_table_that_cannot_be_read_says_where(open_page):
    page = open_page()
    read_items(page, "item,sentence\n1,What,now\n")
    page.wait_for_selector("#items-error:has-text('3 cells, but there are 2 columns')")
    assert page.input_value("#items-text").startswith("item,sentence")


def test_the_chart_is_in_sight(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    read(page)
    assert page.locator(".plot").first.bounding_box()["y"] < 250


@pytest.mark.parametrize("width", [390, 1400])
def test_the_page_is_not_wider_than_the_window(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    read(page)
    choose(page, 4)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
