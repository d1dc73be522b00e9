"""The places of tokens in a text: kept in JSON and CoNLL-U, by copies and transformations."""

import json
import pickle
import re

import pytest

from plcfrs.cli import run
from plcfrs.corpus import sending  # noqa: F401 (how trees are sent to other processes)
from plcfrs.errors import TreebankError
from plcfrs.text import Splitter
from plcfrs.transformation import Options, to_dependencies, transform
from plcfrs.treebank import (
    FORMATS,
    TreeWriter,
    read_dependencies,
    read_trees,
    write_dependencies,
    write_trees,
)
from plcfrs.trees import Node, SecondaryEdge, Tree


@pytest.fixture
def tree():
    tree = Tree.from_string("(SQ (VP (WP 0=Who) (VB 2=left)) (MD 1=can) (. 3=?))")
    for token, start in zip(tree.tokens, (5, 9, 14, 18), strict=True):
        token.start, token.end = start, start + len(token.form)
    return tree


def places(tree):
    return [(token.start, token.end) for token in tree.tokens]


def test_copies_and_transformations_keep_them(tree):
    wanted = places(tree)
    assert places(tree.copy()) == places(transform(tree, Options())) == wanted
    assert places(pickle.loads(pickle.dumps(tree))) == wanted


def test_json_keeps_them(tree, tmp_path):
    tree.tokens[0].lemma = "who"
    tree.id = "a:1"
    write_trees([tree, Tree.from_string("(S (UH Yes))")], tmp_path / "a.jsonl")
    first, second = read_trees(tmp_path / "a.jsonl")
    assert first == tree
    assert (places(first), first.id) == (places(tree), "a:1")
    assert places(second) == [(None, None)]
    line = (tmp_path / "a.jsonl").read_text().splitlines()[0]
    content = json.loads(line)
    assert content["tokens"][0] == {
        "form": "Who",
        "tag": "WP",
        "lemma": "who",
        "start": 5,
        "end": 8,
    }
    assert {"label": "VP", "tokens": [0, 2]} in content["constituents"]


def test_json_has_the_words_of_the_text(tmp_path):
    """Each as it stands in the text, although the treebank spells it otherwise."""
    text = '[I (only) "saw" 1/2 of it.]'
    tokens = Splitter(["1\\/4"], ["VBZ"]).tokens(text)
    tree = Tree(Node("ROOT", children=list(range(len(tokens)))), tokens)
    for token in tokens:
        token.tag = "X"
    write_trees([tree], tmp_path / "a.jsonl")
    content = json.loads((tmp_path / "a.jsonl").read_text())
    typed = [token["form"] for token in content["tokens"]]
    assert " ".join(typed) == '[ I ( only ) " saw " 1/2 of it . ]'
    assert typed == [text[token["start"] : token["end"]] for token in content["tokens"]]
    assert "(X 2=-LRB-)" in content["tree"]
    assert list(read_trees(tmp_path / "a.jsonl")) == [tree]
    write_trees([tree], tmp_path / "a.dbr")  # a treebank has no text: its words stay
    write_trees(read_trees(tmp_path / "a.dbr"), tmp_path / "b.jsonl")
    again = json.loads((tmp_path / "b.jsonl").read_text())
    assert [token["form"] for token in again["tokens"]] == [token.form for token in tokens]


def test_malformed_json(tmp_path):
    for line, problem in [
        ("{", "expected a line of JSON"),
        ("[1]", "expected a line of JSON"),
        ('{"tree": "(S (UH 0=Yes))"}', "expected a line of JSON"),
        ('{"tree": "(S (UH 0=Yes))", "tokens": []}', "0 tokens, but the tree has 1"),
        (
            '{"tree": "(S (UH 0=Yes))", "tokens": [{"form": 1, "tag": "UH"}]}',
            "form of a token cannot be 1",
        ),
        ('{"tree": "(S (UH 0=Yes)", "tokens": []}', ""),
    ]:
        (tmp_path / "a.jsonl").write_text(f"{line}\n")
        with pytest.raises(TreebankError, match=f"a.jsonl:1: {problem}"):
            list(read_trees(tmp_path / "a.jsonl", "json"))


EDGES = "(CS (S (PPER 0=Sie) (VVFIN 1=hoffen)) (KON 2=und) (S (VVFIN 3=rudern)))"


