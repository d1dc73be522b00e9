"""The page as a browser reads it: nothing is lost, nothing is markup, nothing is fetched."""

import re
import sys
from functools import cache
from html.parser import HTMLParser

import pytest
from demo_trees import raw_demo_trees
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from quick import examples

from plcfrs.evaluation import Evaluation, Table, evaluate, tables
from plcfrs.experiment.plots import CurvePlot, PlotCurve, plot_svg
from plcfrs.experiment.report import Drawing, render_html
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
    page = Page(render_html("Scores", "A note.", [table], drawings=[drawing]))
    assert page.texts("title", "h1") == ["Scores", "Scores"]
    assert page.texts("caption") == ["Small"]
    cells = page.texts("th", "td")
    assert cells == ["", "LF1", "Gold", "NP", "66.67", "3", "VP", "-", "0"]
    assert page.texts("figcaption") == ["gold", "parse"]
    assert page.texts("text") == ["a"]
    assert page.texts("p")[0] == "A note."
    assert page.texts("h2") == ["Tables", "Trees"]


@examples(30)
@given(st.lists(texts(), min_size=6, max_size=6, unique=True))
def test_nasty_texts(nasty):
    title, row, column, cell, heading, caption = nasty
    table = Table(title, [column], {row: [cell]})
    drawing = Drawing(heading, {caption: "<svg></svg>"})
    source = render_html(title, cell, [table], drawings=[drawing])
    source.encode("utf-8")
    page = Page(source)
    shown = [printable(text) for text in nasty]
    for text, tags in zip(
        shown, [["h1"], ["th"], ["th"], ["td"], ["h3"], ["figcaption"]], strict=True
    ):
        assert text.strip() in page.texts(*tags)


def test_markup_is_text():
    evil = "</style><script>alert(1)</script><!--"
    table, drawing = Table(evil, [evil], {evil: [evil]}), Drawing(evil, {evil: ""})
    source = render_html(evil, evil, [table], drawings=[drawing])
    page = Page(source)
    assert not page.texts("script")
    assert evil in page.texts("caption")


def rendered() -> str:
    gold = raw_demo_trees()
    curves = [
        CurvePlot(title, "tokens", "ms", [PlotCurve("Tr'", [1, 2, 4], [10, 20, 40])], fitted=True)
        for title in ("CPU time by length", "Again")
    ]
    drawing = Drawing("a", {"gold": "<svg></svg>"})
    return render_html("Scores", "plcfrs", tables(evaluate(gold, gold)), curves, [drawing])


real_page = cache(rendered)


@pytest.mark.full
def test_curves_are_in_the_page():
    texts = Page(real_page()).texts("text")
    assert {"CPU time by length", "tokens", "ms", "Tr': exponent 1.00"} <= set(texts)


@pytest.mark.full
def test_nothing_is_fetched_or_run():
    source = real_page()
    page = Page(source)
    assert len(page.texts("svg")) == 3
    assert not page.texts("script", "link", "iframe", "object", "img", "base")
    for _, name, value in page.attributes:
        assert not name.startswith("on")
        assert name.startswith("xmlns") or "//" not in value
        if name in ("href", "xlink:href", "src"):
            assert value.startswith("#")
    assert not re.search(r"@import|url\((?!#)", source)


@pytest.mark.full
def test_identifiers_of_plots_are_different():
    page = Page(real_page())
    names = [value for _, name, value in page.attributes if name == "id" and len(value) > 9]
    clips = [name for name in names if re.fullmatch(r"[mp][0-9a-f]{10}", name)]
    assert clips
    assert len(set(clips)) == len(clips)


@pytest.mark.full
def test_names_that_mean_something_to_matplotlib():
    names = ["$x$", "PRP$", "a_b", "<b>", "日本"]
    plot = CurvePlot("Growth", "tokens", "ms", [PlotCurve(name, [1, 2], [1, 2]) for name in names])
    assert set(names) <= set(Page(plot_svg(plot)).texts("text"))


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plot = CurvePlot("Growth", "tokens", "ms", [PlotCurve("a", [1, 2], [1, 2])])
    source = render_html("Scores", "", [], [plot])
    assert "<svg" not in source
    assert "pip install 'plcfrs[report]'" in Page(source).texts("code")


@pytest.mark.full
def test_same_page_twice():
    assert rendered() == real_page()


def test_neither_plots_nor_trees():
    assert Page(render_html("Scores", "", tables(Evaluation()))).texts("h2") == ["Tables"]
