"""Dependencies between words: section 5.2 and table 4 of Evang and Kallmeyer (2011).

Lin (1995) turns a constituent tree into dependencies: each phrase stands for its lexical head, and
the heads of its other children depend on it. The score is the *unlabelled attachment score*: of
the dependencies of the gold tree, how many are those of the parse, that is, how many words depend
on the right word. Every word counts, punctuation too, but for the head of the sentence, which
depends on no word. The paper does not say what counts, but it has 16.3 dependencies a sentence; in
NLTK's sample, sentences of at most 25 tokens have 16.7 tokens, of which 14.6 are no punctuation.

A dependency is *non-local* if it attaches the head of a phrase that was reattached, and then it
is of the type of the trace. The gold trees come from a treebank with traces, transformed by
`plcfrs.transformation.transform`, which notes the types; in files of trees they are lost. The
parses may have crossing branches or not.
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
    """Return for each word but the head of the sentence the word on which it depends.

    Parameters
    ----------
    tree : Tree
        Without null elements.
    rules : HeadRules, optional
        Those of Collins (1999) by default.

    Returns
    -------
    dict of int to int
        Positions of tokens; nothing for a sentence without a parse.

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
    """Return the type of the dependency of each word that heads a reattached phrase.

    If phrases that were reattached have the same head, the largest of them counts.
    """
    heads = head_words(tree, rules)
    types: dict[int, str] = {}
    for node in tree.nodes():
        if node.moved:
            types.setdefault(heads[node], node.moved)
    return types


def dependency_table(parsers: Mapping[str, DependencyScores]) -> Table:
    """Return the figures of table 4 of the paper: counts by type, their total, and the score.

    Parameters
    ----------
    parsers : mapping of str to DependencyScores
        By the heading of the column; all on the same gold trees.
    """
    rows = count_rows(parsers, DEPENDENCY_TYPES)
    gold = next(iter(parsers.values())).gold
    rows["total"] = [gold.total(), *(scores.found.total() for scores in parsers.values())]
    rows["recall"] = [None, *(scores.recall() for scores in parsers.values())]
    return Table("Dependencies", ["gold", *parsers], rows)
