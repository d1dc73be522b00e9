"""Valid queries, and the messages about invalid ones."""

import pytest
from quick import core

from plcfrs.errors import InputError
from plcfrs.query import find, parse_query
from plcfrs.trees import Node, Token, Tree

NODE = 'expected a node (NP, "PRP$", /^WH/, * or a pattern in parentheses) or =name, but '
OPERATOR = "expected an operator such as <, .. or <~"
ATTRIBUTE = (
    f"{OPERATOR} or an attribute (discontinuous, fanout, length, category, function, split, moved, "
    "word, tag, lemma, morph, null, antecedent)"
)
MALFORMED = {
    "": f", column 1: {NODE}the query ends there",
    "NP <": f", column 5: {NODE}the query ends there",
    "NP < < VP": f", column 6: {NODE}found '<'",
    "NP <\n < VP": f", column 7: {NODE}found '<'",
    "PRP$": f", column 5: {NODE}the query ends there",
    "!NP": f", column 1: {NODE}found '!NP'",
    "NP < (VP": ", column 9: expected ), but the query ends there",
    "NP < VP)": ", column 8: expected the end of the query, but found ')'",
    "NP VP": f", column 4: {OPERATOR} or =name or the end of the query, but found 'VP'",
    "S < NP | VP": f", column 10: {OPERATOR}, but found 'VP'",
    "S < VP ![< NP]": f", column 9: {OPERATOR}, but found '[<'",
    "VP[fan-out=2]": ", column 4: there is no attribute fan-out: did you mean fanout?",
    "VP[colour=2]": f", column 4: {ATTRIBUTE}, but found 'colour=2]'",
    "VP[]": f", column 4: {ATTRIBUTE}, but found ']'",
    "VP[": f", column 4: {ATTRIBUTE}, but the query ends there",
    "VP[fanout]": ", column 10: expected =, !=, <, <=, > or >=, but found ']'",
    "VP[fanout=two]": ", column 11: expected a number, but found 'two]'",
    "VP[moved=]": (
        ", column 10: expected a value such as SBJ, \"a text\" or /an expression/, but found ']'"
    ),
    "NP : < VP": ", column 6: expected =name, but found '<'",
    "NP < /a(b/": (
        ", column 6: /a(b/ is not a regular expression: "
        "missing ), unterminated subpattern at position 1"
    ),
    "NP < /ab": ", column 6: a second / is missing",
    'NP < "ab': ', column 6: a second " is missing',
    "NP < =n": (
        ", column 6: no node before =n has the name n in all alternatives: give it as in NP=n"
    ),
    "NP=n < (VP < NP=n)": ": two nodes have the name n",
    "NP" + " < NP" * 101: ": more than 100 conditions",
    "NP" + " < (NP" * 5000 + ")" * 5000: ": more than 100 conditions",
    "/[a--z]/": ", column 1: /[a--z]/ is not a regular expression: "
    "bad character range a-- at position 1",
    f"NP[{'!' * 5000}moved]": ": more than 100 conditions",
}


def test_malformed():
    for query in MALFORMED:
        with pytest.raises(InputError) as caught:
            parse_query(query)
        assert str(caught.value) == f"query{MALFORMED[query]}"


def test_expressions_of_any_depth():
    with pytest.raises(InputError, match="is not a regular expression"):
        parse_query(f"/{'(' * 5000}/")


def test_names_that_are_not_known():
    for query in [
        "=n < NP",
        "NP !< VP=n < =n",
        "NP [< VP=n | < PP] < =n",
        "NP < =n < VP=n",
        "NP : =n < VP",
        "NP ![< VP=n] : =n < VP",
    ]:
        with pytest.raises(InputError, match="no node before =n has the name n"):
            parse_query(query)


def test_names_that_are_known():
    for query in [
        "NP=n < =n",
        "NP !< (VP=n < (NP > =n))",
        "NP [< VP=n | < PP=n] < =n",
        "NP !< VP=n !< PP=n",
        "NP[moved]=n : =n < VP & < NP : =n [discontinuous]",
    ]:
        assert parse_query(query).text == query


def sentence() -> Tree:
    """A tree with words and tags that need quotes, or look like something else."""
    words = [("my", "PRP$"), ("fanout", "NN"), ('"', "''"), ("1/2", "CD"), ("S", "NNP"), ("|", ":")]
    inner = Node("NP", ("SBJ", "TMP"), children=[0, 1, 2], index=1)
    middle = Node("ADVP|PRT", children=[3])
    return Tree(
        Node("ROOT", children=[Node("S", (), children=[inner, middle, 4, 5], split="WH")]),
        [Token(form, tag) for form, tag in words],
    )


