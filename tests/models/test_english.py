"""The included model of English, as people use it who have only text."""

import json
import subprocess
import sys
from itertools import pairwise

import pytest

from plcfrs import load_model
from plcfrs.cli import run

# Everyday sentences: a constituent that each must have, with its words; "..." is a gap.
EVERYDAY = [
    ("What do you think he saw?", "VP", "What ... saw"),
    ("Who did she give the book to?", "PP", "Who ... to"),
    ("I met a man yesterday who lives there.", "NP", "a man ... who lives there"),
    ("The book that you bought is on the table.", "VP", "that ... bought"),
    ("It is nice that you came.", "NP", "It ... that you came"),
    ("He likes tea and she likes coffee.", "S", "she likes coffee"),
    ("Where are you going?", "VP", "Where ... going"),
    ("Nobody knows what to do.", "VP", "what ... do"),
    ("No idea.", "NP", "No idea ."),
    ("The old woman and her dog walked slowly home.", "NP", "The old woman and her dog"),
]


@pytest.fixture(scope="module")
def model():
    return load_model("plcfrs:english")


def constituents(tree):
    words, found = tree.words(), set()
    for node, span in tree.yields().items():
        places = [place for place in range(len(words)) if span >> place & 1]
        shown = [words[places[0]]]
        for before, place in pairwise(places):
            shown += ["..."] * (place > before + 1) + [words[place]]
        found.add((node.category, " ".join(shown)))
    return found


def test_everyday_sentences(model):
    parses = list(model.parse_text("\n\n".join(text for text, *_ in EVERYDAY)))
    assert len(parses) == len(EVERYDAY)
    wrong = [
        text
        for (text, label, words), parse in zip(EVERYDAY, parses, strict=True)
        if (label, words) not in constituents(parse.tree)
    ]
    assert len(wrong) <= 2, wrong


@pytest.mark.full
def test_a_file_of_text(tmp_path):
    text = "\u201cWell\u2026\u201d she said (again), \u201cdon't!\u201d 3.5% is well-known.\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    output = tmp_path / "a.jsonl"
    assert run(["parse", "plcfrs:english", str(tmp_path / "a.txt"), "-o", str(output)]) == 0
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    tokens = [token for line in lines for token in line["tokens"]]
    assert "".join(text[each["start"] : each["end"]] for each in tokens) == "".join(text.split())
    assert {"(", "n't", "%", "-"} <= {each["form"] for each in tokens}


@pytest.mark.full
def test_tokens_stay_tokens(capsys, tmp_path):
    (tmp_path / "a.txt").write_text("He did n't .\nHi .\n", encoding="utf-8")
    assert run(["parse", "plcfrs:english", str(tmp_path / "a.txt"), "--from", "tokens"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.full
def test_neither_pytorch_nor_a_network_is_needed():
    program = """
import socket
import sys
sys.modules |= dict.fromkeys(["torch", "transformers"])
socket.socket.connect = None
import plcfrs
print(plcfrs.load_model("plcfrs:english").parse("What did you see ?").tree.gap_degree())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "1\n", ran.stderr


@pytest.mark.full
def test_all_kinds_of_texts_have_trees(model):
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for text in (f"\U0001f600 {family}!", "a@b.org", "xyz " * 600, "\u4f60\u597d", "..."):
        for parse in model.parse_text(text):
            assert parse.status == "parsed"
            assert all(text[t.start : t.end].strip() for t in parse.tree.tokens)
