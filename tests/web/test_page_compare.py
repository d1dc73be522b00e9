"""The tab of errors in a browser: scores, sentences, kinds of errors, both trees."""

import pytest
from demo_trees import demo_trees
from serving import running

from plcfrs.evaluation import find_errors
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import remove_splits
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.web.serializers import render_file

pytestmark = pytest.mark.full

GOLD = [remove_splits(tree) for tree in demo_trees()]


@pytest.fixture(scope="module")
def model():
    """A grammar of half of the treebank, which makes errors in the other half."""
    return GrammarModel.train(demo_trees()[:70])


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    """Models, gold trees, parses of them, and parses that lack a sentence."""
    folder = tmp_path_factory.mktemp("served")
    model.save(folder / "half.plcfrs")
    parses = [model.parse(tree).tree for tree in GOLD[70:]]
    for name, trees in (("gold", GOLD[70:]), ("parses", parses), ("short", parses[:-1])):
        (folder / f"{name}.discbracket").write_text(render_file(trees, FORMATS["discbracket"]))
    return folder


@pytest.fixture(scope="module")
def errors(folder):
    trees = [read_trees(str(folder / f"{name}.discbracket")) for name in ("gold", "parses")]
    return list(find_errors(*trees))


@pytest.fixture(scope="module")
def page_address(folder, demo):
    files = ["--treebank", folder / "gold.discbracket", "--treebank", folder / "parses.discbracket"]
    models = folder / "half.plcfrs", demo
    with running(*models, *files, "--treebank", "plcfrs:demo") as (_, address):
        yield address


def score(page, parses="parses"):
    page.click("#errors-tab")
    page.select_option("#parses-of", parses)
    page.click("#errors-form .main")
    settle(page)


def settle(page):
    page.wait_for_selector("#errors:not([aria-busy]) #report:not([aria-busy])")


def rows(page, place, number=1):
    return page.locator(f"{place} tbody td:nth-child({number})").all_text_contents()


def test_parses_are_scored_and_kinds_lead_to_sentences(open_page, errors):
    page = open_page()
    score(page)
    assert rows(page, "#report [aria-label=Constituents]")[:3] == ["LP", "LR", "LF1"]
    kinds = dict(zip(rows(page, ".kinds"), rows(page, ".kinds", 4), strict=True))
    for kind, sentences in kinds.items():
        assert int(sentences) == len({one.sentence for one in errors if one.type == kind})
    assert int(kinds["attachment"]) > 1
    page.click(".kinds td:text-is('attachment')")
    page.wait_for_selector(".kinds tr.lit td:text-is('attachment')")
    settle(page)
    shown = page.text_content("#report p[role=status]")
    assert shown.startswith(f"{kinds['attachment']} sentence")
    texts = page.locator(".sentences .example").all_text_contents()
    assert sorted(texts) == sorted(str(one) for one in errors if one.type == "attachment")
    page.go_back()
    page.wait_for_selector("#report p[role=status]:has-text('70 sentences')")
    page.go_back()
    page.wait_for_selector("#report table", state="hidden")
    page.go_forward()
    page.go_forward()
    page.click("text=All kinds")
    page.wait_for_selector("#report p[role=status]:has-text('70 sentences')")


def test_sentences_are_sorted_and_paged(open_page):
    page = open_page()
    score(page)
    wrong = [int(text) for text in rows(page, ".sentences", 2)]
    assert len(wrong) == 50
    assert wrong == sorted(wrong, reverse=True)
    page.click("#report .pages :text('Next')")
    page.wait_for_selector("#report p[role=status]:has-text('51 to 70')")
    page.click(".sentences th button:text-is('F1')")
    page.wait_for_selector(".sentences th[aria-sort=ascending]:has-text('F1')")
    f1 = [float(text) for text in rows(page, ".sentences", 4)]
    assert f1 == sorted(f1)
    assert len(f1) == 50


