"""The tab that shows a search step by step, in a browser."""

import pytest

pytestmark = pytest.mark.full

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
GOAL = "[ROOT, ⟨⟨0,5⟩⟩]"


def follow(page, text=SENTENCE):
    page.click("#teach-tab")
    page.wait_for_selector("#course .items")
    page.fill("#teach-text", text)
    page.set_checked("#teach-tagged", "/" in text)
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


def test_errors_are_shown(open_page):
    page = open_page()
    follow(page, "unheard/XYZ of/IN")
    assert "XYZ" in page.text_content("#teach-error")
    assert page.locator("#course .items").count() == 0
    page.select_option("#model", index=2)
    page.wait_for_selector("#teach-error:has-text('only the search of a grammar has such steps')")
