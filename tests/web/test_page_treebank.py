"""The tab of treebanks in a browser: trees, queries with help and history, hits and counts."""

import re
from urllib.parse import parse_qs

import pytest
from demo_trees import demo_trees, raw_demo_trees
from held import Held
from serving import running

from plcfrs.query import Treebank
from plcfrs.query.help import SECTIONS
from plcfrs.query.hits import KEYS, ORDERS
from plcfrs.treebank.registry import WRITABLE

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


def hits(trees, query):
    """Return the hits of a query, as the page numbers them."""
    return Treebank(trees).find(query)


@pytest.fixture
def tab(open_page):
    """Open the tab."""
    page = open_page()
    page.click("#treebank-tab")
    page.wait_for_selector("#treebank-picture svg")
    return page


def settle(page):
    page.wait_for_selector("#treebank:not([aria-busy])")
    page.wait_for_selector("#hits:not([aria-busy])", state="attached")


def search(page, query, **fields):
    """Search with the keyboard."""
    for name, value in fields.items():
        page.set_checked(f"#{name}", value)
        settle(page)
    page.fill("#query", query)
    page.press("#query", "Enter")
    settle(page)


def status(text):
    return f"#treebank-status:has-text('{text}')"


def columns(page, place, number):
    return page.locator(f"{place} tbody td:nth-child({number})").all_text_contents()


def heading(page, place, name):
    return page.locator(f"{place} th button", has_text=re.compile(rf"^{name}( [↑↓])?$"))


def order(page, place, name):
    return heading(page, place, name).locator("..").get_attribute("aria-sort")


def words(page):
    return page.locator("#hits-list tbody tr").evaluate_all(
        "all => all.map((one) => [...one.querySelectorAll('mark')]"
        ".map((each) => each.textContent).join(' ... '))"
    )


def count_by(page, by):
    """Count the hits with the keyboard."""
    page.press("#counts-side", "Enter")
    page.wait_for_selector("#hits-counts")
    page.fill("#hits-by", by)
    page.press("#hits-by", "Enter")
    settle(page)


def downloaded(page, selector):
    with page.expect_download() as waiting:
        page.click(selector)
    download = waiting.value
    return download.suggested_filename, download.path().read_text(encoding="utf-8")


def test_a_treebank_is_paged_through_and_searched(tab):
    assert "of 140: demo:1" in tab.text_content("#treebank-status")
    tab.click("#next")
    tab.wait_for_selector(status("demo:2"))
    tab.fill("#number", "140")
    tab.press("#number", "Tab")
    tab.wait_for_selector(status("demo:140"))
    assert tab.is_disabled("#next")
    search(tab, "VP[discontinuous]")
    tab.wait_for_selector(status("matches marked"))
    assert tab.locator("#treebank-picture g[color]").count() > 0
    search(tab, "")
    assert tab.is_visible(status("demo:1"))
    assert tab.is_hidden("#hits")
    tab.click("#parse-this")
    tab.wait_for_selector("#parse:not([aria-busy])")
    assert tab.is_visible("#parse")
    assert tab.is_checked("#tagged")


def test_what_is_typed_while_the_treebank_is_read_is_searched_with_crossing_branches(
    open_page, trees
):
    page = open_page()
    reading = Held(page, "**/trees?*")
    with reading.asked():
        page.click("#treebank-tab")
    page.fill("#query", "NP[discontinuous]")
    with reading.asked():
        page.press("#query", "Enter")
    reading.give()
    page.wait_for_selector("#hits-list mark")
    for query in ("NP[discontinuous]", "VP[discontinuous]"):
        search(page, query)
        assert words(page) == [hit.words for hit in hits(trees, query)[:50]]
    assert page.is_checked("#transform")


def test_a_choice_made_while_the_treebank_is_read_stays(open_page, page_address):
    page = open_page()
    page.goto(f"{page_address}#treebank?query=SBAR+<+%22-NONE-%22")
    page.wait_for_selector("#treebank-error:has-text('No tree matches')")
    search(page, 'SBAR < "-NONE-"', transform=False)
    assert "29 hits" in page.text_content("#hits [role=status]")


