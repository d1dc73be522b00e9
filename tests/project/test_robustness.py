"""Projects: what git, crashes, full disks and odd names do to their files loses nothing."""

import json
import random
import shutil
import subprocess
import time
from contextlib import suppress
from multiprocessing import get_context
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit

import pytest
from demo_trees import demo_trees

from plcfrs.errors import InputError, TreebankWarning
from plcfrs.project import AnnotatedSentence, Project, create, read_sentences
from plcfrs.treebank import read_trees
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Tree

RELABEL = {"do": "relabel", "parts": ["n2"], "label": "X-SBJ"}
TREES = demo_trees()[:6]


@pytest.fixture
def folder(tmp_path):
    """A project with two documents of three demo trees each, which Anna has."""
    sentences = [(f"doc{number // 3}", tree) for number, tree in enumerate(TREES)]
    create(tmp_path / "project", sentences, "anna", "", trees=True)
    return tmp_path / "project"


@pytest.mark.parametrize(
    "text", ["A B", ")", "(", "A-1", "*", "=", "\n", "\u2028", "\0", "é", "0=x"]
)
def test_whatever_people_type_is_read_again(folder, text):
    with Project(folder) as project:
        for operation in [
            {"do": "relabel", "parts": ["n2"], "label": text},
            {"do": "relabel", "parts": ["t0"], "label": text, "word": text},
            {"do": "annotate", "parts": ["t0"], "values": {"lemma": text, "function": text}},
            {"do": "annotate", "parts": ["n2"], "values": {"note": text}},
            {"do": "null", "mother": "n1", "before": "t1", "form": text, "label": text},
            {"do": "edge", "parts": ["t0"], "mother": "n2", "label": text},
            {"do": "note", "note": text},
        ]:
            (after,) = project.act("demo:1", operation)
            again = AnnotatedSentence.read(Chunk("a.jsonl", 1, after.line(), 1))
            assert again.table() == after.table()
    with Project(folder) as project:
        for _ in range(7):
            project.act("demo:1", {"do": "undo"})
        assert project["demo:1"].named.tree == TREES[0]
        with pytest.raises(InputError, match="nothing was saved: half of a character"):
            project.act("demo:1", {"do": "note", "note": "\ud800"})


def test_documents_have_any_name_and_the_order_of_the_text(tmp_path, monkeypatch):
    monkeypatch.setattr("plcfrs.project.creation._SENTENCES", 2)
    names = ["README", *["a/ü ?"] * 21, "b", "..", "b"]
    create(tmp_path / "project", [(name, TREES[0]) for name in names], "Zoë", "", trees=True)
    found = sorted(path.stem for path in (tmp_path / "project" / "text").iterdir())
    assert found == ["README", "_.", *sorted(f"a_ü ?.{n}" for n in range(1, 12)), "b", "b-2"]
    ids = ["demo:1", *(f"demo:1-{number}" for number in [24, *range(2, 24), 25])]
    assert [tree.id for tree in read_trees(tmp_path / "project")] == ids
    with Project(tmp_path / "project") as project:
        assert project.ids() == ids


def test_labels_are_any_characters(tmp_path):
    tree = Tree.from_string('(ROOT (😀 (Ü 0=ja)) ("\\ 1=nein))')
    create(tmp_path / "project", [("doc", tree)], "anna", "", trees=True)
    with Project(tmp_path / "project") as project:
        assert project.settings.labels["categories"] == ("😀",)
        assert project.settings.labels["tags"] == ('"\\', "Ü")


def test_a_failure_leaves_the_folder_empty(tmp_path):
    def sentences():
        yield "doc", TREES[0]
        raise InputError("a wrong tree")

    for _ in range(2):
        with pytest.raises(InputError, match="a wrong tree"):
            create(tmp_path / "project", sentences(), "anna", "", trees=True)


