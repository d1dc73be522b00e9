"""Tree -> file -> tree is the identity, whatever labels, words and annotation are."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from annotated import numbered_edges
from hypothesis import given
from hypothesis import strategies as st
from quick import core, examples
from strategies import continuous_trees, trees

from plcfrs import read_dependencies, read_trees, write_dependencies, write_trees
from plcfrs.cli import run
from plcfrs.trees import DependencyTree, Node, SecondaryEdge, Token, Tree, parse_label
from plcfrs.trees.labels import Label, escape, unescape, written_label

pytestmark = pytest.mark.filterwarnings("ignore:.* is a label of a binarization")

PIECES = (
    "",
    "-",
    "--",
    "---",
    "2A",
    "X-",
    "-X",
    "1",
    "12",
    "a=b",
    "=",
    "2=2",
    "0=a",
    "=1",
    ">",
    "S>X",
    "R-SIMPX",
    "V-MOD",
    "NP-1",
    "NP=2",
    "NP-SBJ=1-3",
    "@",
    "@NP",
    "^",
    "S^WH",
    "A+B",
    "٣",
    "|",
    r"<NP\S>#role=a",
    "S|<VP-.>",
    "S|<VP-,>",
    r"S[dcl]\NP",
    "(",
    ")",
    "a(b)",
    "-LRB-",
    "x-LRB-",
    "#LRB#",
    "x#RRB#",
    "*WOW*",
    "*T*",
    "<P_1>",
    "$(",
    "$-LRB-",
    "ROOT",
    "TOP",
    "VROOT",
    "_",
    "a_b",
    " ",
    "a b",
    "\t",
    "\n",
    "\xa0",
    "\\",
    "1\\/2",
    r"\u{2D}",
    r"\u{}",
    r"\u{",
    "{}",
    "#",
    "#500",
    "#BOS",
    "#EOS",
    "%%",
    "%% x",
    "&amp;",
    "<s>",
    "]]>",
    '"',
    "'",
    "/",
    "a/b",
    "*T*-1",
    "0",
    "\u3000",
    "\u2028",
    "NOPARSE",
    "*LOL*",
    "*-1",
    "*",
    "*pro*",
    "C",
    "NP",
    "-NONE-",
    "ID",
    "CODE",
    "METADATA",
    "COMMENT",
    "<S",
)
PRINTABLE = st.characters(exclude_categories=["C", "Zl", "Zp"])


@cache
def texts():
    """Texts of printable characters, and those that files use for something."""
    return st.sampled_from(PIECES) | st.text(PRINTABLE, max_size=5)


@cache
def numbers():
    return st.none() | st.integers(0, 999)


@cache
def some_texts():
    return st.lists(texts(), max_size=3).map(tuple)


@st.composite
def labelled(draw, trees, *, of_constituents=False, of_tokens=False):
    """Trees whose labels and tokens have any texts in the fields that a format holds."""
    tree = draw(trees)
    for token in tree.tokens:
        token.form, token.tag = draw(texts()), draw(texts())
        if of_tokens:
            token.lemma, token.morph, token.function = (draw(texts()) for _ in range(3))
    for node in tree.nodes()[1:]:
        node.category, node.functions, node.split = draw(texts()), draw(some_texts()), draw(texts())
        if of_constituents:
            node.index, node.gap_index = draw(numbers()), draw(numbers())
            node.ancestors, node.intermediate = draw(some_texts()), draw(st.booleans())
            node.siblings = draw(some_texts()) if node.intermediate else ()
    if of_tokens:
        edges = st.builds(
            SecondaryEdge,
            texts(),
            st.sampled_from([*range(len(tree.tokens)), *tree.nodes()[1:]]),
            st.sampled_from(tree.nodes()),
        )
        tree.secondary_edges = draw(st.lists(edges, max_size=2))
    return tree


def through(name, tree, write=write_trees, read=read_trees, **format):
    """Return a tree as it is read from the file to which it was written."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        write([tree], path, **format)
        (again,) = read(path)
    return again


@given(labelled(continuous_trees(), of_constituents=True))
@examples(200)
def test_brackets(tree):
    assert Tree.from_string(str(tree)) == tree
    again = through("a.mrg", tree)
    for token in tree.tokens:
        token.form = in_penn_brackets(token.form)
    assert again == tree


def in_penn_brackets(form):
    return form.replace("(", "-LRB-").replace(")", "-RRB-")


@given(labelled(trees(), of_constituents=True))
@examples(200)
def test_discbracket(tree):
    assert through("a.dbr", tree) == tree
    assert Tree.from_string(str(tree)) == tree


@pytest.mark.parametrize("name", ["a.export", "a.xml"])
@given(tree=labelled(trees(), of_tokens=True))
@examples(200)
def test_export_and_tigerxml(name, tree):
    again = through(name, tree)
    assert again == tree
    assert numbered_edges(again) == numbered_edges(tree)


