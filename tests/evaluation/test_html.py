"""The page as a browser reads it: nothing is lost, nothing is markup, nothing is fetched."""

import re
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

from demo_trees import raw_demo_trees
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from quick import examples

from plcfrs.evaluation import Drawing, Evaluation, Table, evaluate, render_html, tables
from plcfrs.evaluation.html import PLOTS, plot_of
from plcfrs.plots import Curve, CurvePlot, plot_svg
from plcfrs.wording import printable

VOID = ("meta",)


class Page(HTMLParser):
    """Elements and the texts directly in them."""

    def __init__(self, source):
        super().__init__()
        self.open: list[list[str]] = []
        self.found: list[list[str]] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, *attribute) for attribute in attrs]
        if tag not in VOID:
            self.open.append([tag, ""])
            self.found.append(self.open[-1])

    def handle_startendtag(self, tag, attrs):
        self.attributes += [(tag, *attribute) for attribute in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open:
            self.open[-1][1] += data

    def texts(self, *tags):
        return [text.strip() for tag, text in self.found if tag in tags]


def test_small_page():
    table = Table("Small", ["LF1", "Gold"], {"NP": [66.666, 3], "VP": [None, 0]})
    drawing = Drawing("wsj:1", {"gold": "<svg><text>a</text></svg>", "parse": "<svg></svg>"})
    page = Page(render_html("Scores", [table], [drawing], ["One.", "Two."]))
    assert page.texts("title", "h1") == ["Scores", "Scores"]
    assert page.texts("caption") == ["Small"]
    cells = page.texts("th", "td")
    assert cells == ["", "LF1", "Gold", "NP", "66.67", "3", "VP", "-", "0"]
    assert page.texts("figcaption") == ["gold", "parse"]
    assert page.texts("text") == ["a"]
    assert page.texts("p")[:2] == ["One.", "Two."]
    assert page.texts("h2") == ["Tables", "Trees"]


@examples(30)
@given(st.lists(texts(), min_size=6, max_size=6, unique=True))
def test_nasty_texts(nasty):
    title, row, column, cell, heading, caption = nasty
    table = Table(title, [column], {row: [cell]})
    drawing = Drawing(heading, {caption: "<svg></svg>"})
    source = render_html(title, [table], [drawing], [cell])
    source.encode("utf-8")
    page = Page(source)
    shown = [printable(text) for text in nasty]
    for text, tags in zip(
        shown, [["h1"], ["th"], ["th"], ["td"], ["h3"], ["figcaption"]], strict=True
    ):
        assert text.strip() in page.texts(*tags)


def test_markup_is_text():
    evil = "</style><script>alert(1)</script><!--"
    source = render_html(
        evil, [Table(evil, [evil], {evil: [evil]})], [Drawing(evil, {evil: ""})], [evil]
    )
    page = Page(source)
    assert not page.texts("script")
    assert evil in page.texts("caption")


@cache
def real_tables() -> list[Table]:
    gold = raw_demo_trees()
    return tables(evaluate(gold, gold))


def rendered() -> str:
    return render_html("Scores", real_tables(), [Drawing("a", {"gold": "<svg></svg>"})])


real_page = cache(rendered)


def test_plots_of_all_bars():
    found = {table.title: table for table in real_tables()}
    for title, kind in PLOTS.items():
        labels = Page(plot_svg(plot_of(found[title]))).texts("text")
        assert kind.title in labels
        place = found[title].columns.index(kind.size)
        expected = [f"{row} ({cells[place]})" for row, cells in found[title].rows.items()]
        assert [label for label in labels if label in expected] == expected[:20]
        assert labels.count("100.0") == len(expected[:20]) * len(kind.columns)


def test_plot_of_gap_degrees():
    rows = {"*T*": [9, 7, 5, 2], "total": [None, 12, 8, 4]}
    columns = ["instances", "trees", "gap degree 0", "gap degree 1"]
    plot = plot_of(Table("Table 1", columns, rows))
    assert plot.names == ("gap degree 0", "gap degree 1")
    assert plot.rows == {"*T*": [5, 2], "total": [8, 4]}
    texts = Page(plot_svg(plot)).texts("text")
    assert {"Table 1: trees by gap degree", "*T*", "total", "gap degree 1", "8 + 4"} <= set(texts)


def test_tables_without_a_plot():
    assert plot_of(Table("By fan-out", ["LP", "LF1", "Gold"], {"1": [1.0, 1.0, 1]})) is None
    assert plot_of(Table("By category", ["LF1", "Gold"], {})) is None


def test_curves_are_in_the_page():
    curve = Curve("Tr'", [1, 2, 4], [10, 20, 40])
    plot = CurvePlot("CPU time by length", "tokens", "ms", [curve], fitted=True)
    page = Page(render_html("Scores", [], plots=[plot]))
    assert {"CPU time by length", "tokens", "ms", "Tr': exponent 1.00"} <= set(page.texts("text"))


def test_tables_of_several_parsers_have_plots():
    named = [replace(table, title=f"Breakdown, Tr': {table.title}") for table in real_tables()]
    texts = Page(render_html("Scores", named)).texts("text")
    assert "Breakdown, Tr': LF1 by category (and constituents)" in texts


def test_nothing_is_fetched_or_run():
    source = real_page()
    page = Page(source)
    assert len(page.texts("svg")) == 4
    assert not page.texts("script", "link", "iframe", "object", "img", "base")
    for _, name, value in page.attributes:
        assert not name.startswith("on")
        assert name.startswith("xmlns") or "//" not in value
        if name in ("href", "xlink:href", "src"):
            assert value.startswith("#")
    assert not re.search(r"@import|url\((?!#)", source)


def test_identifiers_of_plots_are_different():
    page = Page(real_page())
    names = [value for _, name, value in page.attributes if name == "id" and len(value) > 9]
    clips = [name for name in names if re.fullmatch(r"[mp][0-9a-f]{10}", name)]
    assert clips
    assert len(set(clips)) == len(clips)


def test_categories_that_mean_something_to_matplotlib():
    rows = {name: [50.0, 1] for name in ("$x$", "PRP$", "a_b", "<b>", "\x00", "日本")}
    shown = Page(plot_svg(plot_of(Table("By category", ["LF1", "Gold"], rows)))).texts("text")
    for name in ("$x$", "PRP$", "a_b", "<b>", "\ufffd", "日本"):
        assert f"{name} (1)" in shown


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    source = render_html("Scores", real_tables())
    assert "<svg" not in source
    assert "pip install 'plcfrs[report]'" in Page(source).texts("code")


def test_same_page_twice():
    assert rendered() == real_page()


def test_no_sentences():
    page = Page(render_html("Scores", tables(Evaluation())))
    assert "Plots" not in page.texts("h2")
