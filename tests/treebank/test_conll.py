"""CoNLL-U and CoNLL-X: words with tags and lemmas, and their dependencies."""

import gzip
import io
import sys

import pytest
from dependency_strategies import dependency_trees
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts

from plcfrs.errors import InputError, TreebankError
from plcfrs.transformation import to_dependencies, transform
from plcfrs.treebank import (
    FORMATS,
    format_of,
    read_dependencies,
    read_trees,
    write_dependencies,
    write_trees,
)
from plcfrs.treebank.conll import is_conll
from plcfrs.treebank.format import Chunk
from plcfrs.treebank.reading import Selection
from plcfrs.trees import DependencyTree, Node, Token, Tree, mark_heads

CONLLU, CONLLX = FORMATS["conllu"], FORMATS["conllx"]

SENTENCE = """\
# newdoc id = d
# sent_id = d-1
# text = Wir fahren zum 100 000. Mal
1	Wir	wir	PRON	PPER	Case=Nom	2	nsubj	2:nsubj|5.1:dep	_
2	fahren	fahren	VERB	VVFIN	_	0	root	_	_
3-4	zum	_	_	_	_	_	_	_	_
3	zu	zu	ADP	APPR	_	5	case	_	_
4	dem	der	DET	ART	_	5	det	_	_
5	100 000.	100 000.	ADJ	ADJA	_	2	obl	_	SpaceAfter=No
5.1	fahren	fahren	VERB	_	_	_	_	2:conj	_
6	Mal	Mal	NOUN	NN	_	5	flat	_	_

"""


def put(path, *rows, end="\n"):
    """Write sentences; columns are separated by blanks here."""
    lines = ["\t".join(row.split(" ")) for row in rows]
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
    return path


def row(number, form="a", head=0, relation="root"):
    return f"{number} {form} _ _ X _ {head} {relation} _ _"


def sentences(path, **options):
    return list(read_dependencies(path, **options))


