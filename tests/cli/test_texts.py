"""Running text: folders of texts, a file for each, and what commands for trees say about text."""

import gzip

import pytest

from plcfrs import load_model
from plcfrs.cli import parse_command
from plcfrs.transformation import to_dependencies

GRAMMAR = "plcfrs:english-grammar"


@pytest.fixture
def texts(tmp_path):
    """A folder of texts: plain, Markdown, empty, and compressed in a folder inside."""
    folder = tmp_path / "texts"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_text("The cook left. She slept.\n")
    (folder / "b.md").write_text("# Mill\n\nWe slept.\n")
    (folder / "c.txt").write_text("")
    with gzip.open(folder / "more" / "d.txt.gz", "wt") as file:
        file.write("Who left?")
    return folder


def test_the_texts_of_a_folder_are_read_file_by_file(plcfrs, texts):
    ran = plcfrs("find", texts, "cook|She|We|Who", "--parse", GRAMMAR)
    lines = [line.split("\t") for line in ran.out.splitlines()]
    assert [(name, word) for name, _, word in lines] == [
        ("a:1", "cook"),
        ("a:2", "She"),
        ("b:2", "We"),
        ("d:1", "Who"),
    ]


@pytest.mark.parametrize("output", ["out/", "out"])
def test_each_text_has_a_file_in_a_folder(plcfrs, texts, tmp_path, output):
    if output == "out":
        (tmp_path / "out").mkdir()
    ran = plcfrs("parse", GRAMMAR, texts, "-o", output, "--to", "tokens", "--stats", "rows.tsv")
    assert ran.code == 0
    written = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert written == {
        "a.tokens": "The cook left .\nShe slept .\n",
        "b.tokens": "# Mill\nWe slept .\n",
        "c.tokens": "",
        "d.tokens": "Who left ?\n",
    }
    rows = (tmp_path / "rows.tsv").read_text().splitlines()[1:]
    assert [row.split("\t")[0] for row in rows] == ["a:1", "a:2", "b:1", "b:2", "d:1"]


def test_folders_that_cannot_be_written(plcfrs, texts, tmp_path, trained):
    parse = ["parse", trained("grammar", 140)]
    (tmp_path / "a.txt").write_text("We slept .\n")
    for arguments, message in [
        ([texts, "-o", "nope/out/"], "nope/out/: there is no folder nope"),
        ([texts, "-o", "a.txt/"], "a.txt: File exists"),
        ([texts, "a.txt", "-o", "out/"], "out/: two texts have the name a"),
        ([texts, "-o", texts, "--to", "tokens"], ""),
        ([texts, "-o", "out/", "--resume"], "--resume needs files"),
    ]:
        ran = plcfrs(*parse, *arguments)
        assert message in ran.err
        assert ran.code == (1 if "exists" in message else 2 if message else 0)
    ran = plcfrs(*parse, texts / "a.tokens", "-o", texts, "--to", "tokens")
    assert ran.code == 2
    assert "this is an input file: give another folder with -o" in ran.err


def test_a_run_that_writes_dependencies_continues(plcfrs, texts, tmp_path, monkeypatch):
    command = ["parse", GRAMMAR, texts / "a.txt", "-o", "a.conllu"]
    assert plcfrs(*command).code == 0
    whole = (tmp_path / "a.conllu").read_text()
    (tmp_path / "a.conllu").unlink()

    def interrupted(tree):
        if tree.id == "a:2":
            raise KeyboardInterrupt
        return to_dependencies(tree)

    with monkeypatch.context() as patched:
        patched.setattr(parse_command, "to_dependencies", interrupted)
        assert plcfrs(*command).code == 1
    assert "resuming after sentence 1" in plcfrs(*command, "--resume").err
    assert (tmp_path / "a.conllu").read_text() == whole


def test_sentences_with_other_names_have_no_text(plcfrs, tmp_path, trained):
    (tmp_path / "a.export").write_text(
        "#BOS s7\nWe\tPRP\t--\t--\t0\nslept\tVBD\t--\t--\t0\n#EOS s7\n"
    )
    ran = plcfrs("parse", trained("grammar", 140), "a.export", "-o", "out/")
    assert (ran.code, ran.err.splitlines()[-1]) == (
        2,
        "plcfrs: s7: -o FOLDER/ is for texts, whose sentences are NAME:1, ...",
    )


def test_markdown_is_running_text_for_every_model(plcfrs, texts, trained):
    ran = plcfrs("parse", trained("grammar", 140), texts / "b.md", "--to", "tokens")
    assert ran.out == "# Mill\nWe slept .\n"
    ran = plcfrs(
        "parse", trained("grammar", 140), texts / "b.md", "--from", "tokens", "--to", "tokens"
    )
    assert ran.out == "# Mill\n\nWe slept.\n"
    (texts / "b.md").write_text("A well-known cook.")
    ran = plcfrs(
        "parse", GRAMMAR, texts / "b.md", "plcfrs:demo", "--sentences", 1, "--to", "tokens"
    )
    assert ran.out == "A well - known cook .\n"
    ran = plcfrs("convert", texts / "b.md", "-o", "c.md")
    assert "cannot write the format text" in ran.err


