"""Head rules: a worked example for each line of Collins's table, and files of rules."""

import re

import naive_transform as naive
import pytest
from bracket import read
from hypothesis import given
from hypothesis import strategies as st

from plcfrs import read_trees, transform
from plcfrs.errors import InputError
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import (
    collins,
    find_head,
    head_of,
    lexical_heads,
    mark_heads,
    negra,
    read_head_rules,
)

# The head is between brackets.
EXAMPLES = """
ADJP: RB [JJ] PP
ADJP: [NNS] JJ
ADJP: JJ [QP]
ADJP: RBR [ADJP] SBAR
ADJP: [PP] PRN
ADVP: RB [RB]
ADVP: [RB] IN PP
ADVP: NP [IN]
ADVP: PP [PRN]
CONJP: RB [RB] IN
CONJP: [CC] RB
FRAG: NP [PP]
INTJ: [UH] NP
LST: [LS] -RRB-
LST: -LRB- [:]
NAC: [NNP] , NNP
NAC: DT [NN] PP
NX: JJ [NN]
NX: [NX] CC NX
PP: [IN] NP
PP: [TO] NP
PP: [VBG] PP
PP: IN IN [IN] NP
PP: RB [NP]
PRN: [,] S ,
PRT: [RP]
PRT: RB [RP]
PRT: NN [RB]
QP: [$] CD CD
QP: RB [IN] CD
QP: CD [JJ]
QP: [CD] NCD
RRC: ADVP [VP]
RRC: [NP] ADVP PP
S: NP [VP] .
S: [VP] S
S: NP ADJP [VP]
S: NP [ADJP]
S: [S] , S
S: ADVP [NP] NP
S: PP [SBAR] NP
S: [ADVP] PP
SBAR: [IN] S
SBAR: [WHNP] S
SBAR: IN S [WHPP]
SBAR: ADVP [S]
SBARQ: WHNP [SQ] .
SBARQ: WHNP [S] SBARQ
SINV: NP [VBD] NP
SINV: PP VP [MD]
SINV: S , [VP] NP
SQ: [VBD] NP VP
SQ: NP ADVP [VP]
UCP: ADJP , [PP]
VP: [TO] VP
VP: [MD] VP
VP: VB [VBD] NP
VP: ADVP [VBN] NP
VP: ADVP [VP]
VP: [VP] CC VP
VP: PP [NN]
VP: [ADVP] PP
WHADJP: [WRB] JJ
WHADJP: WRB [CC] JJ
WHADVP: RB [WRB]
WHADVP: IN [S]
WHNP: [WDT] NN
WHNP: [WP$] NN
WHNP: NP [WHPP]
WHNP: [DT] NN
WHPP: [IN] WHNP
X: NN [SYM]
ROOT: S [S]
XYZ: NN [VB]
ADVP|PRT: RB [RP]
NP: NNP [POS]
NP: POS [NN] PP
NP: DT JJ [NN]
NP: [NN] NP PP
NP: NNP [JJR] PP
NP: [NP] SBAR
NP: [NP] NP
NP: DT [ADJP] PP
NP: $ CD [PRN] PP
NP: [$] CD
NP: CD [CD] RB
NP: [CD] DT
NP: JJ [JJS] PP
NP: DT [RB] PP
NP: [QP] DT
NP: DT [DT]
"""
COORDINATION = """
NP: [NP] CC NP
NP: NN [NN] CC NN
NP: NN , [NN] , CC NN
NP: JJ NN [JJ] `` CC NN
NP: CC [NN]
NP: , CC [NN]
ADVP: [RB] CC RB
ADVP: CC [RB]
PP: [IN] CC IN NP
UCP: [ADJP] CC PP
VP: [VBD] CC VBD NP
"""
WH = """
VP: [VB] WHNP
VP: WHNP [VB]
VP: WHNP [ADJP]
VP: WHADVP [WHNP]
S: [WHNP] ADVP
S: WHNP [VP]
NP: DT [WHNP]
NP: WHNP [CD] DT
PP: [IN] WHNP
PP: RB [WHNP]
ADJP: CC [WHADJP] PP
QP: [NN] WHADJP
"""

