"""The files of results agree: a parser has the same score wherever it is measured."""

import json
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[2] / "docs/results"
PRESETS = ["evang-kallmeyer", "markov-v1h1", "interpolated-v2h2"]


def rows(name, keys=1):
    """Return the rows of the first table of a file by their first cells, as figures by columns."""
    table = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["tables"][0]
    return {
        tuple(row[:keys]): dict(zip(table["columns"], row, strict=True)) for row in table["rows"]
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_grammars_among_all_parsers(preset):
    words, parsers = rows("words", 2), rows("parsers")[preset,]
    for tags, suffix in (("gold", ""), ("own", " from words")):
        of_words = words[preset, tags]
        assert of_words["F1 all"] == parsers[f"F1{suffix}"]
        assert of_words["disc. all"] == parsers[f"discontinuous F1{suffix}"]


@pytest.mark.parametrize("preset", [*PRESETS, "kallmeyer-maier"])
def test_presets_on_short_sentences(preset):
    assert rows("presets")[preset,]["LF1"] == rows("words", 2)[preset, "gold"]["F1 <= 25"]


@pytest.mark.parametrize(("name", "longest"), [("parse", 25), ("parse-40", 40)])
def test_the_main_job(name, longest):
    words = rows("words", 2)["evang-kallmeyer", "gold"]
    assert rows(name)["labelled F1",]["value"] == words[f"F1 <= {longest}"]
