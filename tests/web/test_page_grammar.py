"""The rules of a grammar in a browser: sorted, with their sentences, compared, as a file."""

import pytest
from demo_trees import demo_trees
from serving import running

from plcfrs.grammar import Grammar, Recipe
from plcfrs.parsers.grammar.model import GrammarModel

pytestmark = pytest.mark.full

RULE = "VP^HINF_2 -> WHNP VB [0, 1]"
CLAUSE = "VP^HINF(X,Y) -> WHNP(X) VB(Y)"


@pytest.fixture(scope="module")
def page_address(demo, transitions, tmp_path_factory):
    """The address of a server with two grammars."""
    half = tmp_path_factory.mktemp("models") / "half.plcfrs"
    trees = demo_trees()
    GrammarModel.train(trees[:70], Recipe()).save(half)
    with running(demo, half, transitions, "--treebank", "plcfrs:demo") as (_, address):
        yield address


def grammar(open_page, **options):
    page = open_page(**options)
    page.click("#grammar-tab")
    page.wait_for_selector("#rules table")
    return page


def settle(page):
    page.wait_for_selector("#grammar:not([aria-busy])")


def column(page, place, number):
    return page.locator(f"{place} tbody td:nth-child({number})").all_text_contents()


def sentences(page):
    page.fill("#lhs", "VP^HINF_2")
    page.press("#lhs", "Enter")
    settle(page)
    page.click(f"[aria-label='Sentences with {CLAUSE}']")
    page.wait_for_selector("#uses tbody tr")


def test_the_grammar_is_searched(open_page):
    page = grammar(open_page)
    page.click("#rules .pages :text('Next')")
    page.wait_for_selector("#rules [role=status]:has-text('51 to')")
    page.fill("#lhs", "VP_2")
    page.press("#lhs", "Enter")
    page.wait_for_selector("#rules .pages", state="detached")
    rules = column(page, "#rules", 8)
    assert rules
    assert all(rule.startswith("VP_2 -> ") for rule in rules)
    page.fill("#lhs", "VPP_2")
    page.press("#lhs", "Enter")
    page.wait_for_selector("#grammar-error")
    assert "VPP_2" in page.text_content("#grammar-error")


@pytest.mark.parametrize(("name", "number"), [("fan-out", 5), ("rank", 6), ("complexity", 7)])
def test_rules_are_sorted_by_their_headings(open_page, name, number):
    page = grammar(open_page)
    page.focus(f"#rules th button:text-is('{name}')")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#rules th[aria-sort=descending]:has-text('{name}')")
    figures = [int(text) for text in column(page, "#rules", number)]
    assert figures == sorted(figures, reverse=True)
    assert page.input_value("#sort") == name
    assert f"sort={name}" in page.url


def test_a_rule_leads_to_a_tree_by_keyboard(open_page):
    page = grammar(open_page)
    sentences(page)
    assert page.text_content("#uses-rule") == RULE
    assert page.text_content("#uses-list [role=status]").startswith("10 uses")
    first = column(page, "#uses-list", 4)[0]
    page.wait_for_selector("#uses tbody tr:focus")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.rowIndex") == 2
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector("#treebank-picture g[color] text:text-is('VP^HINF')")
    red = page.locator("#treebank-picture [data-node]:has(> g[color])")
    assert red.count() == 1
    assert red.get_attribute("aria-label") == f"VP^HINF: {first.replace('...', '…')}"
    assert page.is_checked("#transform")
    page.go_back()
    page.wait_for_selector("#uses tbody tr")
    assert page.is_visible("#grammar")


def test_the_sentences_of_a_rule_have_an_address(open_page):
    page = grammar(open_page)
    sentences(page)
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#uses tbody tr")
    assert page.text_content("#uses-rule") == RULE
    page.click("#parse-tab")
    page.click("#grammar-tab")
    assert page.url == address
    page.fill("#lhs", "NP")
    page.press("#lhs", "Enter")
    page.wait_for_selector("#uses", state="hidden")
    assert "rule=" not in page.url


def test_two_grammars_are_compared(open_page):
    page = grammar(open_page)
    assert page.locator("#other option").all_text_contents() == ["nothing", "half"]
    page.select_option("#other", "half")
    page.wait_for_selector("#changes tbody tr")
    column_of_changes = column(page, "#changes [aria-label=Changes]", 4)
    changes = [float(text[1:]) for text in column_of_changes]  # after the sign
    assert changes
    assert changes == sorted(changes, reverse=True)
    page.select_option("#change", "appeared")
    page.wait_for_selector("#changes tbody tr:first-child td:nth-child(2):text-is('0')")
    assert "only in demo" in page.locator("#change option").all_text_contents()
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector("#changes tbody tr")
    assert page.input_value("#change") == "appeared"
    page.select_option("#model", "steps")
    page.wait_for_selector("#changes", state="hidden")
    assert {text[0] for text in column_of_changes} == {"+", "\N{MINUS SIGN}"}


def test_the_rules_that_are_found_are_a_file(open_page, tmp_path):
    page = grammar(open_page)
    page.check("#restored")
    page.fill("#lhs", "VP_2")
    page.press("#lhs", "Enter")
    settle(page)
    shown = page.text_content("#rules [role=status]")
    with page.expect_download() as waiting:
        page.click("#rules a")
    assert waiting.value.suggested_filename.endswith(".yaml")
    path = tmp_path / "found.yaml"
    waiting.value.save_as(path)
    rules = Grammar.load(path).rules
    assert shown == f"{len(rules)} rules"
    assert not any("@" in str(rule) for rule in rules)


def test_a_plain_grammar_has_its_overview(open_page):
    page = grammar(open_page)
    page.wait_for_selector("#inspected:has-text('most frequent discontinuous rules')")


def test_a_phone_shows_sentences_without_scrolling_sideways(open_page):
    page = grammar(open_page, viewport={"width": 390, "height": 800})
    sentences(page)
    page.select_option("#other", "half")
    page.wait_for_selector("#changes tbody tr")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    box = page.locator("#uses tbody tr").first.bounding_box()
    assert box["x"] + box["width"] <= 390
