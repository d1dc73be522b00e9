"""Pictures as PDF and PNG: their sizes, pages and letters."""

import re
import struct
import sys

import pytest

from plcfrs.cli import run
from plcfrs.drawing import Picture, render_pdf, render_png, render_svg
from plcfrs.drawing import svg as pages
from plcfrs.errors import InputError
from plcfrs.treebank import write_trees
from plcfrs.trees import Node, Token, Tree


def picture(word="Straße", length=1):
    tokens = [Token(word, "NN") for _ in range(length)]
    return Picture(Tree(Node("ROOT", children=[Node("S", children=[*range(length)])]), tokens))


def size_of(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def size_in_svg(rows):
    return tuple(map(int, re.findall(r'(?:width|height)="(\d+)"', render_svg(rows))[:2]))


def test_a_png_has_two_pixels_for_each_of_svg_and_a_margin():
    for rows in [[[picture()]], [[picture(), picture()], [picture(length=9)]]]:
        # An inch has 72 points, and 96 pixels of SVG.
        margin = 2 * pages._MARGIN * 2 * 96 / 72
        expected = [2 * size + margin for size in size_in_svg(rows)]
        assert size_of(render_png(rows)) == pytest.approx(expected, abs=2)


def test_a_pdf_has_a_page_for_each_row():
    for number in (1, 3):
        pdf = render_pdf([[picture(), picture()]] * number)
        assert pdf.startswith(b"%PDF")
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == number


def test_each_letter_looks_different():
    words = ["A", "Ä", "Ö", "Ü", "ä", "ß", "é", "ž", "я", "λ", "”"]
    assert len({render_png([[picture(word)]]) for word in words}) == len(words)


def test_the_same_trees_make_the_same_file():
    assert render_pdf([[picture()]]) == render_pdf([[picture()]])
    assert render_png([[picture()]]) == render_png([[picture()]])


def test_words_that_mean_something_to_typst():
    tricky = '#panic("x") $ \\ " < & ] *'
    assert render_pdf([[picture(tricky)._replace(caption=tricky)]]).startswith(b"%PDF")


def test_a_png_that_would_be_too_large(monkeypatch):
    monkeypatch.setattr(pages, "_MOST_PIXELS", 1000)
    with pytest.raises(InputError, match=r"PNG of \d+ times \d+ pixels is too large: write PDF"):
        render_png([[picture()]])


def test_without_typst(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(InputError, match=r"PDF needs Typst: pip install 'plcfrs\[pictures\]'"):
        render_pdf([[picture()]])


def test_files(tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    write_trees([picture().tree, picture("Öl", 2).tree], "a.discbracket")
    for name in ("a.pdf", "a.PNG", "other"):
        options = ["--to", "png"] if name == "other" else []
        assert run(["draw", "a.discbracket", "-o", name, *options]) == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "a.PNG").read_bytes() == (tmp_path / "other").read_bytes()
    assert run(["draw", "a.discbracket", "--to", "png"]) == 0
    assert capsysbinary.readouterr().out == (tmp_path / "other").read_bytes()
