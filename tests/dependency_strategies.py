"""Random dependency trees for hypothesis."""

from hypothesis import strategies as st
from strategies import tokens

from plcfrs.trees import DependencyTree

RELATIONS = ("S#1", "NP#2", "root", "nsubj:pass", "S|VP#1", "")


@st.composite
def dependency_trees(draw: st.DrawFn, max_tokens: int = 8) -> DependencyTree:
    """Any heads, as of a bad parser: several roots, cycles, crossing arcs."""
    sentence = draw(st.lists(tokens(), min_size=1, max_size=max_tokens))
    numbers = range(1, len(sentence) + 1)
    heads = [
        draw(st.sampled_from([head for head in (0, *numbers) if head != word])) for word in numbers
    ]
    return DependencyTree(sentence, heads, [draw(st.sampled_from(RELATIONS)) for _ in numbers])
