"""The export format, versions 3 and 4: columns, tables, secondary edges, errors, round trips."""

import pytest
from hypothesis import given
from strategies import trees

from plcfrs.errors import TreebankError
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.trees import Node, SecondaryEdge, Token, Tree

FORMAT4 = FORMATS["export"]
FORMAT3 = FORMATS["export3"]

VERSION_3 = """\
%% Sentences of our own
#FORMAT 3
#BOT ORIGIN
1	nowhere	#BOS 7
#EOT ORIGIN
#BOS 17 2 980000000 1 %% a comment
Darüber	PROAV	--	MO	500
muß	VMFIN	3.Sg.Pres.Ind	HD	501
nachgedacht	VVPP	--	HD	500
werden	VAINF	--	HD	502	OC	500	SB	501	%% odd
.	$.	--	--	0
%% another comment
#500	VP	--	OC	502
#501	S^WH	--	A-B	0
#502	VP	--	OC	501
#EOS 17
"""

VERSION_4 = """\
#BOS 1
Darüber  darüber PROAV --            MO 500
muß      müssen  VMFIN 3.Sg.Pres.Ind HD 500
#500     --      VROOT --            -- 0
#EOS 1
"""


@pytest.fixture
def read(tmp_path):
    def reader(text, **options):
        path = tmp_path / "a.export"
        path.write_text(text, encoding="utf-8")
        return list(read_trees(path, **options))

    return reader


def test_version_3(read):
    (tree,) = read(VERSION_3)
    assert tree.id == "17"
    assert tree.tokens[:2] == [
        Token("Darüber", "PROAV", function="MO"),
        Token("muß", "VMFIN", morph="3.Sg.Pres.Ind", function="HD"),
    ]
    sentence, dot = tree.root.children
    assert dot == 4
    assert (sentence.category, sentence.split, sentence.functions) == ("S", "WH", ("A", "B"))
    outer = sentence.nodes[0]
    assert sentence.children == [outer, 1]
    inner = outer.nodes[0]
    assert outer.children == [inner, 3]
    assert (inner.category, inner.functions, inner.children) == ("VP", ("OC",), [0, 2])
    assert tree.secondary_edges == [
        SecondaryEdge("OC", 3, inner),
        SecondaryEdge("SB", 3, sentence),
    ]


def test_version_4_is_told_by_its_columns(read):
    (tree,) = read(VERSION_4)
    assert tree.tokens == [
        Token("Darüber", "PROAV", "darüber", "", "MO"),
        Token("muß", "VMFIN", "müssen", "3.Sg.Pres.Ind", "HD"),
    ]
    assert tree.root.children == [0, 1]


def test_secondary_edges_to_a_former_root(read):
    (tree,) = read(VERSION_4.replace("HD 500", "HD 500 X 500 Y 0"))
    assert tree.secondary_edges == [
        SecondaryEdge("X", 1, tree.root),
        SecondaryEdge("Y", 1, tree.root),
    ]


def test_errors_name_the_line(read):
    for old, new, line, message in [
        ("HD 500", "HD 777", 3, "the mother 777 has no line"),
        ("HD 500", "HD up", 3, "expected the number of a mother, but found 'up'"),
        ("HD 500", "HD 500 X up", 3, "expected the number of a mother, but found 'up'"),
        ("HD 500", "HD 500 X", 3, "expected the number of a mother, but found 'HD'"),
        ("VMFIN 3.Sg.Pres.Ind HD", "VMFIN", 3, "expected 5 .* or 6 .* found 4"),
        ("-- 0", "-- 500", 4, "node #500 is in a cycle"),
        ("#500 ", "#501 -- X -- -- 500\n#500 ", 4, "node #501 has no children"),
        ("#500 ", "#500 -- X -- -- 0\n#500 ", 5, "there are two lines for node #500"),
        ("#EOS 1\n", "", 1, "'#EOS 1' is missing"),
        ("#EOS 1", "#EOS 2", 1, "'#EOS 1' is missing"),
        ("#BOS 1", "#BOS", 1, "expected '#BOS number'"),
        ("#BOS 1", "word\n#BOS 1", 1, "expected '#BOS number', but found 'word'"),
    ]:
        bad = VERSION_4.replace(old, new)
        assert bad != VERSION_4
        with pytest.raises(TreebankError, match=message) as caught:
            read(bad)
        assert caught.value.line == line
        errors = []
        good = VERSION_4.replace("OS 1", "OS 2")
        assert [tree.id for tree in read(bad + good, on_error=errors.append)][-1] == "2"
        assert len(errors) == 1


def test_a_longer_cycle(read):
    with pytest.raises(TreebankError, match="node #500 is in a cycle, or below a cycle"):
        read("#BOS 1\na NN -- -- 500\n#500 A -- -- 501\n#501 B -- -- 500\n#EOS 1\n")