def test_a_sentence_that_is_parsed_is_one_step_of_history(tab):
    address = tab.url
    tab.click("#parse-this")
    tab.wait_for_selector("#parse-picture svg")
    tab.go_back()
    tab.wait_for_selector("#treebank:visible")
    assert tab.url == address


def test_hits_that_come_too_late_are_not_listed(tab):
    search(tab, "NP")
    late = Held(tab, "**/hits?*")
    tab.fill("#query", "VP")
    with late.asked():
        tab.press("#query", "Enter")
    tab.fill("#query", "")
    tab.press("#query", "Enter")
    tab.wait_for_selector("#hits", state="hidden")
    late.give()
    settle(tab)
    assert tab.is_hidden("#hits")


def test_treebanks_are_served_without_a_model(browser):
    with running("--treebank", "plcfrs:demo") as (_, address):
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#treebank-picture svg")
        assert page.is_hidden("#parse-tab")
        assert page.is_hidden("#model")
        assert page.locator("#parse-this").count() == 0
        search(page, "NP")
        assert page.is_visible(status("matches marked"))
        page.close()


def test_a_treebank_is_uploaded(tab, tmp_path):
    file = tmp_path / "ferry.discbracket"
    file.write_text("(S (VP (WRB 0=When) (VB 3=leave)) (MD 1=should) (PRP 2=we))\n")
    tab.set_input_files("#file", file)
    tab.wait_for_selector(status("of 1: ferry:1"))
    assert tab.input_value("#treebanks") == "ferry"
    bad = tmp_path / "bad.discbracket"
    bad.write_text("(S (VP\n")
    tab.set_input_files("#file", bad)
    tab.wait_for_selector("#treebank-error:not([hidden])")
    assert "bad.discbracket:1" in tab.text_content("#treebank-error")


def test_an_error_in_a_query_is_selected(tab):
    search(tab, "VP[discontinous]")
    assert "did you mean discontinuous?" in tab.text_content("#treebank-error")
    selected = tab.eval_on_selector(
        "#query", "one => one.value.slice(one.selectionStart, one.selectionEnd)"
    )
    assert selected == "discontinous]"
    search(tab, "VP")
    assert tab.is_hidden("#treebank-error")
    assert tab.is_visible("#hits")


def test_hits_are_listed_and_opened(tab, trees):
    expected = hits(trees, "NP")
    search(tab, "NP")
    assert words(tab) == [hit.words for hit in expected[:50]]
    tab.click("#hits .pages :text('Next')")
    settle(tab)
    assert f"{len(expected)} hits, 51 to 100 shown" in tab.text_content("#hits [role=status]")
    assert words(tab) == [hit.words for hit in expected[50:100]]
    tab.focus("#hits-list tbody tr >> nth=0")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    settle(tab)
    assert tab.is_visible(status(f"{expected[51].tree.id},"))
    assert words(tab) == [hit.words for hit in expected[50:100]]
    assert tab.locator("#hits-list tr.lit").count() >= 1
    assert {name for name, _ in parameters(tab)} == {"query", "tree", "from"}


def parameters(page):
    """Return the values of the address."""
    query = page.url.partition("?")[2]
    return {(name, value) for name, values in parse_qs(query, True).items() for value in values}


def test_trees_are_searched_that_another_query_has_found(tab, trees):
    tab.fill("#within", "PP")
    search(tab, "NP")
    found = [tree for tree in trees if any(node.category == "PP" for node in tree.nodes())]
    expected = hits(found, "NP")
    assert 50 < len(expected) < len(hits(trees, "NP"))
    assert f"{len(expected)} hits, 1 to 50 shown" in tab.text_content("#hits [role=status]")
    tab.reload()
    tab.wait_for_selector("#hits-list mark")
    assert tab.input_value("#within") == "PP"
    assert words(tab) == [hit.words for hit in expected[:50]]


