"""Worked examples in invented sentences, and large ones."""

from itertools import islice

import pytest

from plcfrs.errors import InputError
from plcfrs.query import find, parse_query
from plcfrs.transformation import transform
from plcfrs.treebank import read_trees
from plcfrs.trees import Node, Token, Tree, render_label


@pytest.fixture
def read(tmp_path):
    def read_text(text: str, extension: str = ".discbracket") -> Tree:
        path = tmp_path / f"tree{extension}"
        path.write_text(text, encoding="utf-8")
        return next(read_trees(path))

    return read_text


def words(tree: Tree, query: str) -> list[str]:
    """Return the matches: the label of a node with its words, or a word."""
    yields = tree.yields()
    return [
        tree.tokens[match].form
        if isinstance(match, int)
        else " ".join(
            [render_label(match)]
            + [token.form for i, token in enumerate(tree.tokens) if yields[match] >> i & 1]
        )
        for match in find(tree, query)
    ]


EXTRACTION = """
( (SBARQ (WHNP-1 (WP What))
    (SQ (VBP do) (NP-SBJ (PRP you))
      (VP (VB think)
        (SBAR (-NONE- 0)
          (S (NP-SBJ (NNP Ada)) (VP (VBD mended) (NP (-NONE- *T*-1)))))))
    (. ?)))
"""

EXTRAPOSITION = """
(ROOT (S (NP (NP (DT 0=A) (NN 1=ferry)) (SBAR (WDT 3=that) (VP (VBZ 4=rusts)))) (VP (VBD 2=came))))
"""

GERMAN = """
(ROOT (S (VP (NP (ART 0=Das) (NN 1=Boot)) (VVPP 4=geputzt)) (VAFIN 2=hat) (NE 3=Ida) ($. 5=.)))
"""

CROSS_SERIAL = """
(ROOT (S (IN 0=dat) (VP (NP (NE 1=Jan)) (VB 3=ziet)) (VP (NP (NE 2=Marie)) (VB 4=zwemmen))))
"""


def test_extraction_across_clauses(read):
    tree = read(EXTRACTION, ".mrg")
    assert words(tree, "/^WH/ .. (VP << /^\\*T\\*/)") == ["WHNP-1 What"]
    assert words(tree, " -NONE- > (NP > VP)") == ["*T*-1"]
    tree = transform(tree)
    assert words(tree, "/^WH/[moved=*T*] >>, (S[discontinuous] > VP)") == ["WHNP What"]
    assert words(tree, "*[moved]") == ["WHNP What"]
    assert words(tree, "*[moved=*ICH*]") == []
    assert words(tree, "VP[split=HINF]") == ["VP^HINF What think Ada mended"]
    assert words(tree, "VB|VBP >~ (VP < WHNP)") == ["do", "think"]
    assert words(tree, "VP <~ VBP [<~ VB]") == []
    assert words(tree, "VP <~ VBP & <~ VB") == ["VP What mended"]


def test_extraposition(read):
    tree = read(EXTRAPOSITION)
    assert words(tree, "NP < (SBAR <, WDT)") == ["NP A ferry that rusts"]
    assert words(tree, "NP[discontinuous] <~: VP") == ["NP A ferry that rusts"]
    assert words(tree, "VP >~: (NP < SBAR)") == ["VP came"]
    assert words(tree, "VP >~: (NP < DT)") == []
    assert words(tree, "SBAR , VP") == ["SBAR that rusts"]
    assert words(tree, "NP , *") == words(tree, "VP .. NP") == []  # the outer NP surrounds the VP


def test_a_gap_may_need_words(read):
    tree = read(
        "(S (VP (NP (NN 0=rain)) (VB 2=fell)) ($, 1=,) (NP (NN 3=fog) (NN 5=snow)) (-NONE- 4=*)"
        " (VP (VB 6=lay) (VB 9=stayed)) ($, 7=,) (KON 8=and))"
    )
    assert words(tree, "*[discontinuous]") == ["VP rain fell", "NP fog snow", "VP lay stayed"]
    assert words(tree, "*[discontinuous=words]") == ["VP lay stayed"]
    assert words(tree, "NP|VP[!discontinuous = words & discontinuous]") == [
        "VP rain fell",
        "NP fog snow",
    ]


def test_verbs_in_gaps(read):
    tree = read(GERMAN)
    assert words(tree, "VP <~ /^V.FIN/") == ["VP Das Boot geputzt"]
    assert words(tree, "VP <~: /^V.FIN/") == []  # Ida matches, too
    assert words(tree, "/FIN$/ >~ VP") == ["hat"]
    assert words(tree, "*[length=2]") == ["NP Das Boot"]
    assert words(tree, "*[length>3 & fanout=1]") == [
        "ROOT Das Boot hat Ida geputzt .",
        "S Das Boot hat Ida geputzt .",
    ]
    assert words(tree, 'VP $.. "$."') == ["VP Das Boot geputzt"]
    assert words(tree, "VP $. NE") == []


