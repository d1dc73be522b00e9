"""The files of results agree: a parser has the same score wherever it is measured."""

import json
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "docs/results"
PRESETS = ["evang-kallmeyer", "markov-v1h1", "interpolated-v2h2"]


def tables(name):
    content = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return list(content["tables"].values())


def test_grammars_among_all_parsers():
    for preset in PRESETS:
        gold, own = tables("parsers")[:2]
        (words, *_) = tables("words")
        for column in ("LF1", "Disc. LF1"):
            assert words[preset][column] == gold[preset][column]
            assert words[f"{preset}, own tags"][column] == own[f"{preset}, words alone"][column]


def test_presets_on_short_sentences():
    for preset in [*PRESETS, "kallmeyer-maier"]:
        (presets, *_), (words, *_) = tables("presets"), tables("words")
        assert presets[preset]["LF1"] == words[preset]["LF1 <= 25"]
