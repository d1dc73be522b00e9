"""The output in notebooks, and the example notebook."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import plcfrs
from plcfrs.grammar import tag

SVG = "{http://www.w3.org/2000/svg}"
NOTEBOOK = Path(__file__).parent.parent / "examples" / "notebook.ipynb"


@pytest.fixture
def tree():
    tokens = [plcfrs.Token(*word) for word in (("What", "WP"), ("must", "MD"), ("go", "VB"))]
    vp = plcfrs.Node("VP", children=[0, 2])
    return plcfrs.Tree(plcfrs.Node("ROOT", children=[vp, 1]), tokens)


def labels(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_tree(tree):
    assert labels(tree._repr_svg_()) == ["ROOT", "VP", "WP", "What", "MD", "must", "VB", "go", "VP"]


def test_derivation_has_symbols_of_the_grammar_and_positions(tree):
    shown = labels(plcfrs.derivation_of(tree)._repr_svg_())
    assert shown == ["ROOT", "VP_2", "WP", "0", "MD", "1", "VB", "2", "VP_2"]


def test_derivation_of_a_word():
    assert labels(plcfrs.Derivation(tag("UH"))._repr_svg_()) == ["ROOT", "UH", "0"]


def test_parse_and_result(tree):
    model = plcfrs.GrammarModel(plcfrs.extract([tree]))
    parse = model.parse([("What", "WP"), ("must", "MD"), ("go", "VB")])
    assert labels(parse._repr_svg_()) == labels(tree._repr_svg_())
    assert labels(model.parse([])._repr_svg_()) == ["ROOT"]
    parser = plcfrs.ChartParser(plcfrs.binarize(plcfrs.extract([tree])))
    result = parser.parse([{tag(name): 0.0} for name in ("WP", "MD", "VB")])
    assert "VP_2" in labels(result._repr_svg_())
    assert parser.parse([{tag("WP"): 0.0}])._repr_svg_() is None


def test_grammar(tree):
    table = ElementTree.fromstring(plcfrs.extract([tree])._repr_html_())
    rows = [[cell.text for cell in row] for row in table.findall("tr")]
    assert rows[0] == ["rule", "count", "p"]
    assert ["ROOT(XYZ) -> VP(X,Z) MD(Y)", "1", "1.0000"] in rows
    assert table.find("caption").text.startswith(
        "2 rules, 1 of fan-out 1, 1 of fan-out 2, 2 symbols, 3 words"
    )


def test_notebook_is_stored_without_outputs():
    nbformat = pytest.importorskip("nbformat")
    cells = nbformat.read(NOTEBOOK, 4).cells
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


@pytest.mark.full
def test_notebook_runs_and_shows_pictures():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(NOTEBOOK, 4)
    nbclient.NotebookClient(notebook, timeout=300).execute()
    shown = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        for kind in output.get("data", {})
        if kind != "text/plain"
    ]
    assert shown == [*["image/svg+xml"] * 2, "text/html", *["image/svg+xml"] * 3]