def test_parses_are_written_as_dependencies(plcfrs, texts, tmp_path):
    assert plcfrs("parse", GRAMMAR, texts / "a.txt", "-o", "a.conllu").code == 0
    first = (tmp_path / "a.conllu").read_text().split("\n\n")[0]
    assert first.splitlines() == [
        "# sent_id = a:1",
        "1\tThe\t_\tDT\tDT\t_\t2\tNP#1\t_\tTokenRange=0:3",
        "2\tcook\t_\tNN\tNN\t_\t3\tS#1\t_\tTokenRange=4:8",
        "3\tleft\t_\tVBD\tVBD\t_\t0\troot\t_\tTokenRange=9:13",
        "4\t.\t_\t.\t.\t_\t3\tS#1\t_\tTokenRange=13:14",
    ]
    (tmp_path / "gap.txt").write_text("of the\n\nWe slept .\n")
    ran = plcfrs("parse", GRAMMAR, "gap.txt", "--from", "tokens", "--to", "conllu")
    assert [line for line in ran.out.splitlines() if line.startswith("#")] == [
        "# sent_id = gap:1",
        "# sent_id = gap:3",
    ]
    assert "empty: 1" in ran.err
    assert plcfrs("parse", GRAMMAR, texts, "-o", "out/", "--to", "conllu").code == 0
    assert (tmp_path / "out" / "a.conllu").read_text() == (tmp_path / "a.conllu").read_text()


def test_commands_for_trees_say_how_to_parse_text(plcfrs, texts, piped):
    advice = "add --parse plcfrs:english"
    for command in (["draw"], ["find", "NP"]):
        name, *query = command
        for text in ("a.txt", "b.md"):
            assert (
                f"{text} is text without trees: {advice}" in plcfrs(name, texts / text, *query).err
            )
        piped("The cook left.")
        assert f"if this is text, {advice}" in plcfrs(*command).err
        piped("(S (NN rain))")
        assert "--parse" not in plcfrs(*command).err
        assert "--parse" not in plcfrs(name, "plcfrs:demo", *query, "--sentences", 1).err


def test_parses_are_drawn(plcfrs, piped):
    piped("The cook left.")
    ran = plcfrs("draw", "--parse", GRAMMAR)
    assert ran.out.split()[0] == "stdin:1"
    assert "NP" in ran.out
    ran = plcfrs("draw", "--parse", GRAMMAR, "--rank", 2)
    assert "leave out --rank" in ran.err


def test_a_text_has_the_same_words_everywhere(plcfrs, texts, piped):
    text = "The well-known cook left."
    (texts / "a.txt").write_text(text)
    words = ["The", "well", "-", "known", "cook", "left", "."]
    model = load_model(GRAMMAR)
    assert model(text).tree.words() == words
    assert [word.word for word in model.surprisal(text)] == words
    for command in (
        ["explain", GRAMMAR, text],
        ["explain", GRAMMAR, "--treebank", texts / "a.txt"],
    ):
        assert plcfrs(*command).out.splitlines()[0] == "0=The 1=well 2=- 3=known 4=cook 5=left 6=."
    piped(text)
    assert plcfrs("parse", GRAMMAR, "--to", "tokens").out == f"{' '.join(words)}\n"
    piped(text)
    rows = plcfrs("surprisal", GRAMMAR).out.splitlines()[1:]
    assert [row.split("\t")[2] for row in rows] == words


@pytest.mark.filterwarnings("default::UserWarning")
def test_explain_splits_a_text_if_asked_for(plcfrs, trained):
    explain = ["explain", trained("grammar", 140), "What should we do?"]
    assert "add --tokenize" in plcfrs(*explain).err
    ran = plcfrs(*explain, "--tokenize")
    assert (ran.out.splitlines()[0], ran.err) == ("0=What 1=should 2=we 3=do 4=?", "")
    assert "leave out --tagged" in plcfrs(*explain, "--tokenize", "--tagged").err
    assert "<b> looks like markup" in plcfrs("explain", GRAMMAR, "We <b>slept</b>.").err


def test_markup_gets_a_line_of_doubt(plcfrs, tmp_path, trained):
    (tmp_path / "page.txt").write_text("<!DOCTYPE html>\n<html><p>The cook left.</p></html>\n")
    ran = plcfrs("parse", trained("grammar", 140), "page.txt")
    doubts = [line for line in ran.err.splitlines() if "markup" in line]
    assert doubts == [
        "sentence 1: <!DOCTYPE looks like markup, such as HTML: remove it from the text"
    ]
