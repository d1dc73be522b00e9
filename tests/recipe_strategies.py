"""Recipes of all kinds, for Hypothesis."""

from math import inf

from hypothesis import strategies as st

from plcfrs.grammar import Recipe

_REST = (
    st.sampled_from([1, 2]),
    st.sampled_from(["maximum-likelihood", "interpolated", "factored"]),
    st.booleans(),
    st.booleans(),
)

RECIPES = st.one_of(
    st.builds(Recipe, st.sampled_from(["none", "deterministic", "optimal"]), st.just(inf), *_REST),
    st.builds(
        Recipe,
        st.sampled_from(["head-outward", "left-to-right", "right-to-left"]),
        st.sampled_from([0, 1, inf]),
        *_REST,
    ),
)
