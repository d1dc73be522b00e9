"""Projects: what one person does to the trees of a text is never lost, and can be undone."""

import json
import shutil

import pytest
from demo_trees import demo_trees

from plcfrs.errors import InputError
from plcfrs.project.creation import create
from plcfrs.project.project import ChangedMeanwhileError, Project
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

RELABEL = {"do": "relabel", "parts": ["n2"], "label": "X-SBJ"}


@pytest.fixture
def folder(tmp_path):
    """A project with two documents of three demo trees each, which Anna has."""
    trees = list(read_trees("plcfrs:demo"))[:6]
    sentences = [(f"doc{number // 3}", tree) for number, tree in enumerate(trees)]
    create(tmp_path / "project", sentences, "anna", "", trees=True)
    return tmp_path / "project"


def lines(folder, document="doc0"):
    return (folder / "trees" / "anna" / f"{document}.jsonl").read_text().splitlines()


def test_an_action_changes_one_line_and_is_there_after_a_restart(folder):
    before = lines(folder)
    with Project(folder) as project:
        (after,) = project.act("demo:2", RELABEL, revision=0, seconds=1.5)
        assert after.named.tree.nodes()[2].functions == ("SBJ",)
        assert [old == new for old, new in zip(before, lines(folder), strict=True)] == [
            True,
            False,
            True,
        ]
        (entry,) = project.actions()
        assert (entry["operation"], entry["sentence"], entry["seconds"]) == (RELABEL, "demo:2", 1.5)
    with Project(folder) as project:
        assert project["demo:2"].named.tree == after.named.tree
        assert project["demo:2"].revision == 1


def test_a_project_is_a_treebank(folder):
    with Project(folder) as project:
        project.act("demo:5", RELABEL)
        assert [tree.id for tree in read_trees(folder)] == [
            f"demo:{number}" for number in range(1, 7)
        ]
        assert list(read_trees(folder)) == list(project.trees())
    shutil.copytree(folder / "trees" / "anna", folder / "trees" / "ben")
    with pytest.raises(InputError, match=r"trees of 2 people: give .*anna"):
        next(read_trees(folder))
    shutil.move(folder / "trees" / "ben", folder / "trees" / "gold")
    assert len(list(read_trees(folder))) == 6


def test_what_was_done_is_undone_and_done_again_over_restarts(folder):
    first = demo_trees()[0]
    seen = []
    with Project(folder) as project:
        for operation in [
            RELABEL,
            {"do": "null", "mother": "n1", "before": "t1", "form": "*", "label": "NP"},
            {"do": "status", "status": "accepted"},
            {"do": "note", "note": "why?"},
            {"do": "delete", "parts": ["n2"]},
        ]:
            seen.append(project["demo:1"])
            project.act("demo:1", operation)
        assert project["demo:1"].status == ""  # the last operation was after it was accepted
        last = project["demo:1"]
    with Project(folder) as project:
        for sentence in reversed(seen):
            (found,) = project.act("demo:1", {"do": "undo"})
            assert found.table() == sentence.table()
        with pytest.raises(InputError, match="nothing to undo"):
            project.act("demo:1", {"do": "undo"})
    with Project(folder) as project:
        for _ in seen:
            project.act("demo:1", {"do": "redo"})
        assert project["demo:1"].table() == last.table()
        project.act("demo:1", {"do": "undo"})
        project.act("demo:1", RELABEL)
        with pytest.raises(InputError, match="nothing to redo"):
            project.act("demo:1", {"do": "redo"})
    assert first == demo_trees()[0]


def test_a_sentence_is_divided_and_joined_again(folder):
    with Project(folder) as project:
        whole = project["demo:2"].named.tree
        left, right = project.act("demo:2", {"do": "split-sentence", "before": "t2"})
        assert (left.id, right.id) == ("demo:2", "demo:2+1")
        assert project.ids()[:4] == ["demo:1", "demo:2", "demo:2+1", "demo:3"]
        assert [token.form for token in project.tokens("demo:2+1")] == whole.words()[2:]
        project.act("demo:2+1", {"do": "relabel", "parts": ["n1"], "label": "FRAG"})
        with pytest.raises(InputError, match="changed in the meantime"):
            project.act("demo:2", {"do": "undo"})  # the other side has changed since
        project.act("demo:2+1", {"do": "undo"})
    with Project(folder) as project:
        assert project.ids()[:4] == ["demo:1", "demo:2", "demo:2+1", "demo:3"]
        joined, gone = project.act("demo:2", {"do": "join-sentence"})
        assert (joined.named.tree.words(), gone.named) == (whole.words(), None)
        assert len(list(read_trees(folder))) == 6
    with Project(folder) as project:
        assert len(project.ids()) == 6
        project.act("demo:2", {"do": "undo"})
        project.act("demo:2", {"do": "undo"})
        assert project["demo:2"].named.tree == whole
        with pytest.raises(InputError, match="no sentence behind it"):
            project.act("demo:3", {"do": "join-sentence"})


def test_sentences_without_identifiers_are_numbered_in_their_document(tmp_path):
    tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    create(tmp_path / "p", [("a", tree), ("a", tree), ("b", tree)], "anna", "", trees=False)
    with Project(tmp_path / "p") as project:
        assert project.ids() == ["a.1", "a.2", "b.1"]


