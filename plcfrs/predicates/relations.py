"""Predicates with their arguments: who does what to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from plcfrs.errors import check_types
from plcfrs.predicates.graph import Edge, Graph, How
from plcfrs.predicates.understood import (
    CHAIN,
    RELATIVE_TAGS,
    chain_of,
    is_passive,
    relation_graph,
    verbs_of,
)
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.tree import runs, span_of

_NO_ARGUMENTS = (*CHAIN, "COORD", "CONJ", "DEP", "P", "PRN", "ROOT", "SUB")
_MARKS = (",", ".", ":", "``", "''")
_ORDER = ("SBJ", "OBJ", "IOBJ", "PRD", "OPRD", "LGS")


@dataclass(frozen=True)
class Argument:
    """A phrase that belongs to a predicate.

    Parameters
    ----------
    function : str
        Its relation, such as SBJ, OBJ or TMP.
    positions : tuple of int
        Of its words in the sentence, without null elements; from 0.
    tokens : tuple of Token
        Its words.
    how : str
        ``"explicit"``, or why it is understood: ``"controlled"`` (*she wants to leave*),
        ``"relativized"`` (*the cake that she ate*), ``"passive"`` (the subject of a passive, as its
        object), ``"shared"`` (with a conjunct), or ``"gapped"`` (it has no verb of its own).
    """

    function: str
    positions: tuple[int, ...]
    tokens: tuple[Token, ...]
    how: How = "explicit"

    @property
    def text(self) -> str:
        """The words, with dots for gaps."""
        return text_of(self.positions, self.tokens)


@dataclass(frozen=True)
class Predicate:
    """A verb with its arguments.

    Parameters
    ----------
    position : int
        Of the verb in the sentence, without null elements; from 0.
    token : Token
        The verb; auxiliaries are in `verbs`.
    verbs : tuple of int
        The positions of auxiliaries, *to* and the verb.
    voice : {"active", "passive"}
    arguments : tuple of Argument
        Subjects and objects first, others in the order of the text.
    is_gapped : bool
        Whether the verb is not repeated, as in *Sue ate cake, and Bob pie*.
    """

    position: int
    token: Token
    verbs: tuple[int, ...]
    voice: Literal["active", "passive"]
    arguments: tuple[Argument, ...]
    is_gapped: bool = False

    def __getitem__(self, function: str) -> tuple[Argument, ...]:
        """Return the arguments with a function."""
        return tuple(each for each in self.arguments if each.function == function)


def relations(tree: Tree) -> list[Predicate]:
    """Return the predicates of a sentence with their arguments.

    Parameters
    ----------
    tree : Tree
        With the functions of the Penn Treebank: from a treebank, or completed by
        `plcfrs.completion.Completion`. Null elements, in the tree or in its annotation, say what is
        understood.

    Raises
    ------
    TreebankError
        If the tree has no functions.

    Examples
    --------
    >>> tree = Tree.from_string(
    ...     "(S (NP-SBJ-1 (DT The) (NN cake)) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1)) "
    ...     "(PP (IN by) (NP-LGS (NNP Sue))))))"
    ... )
    >>> for predicate in relations(tree):
    ...     print(predicate.token.form, predicate.voice)
    ...     for argument in predicate.arguments:
    ...         print(argument.function, argument.text, argument.how)
    eaten passive
    SBJ The cake explicit
    OBJ The cake passive
    LGS by Sue explicit
    """
    check_types("relations(tree)", (tree, Tree))
    graph = relation_graph(tree)
    words = [place for place, token in enumerate(graph.tree.tokens) if not token.is_null]
    reader = _Reader(graph, {old: new for new, old in enumerate(words)})
    verbs = verbs_of(graph)
    gapped = (
        reader.gapped(word, gap)
        for gap in graph.gaps.values()
        for word in verbs
        if graph.edges[next(iter(gap))].head in chain_of(graph, word)
    )
    return [*map(reader.predicate, verbs), *gapped]


def text_of(places: tuple[int, ...], tokens: tuple[Token, ...]) -> str:
    """Return words with dots for gaps."""
    forms = dict(zip(places, (token.form for token in tokens), strict=True))
    parts = runs(span_of(list(places)))
    return " ... ".join(" ".join(map(forms.__getitem__, range(*part))) for part in parts)


@dataclass(frozen=True)
class _Reader:
    """Reads predicates from a graph; `places` are those of words without null elements."""

    graph: Graph
    places: dict[int, int]

    def predicate(self, word: int) -> Predicate:
        """Return a verb with its arguments."""
        chain = chain_of(self.graph, word)
        edges = [edge for edge in self.graph.all_edges() if edge.head in chain]
        relative = {(e.head, e.relation) for e in edges if e.how == "relativized"}
        arguments = [
            self._argument(edge)
            for edge in edges
            if edge.relation not in _NO_ARGUMENTS
            and (edge.how == "relativized" or not self._is_pronoun(edge, relative))
        ]
        return self._predicate(word, chain, arguments)

    def gapped(self, word: int, gap: dict[Node, Edge]) -> Predicate:
        """Return the predicate of a conjunct that lacks its verb, which stands before it."""
        full = self.predicate(word)
        replaced = [self._argument(self.graph.edges[part]) for part in gap]
        arguments = [
            *(replace(a, how="shared") for a in full.arguments if a.function in _ORDER),
            *(
                replace(self._argument(edge), function=old.function, how="gapped")
                for old, edge in zip(replaced, gap.values(), strict=True)
            ),
        ]
        gone = {(old.function, old.positions) for old in replaced}
        kept = [a for a in arguments if (a.function, a.positions) not in gone]
        return replace(self._predicate(word, chain_of(self.graph, word), kept), is_gapped=True)

    def _predicate(self, word: int, chain: list[int], arguments: list[Argument]) -> Predicate:
        unique = {(a.function, a.positions): a for a in reversed(arguments)}.values()
        return Predicate(
            self.places[word],
            replace(self.graph.tree.tokens[word]),
            tuple(self.places[verb] for verb in sorted(chain)),
            "passive" if is_passive(self.graph, word) else "active",
            tuple(sorted(unique, key=_order)),
        )

    def _argument(self, edge: Edge) -> Argument:
        tokens = self.graph.tree.tokens
        words = [word for part in runs(edge.span) for word in _without_marks(tokens, range(*part))]
        return Argument(
            edge.relation,
            tuple(self.places[word] for word in words),
            tuple(replace(tokens[word]) for word in words),
            edge.how,
        )

    def _is_pronoun(self, edge: Edge, relative: set[tuple[int, str]]) -> bool:
        """Whether a relative pronoun has a relation whose real argument is known."""
        is_relative = (edge.head, edge.relation) in relative
        return is_relative and self.graph.tree.tokens[edge.word].tag in RELATIVE_TAGS


def _without_marks(tokens: Sequence[Token], words: range) -> range:
    """Return words without marks at their edges; brackets stay."""
    while words and tokens[words[-1]].tag in _MARKS:
        words = words[:-1]
    while words and tokens[words[0]].tag in _MARKS:
        words = words[1:]
    return words


def _order(argument: Argument) -> tuple[int, tuple[int, ...]]:
    rank = _ORDER.index(argument.function) if argument.function in _ORDER else len(_ORDER)
    return rank, argument.positions
