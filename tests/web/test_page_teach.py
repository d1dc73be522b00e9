"""The tab that shows a search step by step, in a browser."""

import pytest
from parse_tab import lit

pytestmark = pytest.mark.full

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
GOAL = "[ROOT, ⟨⟨0,5⟩⟩]"


def follow(page, text=SENTENCE):
    page.click("#teach-tab")
    page.wait_for_selector("#course .items")
    page.fill("#teach-text", text)
    page.press("#teach-text", "Enter")
    settle(page)


def settle(page):
    page.wait_for_selector("#teach:not([aria-busy])")


def at(page):
    return page.text_content("#course [aria-label=Steps] span")


def listed(page, title):
    return page.locator(
        f"#course [aria-label='{title}'] tbody tr td:first-child"
    ).all_text_contents()


def test_the_search_is_followed_to_the_goal(open_page):
    page = open_page()
    follow(page)
    assert at(page) == "Step 0 of 12"
    assert listed(page, "Agenda")[0] == "[WP, ⟨⟨0,1⟩⟩]"
    page.click("#course [aria-label='Next step']")
    assert listed(page, "Chart") == ["[WP, ⟨⟨0,1⟩⟩]"]
    assert "[WHNP, ⟨⟨0,1⟩⟩]" in listed(page, "What follows")
    page.click("#course [aria-label='Last step']")
    assert at(page) == "Step 12 of 12"
    status = page.text_content("#course [role=status]")
    assert status.startswith(f"The goal {GOAL} leaves the agenda: the best parse costs 7.502")
    assert listed(page, "Chart")[0] == GOAL
    page.click("text=See the parse")
    page.wait_for_selector("#parse:not([aria-busy])")
    score = page.locator("#derivation tfoot td").nth(1).text_content()
    assert score == "-7.502"


def test_an_item_with_a_gap_marks_its_words_and_shows_the_rule(open_page):
    page = open_page()
    follow(page)
    page.locator("#course input[type=range]").fill("9")
    assert page.locator("#course mark").all_text_contents() == ["What", "do"]
    rule = page.locator("#course .inference")
    assert rule.get_attribute("aria-label") == "Binary"
    assert "VP^HINF(X,Y) -> WHNP(X) VB(Y)" in rule.text_content()
    assert "no parse with it costs less than 7.502" in page.text_content("#course")


def test_costs_alone_take_more_steps(open_page):
    page = open_page()
    follow(page)
    page.select_option("#order", "knuth")
    settle(page)
    assert int(at(page).split()[-1]) > 12
    assert page.locator("#course th:has-text('bound')").count() == 0


def test_a_step_has_an_address(open_page):
    page = open_page()
    follow(page)
    page.click("#course [aria-label='Last step']")
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector("#course .items")
    assert at(page) == "Step 12 of 12"
    assert page.input_value("#teach-text") == SENTENCE


def test_the_slider_goes_by_keyboard(open_page):
    page = open_page()
    follow(page)
    page.focus("#course input[type=range]")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert at(page) == "Step 3 of 12"


def test_each_step_has_the_tree_of_its_item(open_page):
    page = open_page()
    follow(page)
    page.locator("#course input[type=range]").fill("9")
    page.wait_for_selector("#course-picture.dimmed [data-node='1'].lit:has-text('VP^HINF_2')")
    assert lit(page, "#course-picture") == [0, 3]
    assert page.locator("#course-picture [data-node].lit").count() == 2  # and WHNP
    page.click("#course [aria-label='Last step']")
    page.wait_for_selector("#course-picture:not(.dimmed) [data-node='0'].lit")
    assert lit(page, "#course-picture") == [0, 1, 2, 3, 4]


def test_words_are_split_as_in_parse(open_page):
    page = open_page()
    follow(page, "What should we do?")
    assert page.is_checked("#teach-tokenize")
    assert "do" in page.locator("#course .positions").text_content()
    assert page.locator("#course .positions sub").last.text_content() == "5"
    page.click("#course [aria-label='Last step']")
    page.click("text=See the parse")
    page.wait_for_selector("#parse-picture [data-token='4']:has-text('?')")


def test_it_plays_to_the_end_and_stops(open_page):
    page = open_page()
    follow(page)
    page.select_option("#course .tools select", "10")
    page.click("#play")
    page.wait_for_selector("#course [aria-label=Steps] span:has-text('Step 12 of 12')")
    page.wait_for_selector("#play:has-text('Play')")
    page.select_option("#course .tools select", "0.5")
    page.click("#play")  # from the beginning
    page.wait_for_selector("#course [aria-label=Steps] span:not(:text-is('Step 12 of 12'))")


