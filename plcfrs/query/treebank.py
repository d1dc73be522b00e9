"""Treebanks for queries: a search runs over all trees at once, as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from plcfrs.errors import check_types
from plcfrs.query.evaluation import MATCH, QueryEvaluation, different
from plcfrs.query.expressions import MOST_SECONDS
from plcfrs.query.hits import Hits, joined_hits
from plcfrs.query.language import Query, parse_query
from plcfrs.query.segment import Lookup, Mask, Segment
from plcfrs.query.syntax import QueryLabel, check_known
from plcfrs.stopping import TimeLimit, check_stopped
from plcfrs.treebank import Selection
from plcfrs.treebank.compilation import compile_trees, elements_of
from plcfrs.treebank.compiled import CompiledTrees, Integers
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import NULL_TAG

_SEGMENT = 1 << 19  # places


class Treebank:
    """A treebank to search with queries.

    Parameters
    ----------
    trees : CompiledTrees, or iterable of Tree
        Its trees; ``trees[0]`` makes the first one.

    Examples
    --------
    >>> treebank = Treebank([Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")])
    >>> [hit.words for hit in treebank.find("VP[discontinuous]")]
    ['What ... do']
    >>> treebank.count_by("*", "category").most_common(1)
    [(('PRP',), 1)]
    """

    def __init__(self, trees: CompiledTrees | Iterable[Tree]) -> None:
        self.trees = trees if isinstance(trees, CompiledTrees) else compile_trees(trees)

    def __repr__(self) -> str:
        return f"<Treebank: {len(self.trees)} trees>"

    def find(
        self, query: Query | str, names: Sequence[str] = (), max_seconds: float = MOST_SECONDS
    ) -> Hits:
        """Return all matches of a query.

        Parameters
        ----------
        query : Query or str
        names : sequence of str
            Named nodes to return, too: then each way to match is a match.
        max_seconds : float
            How long the regular expressions of the query may take; a StoppedError is raised if
            they take longer.
        """
        query = parse_query(query) if isinstance(query, str) else query
        return joined_hits(self.trees, self.search(query, names, TimeLimit(max_seconds)))

    def search(self, query: Query, names: Sequence[str], limit: TimeLimit) -> Iterator[Hits]:
        """Yield the matches of a query for one part of the treebank after another; see `find`.

        Its regular expressions may use the rest of a time limit.
        """
        check_known(names, query.pattern)
        lookup = Lookup(self.trees, limit)
        for segment in self._segments:
            check_stopped()
            rows = QueryEvaluation(query.pattern, segment, lookup, names).rows()
            check_stopped()
            columns = [segment.first_place + (rows[name] >> 1) for name in (MATCH, *names)]
            matches, *named = _in_order(self.trees, columns)
            yield Hits(self.trees, matches, dict(zip(names, named, strict=True)))

    def count_by(self, query: Query | str, *keys: str) -> Counter[tuple[str | int, ...]]:
        """Return how many matches have each combination of values, the most frequent first.

        Parameters
        ----------
        query : Query or str
        keys : str
            Some of `plcfrs.query.hits.KEYS`, such as ``"label"``.
        """
        return self.find(query).counts(*keys)

    def lacks(self, label: QueryLabel, limit: TimeLimit) -> bool:
        """Whether no element has a label."""
        lookup = Lookup(self.trees, limit)
        return not any(len(segment.having(label, lookup)) for segment in self._segments)

    @cached_property
    def lengths(self) -> Integers:
        """The number of tokens of each tree, without null elements."""
        return np.diff(self.trees.overt_before[self.trees.tree_numbers])

    def selected(self, selection: Selection) -> Mask:
        """Return which trees are selected."""
        chosen = np.full(len(self.trees), not selection.sentences)
        for numbers in selection.sentences:
            chosen[max(numbers.start - 1, 0) : numbers.stop - 1] = True
        if selection.max_length is not None:
            chosen &= self.lengths <= selection.max_length
        return chosen

    @cached_property
    def has_traces(self) -> bool:
        """Whether there are null elements."""
        return NULL_TAG in self.trees.pools["tag"].numbers

    @cached_property
    def _segments(self) -> list[Segment]:
        last = int(self.trees.tree_places[-1])
        cuts = np.searchsorted(self.trees.tree_places, np.arange(0, last, _SEGMENT))
        bounds = [*dict.fromkeys([0, *cuts.tolist()]), len(self.trees)]
        return [Segment(self.trees, range(*pair)) for pair in pairwise(bounds) if pair[0] < pair[1]]


def _in_order(trees: CompiledTrees, columns: Sequence[Integers]) -> Sequence[Integers]:
    """Return distinct rows of places in the order of matches: words come after all tags."""
    if len(columns) > 1:
        columns = list(different(columns))
    matches = columns[0]
    tree = trees.tree_of(matches)
    starts, bases = (ends.astype(np.int64) for ends in (trees.tree_places, trees.tree_numbers))
    behind = starts[tree + 1] + trees.first[matches] - bases[tree]
    keys = starts[tree] + np.where(trees.kind[matches], matches, behind)
    order = np.argsort(keys, kind="stable")
    matches = matches[order]
    is_new = np.diff(matches, prepend=-1) != 0
    return [column[order] for column in columns] if len(columns) > 1 else [matches[is_new]]


def find(tree: Tree, query: Query | str, max_seconds: float = MOST_SECONDS) -> list[Node | int]:
    """Return the nodes and tokens of a tree that match a query, each once.

    Constituents come first, mothers before children, then the positions of tokens whose tag or word
    matches. An InputError is raised if a text is not a query, a TypeError if arguments have other
    types (or another order), and a StoppedError if the regular expressions take longer than
    `max_seconds`. `Treebank` searches many trees at once, which is faster.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> vp = Node("VP", children=[0, 3])
    >>> tokens = [Token("What", "WP"), Token("did", "VBD"), Token("I", "PRP"), Token("do", "VB")]
    >>> tree = Tree(Node("ROOT", children=[vp, 1, Node("NP", children=[2])]), tokens)
    >>> [node.category for node in find(tree, "VP[discontinuous] <~ NP")]
    ['VP']
    >>> find(tree, "/^VB/ >~ (VP << do)")
    [1]
    """
    check_types("find(tree, query)", (tree, Tree), (query, (str, Query)))
    elements = elements_of(tree)
    return [
        elements[place]
        for place in Treebank([tree]).find(query, max_seconds=max_seconds).places.tolist()
    ]