def test_a_sentence_shows_both_trees_by_keyboard(open_page):
    page = open_page()
    score(page)
    page.click(".kinds td:text-is('attachment')")
    page.wait_for_selector("text=All kinds")
    settle(page)
    page.focus(".sentences tbody tr")
    page.keyboard.press("Enter")
    page.wait_for_selector("#pair-parse svg")
    missed, spurious = (
        int(page.text_content(f".sentences tr.lit td:nth-child({number})")) for number in (5, 6)
    )
    assert missed + spurious > 0
    for figure, number in (("gold", missed), ("parse", spurious)):
        assert page.locator(f"#pair-{figure} [data-node]:has(> g[color])").count() == number
    assert f"{missed} missed, {spurious} spurious" in page.text_content("#pair-title")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#pair-parse svg")
    assert f"{missed} missed, {spurious} spurious" in page.text_content("#pair-title")


def test_the_first_sentences_are_parsed_with_progress(open_page, model):
    page = open_page()
    page.click("#errors-tab")
    page.select_option("#gold", "plcfrs:demo")
    page.fill("#first", "90")
    page.press("#first", "Enter")
    page.wait_for_selector("#report table")
    settle(page)
    found = list(find_errors(GOLD[:90], (model.parse(tree).tree for tree in GOLD[:90])))
    kinds = zip(rows(page, ".kinds"), rows(page, ".kinds", 2), strict=True)
    for kind, missed in kinds:
        assert int(missed) == sum(one.missed is not None for one in found if one.type == kind)
    assert page.locator("#errors-progress progress").count() == 0


def exact(page):
    return page.text_content("#report tr:has(td:text-is('Exact match')) td >> nth=1")


def test_another_model_is_scored_when_it_is_in_sight(open_page):
    page = open_page()
    score(page, "")
    page.wait_for_selector("#report table")
    settle(page)
    of_half = exact(page)
    page.select_option("#model", "demo")
    page.wait_for_selector("#report table")
    settle(page)
    assert float(exact(page)) > float(of_half)
    page.click("#teach-tab")
    page.wait_for_selector("#course .items")
    page.select_option("#model", "half")
    page.click("#errors-tab")
    page.wait_for_selector("#report table")
    settle(page)
    assert exact(page) == of_half
    page.go_back()
    while "#errors" not in page.url:
        page.go_back()
    page.wait_for_selector("#report table")
    settle(page)
    assert page.input_value("#model") == "demo"
    assert float(exact(page)) > float(of_half)


def test_parsing_can_be_stopped(open_page):
    page = open_page()
    answers = iter([10, 20])

    def slow(route):
        parsed = next(answers, None)
        if parsed:
            route.fulfill(json={"parsed": parsed, "total": 140})

    page.click("#errors-tab")
    page.select_option("#gold", "plcfrs:demo")
    page.fill("#first", "140")
    page.click("#errors-form .main")
    page.wait_for_selector("#report table")
    settle(page)
    page.route("**/api/v1/parses", slow)
    page.click("#errors-form .main")
    page.wait_for_selector("#errors-progress :text('20 of 140')")
    page.click("#errors-progress button")
    page.wait_for_selector("#report p[role=status]:has-text('20 sentences')")
    assert page.locator("#errors-progress button").count() == 0


def test_what_does_not_match_is_said(open_page, folder):
    page = open_page()
    page.click("#errors-tab")
    page.set_input_files("#errors-file", folder / "short.discbracket")
    page.wait_for_selector("#parses-of option:checked[value=short]", state="attached")
    page.click("#errors-form .main")
    page.wait_for_selector("#errors-error:has-text('has a gold tree but no parse')")
    assert page.locator("#report table").count() == 0
    score(page, "gold")
    page.wait_for_selector("#report table")
    assert page.is_hidden("#errors-error")


def test_errors_fit_on_a_phone(open_page):
    page = open_page(viewport={"width": 390, "height": 800})
    score(page)
    page.locator(".sentences tbody tr").first.click()
    page.wait_for_selector("#pair-parse svg")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    box = page.locator(".sentences tbody td:nth-child(2)").first.bounding_box()
    assert box["x"] + box["width"] < 390


def test_treebanks_alone_have_errors(browser, folder):
    files = ["--treebank", folder / "gold.discbracket", "--treebank", folder / "parses.discbracket"]
    with running(*files) as (_, address):
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        score(page)
        page.wait_for_selector("#report table")
        names = page.locator("#parses-of option").all_text_contents()
        assert names == ["gold", "parses", "all treebanks"]
        page.close()
