"""The tab that compares, in a browser: scores of one or two systems, kinds of errors, trees."""

import pytest
from demo_trees import demo_trees
from serving import running

from plcfrs.evaluation import find_errors
from plcfrs.evaluation import score as score_trees
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import remove_splits
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.web.routes import render_file

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
    page.click("#compare-tab")
    page.select_option("#parses-of", parses)
    page.click("#compare-form .main")
    settle(page)


def settle(page):
    page.wait_for_selector("#compare:not([aria-busy]) #report:not([aria-busy])")


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
    wrong = [int(text) for text in rows(page, ".sentences", 3)]
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
    wrong = f"parses, {missed} missed, {spurious} spurious in red"
    assert page.locator("#pair h3").all_text_contents()[1] == wrong
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#pair-parse svg")
    assert page.locator("#pair h3").all_text_contents()[1] == wrong


def test_ranges_are_parsed_with_progress(open_page, model):
    page = open_page()
    page.click("#compare-tab")
    page.select_option("#gold", "plcfrs:demo")
    page.fill("#sentences", "1-40, 51-100")
    page.press("#sentences", "Enter")
    page.wait_for_selector("#report table")
    settle(page)
    chosen = GOLD[:40] + GOLD[50:100]
    found = list(find_errors(chosen, (model.parse(tree).tree for tree in chosen)))
    kinds = zip(rows(page, ".kinds"), rows(page, ".kinds", 2), strict=True)
    for kind, missed in kinds:
        assert int(missed) == sum(one.missed is not None for one in found if one.type == kind)
    assert page.locator("#compare-progress progress").count() == 0


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
    page.click("#compare-tab")
    page.wait_for_selector("#report table")
    settle(page)
    assert exact(page) == of_half
    page.go_back()
    while "#compare" not in page.url:
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

    page.click("#compare-tab")
    page.select_option("#gold", "plcfrs:demo")
    page.fill("#sentences", "1-140")
    page.click("#compare-form .main")
    page.wait_for_selector("#report table")
    settle(page)
    page.route("**/api/v1/parses", slow)
    page.click("#compare-form .main")
    page.wait_for_selector("#compare-progress :text('20 of 140')")
    page.click("#compare-progress button")
    page.wait_for_selector("#report p[role=status]:has-text('20 sentences')")
    assert page.locator("#compare-progress button").count() == 0
    assert "The first 20 of 140 sentences; stopped." in page.text_content("#report")


def test_what_does_not_match_is_said(open_page, folder):
    page = open_page()
    page.click("#compare-tab")
    page.set_input_files("#parses-file", folder / "short.discbracket")
    page.wait_for_selector("#parses-of option:checked[value=short]", state="attached")
    page.click("#compare-form .main")
    page.wait_for_selector("#compare-error:has-text('has a gold tree but no parse')")
    assert page.locator("#report table").count() == 0
    score(page, "gold")
    page.wait_for_selector("#report table")
    assert page.is_hidden("#compare-error")


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


TWO = "#compare?gold=gold&other=by+demo&sentences=1-40"


def open_two(open_page, page_address, more="", **options):
    """Open the comparison of both grammars."""
    page = open_page(**options)
    page.goto("about:blank")
    page.goto(f"{page_address}{TWO}{more}")
    page.wait_for_selector("#report [aria-label=Difference]")
    settle(page)
    return page


