"""The Penn corpora of historical English, and IcePaHC: identifiers, code, null elements, lemmas."""

import pytest

from plcfrs.cli import run
from plcfrs.errors import TreebankWarning
from plcfrs.transformation import transform
from plcfrs.treebank import read_trees
from plcfrs.treebank.format import bare_nulls
from plcfrs.trees import Tree

HISTORICAL = """( (CODE <P_7>))

( (IP-MAT (NP-SBJ (D A) (N zorb) (CP-REL *ICH*-1))
          (VBD came) (CODE <$$font>) (, ,) {COM:odd}
          (CP-REL-1 (WNP-2 (WPRO which)) (C 0)
                    (IP-SUB (NP-SBJ *T*-2) (VBD helped)))
          (. .))
  (ID ZORB-E1,7.1))

( (METADATA (AUTHOR Nobody) (DATE 1600)))
( (IP-IMP (COMMENT odd) (NP-SBJ *con*) (VBI sing) (NP-OB1 *CL*-1) (ADVP-TMP (ADV now)) (. .))
  (ID ZORB-E1,7.2))
""".replace(" {COM:odd}", " (CODE {COM:odd})")

TAGGED = """( (IP-MAT (NP-SBJ (D A) (N zorb) (CP-REL (-NONE- *ICH*-1)))
  (VBD came) (, ,)
  (CP-REL-1 (WNP-2 (WPRO which)) (C (-NONE- 0)) (IP-SUB (NP-SBJ (-NONE- *T*-2)) (VBD helped)))
  (. .)))
( (IP-IMP (NP-SBJ (-NONE- *con*)) (VBI sing) (NP-OB1 (-NONE- *CL*-1)) (ADVP-TMP (ADV now)) (. .)))
"""

LEMMAS = """( (IP-MAT (NP-SBJ (PRO-N Hún-hún)) (VBDI söng-syngja)
  (PP (P með-með) (NP (N-D zorb$-zorbur) (D-D $inum-hinn))) (. .-.)) (ID ZORB.NAR,.1))
( (META (NP (N-N inn--inn) (N-N a--a) (, ---) (NPR-N Efra<dash/>Fossi-efri<dash/>foss)))
  (ID ZORB.NAR,.2))
( (IP-MAT (NP-SBJ *pro*-D) (VBPI segð$-segja) (NP-SBJ (PRO-N $u-þú)) (, <dash/>) (P {með}))
  (ID ZORB.NAR,.3))
( (CODE (CODE <heading>) (NP (N-N KAP.-kapítuli)) (CODE </heading>)) (ID ZORB.NAR,.4))
"""


