"""Whatever people do with a parser at hand: it is read again, and can all be undone."""

import random

import pytest
from demo_trees import demo_trees

from plcfrs import GrammarModel
from plcfrs.annotating import Assistant
from plcfrs.errors import PlcfrsError
from plcfrs.project import AnnotatedSentence, Project, create
from plcfrs.transformation import transform_all
from plcfrs.treebank.format import Chunk

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def model():
    return GrammarModel.train(list(transform_all(demo_trees())))


def operations(rng, view):
    """Return an operation of each kind, for any parts of a tree."""
    nodes, tokens = view.names["nodes"], view.names["tokens"]
    parts = rng.sample([*nodes, *tokens], rng.randint(1, 2))
    node, token, label = rng.choice(nodes), rng.choice(tokens), rng.choice(["NP", "VP-X", "S"])
    return [
        {"do": "attach", "parts": parts, "mother": node},
        {"do": "add", "parts": parts, "label": label},
        {"do": "delete", "parts": parts},
        {"do": "keep", "parts": parts},
        {"do": "forbid", "parts": [node]},
        {"do": "relabel", "parts": parts, "label": label},
        {"do": "annotate", "parts": [node], "values": {"function": "SBJ", "note": "why?"}},
        {"do": "annotate", "parts": [token], "values": {"tag": "NN", "lemma": "x"}},
        {"do": "null", "mother": node, "before": token, "form": "*T*", "label": label},
        {"do": "coindex", "null": token, "antecedent": node},
        {"do": "edge", "parts": parts, "mother": node, "label": "HD"},
        {"do": "delete-edge", "edge": 0},
        {"do": "join", "first": tokens[0], "last": tokens[min(1, len(tokens) - 1)]},
        {"do": "split-sentence", "before": token},
        {"do": "join-sentence"},
        {"do": "choose", "part": parts[0], "choice": rng.randint(0, 3)},
        {"do": "forget", "parts": parts},
        *({"do": name} for name in ("accept", "discard", "forget", "undo", "undo", "redo")),
        {"do": "status", "status": "later"},
    ]


@pytest.mark.parametrize("seed", range(8))
def test_all_operations(tmp_path, model, seed):
    rng = random.Random(seed)
    trees = rng.sample(demo_trees(), 6)
    create(tmp_path / "p", [("doc", tree) for tree in trees], "anna", "", trees=seed % 2 == 1)
    tables = {}
    for _ in range(4):
        with Project(tmp_path / "p") as project:
            assert {name: project[name].table() for name in tables} == tables
            assistant = Assistant(project, model, seconds=10)
            for _ in range(25):
                view = assistant.view(rng.choice(project.ids()))
                try:
                    assistant.act(view.id, rng.choice(operations(rng, view)))
                except PlcfrsError:
                    continue
            for name in project.ids():
                line = project[name].line()
                again = AnnotatedSentence.read(Chunk("a.jsonl", 1, line, 1))
                assert again.table() == project[name].table()
            tables = {name: project[name].table() for name in project.ids()}
