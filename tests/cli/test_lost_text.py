"""No sentence is lost: empty lines, markup, what an output cannot hold, selections."""

import pytest
from quick import full

from plcfrs.cli import run
from plcfrs.treebank import read_trees

GRAMMAR = "plcfrs: 1\nstart: S\nrules: |\n  S -> A B 1\nlexicon: |\n  A rain 1\n  B falls 1\n"
EXTENSIONS = ["mrg", "dbr", "export", "export3", "xml", "tagged", "tokens"]


@pytest.mark.parametrize(
    "lines", ["rain falls\n\nrain falls\n", "\nrain falls\n\n\nno parse here\n"]
)
@pytest.mark.parametrize(
    ("extension", "options"),
    [
        *((extension, []) for extension in ("mrg", "export", "tokens")),
        ("mrg", ["--nbest", "2"]),
        ("mrg", ["--fallback", "partial"]),
        *(
            full(extension, options)
            for extension in EXTENSIONS
            for options in ([], ["--nbest", "2"], ["--fallback", "partial"])
        ),
    ],
)
def test_an_empty_line_is_a_sentence_without_a_parse(tmp_path, capsys, extension, options, lines):
    grammar, text = tmp_path / "g.yaml", tmp_path / "text.txt"
    parses, copy = tmp_path / f"parses.{extension}", tmp_path / "copy.export"
    grammar.write_text(GRAMMAR)
    text.write_text(lines)
    assert run(["parse", str(grammar), str(text), *options, "-o", str(parses)]) == 0
    lengths = [len(line.split()) for line in lines.splitlines()]
    assert [len(tree.tokens) for tree in read_trees(parses)] == lengths
    assert run(["convert", str(parses), "-o", str(copy)]) == 0
    assert [len(tree.tokens) for tree in read_trees(copy)] == lengths
    assert run(["draw", str(parses)]) == 0
    capsys.readouterr()
    assert run(["find", str(parses), "ROOT", "--count"]) == 0
    assert capsys.readouterr().out == f"{len(lengths)}\n"
    found = str(tmp_path / "eval.csv")
    assert run(["eval", str(text), str(parses), "-o", found]) == 0
    rows = (tmp_path / "eval.csv").read_text()
    assert f"Sentences and words,Sentences,All,{len(lengths)}\n" in rows
    failed = lines.count("\n\n") + lines.startswith("\n") + lines.count("\n\n\n")
    if extension in EXTENSIONS[:5]:
        failed += lines.count("here")
    assert f"Sentences and words,Without a parse,All,{failed}\n" in rows
    assert run(["compare", str(text), str(parses), str(parses), "--samples", "100"]) == 0


def test_an_empty_sentence_of_export_goes_through_all_formats(tmp_path):
    first = tmp_path / "a.export"
    first.write_text(
        "#FORMAT 3\n#BOS 1\nrain\tNN\t--\t--\t0\n#EOS 1\n#BOS 2\n#EOS 2\n#BOS 3\n#EOS 3\n"
    )
    for extension in EXTENSIONS:
        after = tmp_path / f"a.{extension}"
        if after != first:
            assert run(["convert", str(first), "-o", str(after)]) == 0
        assert [len(tree.tokens) for tree in read_trees(after)] == [1, 0, 0]


MARKUP = {
    "bllip.txt": "<s> The cook left . </s>\n<s> She sang . </s>\n",
    "names.txt": "<s 1> The cook left . </s>\n<s 2> Q & A </s>\n",
    "open.txt": "<s> The cook left .\n<s> She sang .\n",
    "cwb.xml": '<corpus>\n<s n="1">\nThe\tDT\ncook\tNN\n</s>\n</corpus>\n',
    "words.xml": "<corpus><s><w>The</w> <w>cook</w></s></corpus>",
    "text.xml": "<?xml version='1.0'?>\n<s>The cook left.</s>\n",
    "lines.tokens": "<s> The cook left . </s>\n",
    "vertical.tokens": '<corpus>\n<s n="1">\nThe\n</s>\n',
}


def test_text_with_markup_is_refused_in_one_line(tmp_path, capsys):
    for name in MARKUP:
        path = tmp_path / name
        path.write_text(MARKUP[name])
        for command in (["convert", str(path)], ["draw", str(path)], ["find", str(path), "S"]):
            assert run(command) == 2
            captured = capsys.readouterr()
            assert captured.out == ""
            assert captured.err.count("\n") == 1
            assert (
                "text with markup: remove the markup and read the words with --from" in captured.err
            )


def test_nothing_was_read(tmp_path, capsys):
    for command in ["convert {}", "transform {}", "draw {}", "find {} S", "eval {} {}"]:
        path = tmp_path / "a.mrg"
        path.write_text("(S (NN rain)\n(S (NP))\n")
        assert run([*command.format(path, path).split(), "--skip-bad"]) == 2
        assert capsys.readouterr().err.endswith(
            f"plcfrs: {path}: nothing was read: 2 malformed trees\n"
        )


def test_nothing_was_selected(tmp_path, capsys):
    for option in ["--sentences 3", "--sentences 7-9,5", "--max-length 1"]:
        for command in ["convert {}", "transform {}", "draw {}", "find {} S", "eval {} {}"]:
            path = tmp_path / "a.mrg"
            path.write_text("(S (NN rain) (VB falls))\n" * 2)
            assert run([*command.format(path, path).split(), *option.split()]) == 2
            error = f"plcfrs: {path}: no trees were selected by {option}\n"
            assert error in capsys.readouterr().err


def test_ranges_that_select_nothing(capsys):
    for ranges in ["0", "2-1", "1,0", "0-0", "1-2,9-3"]:
        assert run(["convert", "plcfrs:demo", "--sentences", ranges]) == 2
        assert f"--sentences: {ranges}: empty range" in capsys.readouterr().err


def test_what_an_output_cannot_hold_is_skipped(tmp_path, capsys):
    path, output = tmp_path / "a.dbr", tmp_path / "a.mrg"
    good = ["(S (NN 0=rain) (VB 1=falls))", "(S (NN 0=snow) (VB 1=melts))"]
    crossing = "(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))"
    path.write_text("\n".join([good[0], crossing, good[1], crossing]))
    for command in (["convert", str(path)], ["transform", str(path)], ["find", str(path), "S"]):
        assert run([*command, "-o", str(output)]) == 2
        capsys.readouterr()
        assert run([*command, "-o", str(output), "--skip-bad"]) == 0
        words = [tree.words() for tree in read_trees(output)]
        assert words == [["rain", "falls"], ["snow", "melts"]]
        error = capsys.readouterr().err
        assert error.count("plcfrs: skipped: sentence a:") == 2
        assert "trees skipped that cannot be written: 2\n" in error


def test_nor_what_its_encoding_or_characters(tmp_path, capsys):
    path, output = tmp_path / "a.dbr", tmp_path / "a.xml"
    path.write_text("(S (NN 0=a\x01b))\n(S (NN 0=rain))\n")
    assert run(["convert", str(path), "-o", str(output), "--skip-bad"]) == 0
    assert [tree.words() for tree in read_trees(output)] == [["rain"]]
    assert "XML cannot hold the character" in capsys.readouterr().err
