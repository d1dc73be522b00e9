"""CGELBank: functions, gaps, corrections, punctuation, notes, and every file as it was."""

from io import StringIO

import pytest
from hypothesis import given
from quick import examples
from strategies import continuous_trees
from test_escapes import labelled

from plcfrs.cli import run
from plcfrs.errors import TreebankError
from plcfrs.transformation import transform
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.trees import Node, Token, Tree

CGEL = FORMATS["cgel"]
FILE = r"""# sent_id = z-1
# sent_num = 1
# text = "What in order, has the zorb fell?!
(Clause :note "odd \"zorb\""
    :Prenucleus (x / NP
        :Head (N_pro :p "\"" :t "what"))
    :Head (Clause
        :Mod (PP
            :Head (P :t "in order" :subt "in" :subt "order" :p ","))
        :Prenucleus (x2 / V_aux :t "has" :l "have" :xpos "VBZ")
        :Head (Clause
            :Subj (NP
                :Det (DP
                    :Head (D :correct "the"))
                :Det-Head (Nom
                    :Head (N :t "zorb")))
            :Head (VP
                :Head (x2 / GAP)
                :Comp (Clause
                    :Head (VP
                        :Head (V :t "fell" :correct "fallen" :l "fall" :p "?" :p "!" :note "p. 7")
                        :Obj (x / GAP :note "moved")))))))

# alias = of nothing
(Coordination
    :Coordinate (N :t "rain" :correct "rains" :l "rains")
    :Coordinate (N :t "snow" :correct ""))

"""


def parsed(text):
    (chunk,) = CGEL.split(StringIO(text), "a.cgel")
    return CGEL.parse(chunk)


def test_a_file_is_written_as_it_was(tmp_path):
    path = tmp_path / "a.cgel"
    path.write_text(FILE)
    trees = list(read_trees(path))
    assert [tree.id for tree in trees] == ["z-1", "a:2"]
    write_trees(trees, tmp_path / "b.cgel")
    assert (tmp_path / "b.cgel").read_text() == FILE


@pytest.mark.parametrize("name", ["a.txt", "a.mrg", "a"])
def test_what_it_means(tmp_path, name):
    (tmp_path / name).write_text(FILE)
    tree = next(read_trees(tmp_path / name))
    assert str(tree) == (
        "(ROOT (Clause (NP-Prenucleus-33 ('' 0=\") (N_pro 1=what)) (Clause-Head (PP-Mod "
        "(P 2=in\\u{20}order) (, 3=,)) (V_aux-Prenucleus-1190 (V_aux 4=has)) (Clause-Head (NP-Subj "
        "(DP-Det (D-Head (-NONE- 5=*the*))) (Nom-Det-Head (N 6=zorb))) (VP-Head (GAP-Head "
        "(-NONE- 7=*T*-1190)) (Clause-Comp (VP-Head (V 8=fell) (. 9=?) (. 10=!) (GAP-Obj "
        "(-NONE- 11=*T*-33)))))))))"
    )
    assert [token.lemma for token in tree.tokens if not token.is_null] == [
        *('"', "what", "in order", ",", "have", "zorb", "fall", "?", "!"),
    ]
    assert tree.tokens[8].morph == "correct=fallen|note=p. 7"
    assert (tree.tokens[0].function, tree.tokens[0].morph, tree.tokens[6].function) == (
        *("p", "pre", "Head"),
    )
    assert tree.root.nodes[0].note == 'odd "zorb"'
    assert tree.comments[2] == '# text = "What in order, has the zorb fell?!'


def test_fillers_are_moved_to_their_gaps():
    tree = transform(parsed(FILE[: FILE.index("# alias")]))
    assert tree.gap_degree() == 2
    assert "*T*" not in str(tree)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(NP\n :Head (N))", "2: .N. has neither a word nor constituents"),
        ('(NP\n :Head (N :t "a" (D :t "b")))', "2: expected a function or property before"),
        ('(NP\n :Head :Mod (N :t "a"))', "2: ':Mod' is unexpected here"),
        ('(NP :Head (N :t "a")', "1: missing '.': 1 more needed"),
        ('(NP :Head (N :t "a")))', "1: '.' is unexpected here"),
        ('(NP :Head (N :t "a"))\n(NP :Head (N :t "a"))', "2: more than one tree"),
        ('(X9 / NP :Head (N :t "a"))', "1: expected a category, or an index and a category"),
        ('(NP :Head (N :t "a" b))', "1: 'b' needs a bracket or quotes"),
        ('(NP :t "b" :Head (N :t "a"))', "1: :t is only for words, not for constituents"),
        ('(NP :Head (N :t "a))', "1: '\"' is unexpected here"),
        ("( :Head)", "1: '.' is unexpected here"),
    ],
)
def test_malformed_trees(text, message):
    with pytest.raises(TreebankError, match=f"a.cgel:{message}"):
        parsed(text)


@given(labelled(continuous_trees(), of_tokens=True))
@examples(200)
def test_trees_of_other_treebanks(tree):
    for token in tree.tokens:
        token.lemma, token.morph, token.function = token.form, "", token.function.strip("p")
        token.tag = token.tag.replace("NONE", "")
    for node in tree.nodes():
        node.split = ""
    assert parsed(CGEL.render(tree, 1)) == tree


def test_what_other_formats_lose(tmp_path, capsys):
    path = tmp_path / "a.cgel"
    path.write_text(FILE)
    assert run(["convert", str(path), "-o", str(tmp_path / "a.export")]) == 0
    assert (
        "lost in export: indices (in 1), comments (in 2), notes (in 1)" in capsys.readouterr().err
    )
    assert run(["convert", "plcfrs:demo", "-o", str(path)]) == 0
    assert "lost in cgel: kinds of null elements (in" in capsys.readouterr().err


def test_crossing_branches_and_no_words():
    tokens = [Token(form, "X") for form in "abc"]
    for children in ([Node("A", children=[0, 2]), 1], []):
        with pytest.raises(TreebankError, match="cgel cannot hold"):
            CGEL.render(Tree(Node("ROOT", children=children), tokens if children else []), 1)


@pytest.mark.full
def test_cgelbank(tmp_path, cgelbank):
    for path in sorted(cgelbank.rglob("*.cgel")):
        write_trees(read_trees(path), tmp_path / "a.cgel")
        assert (tmp_path / "a.cgel").read_text().rstrip("\n") == path.read_text().rstrip("\n")
