"""Copying and downloading a tree, in a browser."""

from xml.etree import ElementTree

import pytest
from parse_tab import downloaded, parse

from plcfrs.transformation import from_dependencies
from plcfrs.treebank import read_dependencies, read_trees

pytestmark = pytest.mark.full

FORMAT = "#parse .files select >> nth=0"
COPY, DOWNLOAD = "#parse .files button:text('Copy')", "#parse .files button:text('Download')"


def test_a_picture_is_downloaded_as_it_is_shown(open_page):
    page = open_page()
    parse(page)
    page.click("#parse-picture [data-node] text:text-is('SBARQ')")
    page.wait_for_selector("#parse-picture [aria-expanded=false]")
    name, svg = downloaded(page, DOWNLOAD)
    assert name == "tree.svg"
    assert len(ElementTree.fromstring(svg).findall(".//*[@data-node]")) == 2


@pytest.mark.parametrize(
    ("format", "name", "beginning"),
    [
        ("PNG", "tree.png", b"\x89PNG"),
        ("PDF", "tree.pdf", b"%PDF"),
        ("LaTeX", "tree.tex", b"\\documentclass"),
    ],
)
def test_pictures_are_downloaded_in_other_formats(open_page, format, name, beginning):
    page = open_page()
    parse(page)
    page.select_option(FORMAT, label=format)
    found, content = downloaded(page, DOWNLOAD)
    assert found == name
    assert content.startswith(beginning)


def test_a_tree_is_downloaded_in_formats_of_treebanks(open_page, tmp_path):
    page = open_page()
    parse(page)
    trees = []
    for format in ("discbracket", "export"):
        page.select_option(FORMAT, label=format)
        name, content = downloaded(page, DOWNLOAD)
        (tmp_path / name).write_bytes(content)
        trees += read_trees(tmp_path / name)
    page.select_option(FORMAT, label="CoNLL-U")
    name, content = downloaded(page, DOWNLOAD)
    (tmp_path / name).write_bytes(content)
    (dependencies,) = read_dependencies(tmp_path / name)
    assert trees[0] == trees[1] == from_dependencies(dependencies)
    assert trees[0].gap_degree() == 1
    page.get_by_label("Heads by").select_option("negra")
    _, other = downloaded(page, DOWNLOAD)
    assert other != content


def test_texts_are_copied_by_keyboard(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    parse(page)
    page.focus(FORMAT)
    page.keyboard.type("disc")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#parse .files [role=status]:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()").startswith("(ROOT (SBARQ")
    page.select_option(FORMAT, label="LaTeX")
    assert page.text_content("#parse .files [role=status]") == ""
    page.click(COPY)
    page.wait_for_selector("#parse .files [role=status]:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()").startswith("\\documentclass")


def test_a_png_is_copied_as_a_picture_and_a_pdf_is_not(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    parse(page)
    page.select_option(FORMAT, label="PNG")
    page.click(COPY)
    page.wait_for_selector("#parse .files [role=status]:has-text('Copied')")
    types = page.evaluate("navigator.clipboard.read().then(([one]) => one.types)")
    assert types == ["image/png"]
    page.select_option(FORMAT, label="PDF")
    assert page.is_disabled(COPY)


def test_without_a_clipboard_texts_are_copied_and_pictures_are_not(open_page):
    page = open_page(permissions=["clipboard-read"])
    parse(page)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.select_option(FORMAT, label="export")
    page.evaluate(
        "document.addEventListener('copy', () => { document.body.dataset.copied = 'yes'; })"
    )
    page.click(COPY)
    page.wait_for_selector("body[data-copied]")
    page.select_option(FORMAT, label="PNG")
    page.click(COPY)
    page.wait_for_selector("#parse .files [role=alert]:has-text('download the picture')")


def test_trees_of_treebanks_have_the_same_files(open_page):
    page = open_page()
    page.click("#treebank-tab")
    page.wait_for_selector("#treebank-picture svg")
    page.select_option("#treebank .files select >> nth=0", label="discbracket")
    name, content = downloaded(page, "#treebank .files button:text('Download')")
    assert name == "demo_1.discbracket"
    assert content.startswith(b"(ROOT (S (S (NP-SBJ (NNP 0=Mrs.)")
