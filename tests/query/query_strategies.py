"""Random trees and random queries about them."""

from collections.abc import Iterator
from itertools import count

from hypothesis import strategies as st

from plcfrs.query.joins import OPERATORS as NAMED
from plcfrs.trees import Node, Token, Tree

CATEGORIES = ("S", "NP", "VP")
TAGS = ("NN", "VB")
OPERATORS = (*NAMED, "<2", ">2", "<-2", ">-2", "<'", "<<'")


@st.composite
def trees(draw: st.DrawFn, max_tokens: int = 5) -> Tree:
    """Small trees with crossing branches; each word occurs once, but null elements do not."""
    length = draw(st.integers(1, max_tokens))
    tags = draw(st.lists(st.sampled_from((*TAGS, "-NONE-", ",")), min_size=length, max_size=length))
    tokens = [
        Token(f"w{i}", tag, function=draw(st.sampled_from(("", "SB"))))
        for i, tag in enumerate(tags)
    ]
    for token in tokens:
        if token.is_null:
            token.form = draw(st.sampled_from((token.form, "0", "*", "*-1", "*T*-1", "*T*-2")))
    parts: list[Node | int] = list(range(length))
    for _ in range(draw(st.integers(0, length + 2))):
        functions = draw(st.sampled_from(((), ("SBJ",), ("SBJ", "TMP"))))
        moved = draw(st.sampled_from((None, "*T*")))
        index = draw(st.sampled_from((None, None, 1, 2)))
        node = Node(draw(st.sampled_from(CATEGORIES)), functions, index=index, moved=moved)
        places = st.integers(0, len(parts) - 1)
        for place in sorted(draw(st.sets(places, min_size=1, max_size=3)), reverse=True):
            node.children.append(parts.pop(place))
        parts.append(node)
    tree = Tree(Node("ROOT", children=parts), tokens)
    tree.sort_children()
    return tree


def untangled_trees() -> st.SearchStrategy[Tree]:
    """The same without functions and crossing branches: tokens are numbered in order."""
    return trees(max_tokens=7).map(lambda tree: Tree(untangled(tree.root, count()), tree.tokens))


def untangled(node: Node, positions: Iterator[int]) -> Node:
    node.functions, node.index = (), None
    node.children = [
        next(positions) if isinstance(child, int) else untangled(child, positions)
        for child in node.children
    ]
    return node


def labels() -> st.SearchStrategy[str]:
    return st.sampled_from(
        (*CATEGORIES, *TAGS, "NP-SBJ", "S|NP", "*", "/P/", "w1", "VP|/^N/", "NP|w0", "i@vb")
    )


def attributes() -> st.SearchStrategy[str]:
    return st.sampled_from(
        (
            "discontinuous",
            "discontinuous=words",
            "fanout=2",
            "fanout>=2",
            "length<2",
            "length!=1",
            "function=SBJ|SB",
            "function!=SBJ",
            "function",
            "moved",
            "moved=*T*",
            "category=/P$/",
            "null",
            "null=*T*|0",
            "antecedent",
            "antecedent!=NP",
            "tag=NN",
            "!word=w0",
        )
    )


def conditions(names: tuple[str, ...] = (), depth: int = 2) -> st.SearchStrategy[str]:
    """Conditions, without brackets around them; they may refer to names."""
    relations = st.builds(
        lambda negation, sign, node: f"{negation}{sign} {node}",
        st.sampled_from(("", "", "!")),
        st.sampled_from(OPERATORS),
        patterns(names, depth - 1),
    )
    groups = st.builds(
        lambda negation, one, sign, other: f"{negation}[{one} {sign} {other}]",
        st.sampled_from(("", "!")),
        relations | attributes(),
        st.sampled_from(("&", "|")),
        relations | attributes(),
    )
    return st.lists(relations | groups, min_size=1, max_size=2).map(" & ".join)


def patterns(names: tuple[str, ...] = (), depth: int = 2) -> st.SearchStrategy[str]:
    """Patterns in parentheses, or labels and references."""
    simple = labels() | st.builds("{}[{}]".format, labels(), attributes())
    if names:
        simple |= st.sampled_from(names).map("={}".format)
    if depth <= 0:
        return simple
    described = st.builds("({} & {})".format, labels(), conditions(names, depth))
    return simple | described


def queries() -> st.SearchStrategy[str]:
    """Queries without names."""
    return st.builds("{} & {}".format, labels(), conditions(depth=2))


def queries_with_names() -> st.SearchStrategy[str]:
    """Queries with two names, which are referred to later and in a separate segment."""
    wide = st.sampled_from(("*", "*", "S|NP|VP", "/[NVS]/"))
    sign = st.sampled_from((*OPERATORS, "<<", ">>", "..", ",,", "$"))
    return st.builds(
        "{}=a {} {}=b & {} : =b {} =a".format, wide, sign, wide, conditions(("a", "b"), 1), sign
    ) | st.builds(
        "{}=a {} ({}=b {} {}) & {}{} =b".format,
        wide,
        sign,
        wide,
        sign,
        wide,
        st.sampled_from(("", "!")),
        sign,
    )