def test_a_proposed_tree_belongs_to_the_sentence_from_the_first_action_on(tmp_path):
    tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    create(tmp_path / "p", [("song", tree)], "anna", "plcfrs:english", trees=False)
    with Project(tmp_path / "p") as project:
        (name,) = project.ids()
        assert (name, project[name].named, len(project.tokens(name))) == ("song.1", None, 2)
        with pytest.raises(InputError, match="has no tree yet"):
            project.act(name, RELABEL)
        (found,) = project.act(name, {"do": "status", "status": "accepted"}, proposal=tree)
        assert (found.named.tree, found.named.tree.id, found.status) == (tree, name, "accepted")
        assert tree.id == ""
        project.act(name, {"do": "undo"})
        with pytest.raises(InputError, match="nothing to undo"):
            project.act(name, {"do": "undo"})
        replaced = "(S (NP-SBJ (PRP 0=They)) (VP (VB 1=sing)))"
        (found,) = project.act(name, {"do": "tree", "tree": replaced})
        assert found.named.part("n2").functions == ("SBJ",)
        assert (found.named.tree.tokens[1].tag, found.by_hand) == ("VB", True)
        with pytest.raises(InputError, match="tree: expected one of the words of the sentence"):
            project.act(name, {"do": "tree", "tree": "(S (PRP 0=They))"})


def test_another_window_and_another_process_cannot_overwrite(folder):
    with Project(folder) as project:
        project.act("demo:1", RELABEL, revision=0)
        with pytest.raises(ChangedMeanwhileError, match="demo:1 has changed in the meantime"):
            project.act("demo:1", {"do": "delete", "parts": ["n2"]}, revision=0)
        with pytest.raises(InputError, match="another process works on the trees of anna"):
            Project(folder)


def test_what_git_changes_is_read_again(folder):
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
        path = folder / "trees" / "anna" / "doc0.jsonl"
        first, *others = [json.loads(line) for line in lines(folder)]
        first |= {"tree": first["tree"].replace("X-SBJ", "Y"), "revision": 7}
        path.write_text("".join(json.dumps(line) + "\n" for line in [first, *others]))
        assert project["demo:1"].named.tree.nodes()[2].category == "Y"
        with pytest.raises(ChangedMeanwhileError):
            project.act("demo:1", RELABEL, revision=1)
        with pytest.raises(InputError, match="changed in the meantime"):
            project.act("demo:1", {"do": "undo"}, revision=7)


def test_what_the_files_lack_comes_from_the_journal(folder):
    journal = folder / "journal" / "anna.jsonl"
    before = lines(folder)
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
        project.act("demo:2", {"do": "status", "status": "later"})
    after = lines(folder)
    (folder / "trees" / "anna" / "doc0.jsonl").write_text(
        "\n".join([*before[:1], *after[1:]]) + "\n"
    )
    journal.write_bytes(journal.read_bytes() + b'{"time": "2026')  # a crash while it was written
    with Project(folder) as project:
        assert lines(folder) == after
        assert len(list(project.actions())) == 2
        project.act("demo:1", RELABEL)
        assert len(list(project.actions())) == 3


def test_a_full_disk_changes_nothing(folder, monkeypatch):
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
        journal = (folder / "journal" / "anna.jsonl").read_bytes()

        def full(_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(InputError, match="nothing was saved: No space left on device"):
            project.act("demo:1", {"do": "undo"})
        assert (folder / "journal" / "anna.jsonl").read_bytes() == journal
        monkeypatch.undo()
        assert project["demo:1"].revision == 1
        project.act("demo:1", {"do": "undo"})


def test_what_is_wrong_is_said(folder, tmp_path):
    with Project(folder) as project:
        for operation, message in [
            ({"do": "sing"}, "unknown operation 'sing': one of attach"),
            ({"do": "attach", "parts": []}, "parts: expected at least one"),
            ({"do": "attach", "parts": ["n99"], "mother": "n1"}, "there is no part n99"),
            ({"do": "attach", "parts": ["n1"], "mother": "t1"}, "a word cannot be a mother"),
            ({"do": "annotate", "parts": ["t1"], "values": {"lemma": 1}}, "expected texts by name"),
            ({"do": "split", "token": "n1", "forms": []}, "choose a word"),
            ({"do": "relabel", "parts": ["n1"]}, "label: expected a text"),
            ({"do": "delete-edge", "edge": "x"}, "edge: expected a number"),
            ({"do": "status", "status": "done"}, "status: expected one of later, accepted"),
        ]:
            with pytest.raises(InputError, match=message):
                project.act("demo:1", operation)
        with pytest.raises(InputError, match="there is no sentence x"):
            project.act("x", RELABEL)
        assert not list(project.actions())
    with pytest.raises(InputError, match="not a project: begin one with plcfrs annotate new"):
        Project(tmp_path)
    with pytest.raises(InputError, match="is not empty: give a new folder"):
        create(folder, [], "anna", "", trees=False)
    for text, message in [
        ("people = 1", "people: expected a list"),
        ("people = []", "at least one person"),
        ('people = ["../x"]', "the name of a person"),
        ('people = ["a"]\nparsr = "x"', "unknown key 'parsr'"),
        ('people = ["a"]\nwithout-parse = 2', "a number from 0 to 1"),
        ('people = ["a"]\n[labels]\nwords = []', "labels: unknown key 'words'"),
        ('people = ["a"]\n[[rules]]\nquery = "("', "rules: expected a query and a message"),
        ("people = [", "Invalid|Unclosed|Unexpected"),
    ]:
        (folder / "project.toml").write_text(text)
        with pytest.raises(InputError, match=f"project.toml: .*(?:{message})"):
            Project(folder)
