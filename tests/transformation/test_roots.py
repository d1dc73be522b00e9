"""Words and constituents at the root that interrupt others."""

from crossing import crossing, written
from hypothesis import given
from quick import core
from strategies import trees
from test_punctuation import trees_with_marks

from plcfrs.transformation import attach_low, remove_punctuation
from plcfrs.trees import Node
from plcfrs.trees.tree import fan_out


@core(
    1,
    ("text", "expected"),
    [
        (  # to the lowest node around it, over a comma at the root
            """(ROOT (S (NP (NN 0=Heu) (ADJA 3=frisch)) (VVFIN 4=hilft)) ($, 1=,) (ITJ 2=ach))""",
            """(ROOT (S (NP (NN 0=Heu) (ITJ 2=ach) (ADJA 3=frisch)) (VVFIN 4=hilft)) ($, 1=,))""",
        ),
        (  # not lower: the gap of the VP has other tokens in it
            """(ROOT (S (VP (NN 0=Heu) (VVPP 3=gekauft)) (VAFIN 2=hat)) (PAR (ADV 1=ja)))""",
            """(ROOT (S (VP (NN 0=Heu) (VVPP 3=gekauft)) (PAR (ADV 1=ja)) (VAFIN 2=hat)))""",
        ),
        (  # not lower: the VP would have three gaps
            """(ROOT (Y (NN 0=y) (NN 2=y)) (S (VP (NN 1=a) (NN 8=a)) (NN 4=b) (NN 5=b))
                (X (NN 3=c) (NN 6=c)) (Z (NN 7=z) (NN 9=z)))""",
            """(ROOT (Y (NN 0=y) (NN 2=y)) (S (VP (NN 1=a) (NN 8=a)) (X (NN 3=c) (NN 6=c))
                (NN 4=b) (NN 5=b)) (Z (NN 7=z) (NN 9=z)))""",
        ),
        (  # two in one gap
            """(ROOT (S (NN 0=Heu) (VVFIN 3=hilft)) (ITJ 1=ach) (PAR (ITJ 2=je)))""",
            """(ROOT (S (NN 0=Heu) (ITJ 1=ach) (PAR (ITJ 2=je)) (VVFIN 3=hilft)))""",
        ),
        (  # the nearer one gets it
            """(ROOT (A (NN 0=a) (NN 5=a)) (B (NN 1=b) (NN 3=b)) (NN 2=x) (NN 4=y))""",
            """(ROOT (A (NN 0=a) (B (NN 1=b) (NN 2=x) (NN 3=b)) (NN 4=y) (NN 5=a)))""",
        ),
        (  # not between tokens of one constituent
            """(ROOT (KON 0=Und) (S (NN 1=Heu) (VVFIN 2=hilft)) (ITJ 3=ach) (NP (NN 4=Gras)))""",
            """(ROOT (KON 0=Und) (S (NN 1=Heu) (VVFIN 2=hilft)) (ITJ 3=ach) (NP (NN 4=Gras)))""",
        ),
        (  # not between tokens of one constituent as a whole
            """(ROOT (A (NN 0=a) (NN 3=a)) (B (NN 1=b) (NN 4=b)) (C (NN 2=c) (NN 5=c)))""",
            """(ROOT (A (NN 0=a) (NN 3=a)) (B (NN 1=b) (NN 4=b)) (C (NN 2=c) (NN 5=c)))""",
        ),
    ],
)
def test_examples(text, expected):
    assert written(attach_low(crossing(text))) == " ".join(expected.split())


@given(trees())
def test_no_constituent_gets_a_gap(tree):
    for token in tree.tokens:
        token.tag = "NN"
    before = {node: fan_out(span) for node, span in tree.yields().items()}
    at_root, tokens = len(tree.root.children), list(tree.tokens)
    attach_low.in_place(tree)
    after = {node: fan_out(span) for node, span in tree.yields().items()}
    assert after.keys() == before.keys()
    assert all(after[node] <= before[node] for node in before)
    assert tree.tokens == tokens
    assert len(tree.root.children) <= at_root
    assert attach_low(tree) == tree


@given(trees_with_marks())
def test_punctuation_at_the_root_does_not_matter(tree):
    bare = attach_low(remove_punctuation(tree))
    assert remove_punctuation(attach_low(tree)) == bare


def test_continuous_material_always_finds_a_place():
    node = Node("S", children=[0, 2])
    for _ in range(1_000):
        node = Node("S", children=[node])
    tree = crossing("(ROOT (X (NN 0=Heu) (NN 2=Gras)) (NN 1=ach))")
    tree.root.children[0] = node
    assert attach_low(tree).gap_degree() == 0