def test_a_sentence_is_written_as_it_was_read(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(SENTENCE * 2, encoding="utf-8")
    first, second = sentences(path)
    assert first.id == "d-1"
    assert first.tokens[0] == Token("Wir", "PPER", "wir", "Case=Nom")
    assert (first.heads, first.relations[:2]) == ([2, 0, 5, 5, 2, 5], ["nsubj", "root"])
    assert first.columns[0] == ("PRON", "2:nsubj|5.1:dep", "")
    assert [number for number, _ in first.other_lines] == [2, 5]
    assert first == second
    assert write_dependencies([first, second], tmp_path / "b.conllu") == 2
    assert (tmp_path / "b.conllu").read_text(encoding="utf-8") == SENTENCE * 2


def test_as_a_treebank_it_has_words_and_tags(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(SENTENCE, encoding="utf-8")
    (tree,) = read_trees(path)
    (dependencies,) = sentences(path)
    assert tree.tokens == dependencies.tokens
    assert (tree.root.children, tree.id) == ([0, 1, 2, 3, 4, 5], "d-1")


def test_heads_may_be_missing_in_a_treebank_only(tmp_path):
    path = put(tmp_path / "a.conllu", row(1, head="_", relation="_"), row(2, head="_"))
    assert [token.tag for token in next(read_trees(path)).tokens] == ["X", "X"]
    with pytest.raises(TreebankError, match=r"a\.conllu:1: expected the number of a head, but .*_"):
        sentences(path)


def test_conllx_keeps_words_and_heads(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(SENTENCE, encoding="utf-8")
    (found,) = sentences(path)
    write_dependencies([found], tmp_path / "a.conll")
    text = (tmp_path / "a.conll").read_text(encoding="utf-8")
    assert "#" not in text
    assert "5\t100\\u{20}000.\t100\\u{20}000.\tADJ\tADJA\t_\t2\tobl\t_\t_\n" in text
    (again,) = sentences(tmp_path / "a.conll")
    assert again == found
    assert (again.columns[0], again.other_lines, again.id) == (("PRON", "", ""), [], "a:1")


def test_projective_heads_are_not_read(tmp_path):
    put(tmp_path / "a.conllx", "1 a _ C T _ 0 root 7 dep")
    (found,) = sentences(tmp_path / "a.conllx")
    assert found.columns == [("C", "", "")]


def test_the_coarse_tag_where_there_is_no_other(tmp_path):
    path = put(tmp_path / "a.conllu", "1 a _ NOUN _ _ 0 root _ _", "2 _ _ _ _ _ 1 _ _ _")
    (found,) = sentences(path)
    assert found.tokens == [Token("a", "NOUN"), Token("_", "")]
    assert found.relations == ["root", ""]


def test_the_tag_is_written_as_both():
    tree = DependencyTree([Token("a", "NN")], [0], ["root"])
    assert CONLLU.render_dependencies(tree) == "1\ta\t_\tNN\tNN\t_\t0\troot\t_\t_\n\n"


def test_identifiers(tmp_path):
    path = put(tmp_path / "a.conllu", row(1), "", row(1))
    found = sentences(path)
    assert [tree.id for tree in found] == ["a:1", "a:2"]
    found[0].comments = ["# text = a", "#sent_id=old", "#"]
    write_dependencies(found, path)
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[:3] == ["# text = a", "# sent_id = a:1", "#"]
    assert lines[5] == "# sent_id = a:2"
    assert [tree.id for tree in read_trees(path)] == ["a:1", "a:2"]


def test_blank_lines_and_line_ends(tmp_path):
    for end in ["\n", "\r\n"]:
        path = put(tmp_path / "a.conllu", "", row(1), "", "", row(1), row(2, head=1), end=end)
        assert [len(tree.tokens) for tree in sentences(path)] == [1, 2]


BAD = [
    (["2 a _ _ X _ 0 root _ _"], 1, "expected word 1, but found '2'"),
    (["1 a _ _ X _ 0 root _"], 1, "expected 10 columns with tabs between them, but found 9"),
    (["word"], 1, "expected 10 columns .*, but found 1"),
    (["1 a  _ X _ 0 root _ _"], 1, "column 3 is empty: it must be at least '_'"),
    ([row(1), row(2, head=2)], 2, "word 2 is its own head"),
    ([row(1), row(2, head=3)], 2, "word 3 is missing: the last is 2"),
    ([row(1), row(2, head="-1")], 2, "expected the number of a head, but found '-1'"),
    ([row(1), row(2, head="²")], 2, "expected the number of a head, but found '²'"),
    ([row(1), row("2-5"), row(2, head=1)], 2, "word 5 is missing: the last is 2"),
    ([row(1), row("1-2")], 2, "expected word 2, but found '1-2'"),
    ([row(1), row("2-2")], 2, "expected word 2, but found '2-2'"),
    ([row(1), row("3.1")], 2, "expected word 2, but found '3.1'"),
    (["# no", "# words"], 1, "the sentence has no words"),
    ([row(1), row("9" * 5000)], 2, "expected word 2"),
]


def test_malformed_sentences(tmp_path):
    for rows, line, problem in BAD:
        path = put(tmp_path / "a.conllu", row(1), "", *rows, "", row(1))
        with pytest.raises(TreebankError, match=rf"a\.conllu:{line + 2}: {problem}"):
            sentences(path)
        errors = []
        assert [tree.id for tree in sentences(path, on_error=errors.append)] == ["a:1", "a:3"]
        assert len(errors) == 1


def test_other_files_have_no_dependencies(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a))")
    put(tmp_path / "b.conllu", row(1))
    with pytest.raises(TreebankError, match=r"a\.mrg: brackets has no dep.* conllu or conllx"):
        sentences(tmp_path / "a.mrg")
    assert [tree.id for tree in sentences(tmp_path)] == ["b:1"]
    with pytest.raises(InputError, match="the format export has no dependencies: write one of"):
        write_dependencies([], tmp_path / "a.export")


def test_constituents_are_not_written(tmp_path):
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "X")])
    with pytest.raises(InputError, match=r"conllu cannot hold constituents: .* convert --encoding"):
        write_trees([tree], tmp_path / "a.conllu")
    with pytest.raises(InputError, match="dependency tree 1 is a Tree, not a DependencyTree"):
        write_dependencies([tree], tmp_path / "a.conllu")
    with pytest.raises(TreebankError, match="sentence x: CoNLL cannot hold a sentence without"):
        write_dependencies([DependencyTree([], [], [], "x")], tmp_path / "a.conllu")


def test_files_by_name_and_content(tmp_path):
    assert [format_of(name).name for name in ("a.conllu.gz", "a.conll", "a.conllx")] == [
        "conllu",
        "conllx",
        "conllx",
    ]
    for name in ("a", "a.txt", "a.mrg"):
        (tmp_path / name).write_text(SENTENCE, encoding="utf-8")
        assert len(sentences(tmp_path / name)) == 1
    assert not is_conll(b"1\ta\n")
    assert not is_conll(b"# sent_id = 1\nWhy not?\n")