def test_constituents_that_interleave(read):
    tree = read(CROSS_SERIAL)
    assert words(tree, "VP >< VP") == ["VP Jan ziet", "VP Marie zwemmen"]
    assert words(tree, "VP <~ VP") == []
    assert words(tree, "VP <~: (NP > (VP >< VP=v))") == ["VP Jan ziet"]
    assert words(tree, "VP=v <~ (NP > (VP >< =v))") == ["VP Jan ziet"]
    assert words(tree, "VP=v >< (VP <~ (VB > =v))") == ["VP Jan ziet"]
    assert words(tree, "VP << Jan=n : =n . (Marie . (ziet . zwemmen))") == ["VP Jan ziet"]


def test_what_is_in_a_gap_does_not_interleave(read):
    tree = read("(S (VP (V 0=let) (V 4=go)) (NP (N 1=a) (N 3=b)) (X 2=c))\n")
    assert words(tree, "NP >~ VP") == ["NP a b"]
    assert words(tree, "* >< *") == []


def test_names_are_tried_until_all_conditions_hold():
    """The first NP below S, and the first below VP, are not those that meet the last condition."""
    nouns = [Node("NP", children=[i]) for i in range(4)]
    tree = Tree(
        Node("ROOT", children=[Node("S", children=[*nouns[:2], Node("VP", children=nouns[2:])])]),
        [Token(form, "NN") for form in "abab"],
    )
    assert find(tree, "S < (NP=x << b) < (VP < (NP=y << b)) : =x .. =y")
    assert find(tree, "S < NP=x < (VP < NP=y) : =x << b : =y << a")
    assert find(tree, "S < NP=x < (VP < NP=y) : =y .. =x") == []
    assert find(tree, "NP=x $ (NP=y .. =x)") == [nouns[1], nouns[3]]
    assert find(tree, "NP=x !$ (NP=y .. =x)") == [nouns[0], nouns[2]]


def test_deep_trees():
    node = bottom = Node("S", children=[1])
    for _ in range(1200):
        node = Node("S", children=[node])
    node.children.append(Node("NP", children=[0]))
    tree = Tree(Node("ROOT", children=[node]), [Token("now", "RB"), Token("sing", "VB")])
    tree.sort_children()
    assert find(tree, "S !< S") == [bottom]
    assert find(tree, "S !> S") == [node]
    assert len(find(tree, "S >> (S !>> S)")) == 1200
    assert len(find(tree, "S <<: VB")) == 1200
    assert find(tree, "VB >>: (S !>: S)") == [1]
    assert len(find(tree, "S , RB")) == 1200


def test_as_many_conditions_as_there_may_be():
    """Each gives its node a name, so that all of them are tried within one another."""
    tree = Tree(Node("ROOT", children=list(range(100))), [Token("a", "NN") for _ in range(100)])
    chain = "NN=n0" + "".join(f" . (NN=n{i}" for i in range(1, 100)) + ")" * 99
    assert find(tree, chain) == [0]
    flat = "ROOT" + "".join(f" <{i} NN=n{i}" for i in range(1, 99)) + " < (NN , =n98)"
    assert find(tree, flat) == [tree.root]
    segments = "ROOT < NN=n0" + "".join(f" : =n{i} . NN=n{i + 1}" for i in range(99))
    assert find(tree, segments) == [tree.root]


def test_trees_without_tokens():
    tree = Tree(Node("ROOT"), [])
    assert find(tree, "ROOT") == [tree.root]
    for operator in ("<", "<<", ".", ",,", "$", "<~", "><", "<<,"):
        assert find(tree, f"ROOT {operator} *") == []


def test_nodes_without_tokens_are_nowhere():
    """No file has such nodes, but programs may make them."""
    empty = Node("NP")
    tree = Tree(Node("ROOT", children=[empty, 0]), [Token("sing", "VB")])
    assert find(tree, "NP > ROOT $ VB") == [empty]
    for operator in (".", ",", "..", ",,", "<~", ">~", "<~:", ">~:", "><", "<<", "<<,"):
        assert find(tree, f"NP {operator} *") == []


def test_one_query_for_many_trees():
    query = parse_query("VP=v < NP : =v , NP")
    trees = list(islice(read_trees("plcfrs:demo"), 40))
    with_both = [tree.id for tree in trees if find(tree, query) and find(tree, "VP < NP , NP")]
    with_query = [tree.id for tree in trees if find(tree, query)]
    assert with_query == with_both != []


def test_text_that_is_no_query():
    tree = Tree(Node("ROOT"), [])
    with pytest.raises(InputError, match="column 5"):
        find(tree, "NP <")


def test_heads_by_edge_labels_by_rules_and_as_marked():
    tokens = [
        Token("Boote", "NN", function="OA"),
        Token("sieht", "VVFIN", function="HD"),
        Token("er", "PPER", function="SB"),
    ]
    tree = Tree(Node("ROOT", children=[Node("S", children=[0, 1, 2])]), tokens)
    assert find(tree, "/^[NVP]/ ># S") == [1]
    for token in tokens:
        token.function = ""
    assert find(tree, "/^[NVP]/ ># S") != [1]  # Collins has no rule for VVFIN
    tree.root.nodes[0].head = 2
    assert find(tree, "/^[NVP]/ ># S") == [2]
    assert find(tree, "er >># ROOT") == [2]
