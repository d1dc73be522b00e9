"""The set-based search with what is fixed of trees: all derivations that have it, and no others."""

from hypothesis import given
from hypothesis import strategies as st
from quick import examples
from set_walks import LABELS, WildScorer, plain_trees

from plcfrs.parsers.neural.network import categories_of
from plcfrs.parsers.neural.search import search
from plcfrs.trees import Fixed, FixedConstituent

CHAINS = dict(enumerate(map(categories_of, LABELS)))


@examples(200)
@given(plain_trees(5), st.integers(0, 99), st.randoms())
def test_all_derivations_with_the_required_sets_are_found(tree, seed, random):
    length = len(tree.tokens)
    every = Fixed.of(tree).required
    fixed = Fixed(tuple(each for each in every if random.random() < 0.7))
    scorer = WildScorer([length], seed)
    [(found, *_)] = search([length], scorer, LABELS, 10**6, [fixed])
    [(free, *_)] = search([length], scorer, LABELS, 10**6)
    spans = {each.span for each in fixed.required}
    right = {tuple(each.steps) for each in free if spans <= {*each.sets}}
    assert {tuple(each.steps) for each in found} == right


@given(st.integers(2, 6), st.integers(0, 99), st.integers(1, 2**6 - 1))
def test_labels_of_sets(length, seed, span):
    span &= 2**length - 1
    scorer = WildScorer([length], seed)
    for category in ("NP", "VP", "S", None):
        constituent = FixedConstituent(category, span or 1)
        for fixed, is_there in ((Fixed((constituent,)), True), (Fixed((), (constituent,)), False)):
            [([found], *_)] = search([length], scorer, LABELS, 1, [fixed])
            chains = [
                chain
                for mask, label in found.constituents.items()
                for chain in CHAINS[label]
                if constituent.fits(chain, mask)
            ]
            labels = LABELS[2:4] if constituent.span == 2**length - 1 else LABELS[1::3]
            if any(category in (None, *categories_of(label)[-1:]) for label in labels):
                assert bool(chains) == is_there
