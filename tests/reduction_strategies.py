"""Random head-ordered dependencies, and trees that they must be able to express."""

import nasty
from hypothesis import strategies as st
from prepared import headed_trees
from strategies import CATEGORIES, tokens

from plcfrs.trees import DependencyTree

ENCODINGS = ("direct", "delta", "hall-nivre")
_LABELS = ("ROOT", "\\ROOT", "ROOTS", "S#1", "A|B", "S+VP", "root", "#", "|", "+", "^", "\\", "_")
_RELATIONS = (
    "S#1",
    "NP#2",
    "VP|S#3",
    "S+VP#1|NP",
    "S#0",
    "S#-3",
    "S#99999999999",
    "ROOT#1",
    "S+ROOT#2",
    "ROOT",
    "root",
    "root|NP",
    "root|ROOT",
    "nsubj",
    "_",
    "",
    "#",
    "#1",
    "|",
    "||#1|",
    "+#2|+",
)


@st.composite
def nasty_trees(draw, max_tokens=8):
    """Random trees with random heads, and any text as category and split."""
    tree = draw(headed_trees(max_tokens))
    texts = st.sampled_from([*CATEGORIES, *_LABELS]) | nasty.texts()
    for node in tree.nodes()[1:]:
        node.category = draw(texts)
        node.split = draw(st.just("") | texts)
    return tree


@st.composite
def weakly_ordered(draw, max_tokens=10):
    """Any dependency tree with one root, dense events, and one label an event."""
    sentence = draw(st.lists(tokens(), min_size=1, max_size=max_tokens))
    root, *others = draw(st.permutations(range(1, len(sentence) + 1)))
    heads = {root: 0}
    for number in others:
        heads[number] = draw(st.sampled_from(list(heads)))
    relations = {root: "root"}
    for head in list(heads):
        below = [number for number in heads if heads[number] == head]
        events = [draw(st.integers(1, len(below))) for _ in below]
        dense = {event: place for place, event in enumerate(sorted(set(events)), start=1)}
        labels = {place: draw(st.sampled_from(["S", "NP", "VP"])) for place in dense.values()}
        if head == root and draw(st.booleans()):
            labels[len(dense)] = "ROOT"
        for number, event in zip(below, events, strict=True):
            relations[number] = f"{labels[dense[event]]}#{dense[event]}"
    order = range(1, len(sentence) + 1)
    return DependencyTree(sentence, [heads[n] for n in order], [relations[n] for n in order])


@st.composite
def predictions(draw):
    """Any heads and relations at all."""
    sentence = draw(st.lists(tokens(), max_size=8))
    size = len(sentence)
    heads = st.integers(0, size) | st.integers(-2, size + 3)
    relations = st.sampled_from(_RELATIONS) | nasty.texts()
    return DependencyTree(
        sentence,
        draw(st.lists(heads, min_size=size, max_size=size)),
        draw(st.lists(relations, min_size=size, max_size=size)),
    )