@pytest.fixture
def write(tmp_path):
    def writer(text, name="a.psd"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return writer


def forms(tree):
    return [token.form for token in tree.tokens if not token.is_null]


def test_identifiers_code_and_null_elements(write):
    found = list(read_trees(write(HISTORICAL)))
    expected = list(read_trees(write(TAGGED, "b.mrg")))
    assert found == expected
    assert [tree.id for tree in found] == ["ZORB-E1,7.1", "ZORB-E1,7.2"]
    first, second = map(transform, found)
    assert (first.gap_degree(), second.gap_degree()) == (1, 0)
    assert [first, second] == list(map(transform, expected))
    assert forms(second) == ["sing", "now", "."]


def test_the_style_is_known_by_content(write):
    for name in ["a.mrg", "a.txt", "a.parse", "a", "a.psd"]:
        assert [tree.id for tree in read_trees(write(HISTORICAL, name))] == [
            "ZORB-E1,7.1",
            "ZORB-E1,7.2",
        ]


def test_other_brackets_stay_what_they_are(write):
    for text in [
        "( (S (NP (-NONE- *T*-1)) (VP (VB go))))",
        "( (S (NP (SYM *)) (CD 0)))",
        "( (S (UH *sigh*) (VB go)))",
        "( (CODE (SYM SpeakerA1) (. .)))",
        "( (FRAG (CD 0) (: ;)))",
    ]:
        (tree,) = read_trees(write(text, "a.mrg"))
        assert tree == Tree.from_string(text)


def test_lemmas_stand_behind_the_last_hyphen(write):
    first, second, third, fourth = read_trees(write(LEMMAS))
    pairs = [(token.form, token.lemma) for token in first.tokens]
    assert pairs == [
        ("Hún", "hún"),
        ("söng", "syngja"),
        ("með", "með"),
        ("zorb$", "zorbur"),
        ("$inum", "hinn"),
        (".", "."),
    ]
    assert [(token.form, token.lemma) for token in second.tokens] == [
        ("inn-", "inn"),
        ("a-", "a"),
        ("-", "-"),
        ("Efra-Fossi", "efri-foss"),
    ]
    assert [(token.form, token.is_null) for token in third.tokens] == [
        ("*pro*-D", True),
        ("segð$", False),
        ("$u", False),
        ("-", False),
    ]
    assert str(fourth) == "(ROOT (CODE (NP (N-N 0=KAP.))))"


def test_a_word_without_a_lemma_stands_among_others(write):
    text = "( (IP-IMP (VB segð$-segja) (NP-SBJ (PRO-N $u)) (N inn-) (, -)) (ID ZORB,1))"
    (tree,) = read_trees(write(text))
    assert [(token.form, token.lemma) for token in tree.tokens] == [
        ("segð$", "segja"),
        ("$u", ""),
        ("inn-", ""),
        ("-", ""),
    ]


def test_words_with_hyphens_are_no_lemmas_elsewhere(write):
    text = "( (IP-MAT (NP-SBJ (N to-day)) (VBD well-done) (ADV now)) (ID ZORB,1))\n" * 3
    (tree, *_) = read_trees(write(text))
    assert [(token.form, token.lemma) for token in tree.tokens] == [
        ("to-day", ""),
        ("well-done", ""),
        ("now", ""),
    ]


def test_traces_without_an_index_are_null_elements(write):
    text = "( (IP-MAT (NP-SBJ *T*) (NP-OB1 *speaker+hearer*) (NP *) (NUM 0) (VB zorb)) (ID 1_a;JP))"
    (tree,) = read_trees(write(text))
    assert forms(tree) == ["0", "zorb"]
    assert transform(tree).gap_degree() == 0


def test_a_bracket_with_an_identifier_is_a_tree_even_if_it_is_empty(write):
    text = "( (IP-MAT (VB zorb)) (ID Z,1))\n( (CODE <P_1>) (ID Z,2))\n( (CODE <P_2>))\n"
    found = list(read_trees(write(text)))
    assert [(tree.id, len(tree.tokens)) for tree in found] == [("Z,1", 1), ("Z,2", 0)]


def test_a_parser_is_trained_and_parses(write, tmp_path, capsys):
    text = (
        "( (IP-MAT (NP-SBJ (PRO She)) (VBD left) (. .)) (ID Z,1.1))\n"
        "( (IP-MAT (NP-SBJ (PRO She)) (VBD sang) (. .)) (ID Z,1.2))\n"
    )
    grammar, sentence = str(tmp_path / "a.plcfrs"), tmp_path / "text.txt"
    sentence.write_text("She sang .\n")
    assert run(["extract", write(text), "-o", grammar]) == 0
    assert run(["parse", grammar, str(sentence)]) == 0
    assert capsys.readouterr().out == "(ROOT (IP-MAT (NP-SBJ (PRO 0=She)) (VBD 1=sang) (. 2=.)))\n"


def test_words_that_look_like_null_elements_give_one_warning(write, capsys):
    for name, start in [("a.mrg", ""), ("a.discbracket", "0=")]:
        text = f"( (S (NP {start}a)))\n( (S (NP {start}*T*-1)))\n( (S (NP {start}*con*)))\n"
        path = write(text, name)
        format = "brackets" if name == "a.mrg" else "discbracket"
        with pytest.warns(
            TreebankWarning, match=r"a\.\w+:2: \*T\*-1 is read as a word, and 1 more"
        ):
            list(read_trees(path, format))
        for _ in range(2):
            assert run(["convert", path, "--from", format]) == 0
            lines = capsys.readouterr().err.splitlines()
            assert len(lines) == 1
            assert "use --from psd, or give them the tag -NONE-" in lines[0]


def test_what_looks_like_a_null_element():
    for text, found in [
        ("(S (NP *T*-1) (NP-SBJ *) (C 0) (WNP-2 0) (VP (VB go)))", ["*T*-1", "*", "0", "0"]),
        ("(S (NP 0=*pro*-D) (CP-REL 1=*ICH*-1) (WNP 2=0))", ["*pro*-D", "*ICH*-1", "0"]),
        ("(S (SYM *) (NNP *) (CD 0) (NN **) (UH *sigh*) (NP (-NONE- *)) (-NONE- 0))", []),
        ("(S (NN 0=0) (CD 1=0) (PRP 2=*))", []),
    ]:
        assert bare_nulls(text) == found


@pytest.mark.full
def test_no_tree_of_icepahc_is_lost(icepahc):
    counts = {"dev": (7665, 101_898, 1167), "test": (5848, 85_093, 965)}
    for part, (trees, tokens, discontinuous) in counts.items():
        found = list(read_trees(icepahc / part))
        words = [token for tree in found for token in tree.tokens if not token.is_null]
        assert (len(found), len(words)) == (trees, tokens)
        assert len({tree.id for tree in found}) == trees
        assert sum(bool(token.lemma) for token in words) > 0.998 * tokens
        gaps = [transform(tree).gap_degree() for tree in found if tree.tokens]
        assert sum(gap > 0 for gap in gaps) == discontinuous


def test_it_is_read_by_name_in_folders(write, tmp_path):
    write(HISTORICAL)
    assert len(list(read_trees(tmp_path))) == 2


def test_marks_with_a_lemma_in_a_file_without_lemmas(write):
    text = '( (IP-MAT (N-N zorb$) (D-N $in) (, ,-,) (VB sang) (" "-") (, ---) (. .-.)) (ID Z,1))'
    (tree,) = read_trees(write(text))
    assert tree.words() == ["zorb$", "$in", ",", "sang", '"', "---", "."]
    assert [token.lemma for token in tree.tokens] == ["", "", ",", "", '"', "", "."]


def test_some_words_have_lemmas_that_begin_like_them(write):
    text = (
        "( (IP-MAT (N-N zorbs-zorb) (VB went) (P on) (D the) (N dance-dancing) (NP (N-N ur-ur))))"
    )
    (tree,) = read_trees(write(text))
    assert tree.words() == ["zorbs", "went", "on", "the", "dance", "ur"]


def test_lemmas_that_end_or_begin_later_are_named_once(write):
    plain = "( (IP-MAT (NP-SBJ (PRO Hun)) (VB went) (P to) (N Zorb) (. .)) (ID Z,1))\n"
    with_lemmas = (
        plain.replace("went", "went-go").replace("Zorb", "Zorb-zorb").replace("to", "to-to")
    )
    for first, then, said in (
        (plain, with_lemmas, "words have lemmas, but those before had none"),
        (with_lemmas, plain, "words have no lemmas, but those before had them"),
    ):
        with pytest.warns(TreebankWarning) as caught:
            list(read_trees(write(first * 30 + then * 60)))
        assert len(caught) == 1
        assert f"a.psd:31: from here on, {said}: read as before" in str(caught[0].message)


DEEP = """( (VERSION (HASH (MD5 44ba)) (FORMAT deep)))
( (IP-MAT (NP-SBJ (D (ORTHO A)) (N (ORTHO zorb) (META (LEMMA zorbo) (CASE nom))))
    (CP-REL (WNP (WPRO (ORTHO who) (LEMMA whoo)) (METADATA (INDEX 1) (IDX-TYPE regular)))
      (NP (ORTHO *T*) (METADATA (INDEX 1) (IDX-TYPE regular))) (VB (ORTHO sang))))
  (METADATA (ID ZORB,.1)))
"""


@pytest.mark.parametrize("name", ["a.psd", "a.mrg", "a.txt"])
def test_the_header_and_the_deep_format_of_annotald(write, name):
    (tree,) = read_trees(write(DEEP, name))
    assert tree.id == "ZORB,.1"
    assert str(tree) == (
        "(ROOT (IP-MAT (NP-SBJ (D 0=A) (N 1=zorb)) (CP-REL (WNP-1 (WPRO 2=who)) "
        "(NP (-NONE- 3=*T*-1)) (VB 4=sang))))"
    )
    assert [token.lemma for token in tree.tokens] == ["", "zorbo", "whoo", "", ""]
    assert tree.tokens[1].morph == "CASE=nom"