def test_what_is_only_typed_changes_nothing(tab, trees):
    search(tab, "NP")
    tab.fill("#query", "VP")
    heading(tab, "#hits-list", "words").click()
    settle(tab)
    assert words(tab) == [hit.words for hit in hits(trees, "NP").sorted("words")[:50]]
    assert tab.input_value("#query") == "NP"
    assert parameters(tab) == {("query", "NP"), ("sort", "words")}


@pytest.mark.parametrize(("name", "key"), [("words", "words"), ("length", "length")])
def test_hits_are_sorted_both_ways_by_their_headings(tab, trees, name, key):
    expected = hits(trees, "NP")
    search(tab, "NP")
    assert order(tab, "#hits-list", "sentence") == "ascending"
    for by, way in ((key, "ascending"), (f"-{key}", "descending"), (key, "ascending")):
        heading(tab, "#hits-list", name).press("Enter")
        settle(tab)
        assert words(tab) == [hit.words for hit in expected.sorted(by)[:50]]
        assert order(tab, "#hits-list", name) == way
        assert ("sort", by) in parameters(tab)
    tab.go_back()
    settle(tab)
    assert order(tab, "#hits-list", name) == "descending"
    assert words(tab) == [hit.words for hit in expected.sorted(f"-{key}")[:50]]


def test_every_order_of_the_page_is_one_of_the_api(tab):
    search(tab, "NP")
    for button in tab.locator("#hits-list th button").all():
        button.click()
        settle(tab)
        assert tab.is_hidden("#hits .error")
    assert dict(parameters(tab))["sort"] in ORDERS


def test_hits_and_trees_are_downloaded(tab, trees):
    expected = hits(trees, "NP")
    search(tab, "NP")
    name, text = downloaded(tab, "#hits a:text-is('TSV')")
    assert name == "hits.tsv"
    assert [row.split("\t")[2] for row in text.splitlines()[1:]] == [hit.words for hit in expected]
    formats = tab.locator("#trees-format option").all_text_contents()
    assert sorted(formats) == sorted(WRITABLE)
    tab.select_option("#trees-format", "export")
    search(tab, "VP")  # the format stays
    name, text = downloaded(tab, "#trees-file")
    assert name == "trees.export"
    assert text.count("#BOS") == int(tab.get_attribute("#number", "max"))


def counted(page):
    """Return the kinds, and how many hits of each there are."""
    numbers, values = (columns(page, "#hits-counts", column) for column in (1, 4))
    return dict(zip(values, map(int, numbers), strict=True))


@pytest.mark.parametrize("by", ["category", "function", "words", "gap-degree", "length"])
def test_hits_are_counted_with_bars(tab, trees, by):
    expected = hits(trees, "NP").counts(by)
    search(tab, "NP")
    count_by(tab, by)
    shown = counted(tab)
    first = list(expected.items())[:100]
    assert shown == {str(value) or "none": count for (value,), count in first}
    text = tab.text_content("#hits-counts [role=status]")
    assert text.startswith(f"{len(expected)} kind")
    assert ("the first 100 are shown" in text) == (len(expected) > 100)
    widths = tab.locator("#hits-counts .bar").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    most = max(shown.values())
    for width, count in zip(widths, shown.values(), strict=True):
        assert width == pytest.approx(max(max(widths) * count / most, 1), abs=0.5)
    keys = tab.locator("#hits-keys option").evaluate_all("all => all.map((one) => one.value)")
    assert keys == list(KEYS)


def test_a_distribution_of_numbers_is_in_their_order(tab):
    search(tab, "NP")
    count_by(tab, "length")
    lengths = list(map(int, counted(tab)))
    assert lengths == sorted(lengths)
    heading(tab, "#hits-counts", "count").click()
    settle(tab)
    heading(tab, "#hits-counts", "count").click()
    settle(tab)
    counts = list(counted(tab).values())
    assert counts == sorted(counts, reverse=True)
    assert ("order", "-count") in parameters(tab)