def test_compressed_files_encodings_and_standard_input(tmp_path, monkeypatch, capsys):
    text = put(tmp_path / "a.conllu", row(1, "straße")).read_text(encoding="utf-8")
    (tmp_path / "b.conllu.gz").write_bytes(gzip.compress(text.encode("latin-1")))
    (found,) = sentences(tmp_path / "b.conllu.gz", encoding="latin-1")
    assert found.words() == ["straße"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    write_dependencies(read_dependencies("-"), "-")
    assert capsys.readouterr().out == (
        "# sent_id = stdin:1\n1\tstraße\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
    )


def test_one_sentence_is_held(tmp_path):
    path = put(tmp_path / "a.conllu", *[row(1), ""] * 3, "bad")
    chosen = Selection((range(2, 3),))
    assert [tree.id for tree in sentences(path, selection=chosen)] == ["a:2"]
    assert next(read_dependencies(path)).id == "a:1"


@pytest.mark.parametrize("form", [CONLLU, CONLLX])
@given(tree=dependency_trees())
def test_round_trip(form, tree):
    text = form.render_dependencies(tree)
    assert form.parse_dependencies(Chunk("a", 1, text, 1)) == tree
    assert is_conll(text.encode())


@pytest.mark.parametrize("form", [CONLLU, CONLLX])
@given(st.lists(texts(), min_size=4, max_size=4))
def test_what_cannot_be_held_is_changed_once(form, nasty):
    word, tag, lemma, relation = nasty
    tree = DependencyTree([Token(word, tag, lemma)], [0], [relation])
    once = form.render_dependencies(tree)
    (chunk,) = form.split(io.StringIO(once, newline="\n"), "a")
    assert form.render_dependencies(form.parse_dependencies(chunk)) == once


@pytest.mark.full
@pytest.mark.parametrize("name", ["conllu", "conllx"])
def test_the_penn_treebank(penn_treebank, tmp_path, name):
    trees = [to_dependencies(mark_heads(transform(tree))) for tree in penn_treebank]
    assert write_dependencies(trees, tmp_path / f"a.{name}.gz") == len(trees)
    for tree, found in zip(trees, sentences(tmp_path / f"a.{name}.gz"), strict=True):
        for token in tree.tokens:
            token.function = ""
        assert found == tree, tree.id


LONG = {
    "2008": (
        "1 Zorb-fed Zorb-fed NN NN Zorb zorb NNP 3 HYPH _ A0 _",
        "2 _ _ _ _ - - HYPH 3 HYPH _ _ _",
        "3 _ _ _ _ fed feed VBN 0 ROOT feed.01 _ A1",
        "4 _ _ IN IN _ _ _ 3 P _ _ _",
        "5 rains rain _ VBZ rains rain _ 3 P _ _ _",
    ),
    "2009": (
        "1 Zorb zorb x NNP y _ _ 3 4 HYPH z _ _ A0",
        "2 - _ - _ HYPH _ _ _ 3 _ HYPH _ _ _",
        "3 fed feed x VBN y t=p _ 0 4 ROOT z Y feed.01 _",
        "4 _ _ _ IN y _ p 3 4 P z _ _ _",
        "5 rains rain x VBZ y _ _ 3 4 P z _ _ _",
    ),
}


@pytest.mark.parametrize("year", LONG)
@pytest.mark.parametrize("name", ["a.conll", "a.txt", "a.conllx"])
def test_the_shared_tasks_of_2008_and_2009(tmp_path, year, name):
    (sentence,) = sentences(put(tmp_path / name, *LONG[year], ""))
    assert [token.form for token in sentence.tokens] == ["Zorb", "-", "fed", "_", "rains"]
    assert [token.tag for token in sentence.tokens] == ["NNP", "HYPH", "VBN", "IN", "VBZ"]
    assert (sentence.tokens[1].lemma, sentence.tokens[2].lemma) == ("-", "feed")
    assert (sentence.heads, sentence.relations[:3]) == ([3, 3, 0, 3, 3], ["HYPH", "HYPH", "ROOT"])
    assert sentence.tokens[3].morph == ("p" if year == "2009" else "")
    (tree,) = read_trees(tmp_path / name)
    assert tree.tokens == sentence.tokens
