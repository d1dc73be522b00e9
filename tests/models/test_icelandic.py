"""The included model of Icelandic: nothing in it is English."""

import json

import pytest

from plcfrs import load_model
from plcfrs.cli import run

# Everyday sentences: a constituent that each must have, with the places of its words.
EVERYDAY = [
    ("Konungur sá skipið.", "NP", 0b0001),
    ("Hann kom í gær.", "PP", 0b01100),
    ("Hún las bókina sem hann keypti.", "CP", 0b0111000),
    ("Hvar er hann?", "WADVP", 0b0001),
    ("Maðurinn sagði að hún væri farin.", "CP", 0b0111100),
    ("Hann fór heim og hún kom.", "CONJP", 0b0111000),
    ("Gamla konan gekk hægt.", "NP", 0b00011),
    ("Þeir vildu sjá landið.", "NP", 0b01000),
]


@pytest.fixture(scope="module")
def model():
    return load_model("plcfrs:icelandic")


@pytest.mark.full
def test_everyday_sentences(model):
    parses = list(model.parse_text("\n\n".join(text for text, *_ in EVERYDAY)))
    assert len(parses) == len(EVERYDAY)
    wrong = [
        text
        for (text, label, span), parse in zip(EVERYDAY, parses, strict=True)
        if (label, span)
        not in {(node.category, words) for node, words in parse.tree.yields().items()}
    ]
    assert len(wrong) <= 2, wrong


@pytest.mark.full
def test_a_file_of_text(tmp_path):
    text = "„Hvað?“ sagði hún (aftur). Það er ½ mark — 3,5 aurar.\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    output = tmp_path / "a.jsonl"
    assert run(["parse", "plcfrs:icelandic", str(tmp_path / "a.txt"), "-o", str(output)]) == 0
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    tokens = [token for line in lines for token in line["tokens"]]
    assert "".join(text[each["start"] : each["end"]] for each in tokens) == "".join(text.split())


@pytest.mark.full
def test_the_file_names_its_treebank_and_licence(capsys):
    assert run(["inspect", "plcfrs:icelandic"]) == 0
    output = capsys.readouterr().out
    assert "IcePaHC 2024.03" in output
    assert "CC BY 4.0" in output