def test_an_edited_sentence_is_joined_over_restarts(folder):
    with Project(folder) as project:
        project.act("demo:3", RELABEL)
        project.act("demo:2", {"do": "join-sentence"})
    before = (folder / "trees" / "anna" / "doc0.jsonl").read_text()
    with Project(folder) as project:
        assert project.ids()[:3] == ["demo:1", "demo:2", "demo:4"]
        project.act("demo:2", {"do": "undo"})
        assert project["demo:3"].revision == 3
    (folder / "trees" / "anna" / "doc0.jsonl").write_text(before)  # as a crash leaves it
    with Project(folder) as project:
        assert project["demo:3"].named.tree.nodes()[2].functions == ("SBJ",)


def test_trees_stay_when_the_text_loses_their_sentence(folder):
    with Project(folder) as project:
        project.act("demo:2", RELABEL)
    text = folder / "text" / "doc0.jsonl"
    whole = text.read_text()
    first, _, third = whole.splitlines(keepends=True)
    text.write_text(first + third)
    with Project(folder) as project:
        assert project.ids()[:2] == ["demo:1", "demo:3"]
        project.act("demo:1", RELABEL)
        text.write_text(whole)  # git brings it back
        assert project.ids()[:2] == ["demo:1", "demo:2"]
        assert project["demo:2"].named.tree.nodes()[2].functions == ("SBJ",)
    shutil.copy(text, folder / "text" / "other.jsonl")
    with pytest.raises(InputError, match=r"other\.jsonl: demo:1 is in doc0, too"):
        Project(folder)


def test_a_tree_that_is_edited_in_its_file_stays(folder):
    path = folder / "trees" / "anna" / "doc0.jsonl"
    before = path.read_text()
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
        project.act("demo:2", RELABEL)
    path.write_text(before.replace("(NP-SBJ", "(N", 1).rstrip("\n"))
    with Project(folder) as project:
        assert project["demo:1"].named.tree.nodes()[3].category == "N"
        assert project["demo:1"].revision == 1
        assert project["demo:2"].named.tree.nodes()[2].functions == ("SBJ",)


def test_who_has_no_trees(folder):
    assert len(list(read_sentences(folder, "anna"))) == 6
    with pytest.raises(InputError, match="project: ana has no trees here"):
        next(read_sentences(folder, "ana"))


def test_odd_lines_of_a_journal(folder):
    journal = folder / "journal" / "anna.jsonl"
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
        project.act("demo:1", {"do": "undo"})
    *_, undone = kept = journal.read_bytes().splitlines(keepends=True)
    for odd in [b"\n", undone, undone.replace(b"demo:1", b"gone"), b"\0" * 20]:
        journal.write_bytes(b"".join([*kept, odd]))
        with Project(folder) as project:
            assert project["demo:1"].named.tree == TREES[0]
    for odd in [b"[]\n", b"{}\n", b"<<<<<<< HEAD\n", b"\xff\n"]:
        journal.write_bytes(b"".join([*kept, odd]))
        with pytest.raises(InputError, match=r"anna\.jsonl:3: expected the line of an action"):
            Project(folder)


def test_a_sentence_without_a_tree_has_no_status_yet(tmp_path):
    create(tmp_path / "project", [("doc", TREES[0])], "anna", "", trees=False)
    with pytest.raises(InputError, match="this project has no trees yet"):
        next(read_trees(tmp_path / "project"))
    with Project(tmp_path / "project") as project:
        for operation in [{"do": "accept"}, {"do": "status", "status": "later"}, {"do": "note"}]:
            with pytest.raises(InputError, match="demo:1 has no tree yet"):
                project.act("demo:1", operation)


