"""``plcfrs annotate``: a project from text or from a treebank, and its trees as a file."""

from plcfrs.project import Project, read_sentences
from plcfrs.treebank import read_trees

GERMAN = "Der Mann (mit Hut) kam. \u201eDas geht nicht\u201c, sagte er z.B. gestern.\n"


def test_a_project_from_text_keeps_all_characters(plcfrs, tmp_path):
    (tmp_path / "roman.txt").write_text(GERMAN, encoding="utf-8")
    ran = plcfrs("annotate", "new", "deutsch", "--text", "roman.txt", "--model", "none")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("2 sentences; annotate them with: plcfrs annotate deutsch --open")
    with Project("deutsch") as project:
        first, second = project.ids()
        tokens = project.tokens(first) + project.tokens(second)
        assert (first, project.settings.parser) == ("roman.1", "")
    assert all(GERMAN[token.start : token.end] == token.form for token in tokens)
    assert "(" in [token.form for token in tokens]
    english = "new", "english", "--text", "roman.txt", "--model", "none", "--words", "penn"
    assert plcfrs("annotate", *english).code == 0
    with Project("english") as project:
        assert "-LRB-" in [token.form for token in project.tokens("roman.1")]


def test_a_treebank_comes_out_as_it_came_in(plcfrs):
    assert plcfrs("annotate", "new", "p", "--treebank", "plcfrs:demo", "--model", "none").code == 0
    ran = plcfrs("annotate", "export", "p", "--status", "all", "-o", "all.mrg")
    assert (ran.code, ran.err) == (0, "140 trees written\n")
    assert list(read_trees("all.mrg")) == list(read_trees("plcfrs:demo"))
    with Project("p") as project:
        project.act("demo:2", {"do": "accept"})
    ran = plcfrs("annotate", "export", "p", "-o", "accepted.export")
    assert ran.err == "1 tree; lost in export: indices (in 1)\n1 tree written\n"
    assert [sentence.status for sentence in read_sentences("p")].count("accepted") == 1


def test_only_people_of_the_project_are_served(plcfrs):
    plcfrs("annotate", "new", "p", "--treebank", "plcfrs:demo", "--person", "anna")
    ran = plcfrs("annotate", "p", "--person", "ana")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "plcfrs: ana: the people of p are anna: add the name to project.toml\n"


def test_what_is_wrong_is_said(plcfrs):
    for arguments, message in [
        (("new", "p"), "give either --text or --treebank"),
        (("new", "p", "--treebank", "x.mrg"), "x.mrg: no such file"),
        (("new", "p", "--treebank", "plcfrs:demo", "--model", "x"), "x: No such file"),
        (("new", "p", "--treebank", "plcfrs:demo", "--person", "a b"), "a b: the name of a person"),
        (("export", "p"), "p: not a project: begin one with plcfrs annotate new p"),
        (("serve", "p"), "p: not a project"),
        (("q",), "No such command 'q'"),
    ]:
        ran = plcfrs("annotate", *arguments)
        assert ran.code == 2
        assert message in ran.err
