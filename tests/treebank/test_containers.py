"""What stands around trees in real files: headers, comments, other tags, other columns, folders."""

import zipfile

import pytest
from quick import core

from plcfrs.cli import run
from plcfrs.errors import TreebankError
from plcfrs.treebank import read_dependencies, read_trees

TREE = "( (S (NP (NN rain)) (VP (VBZ falls))))\n"
PRINTED = "(ROOT (S (NP (NN 0=rain)) (VP (VBZ 1=falls))))"


@pytest.fixture
def write(tmp_path):
    def writer(text, name="a.mrg"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return writer


SWITCHBOARD = (
    "*x*x*x*x*x*x*x*x*x*\n*x*   Copyright (C) 1995 Nobody (here  *x*\n*x*x*x*x*x*x*x*x*x*\n\n"
)


@core(
    2,
    "before",
    ["", SWITCHBOARD, "# made (by hand\n", "===============\n\n", "<DOC>\n<DOCID> z (1 </DOCID>\n"],
)
def test_what_stands_before_trees_is_skipped(write, before):
    for name in ["a.mrg", "a.xyz"]:
        found = list(read_trees(write(before + TREE + before + TREE, name)))
        assert [str(tree) for tree in found] == [PRINTED] * 2
        assert [tree.id for tree in found] == ["a:1", "a:2"]


def test_sentences_in_a_container_have_its_identifiers(write):
    text = "".join(f"<S ID={n}>\n{TREE}</S>\n" for n in ("7", "8b"))
    found = list(read_trees(write(f"<DOC>\n<BODY>\n{text}</BODY>\n</DOC>\n")))
    assert [(tree.id, str(tree)) for tree in found] == [("7", PRINTED), ("8b", PRINTED)]
    (tree,) = read_trees(write('<su id="z_1">\n(S (NN 1=falls) (NP (NN 0=rain)))\n</su>', "a.dbr"))
    assert (tree.id, tree.words()) == ("z_1", ["rain", "falls"])


def test_an_error_names_its_line_in_a_container(write):
    with pytest.raises(TreebankError, match=r"a\.mrg:4: .*outside all brackets|a\.mrg:5: extra"):
        list(read_trees(write(f"<S ID=1>\n{TREE}</S>\n<S ID=2>\n(S (NN a))) )\n</S>\n")))


ATIS = """( @z0k-a-11/CD )
( END_OF_TEXT_UNIT )
( (S
    (NP-SBJ */XXX )
    (VP List/VB
      (NP (NP the/DT zorbs/NNS )
        (SBAR (WHNP-1 that/WDT ) (S (NP-SBJ *T*-1/XXX ) (VP stop/VBP at/IN 1\\/2/CD )))))))
( END_OF_TEXT_UNIT )
( (FRAG (NP zorbs/NNS )))
"""


def test_words_with_their_tags_behind_a_slash(write):
    for name in ["a.mrg", "a.prd", "a.xyz"]:
        first, second = read_trees(write(ATIS, name))
        assert first.id == "@z0k-a-11"
        assert [(token.form, token.tag) for token in first.tokens] == [
            ("*", "-NONE-"),
            ("List", "VB"),
            ("the", "DT"),
            ("zorbs", "NNS"),
            ("that", "WDT"),
            ("*T*-1", "-NONE-"),
            ("stop", "VBP"),
            ("at", "IN"),
            ("1\\/2", "CD"),
        ]
        assert str(second) == "(ROOT (FRAG (NP (NNS 0=zorbs))))"


def test_words_with_a_slash_in_other_files(write):
    for label in ["FRAG", "S/NP", "NP/N"]:
        (tree,) = read_trees(write(f"( ({label} (CD 1/2)))"))
        assert str(tree) == f"(ROOT ({label} (CD 0=1/2)))"
        (tree,) = read_trees(write(str(tree), "a.dbr"))
        assert str(tree) == f"(ROOT ({label} (CD 0=1/2)))"


def test_what_is_behind_a_slash_may_be_no_tag(write):
    first, second, third = read_trees(
        write("( (NP the/DT z/NN) )\n( (NN and/or))\n( (NP a/DT (NN b)))\n")
    )
    assert (str(first), str(second), str(third)) == (
        "(ROOT (NP (DT 0=the) (NN 1=z)))",
        "(ROOT (NN 0=and/or))",
        "(ROOT (NP (DT 0=a) (NN 1=b)))",
    )


def test_skeletons_without_tags_are_named(write):
    with pytest.raises(
        TreebankError, match=r"the word 'the' needs a bracket and a tag of its own: \(TAG word\)$"
    ):
        list(read_trees(write("(S (NP the zorb) sings)")))


TEN = "1\train\t_\tN\tNN\t_\t2\tSUB\t_\t_\n2\tfalls\t_\tV\tVB\t_\t0\tROOT\t_\t_\n\n"


def columns(number):
    return "".join(
        "\t".join(line.split("\t")[:number]) + "\n" if line else "\n" for line in TEN.splitlines()
    )


def test_conll_of_ten_eight_or_six_columns(write):
    for number in [6, 8, 10]:
        for name in ["a.conll", "a.conllx", "a.conllu", "a.xyz", "a.txt"]:
            path = write(columns(number) * 2, name)
            found = list(read_trees(path))
            assert [tree.words() for tree in found] == [["rain", "falls"]] * 2
            assert [token.tag for token in found[0].tokens] == ["NN", "VB"]
            if number > 6:
                assert next(read_dependencies(path)).heads == [2, 0]
            else:
                with pytest.raises(
                    TreebankError, match="the file has no heads, only words and tags"
                ):
                    list(read_dependencies(path))


def test_only_tabs_blanks_and_line_ends_divide(write):
    for word in ["a\xa0b", "a\u2028b", "a\x85b"]:
        (tree,) = read_trees(write(columns(8).replace("rain", word), "a.conll"))
        assert tree.words() == [word, "falls"]
        first, _ = read_trees(write(CONLL2012.replace("rain", word), "b.conll"))
        assert first.words()[0] == word
        tree, *_ = read_trees(write(ATIS.replace("zorbs", word)))
        assert word in tree.words()


def test_other_numbers_of_columns_are_refused(write):
    for number in [5, 7, 9]:
        with pytest.raises(TreebankError, match=f"but found {number}"):
            list(read_trees(write(columns(number), "a.conllx"), "conllx"))


CONLL2012 = """#begin document (z/1); part 000
z/1   0   0   rain    NN   (TOP(S(NP*)   -   -   -   -   *   -
z/1   0   1   falls   VBZ  (VP*          -   -   -   -   *   (1
z/1   0   2   (       -LRB-  (PRN*)      -   -   -   -   *   1)
z/1   0   3   .       .    *)))          -   -   -   -   *   -

z/1   0   0   Stop    UH   -   -   -   -   -   *   -

#end document
"""


def test_trees_of_conll_2012(write):
    for name in ["a.conll", "a.v4_gold_conll", "a.xyz"]:
        first, second = read_trees(write(CONLL2012, name))
        assert str(first) == (
            "(ROOT (S (NP (NN 0=rain)) (VP (VBZ 1=falls) (PRN (-LRB- 2=-LRB-)) (. 3=.))))"
        )
        assert str(second) == "(ROOT (UH 0=Stop))"


def test_a_wrong_tree_of_conll_2012_names_its_line(write):
    with pytest.raises(TreebankError, match=r"a\.conll:2: missing '\)'"):
        list(read_trees(write(CONLL2012.replace("*)))", "*)"), "a.conll")))


def test_what_a_folder_has_beside_its_trees(write, tmp_path):
    for name in ["README.txt", "readme.md", "LICENSE.txt", "Copying", "notes.txt"]:
        write(TREE, "bank/a.mrg")
        write("This treebank is free .\nRain falls .\n", f"bank/{name}")
        assert [str(tree) for tree in read_trees(tmp_path / "bank")] == [PRINTED]
        with zipfile.ZipFile(tmp_path / "bank.zip", "w") as archive:
            for path in (tmp_path / "bank").iterdir():
                archive.write(path, f"bank/{path.name}")
        assert [str(tree) for tree in read_trees(tmp_path / "bank.zip")] == [PRINTED]


def test_a_folder_of_text_has_sentences(write, tmp_path):
    write("Rain falls .\n", "text/a.txt")
    write("Read me .\n", "text/README.txt")
    assert [tree.words() for tree in read_trees(tmp_path / "text")] == [["Rain", "falls", "."]]


def test_files_of_trees_in_folders(write, tmp_path):
    for extension in ["parse", "prd", "psd", "mrg", "ptb"]:
        write(TREE, f"{extension}/a.{extension}")
        assert [str(tree) for tree in read_trees(tmp_path / extension)] == [PRINTED]


def test_trees_in_a_text_file_are_trees(write):
    assert [str(tree) for tree in read_trees(write(TREE, "a.txt"))] == [PRINTED]
    (tree,) = read_trees(write("(see (the) map) We go .\n", "a.txt"))
    assert tree.words() == ["(see", "(the)", "map)", "We", "go", "."]


UNTAGGED = """#FORMAT 3
#BOS 1
Rain\tNN\t--\tSB\t500
uh\t--\t--\t--\t0
falls\tVB\t--\tHD\t500
#500\tS\t--\t--\t0
#EOS 1
#BOS 2
Rain\tNN\t--\tSB\t500
falls\tVB\t--\tHD\t500
#500\tS\t--\t--\t0
#EOS 2
"""


@core(
    1,
    "command",
    [
        ["extract"],
        ["extract", "--jobs", "2"],
        ["train", "grammar"],
        ["train", "gap", "--epochs", "1"],
    ],
    ids=" ".join,
)
def test_trees_without_tags_are_skipped_on_request(write, tmp_path, capsys, command):
    treebank = str(write(UNTAGGED, "a.export"))
    model = str(tmp_path / "model")
    assert run([*command, treebank, "-o", model]) == 2
    assert "token 'uh' has no tag" in capsys.readouterr().err
    assert run([*command, treebank, "-o", model, "--skip-bad"]) == 0
    assert "malformed trees skipped: 1" in capsys.readouterr().err


def test_folders_of_trees(write):
    folder = write(TREE, "all/a.xml.tree").parent
    write(TREE, "all/b.tree")
    assert [tree.id for tree in read_trees(folder)] == ["a.xml:1", "b:1"]
