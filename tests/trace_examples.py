"""Sentences with traces, one for each construction, and the versions of their trees."""

from bracket import read
from hypothesis import strategies as st

from plcfrs.transformation import CONTEXT_FREE, TRACE_TYPES, transform
from plcfrs.treebank import FORMATS
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Tree

WH = """(SBARQ (WHNP-1 (WP What)) (SQ (MD should) (NP-SBJ (PRP I))
    (VP (VB do) (NP (-NONE- *T*-1)))) (. ?))"""

WH_SUBJECT = """(NP (NP (NN rain)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (-NONE- *T*-1))
    (VP (VBD fell)))))"""

FRONTED = """(S (S-TPC-1 (NP-SBJ (PRP it)) (VP (VBD rained))) (, ,) (NP-SBJ (PRP she))
    (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .))"""

SURROUNDING = """(S-1 (NP-SBJ (PRP it)) (PRN (, ,) (S (NP-SBJ (PRP she)) (VP (VBD said)
    (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,)) (VP (VBD rained)) (. .))"""

FRONTING = """(S (PP-TPC-1 (IN of) (NP (DT these))) (NP-SBJ (PRP it)) (VP (VBZ is)
    (NP-PRD (NP (NN one)) (PP (-NONE- *T*-1)))) (. .))"""

RAISING = """(S (NP-SBJ (PRP they)) (VP (VP (VBP sell) (NP (-NONE- *RNR*-1))) (CC or)
    (VP (VBP lend) (NP (-NONE- *RNR*-1))) (ADVP (RB perhaps)) (NP-1 (JJ old) (NNS books))) (. .))"""

ICH = """(S (NP-SBJ (NP (DT a) (NN man)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came)
    (SBAR-1 (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBD sang))))) (. .))"""

EXP = """(S (NP-SBJ (NP (PRP it)) (S (-NONE- *EXP*-1))) (VP (VBZ is) (ADJP-PRD (JJ good))
    (S-1 (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB sing))))) (. .))"""


def discontinuous(text: str) -> Tree:
    """Return a tree with its traces turned into crossing branches."""
    return transform(read(text, "example"))


def context_free(text: str) -> Tree:
    """Return a tree without traces, and with its phrases in their places."""
    return transform(read(text, "example"), CONTEXT_FREE)


def parse(text: str) -> Tree:
    """Return the tree of a text in discbracket format."""
    return FORMATS["discbracket"].parse(Chunk("a.discbracket", 1, " ".join(text.split()), 1))


def corpora(trees: list[Tree]) -> tuple[list[Tree], list[Tree]]:
    """Return both versions of trees with traces."""
    others = [transform(tree, CONTEXT_FREE) for tree in trees]
    return [transform(tree) for tree in trees], others


@st.composite
def brackets(draw):
    """Draw a tree with far more traces, in far worse places, than a treebank has."""
    index = st.sampled_from(["", "", "-1", "-2", "-3"])
    on_traces = draw(st.booleans())
    words = st.sampled_from(["(NN w)", "(VB w)", "(TO w)", "(VBD w)", "(CC w)", "(, ,)", "(WP w)"])
    types = st.sampled_from(TRACE_TYPES)
    other = st.sampled_from(["0", "*", "*U*", "*0*"])
    forms = other | (st.builds(str.__add__, types, index) if on_traces else types)
    tokens = words | words | forms.map(lambda form: f"(-NONE- {form})")
    categories = st.sampled_from(
        ["S", "NP", "VP", "SBAR", "SBAR-TMP", "PRN", "WHNP", "SQ", "PP-LOC"]
    )
    labels = st.builds(str.__add__, categories, index)

    def nodes(children):
        inner = st.lists(children, min_size=1, max_size=3).map(" ".join)
        return st.builds("({} {})".format, labels, inner)

    return draw(nodes(st.recursive(tokens, nodes, max_leaves=20)))