@given(labelled(trees(), of_tokens=True))
@examples(100)
def test_export3(tree):
    for token in tree.tokens:
        token.lemma = ""
    assert through("a.export3", tree) == tree


@given(labelled(trees(), of_constituents=True, of_tokens=True))
@examples(100)
def test_json(tree):
    again = through("a.jsonl", tree)
    assert again == tree
    assert numbered_edges(again) == numbered_edges(tree)


def flat(tree):
    return Tree(Node("ROOT", children=list(range(len(tree.tokens)))), tree.tokens)


@given(labelled(trees()))
@examples(100)
def test_text(tree):
    assert through("a.tagged", flat(tree)) == flat(tree)
    for token in tree.tokens:
        token.tag = ""
    assert through("a.tokens", flat(tree)) == flat(tree)
    assert through("a.txt", flat(tree), format="tokens") == flat(tree)


@pytest.mark.parametrize("name", ["a.conllu", "a.conll"])
@given(tree=labelled(trees(), of_tokens=True), relations=st.lists(texts(), min_size=10))
@examples(200)
def test_conll(name, tree, relations):
    for token in tree.tokens:
        token.function = ""
    heads = list(range(len(tree.tokens)))
    sentence = DependencyTree(tree.tokens, heads, relations[: len(heads)])
    assert through(name, sentence, write_dependencies, read_dependencies) == sentence


@given(texts(), st.sampled_from(["", "x", "-", "{2D}"]))
@examples(200)
def test_escapes_are_read_as_what_was_escaped(text, more):
    assert unescape(escape(text + more)) == text + more


def test_what_is_no_escape():
    for text in [r"\u{2d}", r"\u{1F600E}", r"\u{D800}", r"\u2D", r"\x2D", "{2D}"]:
        assert unescape(text) == text
        assert unescape(escape(text)) == text


@given(st.text(st.sampled_from("-=^>@+\\AB1|<.>"), min_size=1, max_size=8))
@examples(2000)
def test_labels_of_other_programs_are_read_and_written_as_they_are(text):
    """But for a few that cannot be told from others, and that all read the same."""
    label = parse_label(text)
    assert parse_label(written_label(label)) == label


ODD = """\
#FORMAT 3
#BOS 1
#12	XY	--	2A	500
%x	NN	--	X-	501
:)	$(	--	-X	502
(	(	--	1	503
a	--x	Sg-Pl	a=b	504
--	$-LRB-	--	a>b	505
*WOW*	ITJ	--	-	506
0	C	--	-	506
"x"	&	<	--	506
#500	R-QUIM	--	2A	507
#501	NP=2	--	X-	507
#502	NP-1	--	-X	507
#503	@NP	--	1	507
#504	S>X	--	a=b	507
#505	<NP\\S>#role=a	--	a>b	507
#506	S|<VP-.>	--	-	507
#507	S|<VP-,>	--	--	0
#EOS 1
"""
EMPTY_WORD = """\
<corpus><body><s id="s1"><graph root="r"><terminals><t id="a" word="" pos="NN"/>
<t id="b" word="weps" pos="VB"/></terminals><nonterminals><nt id="r" cat="S">
<edge label="SB" idref="a"/><edge label="HD" idref="b"/></nt></nonterminals>
</graph></s></body></corpus>
"""


@core(1, ("name", "text"), [("odd.export", ODD), ("empty.xml", EMPTY_WORD)])
def test_a_file_of_another_program(tmp_path, monkeypatch, capsys, name, text):
    for extension in ["dbr", "mrg", "xml", "export", "tagged", "conllu", "conll"]:
        monkeypatch.chdir(tmp_path)
        Path(name).write_text(text, encoding="utf-8")
        encoding = ["--encoding", "direct"] if extension.startswith("conll") else []
        assert run(["convert", name, "-o", f"a.{extension}", *encoding]) == 0
        error = capsys.readouterr().err
        (gold,), (again,) = read_trees(name), read_trees(f"a.{extension}")
        words = gold.words()
        assert again.words() == (
            list(map(in_penn_brackets, words)) if extension == "mrg" else words
        )
        assert [token.tag for token in again.tokens] == [token.tag for token in gold.tokens]
        if extension in ("dbr", "mrg", "xml", "export"):
            assert [node.label for node in again.nodes()] == [node.label for node in gold.nodes()]
            assert run(["eval", name, f"a.{extension}", "--settings", "all"]) == 0
            assert "LF1                         100.00" in capsys.readouterr().out
        if extension in ("xml", "export"):
            assert (again, error) == (gold, "")
        if extension in ("dbr", "mrg"):
            assert error.startswith("1 tree; lost in ")
            assert "functions of words (in 1)" in error


def test_indices_are_lost_in_export(tmp_path, capsys):
    (tmp_path / "a.mrg").write_text("(S (NP-1 (NN wep)) (VP=2 (VB wep)))\n(S (VB wep))\n")
    assert run(["convert", str(tmp_path / "a.mrg"), "-o", str(tmp_path / "a.export")]) == 0
    assert capsys.readouterr().err == "2 trees; lost in export: indices (in 1)\n"