def test_what_the_disk_has_no_room_for_is_told(folder):
    path = folder / "trees" / "anna" / "doc0.jsonl"
    before = path.read_text()
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
        room = len(before) - 100  # the journal has more of it than the file of trees
        setrlimit(RLIMIT_FSIZE, (room, RLIM_INFINITY))
        try:
            with pytest.warns(TreebankWarning, match="only the journal has the last actions"):
                project.act("demo:1", {"do": "note", "note": "why?"})
            with pytest.raises(InputError, match="nothing was saved: "):
                project.act("demo:1", {"do": "note", "note": "?" * room})
        finally:
            setrlimit(RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))
        assert (project["demo:1"].revision, project["demo:1"].note) == (2, "why?")
        project.act("demo:2", RELABEL)
        assert '"note": "why?"' in path.read_text()


def work(folder, seed, acknowledge):
    """Do anything to any sentence until the process is killed."""
    rng = random.Random(seed)
    with Project(folder) as project:
        acknowledge.send(("", 0))
        while True:
            label = f"X-{rng.random()}"
            operation = rng.choice(
                [
                    {"do": "relabel", "parts": [rng.choice(["n1", "n2"])], "label": label},
                    {"do": "note", "note": label},
                    {"do": "split-sentence", "before": "t2"},
                    {"do": "join-sentence"},
                ]
            )
            with suppress(InputError):
                for sentence in project.act(rng.choice(project.ids()), operation):
                    acknowledge.send((sentence.id, sentence.revision))


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_hundred_kills_at_random_moments_lose_nothing(folder):
    rng = random.Random(1)
    words = [form for tree in TREES for form in tree.words()]
    context = get_context("fork")
    for seed in range(100):
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=work, args=(folder, seed, theirs))
        worker.start()
        theirs.close()
        ours.recv()
        time.sleep(rng.uniform(0, 0.05))
        worker.kill()
        acknowledged = []
        with suppress(EOFError):
            while True:
                acknowledged.append(ours.recv())
        worker.join()
        with Project(folder) as project:
            for name, revision in acknowledged:
                assert project[name].revision >= revision
            assert [form for tree in project.trees() for form in tree.words()] == words
    with Project(folder) as project:
        actions = list(project.actions())
        assert len(actions) > 100
        for entry in reversed(actions):
            project.act(entry["sentence"], {"do": "undo"})
        assert list(project.trees()) == TREES


@pytest.mark.full
def test_branches_of_git_are_merged(folder):
    def git(*arguments, code=0):
        names = ["-c", "user.name=a", "-c", "user.email=a"]
        done = subprocess.run(["git", "-C", str(folder), *names, *arguments], capture_output=True)
        assert done.returncode == code, done.stdout + done.stderr

    def commit():
        git("add", "-A")
        git("commit", "-m", "work")

    git("init", "-b", "main")
    commit()
    git("branch", "ben")
    git("branch", "other")
    with Project(folder, "anna") as project:
        project.act("demo:1", RELABEL)
        commit()
        git("checkout", "other")
        assert project["demo:1"].revision == 0
        project.act("demo:2", RELABEL)
        commit()
        git("checkout", "ben")
        assert project["demo:2"].revision == 0
    with Project(folder, "ben") as project:
        project.act("demo:1", {"do": "delete", "parts": ["n2"]}, proposal=TREES[0])
    commit()
    git("checkout", "main")
    git("merge", "ben")  # another person: without conflicts
    git("merge", "other", code=1)  # the same person: either side, for the journal has both
    git("checkout", "--ours", "trees")
    commit()
    with Project(folder, "anna") as project:
        assert [project[f"demo:{number}"].revision for number in (1, 2, 3)] == [1, 1, 0]
        for name in ("demo:1", "demo:2"):
            project.act(name, {"do": "undo"})
        assert list(project.trees()) == TREES
    assert json.loads((folder / "trees" / "ben" / "doc0.jsonl").read_text())["id"] == "demo:1"


def test_a_folder_that_cannot_be_written(folder):
    with Project(folder) as project:
        project.act("demo:1", RELABEL)
    shutil.rmtree(folder / ".cache")
    (folder / ".cache").write_text("not a folder")
    with pytest.raises(InputError, match=r"anna\.lock: cannot be written: File exists"):
        Project(folder)
    assert len(list(read_trees(folder))) == 6
