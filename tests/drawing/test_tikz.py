"""LaTeX source, read back, and compiled if LaTeX is installed."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from nasty import texts
from strategies import trees

from plcfrs.drawing import Picture, draw_tikz, render_tikz, tikz_document
from plcfrs.drawing.tikz import escape_latex
from plcfrs.trees import Node, Token, Tree

NODE = re.compile(r"\\node(?:\[([^]]*)\])? at \((\d+),(\d+)\) \{(.*)\};")
LINE = re.compile(r"\((\d+),(\d+)\) -- \((\d+),(\d+)\)")
SIGNS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\symbol{34}": '"',
    **{f"\\{sign}": sign for sign in "#$%&_{}"},
}
COMMAND = re.compile("|".join(map(re.escape, SIGNS)))


def tree_with(texts):
    return Tree(
        Node("ROOT", children=[Node("VP", children=[0, 2]), 1]),
        [Token(text, "X") for text in texts],
    )


def read(escaped):
    """Return what LaTeX prints."""
    assert not set(COMMAND.sub("", escaped)) & set('#$%&_{}~^\\<>|"')
    return COMMAND.sub(lambda found: SIGNS[found[0]], escaped)


@given(texts())
def test_escaped_texts_are_what_they_were(text):
    expected = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\s]+", " ", text)
    assert read(escape_latex(text)) == expected


@given(trees())
def test_every_label_is_there_and_lines_are_straight(tree):
    source = draw_tikz(tree)
    labels = [read(text) for _, _, _, text in NODE.findall(source)]
    expected = [token.tag for token in tree.tokens] + [token.form for token in tree.tokens]
    assert labels[len(tree.nodes()) :] == expected
    places = [(x, y) for _, x, y, _ in NODE.findall(source)]
    assert len(set(places)) == len(places)
    lines = LINE.findall(source)
    assert lines
    assert all(x == to_x or y == to_y for x, y, to_x, to_y in lines)


def test_marked_parts_and_gaps():
    tree = tree_with("abc")
    options = {text: options for options, *_, text in NODE.findall(draw_tikz(tree, {1}))}
    assert options["b"] == ""
    source = draw_tikz(tree, {tree.root.nodes[0]}, gaps=True)
    first, below = [options for options, _, _, text in NODE.findall(source) if text == "VP"]
    assert first == "red!80!black, draw, rounded corners=2pt"
    assert below == "blue!80!black, anchor=west"
    (parts,) = re.findall(r"line width=3pt\] (.*);", source)
    assert len(LINE.findall(parts)) == 2


def test_side_by_side():
    source = render_tikz([Picture(tree_with("abc"), caption="gold_1"), Picture(tree_with("def"))])
    assert source.count(r"\begin{tikzpicture}") == 1
    assert source.count(r"\begin{scope}[shift=") == source.count(r"\end{scope}") == 1
    assert r"{gold\_1}" in source


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
def test_source_compiles(tmp_path):
    signs = tree_with(["#$%&_{}", "~^\\<>|", '"a Straße'])
    pictures = [draw_tikz(signs, {1, signs.root.nodes[0]}, gaps=True)]
    pictures.append(render_tikz([Picture(signs, caption="a_b"), Picture(signs)]))
    (tmp_path / "trees.tex").write_text(tikz_document(pictures), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "trees.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert b"(2 pages" in done.stdout
