"""Training from a served project: started once, and its parser is taken over without a restart."""

import time

import pytest
from demo_trees import raw_demo_trees
from fastapi.testclient import TestClient
from serving import refusal

from plcfrs.annotating import Assistant, learn
from plcfrs.project import Project, create
from plcfrs.web import training
from plcfrs.web.app import create_app
from plcfrs.web.store import Store

PROJECT = "/api/v1/project"


@pytest.fixture
def folder(tmp_path):
    """A project with 60 accepted trees, and a sentence without one."""
    folder = tmp_path / "songs"
    create(folder, (("demo", tree) for tree in raw_demo_trees()[:61]), "anna", "", trees=True)
    path = folder / "trees/anna/demo.jsonl"
    lines = path.read_text().splitlines(keepends=True)[:60]
    path.write_text("".join(line.replace("{", '{"status": "accepted", ', 1) for line in lines))
    return folder


@pytest.fixture
def client(folder):
    """A client of a server without a parser."""
    with Project(folder) as project:
        app = create_app(Store([]), assistant=Assistant(project))
        with TestClient(app, base_url="http://localhost") as client:
            yield client


class Process:
    """A process that runs."""

    def __init__(self, *_, **__):
        pass

    def poll(self):
        return None


def test_two_trainings_at_once_are_refused(client, monkeypatch):
    assert client.get(f"{PROJECT}/training").json() == {
        "running": False,
        "stage": "",
        "done": 0,
        "total": 1,
        "curve": [],
    }
    monkeypatch.setattr(training.subprocess, "Popen", Process)
    assert client.post(f"{PROJECT}/train").json()["running"]
    assert refusal(client.post(f"{PROJECT}/train")) == (
        409,
        "a training runs already: wait for its end",
    )


def test_a_new_parser_proposes_trees_without_a_restart(client, folder):
    def labels():
        answer = client.get(f"{PROJECT}/sentence", params={"id": "demo:61"}).json()
        return answer["tree"]["labels"]

    before = labels()
    assert client.get(f"{PROJECT}/training").json()["curve"] == []
    learn(folder, "grammar")
    answer = client.get(f"{PROJECT}/training").json()
    assert (answer["running"], len(answer["curve"])) == (False, 1)
    assert len(labels()) > len(before)


@pytest.mark.full
def test_a_training_runs_in_a_process_of_its_own(client):
    assert client.post(f"{PROJECT}/train").json()["running"]
    answer = {"running": True}
    while answer["running"]:
        time.sleep(0.2)
        answer = client.get(f"{PROJECT}/training").json()
    assert answer["stage"].startswith("a features parser from")
    assert answer["curve"][0]["is_taken"]
