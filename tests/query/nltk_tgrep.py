"""What `nltk.tgrep` finds, in trees without crossing branches."""

import warnings

from nltk.tree import ParentedTree

from plcfrs.interop import to_nltk
from plcfrs.trees import Node, Tree

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # NLTK uses old names of pyparsing
    from nltk.tgrep import tgrep_compile, tgrep_positions

# fmt: off
OPERATORS = (
    "<", ">", "<<", ">>", "<,", ">,", "<-", ">-", "<'", ">'", "<2", ">2", "<-2", ">-2", "<:", ">:",
    "<<,", ">>,", "<<'", ">>'", "<<:", ">>:", ".", ",", "..", ",,", "$", "$.", "$,", "$..", "$,,",
)
# fmt: on


def found_by_tgrep(tree: Tree, query: str) -> set[Node | int]:
    nltk_tree = ParentedTree.convert(to_nltk(tree))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pattern = tgrep_compile(query)
    (positions,) = tgrep_positions(pattern, [nltk_tree], search_leaves=False)
    return {element_at(tree, position) for position in positions}


def element_at(tree: Tree, position: tuple[int, ...]) -> Node | int:
    element: Node | int = tree.root
    for place in position:
        element = element.children[place]
    return element