def test_two_models_are_compared(open_page, model):
    page = open_page(viewport={"width": 1280, "height": 800})
    page.click("#compare-tab")
    page.select_option("#parses-of", "by half")
    page.select_option("#other-of", "by demo")
    page.fill("#sentences", "1-40")
    page.click("#compare-form .main")
    page.wait_for_selector("#report [aria-label=Difference]")
    settle(page)
    both = [model, GrammarModel.train(demo_trees())]
    gold = GOLD[70:110]
    scores = [score_trees(gold, [one.parse(tree).tree for tree in gold]) for one in both]
    lines = {
        row[0]: row[1:3]
        for row in (
            line.split("\t")[:3]
            for line in page.locator("[aria-label=Difference] tbody tr").all_inner_texts()
        )
    }
    assert lines["LF1"] == [f"{one.labelled.f1:.2f}" for one in scores]
    assert lines["LF1 discontinuous"] == [f"{one.labelled_discontinuous.f1:.2f}" for one in scores]
    assert lines["Exact match"] == [f"{one.exact_match:.2f}" for one in scores]
    assert page.locator("#report table").first.bounding_box()["y"] < 250
    assert page.locator(".kinds").count() == 2
    assert " ".join(page.text_content(".doubt").split()) == (
        "40 of 40 sentences are in the training set of demo: their scores say little."
    )


def test_sentences_are_filtered_by_who_is_right(open_page, page_address):
    page = open_two(open_page, page_address)
    texts = page.locator("#right option").all_inner_texts()
    counts = [int(text.rpartition("(")[2][:-1]) for text in texts]
    assert counts[0] == sum(counts[1:]) == 40
    assert counts[2] > 5
    page.select_option("#right", "second")
    page.wait_for_selector(f"#report p[role=status]:text-is('{counts[2]} sentences')")
    settle(page)
    assert set(rows(page, ".sentences", 7)) == {"B"}
    address = page.url
    page.select_option("#right", "neither")
    page.wait_for_selector(f"#report p[role=status]:text-is('{counts[4]} sentences')")
    assert set(rows(page, ".sentences", 7)) == {"neither"}
    page.go_back()
    page.wait_for_selector(f"#report p[role=status]:text-is('{counts[2]} sentences')")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(f"#report p[role=status]:text-is('{counts[2]} sentences')")
    assert page.input_value("#right") == "second"


def test_two_systems_are_compared_by_keyboard(open_page):
    page = open_page()
    page.focus("#compare-tab")
    page.focus("#gold")
    for field, text in (("#parses-of", "by half"), ("#other-of", "parses")):
        page.focus(field)
        page.keyboard.type(text)
    page.focus("#sentences")
    page.keyboard.type("2-30")
    page.keyboard.press("Enter")
    page.wait_for_selector("#report [aria-label=Difference]")
    settle(page)
    # These are the parses of the same model.
    differences = page.locator("[aria-label=Difference] td:nth-child(4)").all_inner_texts()
    assert differences == ["0.00", "0.00", "0.00"]
    page.focus("#right")
    page.keyboard.type("neither")
    page.wait_for_selector(".sentences td:text-is('neither')")
    settle(page)
    page.focus(".sentences tbody tr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#pair-other svg")
    assert page.locator("#pair figure").count() == 3


def test_trees_scroll_together(open_page, page_address):
    view = {"width": 390, "height": 844}
    page = open_two(open_page, page_address, "&sentence=16", viewport=view)
    page.wait_for_selector("#pair-other svg")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.click("#pair button:text('Fit') >> nth=0")
    fitted = page.locator("#pair .zoom output").all_text_contents()
    for _ in range(5):
        page.click("#pair [aria-label=Larger] >> nth=0")
    assert len(set(page.locator("#pair .zoom output").all_text_contents())) == 1
    for place, left in (("gold", 250), ("other", 120), ("parse", 300)):
        page.eval_on_selector(f"#pair-{place}", f"one => one.scrollTo({left}, 0)")
        page.wait_for_function(
            """([place, left]) => {
                const figures = [...document.querySelectorAll("#pair figure")];
                const words = figures.map((one) => one.querySelector("[data-token='8']"));
                const places = words.map((word) => word.getBoundingClientRect().left);
                return Math.abs(document.querySelector(`#pair-${place}`).scrollLeft - left) < 2
                  && figures.every((one) => Math.abs(one.scrollLeft - left) < 40)
                  && Math.max(...places) - Math.min(...places) < 8; }""",
            arg=[place, left],
        )
    page.click("#pair button:text('Fit') >> nth=2")
    assert page.locator("#pair .zoom output").all_text_contents() == fitted


