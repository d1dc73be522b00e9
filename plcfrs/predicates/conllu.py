"""Relations as dependency trees with the columns of CoNLL-U."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import zip_longest

from plcfrs.errors import check_types
from plcfrs.predicates.graph import VERBS, Edge
from plcfrs.predicates.understood import relation_graph
from plcfrs.text.spelling import in_running_text
from plcfrs.trees import DependencyTree, Token, Tree
from plcfrs.trees.heads import is_punctuation
from plcfrs.trees.tree import Columns

_TAGS = {
    "ADJ": "JJ JJR JJS",
    "ADP": "IN RP",
    "ADV": "RB RBR RBS WRB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT PDT",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD LS",
    "PART": "POS TO",
    "PRON": "EX PRP PRP$ WDT WP WP$",
    "PROPN": "ADD NNP NNPS",
    "PUNCT": "HYPH NFP",
    "SYM": "$ # SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
}
_UNIVERSAL = {tag: universal for universal, tags in _TAGS.items() for tag in tags.split()}


def relation_tree(tree: Tree) -> DependencyTree:
    """Return the relations of the words of a sentence, for CoNLL-U.

    The scheme is that of Johansson and Nugues (2007). The graph in DEPS also has the relations that
    are understood, with the reason: ``OBJ:passive``. UPOS is the universal part of speech of the
    Penn tag (Petrov, Das and McDonald 2012, and Universal Dependencies); words are spelled as in
    running text.

    Raises
    ------
    TreebankError
        If the tree has no functions.

    Examples
    --------
    >>> from plcfrs.treebank import write_dependencies
    >>> text = "(S (NP-SBJ-1 (PRP They)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)))))"
    >>> write_dependencies([relation_tree(Tree.from_string(text))], "-")
    ... # doctest: +NORMALIZE_WHITESPACE
    # text = They were seen
    1  They  _  PRON  PRP  _  2  SBJ   2:SBJ|3:OBJ:passive  _
    2  were  _  AUX   VBD  _  0  ROOT  0:ROOT               _
    3  seen  _  VERB  VBN  _  2  VC    2:VC                 _
    <BLANKLINE>
    1
    """
    check_types("relation_tree(tree)", (tree, Tree))
    graph = relation_graph(tree)
    words = [place for place, token in enumerate(graph.tree.tokens) if not token.is_null]
    numbers = {-1: 0, **{old: new for new, old in enumerate(words, start=1)}}
    explicit = {edge.word: edge for edge in graph.edges.values()}
    others: dict[int, list[Edge]] = defaultdict(list)
    for edge in graph.understood:
        if edge.head in numbers:  # in odd trees, null elements are heads
            others[edge.word].append(edge)
    governed: dict[int, set[str]] = defaultdict(set)
    for edge in graph.all_edges():
        governed[edge.head].add(edge.relation)
    tokens = [
        replace(graph.tree.tokens[word], form=in_running_text(graph.tree.tokens[word].form))
        for word in words
    ]
    columns, text = [], ""
    for word, token, follows in zip_longest(words, tokens, [token.start for token in tokens[1:]]):
        own = explicit[word]
        heads = {(numbers[own.head], own.relation)}
        heads |= {(numbers[edge.head], f"{edge.relation}:{edge.how}") for edge in others[word]}
        enhanced = "|".join(f"{head}:{relation}" for head, relation in sorted(heads))
        is_joined = follows is not None and follows == token.end
        misc = "SpaceAfter=No" if is_joined else ""
        columns.append(Columns(_universal(token, governed[word]), enhanced, misc))
        text += token.form + " " * (not is_joined)
    edges = [explicit[word] for word in words]
    return DependencyTree(
        tokens,
        [numbers[edge.head] for edge in edges],
        [edge.relation for edge in edges],
        tree.id,
        [f"# text = {text.strip()}"],
        columns,
    )


def _universal(token: Token, governed: set[str]) -> str:
    """Return the universal part of speech, by the tag and the relations to what is governed."""
    if token.tag in VERBS and "VC" in governed:
        return "AUX"
    if token.tag == "IN" and "SUB" in governed:
        return "SCONJ"
    if token.tag == "TO" and "PMOD" in governed:
        return "ADP"
    return _UNIVERSAL.get(token.tag, "PUNCT" if is_punctuation(token) else "X")
