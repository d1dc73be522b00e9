"""Where no branches cross, queries find what `nltk.tgrep` finds: in random trees and in the Penn
Treebank.

tgrep knows only whole labels, so regular expressions stand for categories with functions. It does
not know the nodes above or beside a word, so words occur only below other nodes in the queries.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.corpus import treebank
from nltk.tree import ParentedTree
from nltk_tgrep import OPERATORS, found_by_tgrep, tgrep_compile, tgrep_positions
from query_strategies import CATEGORIES, TAGS, untangled_trees
from quick import examples

from plcfrs.query import Treebank, find

PENN_QUERIES = (
    r"/^VP/ < (/^SBAR/ < /^S($|-)/)",
    r"/^NP/ < (/^NP/ $.. (/^SBAR/ < /^WHNP/))",
    r"/^S/ << /^WHNP/ !<< /^MD/",
    r"/^NP-SBJ/ $.. (/^VP/ << /^\*T\*/)",
    r"/^VB/ . (/^IN/ . /^DT/)",
    r"/^VP/ < (/^VB/ $. /^NP/) !< /^PP/",
    r"/^WHNP/ > (/^SBAR/ > (/^NP/ >> /^VP/))",
    r"/^NP/ <<, /^DT/ <<' /^NN/",
    r"/^PP/ <1 /^IN/ <2 (/^NP/ <: /^NNP/)",
    r"/^NP/ [<- /^POS/ | < (/^NN/ , /^JJ/)]",
    r"/^VP/ <: (/^VB/ < /ing$/)",
    r"/^-NONE-/ ,, /^MD/ .. /^RB/",
)
LABELS = st.sampled_from((*CATEGORIES, *TAGS, "/P/", "/^[NV]/", "S|NP", "/^V/|S"))


def conditions(depth: int) -> st.SearchStrategy[str]:
    below = st.just("*") | st.sampled_from(("w0", "w1")) | patterns(depth - 1)
    relation = st.builds(
        "{}{} {}".format, st.sampled_from(("", "", "!")), st.sampled_from(OPERATORS), below
    )
    group = st.builds(
        "{}[{} {} {}]".format,
        st.sampled_from(("", "!")),
        relation,
        st.sampled_from(("&", "|", "")),
        relation,
    )
    return (
        relation | st.builds("{} {} {}".format, relation, st.sampled_from("&|"), relation) | group
    )


def patterns(depth: int = 2) -> st.SearchStrategy[str]:
    if depth <= 0:
        return LABELS
    return LABELS | st.builds("({} {})".format, LABELS, conditions(depth))


@examples(60)
@given(untangled_trees(), LABELS, conditions(2))
def test_random_trees(tree, label, condition):
    query = f"{label} {condition}"
    assert set(find(tree, query)) == found_by_tgrep(tree, query)


@pytest.mark.full
def test_penn_treebank(penn_treebank):
    """Counted by tgrep in the trees as NLTK reads them, which have no node ROOT."""
    nltk_trees = [ParentedTree.convert(tree) for tree in treebank.parsed_sents()]
    ours = Treebank(penn_treebank)
    for query in PENN_QUERIES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pattern = tgrep_compile(query)
        positions = tgrep_positions(pattern, nltk_trees, search_leaves=False)
        expected = [len(found) for found in positions]
        found = np.bincount(ours.find(query).trees_of, minlength=len(nltk_trees))
        assert found.tolist() == expected, query
        assert sum(expected) > 20, query