def test_a_kind_narrows_the_hits(tab, trees):
    search(tab, "NP")
    count_by(tab, "function")
    subjects = counted(tab)["SBJ"]
    tab.locator("#hits-counts tr", has_text="SBJ").first.click()
    settle(tab)
    assert f"{subjects} hits" in tab.text_content("#hits [role=status]")
    assert all(label.startswith("NP-SBJ") for label in columns(tab, "#hits-list", 2))
    assert {("by", "function"), ("value", "SBJ")} <= parameters(tab)
    _, text = downloaded(tab, "#hits a[download='hits.tsv']")
    assert len(text.splitlines()) == subjects + 1
    tab.click("#counts-side")
    tab.locator("#hits-counts tr", has_text="none").focus()
    tab.keyboard.press("Enter")
    settle(tab)
    assert ("value", "") in parameters(tab)
    assert not any(label.startswith("NP-SBJ") for label in columns(tab, "#hits-list", 2))
    tab.go_back()
    settle(tab)
    assert all(label.startswith("NP-SBJ") for label in columns(tab, "#hits-list", 2))
    tab.click("#hits :text('All hits')")
    settle(tab)
    assert tab.text_content("#hits-side") == f"{len(hits(trees, 'NP'))} hits"


def test_an_address_has_hits_and_counts(open_page, page_address, trees):
    page = open_page()
    page.goto("about:blank")
    address = f"{page_address}#treebank?query=NP&tree=3&sort=-length&from=50&by=gap-degree&value=0"
    page.goto(address)
    settle(page)
    page.wait_for_selector("#hits-list tbody tr")
    expected = hits(trees, "NP").having("gap-degree", "0").sorted("-length").numbered_anew()
    assert words(page) == [hit.words for hit in expected[50:100]]
    third = next(hit for hit in expected if hit.number == 3)
    assert page.is_visible(status(f"{third.id},"))
    assert page.url == address
    page.click("#counts-side")
    page.wait_for_selector("#hits-counts tbody tr")
    assert page.locator("#hits-counts tr.lit").count() == 1
    assert ("side", "counts") in parameters(page)


def test_null_elements_are_found_in_trees_with_traces(tab):
    tab.fill("#query", "*[null=*] >@ NP-SBJ")
    tab.press("#query", "Enter")
    tab.wait_for_selector("#treebank-error:has-text('leave the traces as they are')")
    tab.uncheck("#transform")
    tab.wait_for_selector("#treebank-picture [data-trace]")
    assert tab.locator("#treebank-picture [data-token].lit").count() == 1


def test_help_explains_everything_and_runs_its_examples(tab, trees):
    tab.click("[popovertarget=query-help]")
    for section in SECTIONS:
        rows = tab.locator(f"#query-help section[aria-label='{section.title}'] tbody tr")
        examples = rows.locator("td:last-child").all_text_contents()
        assert examples == [entry.example for entry in section.entries]
        written = rows.locator("td:first-child code:first-child").all_text_contents()
        assert written == [entry.written for entry in section.entries]
    gaps = tab.locator("#query-help section[aria-label=Gaps] tbody tr")
    gaps.first.click()
    settle(tab)
    example = SECTIONS[3].entries[0].example
    assert tab.input_value("#query") == example
    assert f"{len(hits(trees, example))} hits" in tab.text_content("#hits [role=status]")
    assert not tab.is_visible("#query-help")
    tab.press("[popovertarget=query-help]", "Enter")
    gaps.first.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    settle(tab)
    assert tab.input_value("#query") == SECTIONS[3].entries[1].example
    assert tab.is_visible("#hits-list mark")


def earlier(page):
    return page.locator("#history .query").all_text_contents()