# Labels and tags of the newer guidelines of the Penn Treebank.
NEWER = """
NML: NN [NN]
NML: [NML] CC NML
NML: [NML] -LRB- NML -RRB-
NML: [NML] PP
NML: NN HYPH [NN]
NML: NN [POS]
NML: [NN] HYPH CC NN
NML: [CD] SYM
NP: DT [NML]
NP: JJ [NML]
NP: NML [NN]
NP: [NNS] NML
NP: [NP] NML
NP: DT [ADD]
NP: AFX HYPH [NN]
NP: [DT] HYPH
ADJP: NN HYPH [VBN]
ADJP: RB RB HYPH NN HYPH [JJ]
ADJP: NN HYPH CC NN HYPH [JJ] PP
ADJP: [JJ] HYPH CC JJ
ADVP: [RB] HYPH CC RB
PP: [SYM] NP
PP: [IN] SYM NP
VP: [SYM] NP
VP: [VBZ] SYM NP
S: EDITED [INTJ] .
S: [EDITED]
FRAG: NP [.] SU EDITED
FRAG: [NP] SU
PRN: -LSB- [NP] -RSB-
PRN: CODE [FRAG] CODE
EDITED: [S] :
EDITED: CC NP [VP] :
EDITED: CODE [PRP] CODE
EDITED: : [,]
CIT: -LRB- [NNP] FW FW CD -RRB-
CIT: -LRB- [NP] , NP -RRB-
CIT: -LRB- JJ [NNS] -RRB-
CAPTION: [NP] .
CAPTION: LST [S] NFP
HEADING: CD . [NP]
TITLE: NP : [NP]
META: [NP] HYPH
EMBED: -LRB- [S] . -RRB-
TYPO: [NN] :
CODE: [NN] .
"""

# With an edge label after the tag or category.
GERMAN = """
S: NP:SB [VAFIN:HD] VP:OC
S: VAFIN [VP:HD]
S: NP [VVFIN] VMFIN NP
S: [VVIMP] NP
S: NP CS [VP] S
S: NP S [S] $.
S: NP [AVP] $.
CS: [S:CJ] KON:CD S:CJ
CS: KON [S:CJ]
CS: S [S]
CNP: NP KON [NN] $,
CAP: [ADJA:CJ] $, ADJA:CJ
CAVP: [ADV:CJ] KON:CD ADV:CJ
CAC: [APPR:CJ] KON APPR:CJ
CCP: [CP:CJ] KON CP:CJ
CO: [NP:CJ] KON S:CJ
CPP: [PP:CJ] PP:CJ
CVP: [VP:CJ] KON:CD VP:CJ
CVZ: [VZ:CJ] KON:CD VZ:CJ
VP: NP VVPP [VAINF]
VP: [VVIZU] NP
VP: VP [CVP] PP
VP: NP [PP]
VZ: PTKZU [VVINF]
VZ: [PTKZU] $,
NP: ART NE [NN] S
NP: ART [PIS] NP
NP: [NP] PP
NP: [CNP] PP
NP: ART [ADJA] S
NP: CARD [CARD] $,
NP: ART [PP] $,
PN: NE [NE]
MPN: NE [NE]
NM: [CARD] XY
PP: [APPR] ART NN APZR
PP: NP [APPO]
PP: ADV [PP] PP
PP: NP [PROAV]
AP: PP [ADJD] NP
AP: PIAT [ADJA]
AP: NP [CARD]
AVP: ADV [PWAV] PP
AVP: [PTKNEG] $,
DL: S $, [S] $.
ROOT: S [S] $.
ROOT: $, [$.]
"""


def lines(text):
    return text.strip().split("\n")


def test_examples():
    for line in lines(EXAMPLES) + lines(COORDINATION) + lines(WH) + lines(NEWER):
        mother, _, children = line.partition(": ")
        marked = children.split()
        [head] = [place for place, child in enumerate(marked) if child.startswith("[")]
        assert find_head(mother, [child.strip("[]") for child in marked], collins()) == head


def test_german_examples():
    for line in lines(GERMAN):
        mother, _, children = line.partition(": ")
        [head] = [place for place, child in enumerate(children.split()) if child.startswith("[")]
        parts = [child.strip("[]").partition(":") for child in children.split()]
        functions = [[function] if function else [] for _, _, function in parts]
        assert find_head(mother, [name for name, _, _ in parts], negra(), functions) == head


def test_every_german_mother_has_an_example_and_looks_at_functions_first():
    mothers = {line.partition(":")[0] for line in lines(GERMAN)}
    assert set(negra()) - {"*"} <= mothers
    assert all(rules[0].how == "function" for rules in negra().values())


def test_edge_labels_of_tokens_and_nodes_are_looked_at():
    tree = read("(S (NP-SB (NN Heu)) (VP-HD (VVPP gekauft)) (VAFIN hat))")
    assert mark_heads(tree, negra()).root.nodes[0].head == 1
    tree.root.nodes[0].nodes[1].functions = ("OC",)
    assert mark_heads(tree, negra()).root.nodes[0].head == 2
    tree = read("(NP (ART das) (NN Heu))")
    tree.tokens[0].function = "HD"
    assert mark_heads(tree, negra()).root.nodes[0].head == 0


def test_parts_of_split_nodes_count_as_whole_ones():
    tree = read("(S (NP (NN Heu)) (VP*1 (VBZ is)) (NP (NN hay)))")
    [sentence] = tree.root.nodes
    assert head_of(tree, sentence) == 1
    sentence.category = "VP*2"
    sentence.nodes[1].category = "XP"
    assert head_of(tree, sentence) == 0


