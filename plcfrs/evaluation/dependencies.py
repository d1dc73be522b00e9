"""Dependencies between words: section 5.2 and table 4 of Evang and Kallmeyer (2011).

The heads of the other children of a phrase depend on its lexical head (Lin 1995). The score is the
percentage of words, punctuation included, that depend on the right word. A dependency has the type
of the trace if it attaches the head of a reattached phrase: the gold trees must be transformed
here, since files of trees do not keep these types.
"""

from __future__ import annotations

from collections.abc import Mapping

from plcfrs.evaluation.recall import Recall, count_rows
from plcfrs.evaluation.report import Table
from plcfrs.evaluation.sentences import has_parse, head_words
from plcfrs.trees import Tree
from plcfrs.trees.heads import HeadRules

OTHER = "other"
DEPENDENCY_TYPES = ("*T*", "*T*-PRN", "*ICH*", "*EXP*", "*RNR*", OTHER)


class DependencyScores(Recall):
    """How many dependencies of each type there are, and how many of them a parser found.

    Examples
    --------
    >>> from collections import Counter
    >>> scores = DependencyScores(Counter({"*T*": 1, "other": 3}), Counter({"other": 3}))
    >>> scores.recall(), scores.recall("*T*")
    (75.0, 0.0)
    """

    def add(self, gold: Tree, parse: Tree, rules: HeadRules | None = None) -> None:
        """Count the dependencies of one more sentence."""
        types = dependency_types(gold, rules)
        found = dependencies(parse, rules)
        for dependent, governor in dependencies(gold, rules).items():
            name = types.get(dependent, OTHER)
            self.gold[name] += 1
            self.found[name] += found.get(dependent) == governor


def dependencies(tree: Tree, rules: HeadRules | None = None) -> dict[int, int]:
    """Return the head of each word, except for the head of the sentence.

    Parameters
    ----------
    tree : Tree
        Without null elements.
    rules : HeadRules, optional
        Collins (1999) by default.

    Returns
    -------
    dict of int to int
        Positions of tokens; empty for a sentence without a parse.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]
    >>> phrase = Node("VP", children=[Node("WHNP", children=[0]), 3])
    >>> clause = Node("SQ", children=[phrase, 1, Node("NP", children=[2])])
    >>> dependencies(Tree(Node("ROOT", children=[clause]), tokens))
    {3: 1, 2: 1, 0: 3}
    """
    if not has_parse(tree):
        return {}
    heads = head_words(tree, rules)
    governors: dict[int, int] = {}
    for node in tree.nodes():
        for child in node.children:
            dependent = child if isinstance(child, int) else heads[child]
            if dependent != heads[node]:
                governors[dependent] = heads[node]
    return governors


def dependency_types(tree: Tree, rules: HeadRules | None = None) -> dict[int, str]:
    """Return the type of each word that heads a reattached phrase; the largest phrase counts."""
    heads = head_words(tree, rules)
    types: dict[int, str] = {}
    for node in tree.nodes():
        if node.moved:
            types.setdefault(heads[node], node.moved)
    return types


def dependency_table(parsers: Mapping[str, DependencyScores]) -> Table:
    """Return table 4 of the paper: counts by type, their total, and the score.

    Parameters
    ----------
    parsers : mapping of str to DependencyScores
        By the headings of the columns; all have the same gold trees.
    """
    rows = count_rows(parsers, DEPENDENCY_TYPES)
    gold = next(iter(parsers.values())).gold
    rows["total"] = [gold.total(), *(scores.found.total() for scores in parsers.values())]
    rows["recall"] = [None, *(scores.recall() for scores in parsers.values())]
    return Table("Dependencies", ["gold", *parsers], rows)