def test_words_that_look_like_nodes(read):
    (tree,) = read("#BOS 1\n#1 NN -- -- 0\n#500x NN -- -- 0\n#ab NN -- -- 0\n#EOS 1\n")
    assert [token.form for token in tree.tokens] == ["#1", "#500x", "#ab"]


def test_words_that_look_like_something_else(read):
    for form, written in [
        ("#500", r"\u{23}500"),
        ("#BOS", r"\u{23}BOS"),
        ("#EOS", r"\u{23}EOS"),
        ("%%", r"\u{25}%"),
        ("%% x", r"\u{25}%\u{20}x"),
    ]:
        tree = Tree(Node("ROOT", children=[0]), [Token(form, "NN")], "a:3")
        text = FORMAT4.render(tree, 1)
        assert text.splitlines()[1].split()[0] == written
        assert read(text) == [tree]


def test_written_columns():
    tokens = [
        Token("Darüber", "PROAV", "darüber", "", "MO"),
        Token("muß", "VMFIN", "", "3.Sg", "HD"),
        Token("nach gedacht", "", "", "", ""),
    ]
    inner = Node("VP", ("OC", "X"), children=[0, 2])
    tree = Tree(Node("ROOT", children=[Node("S", children=[inner, 1], split="WH")]), tokens, "x:9")
    tree.secondary_edges = [SecondaryEdge("SB", 1, inner), SecondaryEdge("", 1, Node("gone"))]
    rows = [line.split("\t") for line in FORMAT4.render(tree, 5).splitlines()]
    assert [[column for column in row if column] for row in rows] == [
        ["#BOS 5 %% id: x:9"],
        ["Darüber", "darüber", "PROAV", "--", "MO", "500"],
        ["muß", "--", "VMFIN", "3.Sg", "HD", "501", "SB", "500"],
        [r"nach\u{20}gedacht", "--", "--", "--", "--", "500"],
        ["#500", "--", "VP", "--", "OC-X", "501"],
        ["#501", "--", "S^WH", "--", "--", "0"],
        ["#EOS 5"],
    ]
    assert "muß\tVMFIN\t3.Sg\tHD\t501" in "\t".join(FORMAT3.render(tree, 5).split())


def test_a_number_as_identifier_is_kept():
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "NN")], "17")
    assert FORMAT4.render(tree, 1).startswith("#BOS 17\n")


def test_a_sentence_without_tokens(tmp_path):
    path = tmp_path / "a.export"
    write_trees([Tree(Node("ROOT"), [])], path)
    assert path.read_text() == "#FORMAT 4\n#BOS 1\n#EOS 1\n"
    assert list(read_trees(path)) == [Tree(Node("ROOT"), [])]


@given(trees())
def test_children_are_numbered_before_their_mothers(tree):
    rows = [line.split() for line in FORMAT4.render(tree, 1).splitlines()[1:-1]]
    numbers = [int(row[0][1:]) for row in rows[len(tree.tokens) :]]
    mothers = [int(row[5]) for row in rows[len(tree.tokens) :]]
    assert numbers == list(range(500, 500 + len(numbers)))
    assert all(
        mother == 0 or mother > number for number, mother in zip(numbers, mothers, strict=True)
    )


def test_the_declared_encoding_is_obeyed_unless_it_is_wrong(tmp_path):
    for encoding in ["latin-1", "utf-8"]:
        for declaration in ["%% encoding: latin-1", "%% -*- coding: iso-8859-1 -*-"]:
            path = tmp_path / "a.export"
            path.write_bytes(f"{declaration}\n{VERSION_3}".encode(encoding))
            (tree,) = read_trees(path)
            assert tree.tokens[1].form == "muß"


def test_an_unknown_declared_encoding(tmp_path):
    path = tmp_path / "a.export"
    path.write_text(f"%% encoding: klingon\n{VERSION_3}", encoding="utf-8")
    with pytest.raises(TreebankError, match=r"a\.export: wrong header: encoding 'klingon'"):
        list(read_trees(path))


WILD = """\
%% NeGra's header, and more

#FORMAT 4
  %% indented
#BOT ORIGIN
0\t--\tnone
#EOT ORIGIN

#BOT WORDTAG
1 \tNN \tY\tnoun  %% N
#EOT WORDTAG

#BOS 1 0 1098435 1 %% a comment
Die \t \tdie\tART  Nom  NK\t1000 %%1001
\t %% between tokens
#BOSS\tBoss\tNN\t--\tNK 1000  SB  1001 OA\t1002 %% trailing OC 1001
#EOSIN  --  NN  --  --  0 %%
#FORMATE -- NN -- -- 1002
# -- $( -- -- 1001

#1000  --  NP  --  SB  1001
#1001  --  S   --  CJ  1002
#1002  --  CS  --  --  0
#EOS 1 %% done

%% between sentences
#BOS 2
ja  --  PTKANT  --  --  0
#EOS 2
"""