def test_every_mother_of_the_file_has_an_example():
    mothers = {line.partition(":")[0] for line in lines(EXAMPLES) + lines(NEWER)}
    assert set(collins()) - {"*"} <= mothers


NAMES = re.findall(r"(?<= )\S+", EXAMPLES + COORDINATION + WH)
CHILDREN = sorted({name.strip("[]") for name in NAMES} - {"SYM"})
MOTHERS = sorted({line.partition(":")[0] for line in lines(EXAMPLES)} - {"XYZ", "ADVP|PRT"})


@given(
    st.sampled_from(MOTHERS),
    st.lists(st.sampled_from(CHILDREN) | st.just("CC"), min_size=1, max_size=6),
)
def test_heads_are_those_of_the_naive_table(mother, children):
    nested = {
        "category": mother,
        "children": [{"tag": tag, "at": i} for i, tag in enumerate(children)],
    }
    expected = naive.head_child(nested)["at"]
    assert find_head(mother, children, collins()) == expected


def check_heads_are_those_of_collins(trees):
    for tree in map(transform, trees):
        for node in tree.nodes():
            names = [
                tree.tokens[child].tag if isinstance(child, int) else child.category
                for child in node.children
            ]
            children = [{"tag": name, "at": at} for at, name in enumerate(names)]
            expected = naive.head_child({"category": node.category, "children": children})
            assert head_of(tree, node) == expected["at"]


def test_heads_of_older_treebanks_are_those_of_collins():
    check_heads_are_those_of_collins(read_trees("plcfrs:demo"))


@pytest.mark.full
@pytest.mark.usefixtures("penn_treebank")
def test_heads_of_all_trees_of_nltk_are_those_of_collins():
    check_heads_are_those_of_collins(read_trees("nltk:treebank"))


def test_mark_heads_and_lexical_heads():
    tree = mark_heads(
        read("(S (NP-SBJ (DT the) (NN goat)) (VP (MD will) (VP (VB eat) (NP (NN hay)))) (. .))")
    )
    assert [node.head for node in tree.nodes()] == [0, 1, 1, 0, 0, 0]
    heads = lexical_heads(tree)
    words = [tree.tokens[heads[node]].form for node in tree.nodes()]
    assert words == ["will", "will", "goat", "will", "eat", "hay"]


def test_lexical_heads_of_a_tree_without_heads():
    assert lexical_heads(read("(S (NN hay))")) == {}


def test_heads_of_deep_trees():
    node = Node("VP", children=[0])
    for _ in range(10_000):
        node = Node("VP", children=[node])
    tree = mark_heads(Tree(node, read("(VB eat)").tokens))
    assert set(lexical_heads(tree).values()) == {0}


def test_read_head_rules(tmp_path):
    path = tmp_path / "own.heads"
    path.write_text("# mine\n\nNP left any NN CC\n* right priority\n", encoding="utf-8")
    rules = read_head_rules(path)
    assert find_head("NP", ["DT", "CC", "NN"], rules) == 1
    assert find_head("VP", ["VB", "NP"], rules) == 1
    tree = mark_heads(read("(NP (DT the) (NN goat) (NN bell))"), rules)
    assert [node.head for node in tree.nodes()] == [0, 1]


def test_priority_any_and_outermost(tmp_path):
    path = tmp_path / "own.heads"
    path.write_text(
        "A left priority Y X\nB left any Y X\nC left outermost Y\nC right outermost X\n"
        "* left priority\n"
    )
    rules = read_head_rules(path)
    children = ["Z", "X", "Y", "X"]
    assert [find_head(mother, children, rules) for mother in "ABC"] == [2, 1, 3]
    assert find_head("C", ["Z", "X", "Y"], rules) == 2


def test_functions_words_wildcards_and_several_mothers(tmp_path):
    path = tmp_path / "own.heads"
    path.write_text("A,B left function HD SB\nA right any V?FIN\nB left word\n* left any\n")
    rules = read_head_rules(path)
    children = ["$,", "VVFIN", "VAFIN", "NN"]
    assert [find_head(mother, children, rules) for mother in "ABC"] == [2, 1, 0]
    labels = [(), (), ("X", "SB"), ("HD",)]
    assert [find_head(mother, children, rules, labels) for mother in "ABC"] == [2, 2, 0]


def test_packaged_rules_by_name():
    assert read_head_rules("collins") == collins()
    assert read_head_rules("negra") == negra()


def test_errors_say_where_and_what(tmp_path):
    for text, message in [
        ("NP middle any NN\n* left any", r"own.heads:1: expected MOTHER left\|right"),
        ("* left any\nNP left some NN", r"own.heads:2: expected MOTHER left\|right"),
        ("* left any\nNP", r"own.heads:2: expected"),
        ("NP left any NN", r"own.heads: a line for the mother \* \(all others\) is missing"),
    ]:
        path = tmp_path / "own.heads"
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_head_rules(path)


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.heads: cannot read head rules"):
        read_head_rules(tmp_path / "nowhere.heads")
