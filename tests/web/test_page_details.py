"""Lemmas, morphology, functions and secondary edges in a browser."""

import pytest

pytestmark = pytest.mark.full

WISHES = """#FORMAT 4
#BOS 1
Sie\tsie\tPPER\tNom.Pl\tSB\t500\tSB\t501
hoffen\thoffen\tVVFIN\t3.Pl.Pres\tHD\t500
und\tund\tKON\t--\tCD\t502
rudern\trudern\tVVFIN\t3.Pl.Pres\tHD\t501
#500\t--\tS\t--\tCJ\t502
#501\t--\tS\t--\tCJ\t502
#502\t--\tCS\t--\t--\t0
#EOS 1
"""
PICTURE = "#treebank-picture"


@pytest.fixture
def tab(open_page, tmp_path):
    """Open a tree with secondary edges."""
    page = open_page()
    page.click("#treebank-tab")
    (tmp_path / "wishes.export").write_text(WISHES, encoding="utf-8")
    page.set_input_files("#file", tmp_path / "wishes.export")
    page.wait_for_selector(f"{PICTURE} text:text-is('rudern')")
    return page


def pointed(page):
    return page.text_content("#treebank .pointed")


def test_details_are_shown_by_pointer_and_keyboard(tab):
    token = f"{PICTURE} [data-token='0']"
    assert pointed(tab) == ""
    tab.hover(f"{token} >> text=Sie")
    expected = "PPER: Sie, function SB, lemma sie, morphology Nom.Pl, secondary edge SB to S-CJ"
    assert pointed(tab) == expected
    assert tab.get_attribute(token, "aria-label") == expected
    tab.hover("h1")
    assert pointed(tab) == ""
    tab.focus(f"{PICTURE} [data-node='0']")
    for _ in range(2):
        tab.keyboard.press("ArrowDown")
    assert pointed(tab) == "S-CJ: Sie hoffen, function CJ"
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    assert pointed(tab) == "S-CJ: rudern, function CJ, secondary edge SB from Sie"


def test_rows_below_the_words_are_switched(tab):
    edge = f"{PICTURE} [data-edge]"
    assert tab.text_content(edge) == "SB"
    assert tab.locator(f"{PICTURE} text:text-is('Nom.Pl')").count() == 0
    tab.check("#treebank .view :text('Morphology')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('Nom.Pl')")
    tab.check("#treebank .view :text('Lemmas')")
    tab.wait_for_selector(f"{PICTURE} [data-token='1'] text:nth-of-type(3):text-is('hoffen')")
    assert tab.text_content(edge) == "SB"
    tab.click(f"{PICTURE} [data-node='2'] text")  # the first S, with the dependent of the edge
    tab.wait_for_selector(f"{PICTURE} [aria-expanded=false]")
    assert tab.locator(edge).count() == 0
    tab.click(f"{PICTURE} [aria-expanded=false] text")
    tab.wait_for_selector(edge)


def test_a_treebank_without_details_has_no_switches(open_page):
    page = open_page()
    page.click("#treebank-tab")
    page.wait_for_selector(f"{PICTURE} svg")
    assert page.locator("#treebank .view :text('Lemmas')").count() == 0
    page.hover(f"{PICTURE} [data-node] text:text-is('NP-SBJ') >> nth=0")
    assert pointed(page) == "NP-SBJ: Mrs. Adeyemi, function SBJ"


def test_colours_are_those_of_the_picture(tab):
    colours = {
        name: tab.eval_on_selector(f"{PICTURE} {selector}", "one => getComputedStyle(one).color")
        for name, selector in (("edge", "[data-edge]"), ("word", "[data-token]"))
    }
    assert colours["edge"] == "rgb(42, 133, 64)"
    tab.fill("#query", "S")
    tab.press("#query", "Enter")
    tab.wait_for_selector("#treebank-status:has-text('matches marked')")
    match = tab.eval_on_selector(
        f"{PICTURE} g[color]:not([data-edge])", "one => getComputedStyle(one).color"
    )
    assert match not in colours.values()