def test_it_plays_and_pauses_by_keyboard(open_page):
    page = open_page()
    follow(page)
    page.focus("#play")
    page.keyboard.press("Space")
    page.wait_for_selector("#course [aria-label=Steps] span:not(:text-is('Step 0 of 12'))")
    page.keyboard.press("Space")
    page.wait_for_selector("#play:has-text('Play')")
    assert page.evaluate("document.activeElement.id") == "play"
    shown = at(page)
    assert shown != "Step 12 of 12"
    page.keyboard.press("Space")
    page.wait_for_selector(f"#course [aria-label=Steps] span:not(:text-is('{shown}'))")


def test_another_search_does_not_play(open_page):
    page = open_page()
    follow(page)
    page.click("#play")
    page.wait_for_selector("#play:has-text('Pause')")
    follow(page, "What/WP do/VBP we/PRP do/VB ?/.")
    page.wait_for_selector("#play:has-text('Play')")


def asked(page):
    """Return the items to choose from; nothing else on the page tells which one is right."""
    page.wait_for_selector("#course .choices button")
    assert page.locator("#course :is(mark, .items, #course-picture)").count() == 0
    assert page.text_content("#course .conclusion").endswith(": ?")
    assert page.text_content("#course .rule").startswith("?(")
    return page.locator("#course .choices button").all_text_contents()


def popped(client):
    """Return what is deduced in each step, and not scanned, as it is written."""
    answer = client.post("/api/v1/course", json={"text": SENTENCE, "tagged": True}).json()
    items = []
    for step in answer["pops"]:
        item = answer["items"][step["popped"]["item"]]
        ranges = ", ".join(f"⟨{left},{right}⟩" for left, right in item["ranges"])
        if step["popped"]["by"] != "scan":
            items.append(f"[{item['symbol']}, ⟨{ranges}⟩]")
    return items


def test_an_exercise_has_a_score(open_page, serve):
    right = popped(serve())
    page = open_page()
    follow(page)
    page.check("#exercise")
    for number, item in enumerate(right):
        page.click("#next-question")
        offered = asked(page)
        assert len(set(offered)) == 4
        assert item in offered
        wrong = next(each for each in offered if each != item)
        page.click(f".choices button:text-is('{wrong if number == 1 else item}')")
        verdict = f"✗ Wrong: not {wrong}." if number == 1 else "✓ Right."
        score = number + (number < 1)
        page.wait_for_selector(f".verdict:has-text('{verdict} Score: {score} of {number + 1}.')")
        assert item in page.text_content("#course .conclusion")
    assert page.locator("#next-question").count() == 0
    page.uncheck("#exercise")
    page.wait_for_selector("#play")


def test_an_exercise_by_keyboard(open_page, serve):
    right = popped(serve())
    page = open_page()
    follow(page)
    page.focus("#exercise")
    page.keyboard.press("Space")
    page.focus("#next-question")
    page.keyboard.press("Enter")
    for number, item in enumerate(right[:3], start=1):
        offered = asked(page)
        for _ in range(offered.index(item)):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".verdict:has-text('Score: {number} of {number}.')")
        assert page.evaluate("document.activeElement.id") == "next-question"
        page.keyboard.press("Enter")


def test_an_exercise_has_an_address(open_page):
    page = open_page()
    follow(page)
    page.check("#exercise")
    page.locator("#course input[type=range]").fill("9")
    asked(page)
    page.goto("about:blank")
    page.go_back()
    asked(page)
    assert page.is_checked("#exercise")


@pytest.mark.parametrize(("width", "most"), [(390, 500), (1280, 250)])
def test_the_step_is_in_sight(open_page, width, most):
    page = open_page(viewport={"width": width, "height": 800})
    follow(page)
    page.click("#course [aria-label='Last step']")
    page.wait_for_selector("#course-picture svg")
    assert page.locator("#course .inference").bounding_box()["y"] < most
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_errors_are_shown(open_page):
    page = open_page()
    follow(page, "unheard/XYZ of/IN")
    assert "XYZ" in page.text_content("#teach-error")
    assert page.locator("#course .items").count() == 0
    page.select_option("#model", index=2)
    page.wait_for_selector("#teach-error:has-text('only the search of a grammar has such steps')")