def test_what_others_take_as_it_is_has_no_escapes(tmp_path):
    """What looks like the style of the historical corpora only elsewhere; signs of the field."""
    for extension in ["mrg", "dbr"]:
        tree = Tree.from_string(
            "(S (CODE <P_1>) (R-SIMPX-MOD (ID X,1)) (METADATA (COMMENT odd) (CODE x)) (UH *WOW*)"
            " ($-LRB- -LRB-) (CD 1\\/2))"
        )
        write_trees([tree, tree], path := tmp_path / f"a.{extension}")
        assert "\\u" not in path.read_text()
        assert list(read_trees(path)) == [tree, tree]
        assert (tree.root.nodes[0].nodes[0].category, tree.tokens[5].tag) == ("R-SIMPX", "$(")


def test_brackets_in_words_as_other_programs_write_them(tmp_path):
    tree = Tree(Node("ROOT", children=[0, 1]), [Token("a(b)", "NN"), Token("#LRB#-LRB-", "NN")])
    write_trees([tree], tmp_path / "a.mrg")
    assert (tmp_path / "a.mrg").read_text() == "( (NN a-LRB-b-RRB-) (NN #LRB#-LRB-))\n"
    write_trees([tree], tmp_path / "a.dbr")  # as disco-dop does
    assert "(NN 0=a#LRB#b#RRB#)" in (tmp_path / "a.dbr").read_text()
    assert list(read_trees(tmp_path / "a.dbr")) == [tree] == [Tree.from_string(str(tree))]


def test_first_words_that_look_like_another_format(tmp_path):
    for text, written in [
        # Not the style of the Penn corpora of historical English, where these are no words.
        ("(S (UH *T*) (VB wep))", r"( (S (UH \u{2A}T*) (VB wep)))"),
        ("(S (NP *-1) (VB wep))", r"( (S (NP \u{2A}-1) (VB wep)))"),
        ("(S (VB wep) (ID X,1))", "( (S (VB wep) (ID X,1)))"),
        ("(S (COMMENT *pro*) (CODE x))", r"( (S (COMMENT \u{2A}pro*) (CODE x)))"),
        ("(S (NP (-NONE- *)) (CD 0) (VB wep))", "( (S (NP (-NONE- *)) (CD 0) (VB wep)))"),
        ("(TOP (VB wep) (ID X,1))", r"( (VB wep) (\u{49}D X,1))"),
        ("(TOP (CODE <P_1>))", r"( (\u{43}ODE <P_1>))"),
        ("(METADATA (CODE x))", r"( (\u{4D}ETADATA (CODE x)))"),
        # Not discbracket.
        ("(S (CD 2=2) (VB wep))", r"( (S (CD \u{32}=2) (VB wep)))"),
        ("(S (VB wep) (CD 2=2))", "( (S (VB wep) (CD 2=2)))"),
    ]:
        tree = Tree.from_string(text)
        write_trees([tree, tree], path := tmp_path / "a.mrg")
        assert path.read_text() == f"{written}\n" * 2
        assert list(read_trees(path)) == [tree, tree]


def test_labels():
    for label, written in [
        # What was right before stays as other programs write it.
        (Label("NP", ("SBJ",), index=1), "NP-SBJ-1"),
        (Label("-LRB-"), "-LRB-"),
        (Label("S|<VP-,>"), "S|<VP-,>"),
        (Label("NP-SBJ|<NN-PP>", split="<S>"), "NP-SBJ|<NN-PP>^<S>"),
        (Label("R-SIMPX", ("MOD",)), "R-SIMPX-MOD"),
        (Label(r"S[dcl]\NP"), r"S[dcl]\NP"),
        (Label("2A"), "2A"),
        (
            Label("VP", ancestors=("S",), intermediate=True, siblings=("NP", "-LRB-")),
            "@VP>S+NP+-LRB-",
        ),
        # What was read as something else.
        (Label("R-QUIMPX"), r"R\u{2D}QUIMPX"),
        (Label("NP=2"), r"NP\u{3D}2"),
        (Label("@NP"), r"\u{40}NP"),
        (Label("@" * 5000), "@" * 5000),
        (Label("S>X"), r"S\u{3E}X"),
        (Label("S|<VP", (".>",)), r"S|<VP-.\u{3E}"),
        (Label(r"<QP\S>#role=a"), r"<QP\S\u{3E}#role\u{3D}a"),
        (Label("VP", ("1",)), r"VP-\u{31}"),
        (Label("VP", ("2A", "X-")), r"VP-\u{32}A-X\u{2D}"),
        (Label("VP", ("",)), r"VP-\u{}"),
        (Label(r"\u{2D}"), r"\u{5C}u{2D}"),
        (Label("P(P)"), r"P\u{28}P\u{29}"),
        (Label(""), r"\u{}"),
    ]:
        assert written_label(label) == written
        assert parse_label(written) == label