def test_labels_and_attributes():
    for query, found in [
        ('"PRP$"', [0]),
        ("my|fanout", [0, 1]),
        ("fanout", [1]),
        ("* < fanout", [1]),
        ("*[word=fanout]", [1]),
        ("*[fanout=1 & word=fanout]", [1]),
        (r'"\""', [2]),
        ("\"''\"", [2]),
        ("*[tag=\"''\"]", [2]),
        ("1/2", [3]),
        (r"/^\d\/\d$/", [3]),
        ("i@MY", [0]),
        ('i@"Fanout"', [1]),
        ("i@/^FAN/", [1]),
        ("/^FAN/", []),
        ('"|"', [5]),
        (r"/^(\||1)/", [3, 5]),
        ("S", ["S", 4]),
        ("S^WH", ["S"]),
        ("S^INF", []),
        ("/^S$/", ["S", 4]),
        ("__ < S", ["ROOT", 4]),
        ("NP", ["NP"]),
        ("NP-SBJ", ["NP"]),
        ("NP-TMP-SBJ", ["NP"]),
        ("NP-1", ["NP"]),
        ("NP-2", []),
        ("NP-LOC", []),
        ("/^NP-SBJ-TMP-1$/", ["NP"]),
        ("/^NP$/", []),
        ('"ADVP|PRT"', ["ADVP|PRT"]),
        ("*[category=ADVP]", []),
        ("*[category=/^ADVP/]", ["ADVP|PRT"]),
        ("*[category!=S & category!=ROOT & category]", ["NP", "ADVP|PRT"]),
        ("*[function=TMP]", ["NP"]),
        ("*[split]", ["S"]),
        ("*[split=WH|INF]", ["S"]),
        ("NP|CD", ["NP", 3]),
        ("/^NN/|CD >: *|NP", [3]),
    ]:
        matches = find(sentence(), query)
        assert [match.category if isinstance(match, Node) else match for match in matches] == found


def test_intermediate_nodes_are_not_their_constituents():
    inner = Node("VP", ancestors=("S",), intermediate=True, siblings=("NP",), children=[0])
    tree = Tree(Node("ROOT", children=[Node("VP", ancestors=("S",), children=[inner])]), [])
    tree.tokens.append(Token("sing", "VB"))
    assert find(tree, "VP") == [tree.root.children[0]]
    assert find(tree, '"@VP"') == find(tree, '"@VP>S+NP"') == [inner]
    assert find(tree, '"@VP>SBAR"') == []


@core(
    2,
    ("short", "long"),
    [
        ("A < B < C", "A < B & < C"),
        ("A < B | < C < D", "A [< B | [< C & < D]]"),
        ("A < B|C", "A [< B | < C]"),
        ("A < B [< C]", "A < (B < C)"),
        ("A [< B] < C", "A < B < C"),
        ("A !< B|C", "A !< B !< C"),
        ("((A < B)) < C", "A < B < C"),
        ("A[!discontinuous]", "A ![discontinuous]"),
        ("A[fanout!=2]", "A[!fanout=2]"),
        ("A[moved!=x]", "A[!moved=x]"),
        ("A[moved < B]", "A[moved & < B]"),
        ("A<B$C", "A < B $ C"),
        ("A<'B", "A <- B"),
        ("A[moved]=n", "A=n[moved]"),
        ("A < B=b : =b < C", "A < (B < C)"),
    ],
)
def test_ways_to_say_the_same(short, long):
    """Checked in a tree for each set of nodes below A; sometimes B and C have a child C."""
    for choice in range(64):
        tree = family(choice)
        assert find(tree, short) == find(tree, long)
    assert any(find(family(choice), short) for choice in range(64))


def family(choice: int) -> Tree:
    """A node A with some of B, C and D; more bits of the number add nodes, a gap and a sister."""
    leaf = iter(range(20))
    a = Node("A", moved="x" if choice & 8 else None)
    for bit, category in ((1, "B"), (2, "C"), (4, "D")):
        if choice & bit:
            below = Node("C", children=[next(leaf)]) if choice & 16 else next(leaf)
            a.children.append(Node(category, children=[below]))
    sister = Node("C", children=[next(leaf)])
    if choice & 32 or not a.children:
        a.children.append(next(leaf))
    tree = Tree(Node("ROOT", children=[a, sister]), [])
    tree.tokens = [Token("w", "T") for _ in range(next(leaf))]
    return tree