def test_stop_makes_the_comparison_a_partial_one(open_page):
    page = open_page()
    page.click("#compare-tab")
    page.select_option("#gold", "plcfrs:demo")
    page.select_option("#other-of", "by demo")
    page.fill("#sentences", "1-100")
    page.click("#compare-form .main")
    page.wait_for_selector("#report [aria-label=Difference]")
    settle(page)

    def slow(route):
        if route.request.post_data_json["model"] == "demo":
            if not stopped:
                stopped.append(1)
                route.fulfill(json={"parsed": 30, "total": 100})
        else:
            route.fulfill(json={"parsed": 100, "total": 100})

    stopped = []
    page.route("**/api/v1/parses", slow)
    page.click("#compare-form .main")
    page.wait_for_selector("#compare-progress :text('Parsing with demo: 30 of 100')")
    page.click("#compare-progress button")
    page.wait_for_selector("#report p[role=status]:has-text('30 sentences')")
    page.wait_for_selector(".doubt:has-text('The first 30 of 100 sentences; stopped.')")
    assert page.locator("[aria-label=Difference]").count() == 1


def test_wrong_ranges_are_said(open_page):
    page = open_page()
    page.click("#compare-tab")
    assert page.get_attribute("#sentences", "placeholder") == "1-50"
    page.select_option("#parses-of", "parses")
    assert page.get_attribute("#sentences", "placeholder") == "all"
    for ranges, message in (
        ("1-x", "'1-x' is not a number or a range such as 1-500"),
        ("7-3", "7-3: empty range"),
        ("200", "gold has no sentences 200"),
    ):
        page.fill("#sentences", ranges)
        page.press("#sentences", "Enter")
        page.wait_for_selector(f'#compare-error:has-text("{message}")')
    page.fill("#sentences", "3,5-9")
    page.press("#sentences", "Enter")
    page.wait_for_selector("#report p[role=status]:has-text('6 sentences')")
    assert page.is_hidden("#compare-error")


def test_an_upload_can_be_gold(open_page, tmp_path):
    page = open_page()
    page.click("#compare-tab")
    trees = tmp_path / "mine.discbracket"
    trees.write_text(render_file(GOLD[70:75], FORMATS["discbracket"]))
    page.set_input_files("#gold-file", trees)
    page.wait_for_selector("#gold option:checked[value=mine]", state="attached")
    page.set_input_files("#other-file", trees)
    page.wait_for_selector("#other-of option:checked:text-is('mine (2)')", state="attached")
    assert page.input_value("#gold") == "mine"
    page.click("#compare-form .main")
    page.wait_for_selector("#report [aria-label=Difference]")
    settle(page)
    exact = page.locator("[aria-label=Difference] tr:has-text('Exact match') td")
    assert exact.nth(2).inner_text() == "100.00"


def test_a_file_that_is_too_large_is_refused_with_a_message(open_page, tmp_path):
    page = open_page()
    page.click("#compare-tab")
    large = tmp_path / "large.export"
    large.write_bytes(b" " * 13_700_000)
    page.set_input_files("#gold-file", large)
    page.wait_for_selector("#compare-error:has-text('too large: the limit is 10 MB')")
    score(page)
    page.wait_for_selector("#report table")
    assert page.is_hidden("#compare-error")


def test_sentences_are_a_table_to_download(open_page, page_address):
    page = open_two(open_page, page_address)
    with page.expect_download() as download:
        page.click("#report a:text-is('TSV')")
    lines = download.value.path().read_text().splitlines()
    assert lines[0].split("\t")[3:] == [
        "F1 half",
        "exact match half",
        "F1 demo",
        "exact match demo",
    ]
    assert len(lines) == 41