def test_files_as_they_are_found(tmp_path):
    for line_end in ["\n", "\r\n"]:
        path = tmp_path / "a.export"
        path.write_bytes(WILD.replace("\n", line_end).encode())
        tree, yes = read_trees(path)
        assert (tree.id, yes.id) == ("1", "2")
        assert [token.form for token in tree.tokens] == ["Die", "#BOSS", "#EOSIN", "#FORMATE", "#"]
        assert [token.tag for token in tree.tokens] == ["ART", "NN", "NN", "NN", "$("]
        assert tree.tokens[0] == Token("Die", "ART", "die", "Nom", "NK")
        (coordination,) = tree.root.nodes
        (sentence,) = coordination.nodes
        (phrase,) = sentence.nodes
        assert tree.root.children == [coordination, 2]
        assert coordination.children == [sentence, 3]
        assert sentence.children == [phrase, 4]
        assert phrase.children == [0, 1]
        assert tree.secondary_edges == [
            SecondaryEdge("SB", 1, sentence),
            SecondaryEdge("OA", 1, coordination),
        ]


def test_words_that_begin_like_marks_are_kept():
    words = ["#BOSS", "#EOSX", "#BOT", "#EOT", "#FORMAT", "#", "##", "#12", "%", "%x", "a%%"]
    tokens = [Token(word, "NN") for word in words]
    tree = Tree(Node("ROOT", children=[*range(len(words))]), tokens)
    for format in (FORMAT3, FORMAT4):
        (chunk,) = format.split(format.render(tree, 1).splitlines(keepends=True), "a.export")
        assert format.parse(chunk) == tree


def test_a_stated_version_decides(read):
    for header, line, message in [
        # Without the header, either line has a second reading, and a wrong one.
        ("#FORMAT 3", "ja ADV -- HD 500 500", r"expected 5 columns \(#FORMAT 3\), .* found 6"),
        ("#FORMAT 4", "ja ADV -- -- 500", r"expected 6 columns \(#FORMAT 4\), .* found 5"),
        ("#FORMAT 4", "ja -- ADV -- HD 500 OC", r"expected 6 columns .*, but found 7 columns"),
        ("#FORMAT 5", "ja -- ADV -- HD 500 OC", "expected the number of a mother"),
    ]:
        with pytest.raises(TreebankError, match=rf"a\.export:3: {message}"):
            read(f"{header}\n#BOS 1\n{line}\n#500 -- S -- -- 0\n#EOS 1\n")


def test_a_version_is_stated_for_what_follows(read):
    three, four = "ja ADV -- HD 0\n", "ja ja ADV -- HD 0\n"
    text = "#BOS {0}\n{1}#EOS {0}\n".format
    trees = read(
        f"{text(1, three)}#FORMAT 4\n{text(2, four)}#FORMAT 3\n{text(3, three)}"
        f"#FORMAT\n{text(4, four)}{text(5, three)}"
    )
    assert [tree.tokens[0].lemma for tree in trees] == ["", "ja", "", "ja", ""]
    assert {tree.tokens[0].tag for tree in trees} == {"ADV"}


def test_latin_1_without_a_declaration(tmp_path):
    path = tmp_path / "a.export"
    path.write_bytes(VERSION_3.encode("latin-1"))
    (tree,) = read_trees(path, encoding="latin-1")
    assert [token.form for token in tree.tokens[:2]] == ["Darüber", "muß"]
    with pytest.raises(TreebankError, match=r"a\.export:7: byte 0xfc is not utf-8.*latin-1"):
        list(read_trees(path))


def test_identifiers():
    for identifier, line in [
        ("s2165", "#BOS 2165 %% id: s2165"),
        ("17", "#BOS 17"),
        ("007", "#BOS 007"),
        ("", "#BOS 4"),
        ("s", "#BOS 4 %% id: s"),
        ("RSTCode_EE01/4", "#BOS 4 %% id: RSTCode_EE01/4"),
        ("two words", r"#BOS 4 %% id: two\u{20}words"),
    ]:
        tree = Tree(Node("ROOT", children=[0]), [Token("a", "NN")], identifier)
        assert FORMAT4.render(tree, 4).startswith(f"{line}\n")


def test_comments_that_are_no_identifiers(tmp_path):
    path = tmp_path / "a.export"
    path.write_text(
        "#BOS 7 2 1098266456 1 %% @SB2AV@ id x\na\tNN\t--\t--\t0\n#EOS 7\n"
        "#BOS 8 2 1098266456 1 %% seen %% id: s8 %% again\na\tNN\t--\t--\t0\n#EOS 8\n"
    )
    assert [tree.id for tree in read_trees(path)] == ["7", "s8"]
