"""Checks of labels: unknown ones, and rare ones that look like frequent ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from plcfrs.checking.finding import Finding
from plcfrs.trees import Tree
from plcfrs.trees.editing import Part
from plcfrs.trees.tree import null_parts
from plcfrs.wording import counted, suggestion

KINDS = ("categories", "functions", "tags", "null-elements")
"""The kinds of labels."""

_RARE, _FREQUENT = 2, 50
# Those of the Penn Treebank (Marcus, Santorini and Marcinkiewicz 1993; Bies and others 1995) may be
# rare, and are alike: RBS and RB.
_OF_PENN = """
CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH
VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB
ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP VP
WHADJP WHADVP WHNP WHPP X
ADV BNF CLF CLR DIR DTV EXT HLN LGS LOC MNR NOM PRD PRP PUT SBJ TMP TPC TTL VOC
* *T* *U* *?* *NOT* *RNR* *ICH* *EXP* *PPA* 0
"""
_PUBLISHED = frozenset(_OF_PENN.split())


class LabelSets(NamedTuple):
    """The labels that trees may have.

    Parameters
    ----------
    allowed : mapping of str to collection of str
        For some of `KINDS`.
    counts : mapping of str to Counter
        How often the treebank has each label of the other kinds: what it has once or twice is
        doubtful if it is like a frequent label.
    """

    allowed: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, Counter[str]]

    @classmethod
    def of(cls, trees: Iterable[Tree], allowed: Mapping[str, tuple[str, ...]]) -> LabelSets:
        """Count the labels of a treebank."""
        counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
        for tree in trees:
            for _, kind, label in labels_of(tree):
                counts[kind][label] += 1
        return cls(allowed, counts)


def labels_of(tree: Tree) -> Iterator[tuple[Part, str, str]]:
    """Yield each part of a tree but its root with a kind of label and the label."""
    for node in tree.nodes()[1:]:
        yield node, "categories", node.category
        for function in node.functions:
            yield node, "functions", function
    for place, token in enumerate(tree.tokens):
        if token.is_null:
            yield place, "null-elements", null_parts(token.form)[0]
        else:
            yield place, "tags", token.tag
        for function in token.function.split("-") if token.function else ():
            yield place, "functions", function


def check_labels(tree: Tree, sets: LabelSets) -> Iterator[Finding]:
    """Yield the labels of a tree that are not allowed, or are probably misspelled.

    >>> tree = Tree.from_string("(S (NP-SJB (PRP We)) (VP (VBP sing)))")
    >>> for finding in check_labels(tree, LabelSets({"functions": ("SBJ", "TMP")}, {})):
    ...     print(finding.label, finding.message)
    NP-SJB SJB is not among the functions: is it SBJ?
    """
    for part, kind, label in labels_of(tree):
        if kind in sets.allowed:
            if label not in sets.allowed[kind]:
                near = get_close_matches(label, sets.allowed[kind], 1)
                message = f"{label} is not among the {kind}{suggestion(near) if near else ''}"
                yield Finding.at(tree, part, "labels", message, 0.95)
        elif kind in sets.counts and label not in _PUBLISHED and sets.counts[kind][label] <= _RARE:
            count = sets.counts[kind][label]
            frequent = [other for other, n in sets.counts[kind].items() if n >= _FREQUENT]
            if near := get_close_matches(label, frequent, 1):
                message = f"{label} occurs only {counted(count, 'time')}{suggestion(near)}"
                yield Finding.at(tree, part, "labels", message, 0.6)
