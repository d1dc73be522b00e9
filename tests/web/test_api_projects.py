"""The API of a served project: sentences, what is done to them, and who is refused."""

import pytest
from demo_trees import demo_trees
from fastapi.testclient import TestClient
from serving import refusal

from plcfrs.annotating import Assistant
from plcfrs.project import Project, create
from plcfrs.web.app import create_app
from plcfrs.web.store import Store

PROJECT = "/api/v1/project"


@pytest.fixture
def client(demo, tmp_path):
    """A client of a server with a project: three demo sentences without trees, and a grammar."""
    sentences = [("doc", tree) for tree in demo_trees()[:3]]
    create(tmp_path / "songs", sentences, "anna", str(demo), trees=False)
    settings = tmp_path / "songs" / "project.toml"
    settings.write_text(settings.read_text().replace("without-parse = 0.1", "without-parse = 0"))
    store = Store([str(demo)])
    with Project(tmp_path / "songs") as project:
        assistant = Assistant(project, store.model(None).model, seconds=60)
        app = create_app(store, assistant=assistant)
        with TestClient(app, base_url="http://localhost") as client:
            yield client


def shown(client, name="demo:1"):
    answer = client.get(f"{PROJECT}/sentence", params={"id": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(client, operation, revision, name="demo:1", **more):
    return client.post(
        f"{PROJECT}/act", json={"id": name, "revision": revision, "operation": operation, **more}
    )


def done(client, operation, revision, name="demo:1"):
    answer = act(client, operation, revision, name)
    assert answer.status_code == 200, answer.text
    (sentence,) = answer.json()["sentences"]
    return sentence


def test_a_sentence_is_proposed_edited_and_accepted(client):
    listed = client.get(PROJECT).json()
    assert (listed["name"], listed["person"], listed["documents"]) == ("songs", "anna", ["doc"])
    assert [(each["id"], each["has_tree"]) for each in listed["sentences"]] == [
        (f"demo:{number}", False) for number in (1, 2, 3)
    ]
    proposed = shown(client)
    assert proposed["is_proposal"]
    assert len(proposed["names"]["nodes"]) == len(proposed["tree"]["labels"])
    assert len(proposed["names"]["tokens"]) == len(proposed["tree"]["tokens"])
    name = proposed["names"]["nodes"][2]
    after = done(client, {"do": "relabel", "parts": [name], "label": "XP-SBJ"}, 0)
    place = after["names"]["nodes"].index(name)
    assert (after["tree"]["labels"][place], after["revision"]) == ("XP-SBJ", 2)
    assert name in after["kept"]
    assert after["chosen"] == [name]
    assert (after["can_undo"], after["can_redo"]) == (True, False)
    accepted = done(client, {"do": "accept"}, 2)
    assert (accepted["status"], accepted["by_hand"]) == ("accepted", True)
    progress = client.get(PROJECT).json()["progress"]
    assert progress == {"accepted": 1, "later": 0, "untouched": 0.0}


def test_who_saw_another_revision_is_refused(client):
    done(client, {"do": "note", "note": "why?"}, 0)
    status, message = refusal(act(client, {"do": "accept"}, 0))
    assert (status, message) == (409, "demo:1 has changed in the meantime")
    assert shown(client)["note"] == "why?"


def test_sentences_that_come_and_go_are_listed(client):
    token = shown(client)["names"]["tokens"][2]
    answer = act(client, {"do": "split-sentence", "before": token}, 0).json()
    assert answer["ids"] == ["demo:1", "demo:1+1", "demo:2", "demo:3"]
    answer = act(client, {"do": "join-sentence"}, answer["sentences"][0]["revision"]).json()
    assert answer["ids"] == ["demo:1", "demo:2", "demo:3"]
    assert len(answer["sentences"]) == 1
    answer = act(client, {"do": "join-sentence"}, answer["sentences"][0]["revision"]).json()
    assert answer["ids"] == ["demo:1", "demo:3"]  # the second one was not looked at before


def test_menus_and_choices_are_for_a_part(client):
    proposed = shown(client)
    name, token = proposed["names"]["nodes"][2], proposed["names"]["tokens"][0]
    for part, kind in [(name, "category"), (name, "function"), (token, "tag"), (name, "null")]:
        menu = client.get(f"{PROJECT}/menu", params={"id": "demo:1", "part": part, "kind": kind})
        chances = [entry["probability"] for entry in menu.json()]
        assert chances == sorted(chances, reverse=True)
    choices = client.get(f"{PROJECT}/choices", params={"id": "demo:1", "part": name})
    assert all(0 < choice["probability"] <= 1 for choice in choices.json())
    root = client.get(f"{PROJECT}/choices", params={"id": "demo:1", "part": "n0"})
    assert refusal(root) == (400, "choose a part below the root")
    assert client.get(PROJECT).json()["sentences"][0]["doubt"] is not None


def test_all_trees_are_checked(client):
    name = shown(client)["names"]["nodes"][2]
    done(client, {"do": "relabel", "parts": [name], "label": "NP-1"}, 0)
    (finding,) = client.get(f"{PROJECT}/checks").json()
    assert (finding["sentence"], finding["kind"], finding["parts"]) == ("demo:1", "indices", [name])
    assert client.get(PROJECT).json()["sentences"][0]["findings"] == 1


def test_a_full_disk_is_said(client, monkeypatch):
    shown(client)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    status, message = refusal(act(client, {"do": "note", "note": "why?"}, 0))
    assert status == 507
    assert message.endswith("nothing was saved: No space left on device")
    monkeypatch.undo()
    assert done(client, {"do": "note", "note": "why?"}, 0)["note"] == "why?"


def test_what_is_wrong_is_said(client, serve):
    assert refusal(act(client, {"do": "sing"}, 0))[0] == 400
    status, message = refusal(client.get(f"{PROJECT}/sentence", params={"id": "x"}))
    assert (status, message[:24]) == (400, "there is no sentence x i")
    assert refusal(serve().get(PROJECT)) == (
        404,
        "no project is served: start plcfrs annotate FOLDER",
    )