@pytest.mark.parametrize("width", [1280, 390])
def test_help_goes_on_downwards_not_sideways(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    page.click("#treebank-tab")
    page.click("[popovertarget=query-help]")
    boxes = [each.bounding_box() for each in page.locator("#help section").all()]
    assert len(boxes) == len(SECTIONS)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


def test_earlier_queries_are_kept_and_chosen_again(tab):
    for query in ("NP", "VP", "NP", "XP", "PP"):  # there is no XP
        search(tab, query)
    assert earlier(tab) == ["PP", "NP", "VP"]
    tab.reload()
    tab.wait_for_selector("body[data-ready]")
    assert earlier(tab) == ["PP", "NP", "VP"]
    tab.press("[popovertarget=history]", "Enter")
    tab.keyboard.press("Tab")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    settle(tab)
    assert tab.input_value("#query") == "VP"
    assert earlier(tab) == ["VP", "PP", "NP"]
    assert tab.is_visible("#hits-list mark")


def test_earlier_queries_are_pinned_and_deleted_by_keyboard(tab):
    for query in ("NP", "VP", "PP"):
        search(tab, query)
    tab.click("[popovertarget=history]")
    tab.focus("#history .query >> nth=2")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    assert earlier(tab) == ["NP", "PP", "VP"]
    assert tab.locator("#history [aria-pressed=true]").count() == 1
    tab.focus("#history .query >> nth=1")
    tab.keyboard.press("Delete")
    assert earlier(tab) == ["NP", "VP"]
    tab.wait_for_selector("#history .query:focus :text-is('VP')")
    tab.keyboard.press("Delete")
    tab.wait_for_selector("#history .query:focus :text-is('NP')")
    assert "(1)" in tab.text_content("#history h2")


def test_arrow_keys_in_the_field_go_through_earlier_queries(tab):
    for query in ("NP", "VP"):
        search(tab, query)
    tab.fill("#query", "SBAR")
    shown = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"):
        tab.press("#query", key)
        shown.append(tab.input_value("#query"))
    assert shown == ["VP", "NP", "NP", "VP", "SBAR", "SBAR"]


@pytest.mark.parametrize("kept", ["nonsense", '{"a": 1}', "[null, 1]"])
def test_what_another_program_has_kept_is_ignored(tab, kept):
    tab.evaluate("kept => localStorage.setItem('plcfrs.queries', kept)", kept)
    tab.reload()
    tab.wait_for_selector("body[data-ready]")
    assert earlier(tab) == []
    search(tab, "NP")
    assert earlier(tab) == ["NP"]


def test_hits_are_in_sight_on_a_phone(open_page):
    page = open_page(viewport={"width": 340, "height": 640})
    page.click("#treebank-tab")
    search(page, "NN")
    hit = page.wait_for_selector("#hits-list mark").bounding_box()
    assert 0 <= hit["x"] < 340 - hit["width"]
    for aside in ("query-help", "history"):
        page.click(f"[popovertarget={aside}]")
        page.keyboard.press("Escape")
        assert page.is_hidden(f"#{aside}")
    count_by(page, "words")
    assert page.evaluate("document.documentElement.scrollWidth") <= 340
    page.click("#hits-side")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 340
    heading(page, "#hits-list", "words").click()
    settle(page)
    assert order(page, "#hits-list", "words") == "ascending"


def test_a_treebank_with_traces_opens_with_crossing_branches(tab, trees):
    assert tab.is_checked("#transform")
    query = tab.get_attribute("#query", "placeholder")
    search(tab, query)
    assert tab.text_content("#hits-side") == f"{len(hits(trees, query))} hits"
    assert parameters(tab) == {("query", query)}
    tab.uncheck("#transform")
    tab.wait_for_selector("#treebank-error:has-text('The trees have traces')")
    search(tab, "NP")
    assert tab.text_content("#hits-side") == f"{len(hits(raw_demo_trees(), 'NP'))} hits"
    assert parameters(tab) == {("query", "NP"), ("transform", "false")}
    tab.reload()
    tab.wait_for_selector("#hits-list mark")
    assert not tab.is_checked("#transform")
    assert tab.text_content("#hits-side") == f"{len(hits(raw_demo_trees(), 'NP'))} hits"


def test_a_treebank_without_traces_opens_as_it_is(tab, tmp_path):
    file = tmp_path / "boat.discbracket"
    file.write_text("(S (VP (WRB 0=When) (VB 3=leave)) (MD 1=should) (PRP 2=we))\n")
    tab.set_input_files("#file", file)
    tab.wait_for_selector(status("of 1: boat:1"))
    assert not tab.is_checked("#transform")
    assert parameters(tab) == {("treebank", "boat")}
    tab.select_option("#treebanks", "plcfrs:demo")
    tab.wait_for_selector(status("demo:1"))
    assert tab.is_checked("#transform")


@pytest.mark.parametrize("query", ["VP <", "XP", "VP[discontinous]"])
def test_a_query_that_fails_leaves_list_and_tree(tab, trees, query):
    search(tab, "NP")
    tab.press("#next", "Enter")
    settle(tab)
    before = tab.text_content("#treebank-status"), words(tab)
    search(tab, query)
    assert tab.is_visible("#treebank-error")
    assert tab.input_value("#query") == query
    assert (tab.text_content("#treebank-status"), words(tab)) == before
    assert tab.is_visible("#treebank-picture svg")
    tab.press("#next", "Enter")  # of the query before
    settle(tab)
    assert tab.is_hidden("#treebank-error")
    number = hits(trees, "NP").matching_trees[2]
    assert f"{trees[number].id}," in tab.text_content("#treebank-status")


def test_what_is_exported_is_what_is_listed(tab, trees):
    search(tab, "NP")
    heading(tab, "#hits-list", "length").click()
    settle(tab)
    count_by(tab, "function")
    tab.locator("#hits-counts tr", has_text="SBJ").first.click()
    settle(tab)
    expected = hits(trees, "NP").having("function", "SBJ").sorted("length").numbered_anew()
    ids = [trees[number].id for number in expected.matching_trees]
    shown = []
    for _ in range(3):
        shown.append(tab.text_content("#treebank-status"))
        tab.click("#next")
        settle(tab)
    assert [f"of {len(ids)}: {each}," in text for each, text in zip(ids, shown, strict=False)] == [
        True
    ] * 3
    tab.select_option("#trees-format", "tokens")
    _, text = downloaded(tab, "#trees-file")
    sentences = {tree.id: " ".join(token.form for token in tree.tokens) for tree in trees}
    assert text.splitlines() == [sentences[each] for each in ids]


def test_hits_are_beside_the_tree(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    page.click("#treebank-tab")
    page.wait_for_selector("#treebank-picture svg")
    search(page, "VP[discontinuous]")
    picture = page.locator("#treebank-picture").bounding_box()
    rows = [row.bounding_box() for row in page.locator("#hits-list tbody tr").all()]
    end = page.locator("#hits-list .scroll").bounding_box()
    end = end["y"] + end["height"]
    assert picture["y"] < 200
    assert all(row["x"] + row["width"] <= picture["x"] for row in rows)
    assert sum(row["y"] + row["height"] <= min(end, 800) for row in rows) >= 8
    page.locator("#hits-list tbody tr").last.scroll_into_view_if_needed()
    assert page.locator("#treebank-picture").bounding_box()["y"] >= 0


def test_a_long_tree_can_be_read_with_the_hit_in_the_middle(open_page):
    text = f"(S {25 * '(NN rain) '} (NP (NN snow)) {60 * '(NN rain) '} (NP (NN fog)))"
    page = open_page(viewport={"width": 1280, "height": 800})
    page.click("#treebank-tab")
    page.set_input_files("#file", {"name": "t.mrg", "mimeType": "", "buffer": text.encode()})
    page.wait_for_selector(status("of 1: "))
    search(page, "NP")
    frame = page.locator("#treebank-picture").bounding_box()

    def off(word):
        """How many pixels a word is to the right of the middle."""
        box = page.locator(f"#treebank-picture text:text-is('{word}')").bounding_box()
        return box["x"] + box["width"] / 2 - frame["x"] - frame["width"] / 2

    assert page.text_content("#treebank .zoom output") == "70 %"
    assert off("snow") == pytest.approx(0, abs=5)
    assert off("fog") > frame["width"] / 2  # out of sight
    page.focus("#hits-list tbody tr >> nth=1")
    page.wait_for_selector("#hits-list tr.lit:nth-child(2)")
    assert 0 < off("fog") < frame["width"] / 2
    page.click("#treebank .view button:text('Fit')")
    page.wait_for_selector("#treebank .zoom output:not(:has-text('70 %'))")
    assert off("snow") < 0 < off("fog") < frame["width"] / 2


def lit(page):
    return page.locator("#hits-list tr.lit").evaluate("row => row.rowIndex - 1")


def test_the_tree_follows_the_hits(tab, trees):
    expected = hits(trees, "WHNP")
    search(tab, "WHNP")
    steps = tab.evaluate("history.length")
    tab.focus("#hits-list tbody tr >> nth=0")
    for number in range(1, 5):
        tab.keyboard.press("ArrowDown")
        tab.wait_for_selector(status(f"{expected[number].id},"))
        settle(tab)
        assert lit(tab) == number
        blue = tab.locator("#treebank-picture [data-token].lit").evaluate_all(
            "all => all.map((one) => Number(one.dataset.token))"
        )
        assert blue == expected[number].positions
    tab.keyboard.press("ArrowUp")
    tab.wait_for_selector(status(f"{expected[3].id},"))
    tab.click("#hits-list tbody tr >> nth=7")
    tab.wait_for_selector(status(f"{expected[7].id},"))
    settle(tab)
    assert lit(tab) == 7
    assert tab.evaluate("history.length") == steps  # to walk is no step of history


def test_shortcuts_go_through_hits_and_trees(tab, trees):
    def go(key):
        tab.keyboard.press(key)
        settle(tab)

    tab.focus("#main")
    go("n")
    assert "demo:2" in tab.text_content("#treebank-status")
    go("p")
    assert "demo:1" in tab.text_content("#treebank-status")
    expected = hits(trees, "NP")
    search(tab, "NP")
    tab.focus("#main")
    for _ in range(50):
        go("n")
    assert words(tab) == [hit.words for hit in expected[50:100]]
    assert (lit(tab), expected[50].id in tab.text_content("#treebank-status")) == (0, True)
    go("p")
    assert words(tab) == [hit.words for hit in expected[:50]]
    assert (lit(tab), expected[49].id in tab.text_content("#treebank-status")) == (49, True)


def test_a_hit_has_the_words_in_its_gap(tab, trees):
    search(tab, "VP[discontinuous]")
    (first, *_) = hits(trees, "VP[discontinuous]")
    row = tab.locator("#hits-list tbody tr").first
    assert row.locator("mark").all_text_contents() == first.parts[::2]
    assert row.locator(".gap").all_text_contents() == [f"[{part}]" for part in first.parts[1::2]]


def test_named_nodes_have_colours_and_a_legend(tab):
    search(tab, "VP=verb[discontinuous] <~ NP=fill")
    assert tab.locator(".names li").all_text_contents() == [" fill", " verb"]
    for number, label in enumerate(("NP", "VP")):
        node = tab.locator(f"#treebank-picture [data-named='{number}']").first
        assert node.get_attribute("aria-label").startswith(label)
        assert f"named {('fill', 'verb')[number]}" in node.get_attribute("aria-label")
        colours = [
            place.evaluate("one => getComputedStyle(one).color")
            for place in (
                node.locator("g[color]"),
                tab.locator(f".names [data-named='{number}']"),
            )
        ]
        assert colours[0] == colours[1]
    search(tab, "VP")
    assert tab.locator(".names").count() == 0
    assert tab.locator("#treebank-picture [data-named]").count() == 0


def test_hits_are_counted_by_keys_of_several_nodes(tab, trees):
    query, by = "VP=a < NP=b", "a.label, b.function"
    search(tab, query)
    count_by(tab, by)
    expected = Treebank(trees).find(query, ["a", "b"])
    counts = expected.counts("a.label", "b.function")
    rows = [tab.locator("#hits-counts tbody tr").nth(i) for i in range(len(counts))]
    shown = [row.locator("td").all_text_contents() for row in rows]
    assert [(int(row[0]), *row[3:]) for row in shown] == [
        (number, *(value or "none" for value in values)) for values, number in counts.items()
    ]
    assert tab.locator("#hits-keys option[value='a.label, b.words']").count() == 1
    _, text = downloaded(tab, "#hits-counts a[download]")
    assert text.splitlines()[0] == "count\ta.label\tb.function"
    rows[1].press("Enter")
    settle(tab)
    values = list(counts)[1]
    kind = expected.having("a.label", values[0]).having("b.function", values[1])
    assert words(tab) == [hit.words for hit in kind]
    tab.reload()
    tab.wait_for_selector("#hits-list mark")
    assert words(tab) == [hit.words for hit in kind]


def test_hits_are_searched_within_hits(tab, trees):
    search(tab, "SBAR|S")
    tab.press("#search-within", "Enter")
    settle(tab)
    assert (tab.input_value("#query"), tab.input_value("#within")) == ("", "SBAR|S")
    tab.keyboard.type("NP")  # the field has the focus
    tab.keyboard.press("Enter")
    settle(tab)
    numbers = set(hits(trees, "SBAR|S").trees_of)
    expected = [hit for hit in hits(trees, "NP") if hit.tree_number in numbers]
    assert tab.text_content("#hits-side") == f"{len(expected)} hits"
    assert tab.locator("#search-within").count() == 0


def choose(page, label, act):
    act(page.locator(f"#treebank-picture [aria-label^='{label}:']").first)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
@pytest.mark.parametrize("label", ["NP", "NP-SBJ"])
def test_a_query_is_built_from_chosen_nodes(tab, trees, by, label):
    search(tab, "VP[discontinuous] <~ NP")
    pressed = (lambda one: one.click()) if by == "mouse" else (lambda one: one.press("Enter"))
    choose_node = (lambda one: one.locator("text").first.click()) if by == "mouse" else pressed
    pressed(tab.locator("#choose"))
    assert tab.is_disabled("#find-more")
    tab.locator("#treebank-picture g[color]").first.wait_for()
    for node in ("VP", "NP-SBJ", "VBZ", "VBZ"):  # the last one twice: it is not chosen
        choose(tab, node, choose_node)
    assert tab.text_content("#chosen") == "VP, NP-SBJ"
    assert tab.locator("#treebank-picture [aria-expanded=false]").count() == 0
    shown = tab.text_content("#treebank-status").split()[2]
    if label == "NP-SBJ":
        tab.check("#functions")
    pressed(tab.locator("#find-more"))
    tab.wait_for_selector(status("marked"))
    settle(tab)
    query = tab.input_value("#query")
    assert {"VP", label} <= set(re.findall(r"[A-Z-]+", query))
    found = hits(trees, query)
    assert tab.text_content("#hits-side") == f"{len(found)} hits"
    assert shown.rstrip(",") in {hit.id for hit in found}
    assert tab.get_attribute("#choose", "aria-pressed") == "false"


@pytest.mark.parametrize(
    ("pasted", "here"), [("@NP $+ @VP", "NP $. VP"), ('[cat="NP"]', "*[category=NP]")]
)
def test_a_query_of_another_tool_gets_the_same_query_here(tab, trees, pasted, here):
    search(tab, pasted)
    tab.wait_for_selector("#treebank-hint button")
    assert tab.text_content("#treebank-hint button").strip() == here
    tab.press("#treebank-hint button", "Enter")
    tab.wait_for_selector("#hits-side")
    settle(tab)
    assert tab.input_value("#query") == here
    assert tab.text_content("#hits-side") == f"{len(hits(trees, here))} hits"
    assert tab.locator("#treebank-hint button").count() == 0
    search(tab, "NP <")
    assert tab.locator("#treebank-hint button").count() == 0


def test_arrow_keys_lead_to_the_counts_and_back(tab):
    search(tab, "NP")
    tab.focus("#hits-side")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector("#hits-counts tbody tr")
    assert tab.get_attribute("#counts-side", "aria-selected") == "true"
    assert ("side", "counts") in parameters(tab)
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_selector("#hits-list tbody tr")
    assert tab.evaluate("document.activeElement.id") == "hits-side"