def test_json_keeps_secondary_edges(tmp_path):
    tree = Tree.from_string(EDGES)
    _, top, first, second = tree.nodes()
    tree.secondary_edges = [SecondaryEdge("SB", 0, second), SecondaryEdge("", first, top)]
    tree.secondary_edges.append(SecondaryEdge("X", 0, Node("gone")))
    write_trees([tree, Tree.from_string("(S (UH Yes))")], tmp_path / "a.jsonl")
    contents = list(map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines()))
    assert contents[0]["secondary_edges"] == [
        {"label": "SB", "token": 0, "mother": 3},
        {"label": "", "node": 2, "mother": 1},
    ]
    assert "secondary_edges" not in contents[1]
    (again, _) = read_trees(tmp_path / "a.jsonl")
    nodes = again.nodes()
    assert again.secondary_edges == [
        SecondaryEdge("SB", 0, nodes[3]),
        SecondaryEdge("", nodes[2], nodes[1]),
    ]


def test_impossible_secondary_edges_in_json(tmp_path):
    for edge in [
        {"label": "SB", "token": 4, "mother": 0},
        {"label": "SB", "token": -1, "mother": 0},
        {"label": "SB", "node": 0, "mother": -1},
        {"label": "SB", "mother": 0},
        {"token": 0, "mother": 0},
        "SB",
    ]:
        content = json.loads(FORMATS["json"].render(Tree.from_string(EDGES), 1))
        (tmp_path / "a.jsonl").write_text(json.dumps({**content, "secondary_edges": [edge]}))
        with pytest.raises(TreebankError, match=r"a\.jsonl:1: expected a line of JSON"):
            list(read_trees(tmp_path / "a.jsonl"))


def test_impossible_places_in_json(tmp_path):
    for end in [-1, 2**31, 10**30, 0.5]:
        tokens = f'[{{"form": "Yes", "tag": "UH", "end": {end}}}]'
        (tmp_path / "a.jsonl").write_text(f'{{"tree": "(S (UH 0=Yes))", "tokens": {tokens}}}\n')
        with pytest.raises(TreebankError, match=f"end of a token cannot be {re.escape(str(end))}"):
            list(read_trees(tmp_path / "a.jsonl", "json"))


def test_impossible_places_in_conllu(tmp_path):
    (tmp_path / "a.conllu").write_text("1\tYes\t_\tUH\t_\t_\t0\troot\t_\tTokenRange=0:3000000000\n")
    (tree,) = read_trees(tmp_path / "a.conllu")
    assert places(tree) == [(None, None)]


def test_conllu_keeps_them(tree, tmp_path):
    path = tmp_path / "a.conllu"
    write_dependencies([to_dependencies(transform(tree, Options()))], path)
    assert "\tTokenRange=14:18\n" in path.read_text()
    (read,) = read_dependencies(path)
    assert places(read) == places(tree)
    assert places(next(read_trees(path))) == places(tree)
    content = path.read_text().replace("TokenRange=9", "SpaceAfter=No|TokenRange=9")
    path.write_text(content)
    write_dependencies(read_dependencies(path), tmp_path / "b.conllu")
    assert (tmp_path / "b.conllu").read_text().endswith(content)


def test_other_formats_lose_them_and_say_so(tree, tmp_path):
    with TreeWriter(tmp_path / "a.export") as writer:
        writer.write(tree)
    assert writer.loss == "1 tree; lost in export: places in the text (in 1)"


@pytest.mark.full
def test_parse_writes_places_in_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "Nu\u0308 \u2014 we can\u2019t sing.\r\n\r\nWho left?\r\n"
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert run(["extract", "plcfrs:demo", "-o", "demo.plcfrs"]) == 0
    command = ["parse", "demo.plcfrs", "a.txt", "--tokenize", "--to", "json"]
    assert run([*command, "-o", "a.jsonl"]) == 0
    assert run([*command, "-o", "b.jsonl", "--jobs", "2"]) == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    written = [text[token["start"] : token["end"]] for line in lines for token in line["tokens"]]
    assert written == [
        "Nu\u0308",
        "\u2014",
        "we",
        "ca",
        "n\u2019t",
        "sing",
        ".",
        "Who",
        "left",
        "?",
    ]
