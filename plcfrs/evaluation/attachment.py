"""Scores of dependencies between words, and recall by construction.

`AttachmentScores` counts every word, including the word whose head is the root, as the shared tasks
of CoNLL do. `DependencyScores` (Lin 1995; Evang and Kallmeyer 2011, section 5.2 and table 4) counts
the words of constituent trees that depend on the right lexical head, except for the head of the
sentence. `ConstructionScores` counts the reattached phrases that open a gap (section 5.3).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from plcfrs.errors import InputError
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.bracketing import has_parse, head_words
from plcfrs.evaluation.prm import Settings
from plcfrs.evaluation.report import Cell, Table
from plcfrs.trees import DependencyTree, Node, Tree
from plcfrs.trees.heads import PUNCTUATION_TAGS, HeadRules, is_punctuation
from plcfrs.trees.tree import fan_out, span_of

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass
class AttachmentCounts:
    """Numbers of words.

    Parameters
    ----------
    words : int
    right_heads : int
        Words with the right head.
    right : int
        Words with the right head and relation.

    Examples
    --------
    >>> counts = AttachmentCounts(words=4, right_heads=3, right=2)
    >>> counts.unlabelled, counts.labelled
    (75.0, 50.0)
    """

    words: int = 0
    right_heads: int = 0
    right: int = 0

    @property
    def unlabelled(self) -> float:
        """The unlabelled attachment score (UAS): the percentage of words with the right head."""
        return 100 * self.right_heads / self.words if self.words else 100.0

    @property
    def labelled(self) -> float:
        """The labelled attachment score (LAS): the percentage with the right relation, too."""
        return 100 * self.right / self.words if self.words else 100.0

    def add(self, *, right_head: bool, right: bool) -> None:
        """Count one more word."""
        self.words += 1
        self.right_heads += right_head
        self.right += right


@dataclass
class AttachmentScores:
    """The counts of all words, and of the words that are not punctuation, by their gold tags."""

    all: AttachmentCounts = field(default_factory=AttachmentCounts)
    without_punctuation: AttachmentCounts = field(default_factory=AttachmentCounts)

    @classmethod
    def of(
        cls, gold: Iterable[DependencyTree], parses: Iterable[DependencyTree]
    ) -> AttachmentScores:
        """Compare parses with gold trees.

        Parameters
        ----------
        gold, parses : iterable of DependencyTree
            The same sentences in the same order; one pair is held at a time.

        Examples
        --------
        >>> from plcfrs.trees import Token
        >>> tokens = [Token("They", "PRP"), Token("sing", "VBP"), Token(".", ".")]
        >>> gold = DependencyTree(tokens, [2, 0, 2], ["S#1", "root", "S#1"])
        >>> parse = DependencyTree(tokens, [2, 0, 1], ["NP#1", "root", "S#1"])
        >>> scores = AttachmentScores.of([gold], [parse])
        >>> scores.without_punctuation
        AttachmentCounts(words=2, right_heads=2, right=1)
        """
        scores = cls()
        for _, (tree, parse) in align_sentences({"gold tree": gold, "parse": parses}, Settings()):
            scores.add(tree, parse)
        return scores

    def add(self, gold: DependencyTree, parse: DependencyTree | None) -> None:
        """Count one more sentence; None stands for a sentence without a parse."""
        parsed = _arcs(parse) if parse else []
        for word, arc in enumerate(_arcs(gold)):
            right_head = bool(parsed) and parsed[word][0] == arc[0]
            right = bool(parsed) and parsed[word] == arc
            self.all.add(right_head=right_head, right=right)
            if not _is_punctuation(gold, word):
                self.without_punctuation.add(right_head=right_head, right=right)


def wrong_words(gold: DependencyTree, parse: DependencyTree) -> list[int]:
    """Return the positions of the words whose head or relation differs.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP")]
    >>> gold = DependencyTree(tokens, [2, 0], ["S#1", "root"])
    >>> wrong_words(gold, DependencyTree(tokens, [2, 0], ["VP#1", "root"]))
    [0]
    """
    pairs = zip(_arcs(gold), _arcs(parse), strict=True)
    return [word for word, (one, other) in enumerate(pairs) if one != other]


def _arcs(tree: DependencyTree) -> list[tuple[int, str]]:
    """Return the head and the relation of each word."""
    return list(zip(tree.heads, tree.relations, strict=True))


def attachment_table(scores: AttachmentScores) -> Table:
    """Return the table of attachment scores, with and without punctuation."""
    columns = [scores.all, scores.without_punctuation]
    rows: dict[str, list[Cell]] = {
        "UAS": [counts.unlabelled if counts.words else None for counts in columns],
        "LAS": [counts.labelled if counts.words else None for counts in columns],
        "Words": [counts.words for counts in columns],
        "Right heads": [counts.right_heads for counts in columns],
        "Right heads and relations": [counts.right for counts in columns],
    }
    return Table("Attachment", ["All", "Without punctuation"], rows)


def _is_punctuation(tree: DependencyTree, word: int) -> bool:
    """Whether a word is a punctuation mark, by its tag or its coarse tag."""
    coarse_tag = tree.columns[word].coarse_tag if tree.columns else ""
    return is_punctuation(tree.tokens[word]) or coarse_tag in PUNCTUATION_TAGS


@dataclass
class Recall(ABC):
    """How many things of each kind the gold trees have, and how many of them a parser found."""

    gold: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls, gold: Iterable[Tree], parses: Iterable[Tree], rules: HeadRules | None = None
    ) -> Self:
        """Compare parses with transformed gold trees; one pair is held at a time."""
        scores = cls()
        for _, (tree, parse) in align_sentences({"gold tree": gold, "parse": parses}, Settings()):
            scores.add(tree, parse, rules)
        return scores

    @abstractmethod
    def add(self, gold: Tree, parse: Tree, rules: HeadRules | None = None) -> None:
        """Count one more sentence."""

    def recall(self, *kinds: str) -> float:
        """Return the percentage of things found, of some kinds or of all."""
        gold = sum(self.gold[kind] for kind in kinds or self.gold)
        found = sum(self.found[kind] for kind in kinds or self.found)
        return 100 * found / gold if gold else 100.0


def count_rows(parsers: Mapping[str, Recall], kinds: Iterable[str]) -> dict[str, list[Cell]]:
    """Return the counts of each kind: in the gold trees, and found by each parser."""
    counts = [next(iter(parsers.values())).gold, *(scores.found for scores in parsers.values())]
    return {kind: [column[kind] for column in counts] for kind in kinds}


WH, QUOTATION, SURROUNDING, FRONTING, RAISING, ICH, EXP = CONSTRUCTIONS = (
    "wh-movement",
    "fronted quotations",
    "surrounding quotations",
    "other fronting",
    "right node raising",
    "ICH",
    "EXP",
)

_CLAUSES = ("S", "SBAR", "SBARQ", "SINV", "SQ", "FRAG")
_BY_TRACE = {"*T*-PRN": SURROUNDING, "*RNR*": RAISING, "*ICH*": ICH, "*EXP*": EXP}


class GapOpening(NamedTuple):
    """A phrase that opens a gap: its words, and the constituent that gets the gap."""

    words: int
    mother: str
    head: int


class ConstructionScores(Recall):
    """How often each construction occurs, and how often a parser got it right.

    A phrase *opens a gap* if the smallest constituent that has it and other words would have fewer
    gaps without it. Reattached phrases of the gold tree that open a gap count. A parse is right if
    such a phrase with the same words, up to punctuation, opens a gap in a constituent with the same
    category and lexical head.
    """

    def add(self, gold: Tree, parse: Tree, rules: HeadRules | None = None) -> None:
        """Count the constructions of one more sentence."""
        parsed = {opening for _, opening in gap_openings(parse, words_of(gold), rules)}
        for name, opening in constructions(gold, rules):
            self.gold[name] += 1
            self.found[name] += opening in parsed


def constructions(tree: Tree, rules: HeadRules | None = None) -> Iterator[tuple[str, GapOpening]]:
    """Yield the name of each construction in a gold tree, and where its phrase opens a gap.

    Parameters
    ----------
    tree : Tree
        A transformed tree with traces.
    rules : HeadRules, optional
        Collins (1999) by default.
    """
    for node, opening in gap_openings(tree, words_of(tree), rules):
        if node.moved:
            yield construction_of(node), opening


def construction_of(node: Node) -> str:
    """Return the construction of a reattached node, by its trace and its category.

    >>> construction_of(Node("WHNP", moved="*T*"))
    'wh-movement'
    """
    if node.moved in _BY_TRACE:
        return _BY_TRACE[node.moved]
    if node.category.startswith("WH"):
        return WH
    return QUOTATION if node.category in _CLAUSES else FRONTING


def gap_openings(
    tree: Tree, words: int, rules: HeadRules | None = None
) -> Iterator[tuple[Node, GapOpening]]:
    """Yield the phrases that open a gap, and where; `words` is the bitset of words that count."""
    heads, spans = _heads(tree, rules), tree.yields()
    for node, mother in _larger(tree, {node: span & words for node, span in spans.items()}):
        if fan_out(spans[mother]) > fan_out(spans[mother] & ~spans[node]):
            yield node, GapOpening(spans[node] & words, mother.category, heads[mother])


def words_of(tree: Tree) -> int:
    """Return the positions that are not punctuation, by their tags, as a bitset."""
    tokens = enumerate(tree.tokens)
    return span_of([position for position, token in tokens if not is_punctuation(token)])


def construction_table(parsers: Mapping[str, ConstructionScores]) -> Table:
    """Return the counts of section 5.3 of the paper.

    Parameters
    ----------
    parsers : mapping of str to ConstructionScores
        By the headings of the columns; all have the same gold trees.
    """
    return Table("Constructions", ["gold", *parsers], count_rows(parsers, CONSTRUCTIONS))


def _larger(tree: Tree, spans: dict[Node, int]) -> Iterator[tuple[Node, Node]]:
    """Yield each node with the lowest node above it that has more words."""
    larger: dict[Node, Node] = {}
    for mother in tree.nodes():
        for child in mother.nodes:
            if spans[child] != spans[mother]:
                larger[child] = mother
            elif mother in larger:
                larger[child] = larger[mother]
    yield from larger.items()


OTHER = "other"
DEPENDENCY_TYPES = ("*T*", "*T*-PRN", "*ICH*", "*EXP*", "*RNR*", OTHER)


class DependencyScores(Recall):
    """How many dependencies of each type the gold trees have, and how many a parser found.

    A word depends on the lexical head of the phrase around it; punctuation counts. A dependency has
    the type of a trace if it attaches the head of a reattached phrase. Files do not keep these
    types, so the gold trees must have been transformed in the same program.

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
        parsed = dependencies(parse, rules)
        for dependent, governor in dependencies(gold, rules).items():
            name = types.get(dependent, OTHER)
            self.gold[name] += 1
            self.found[name] += parsed.get(dependent) == governor


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
    heads = _heads(tree, rules)
    governors: dict[int, int] = {}
    for node in tree.nodes():
        for child in node.children:
            dependent = child if isinstance(child, int) else heads[child]
            if dependent != heads[node]:
                governors[dependent] = heads[node]
    return governors


def dependency_types(tree: Tree, rules: HeadRules | None = None) -> dict[int, str]:
    """Return the type of each word that heads a reattached phrase; the largest phrase counts."""
    heads = _heads(tree, rules)
    types: dict[int, str] = {}
    for node in tree.nodes():
        if node.moved:
            types.setdefault(heads[node], node.moved)
    return types


def _heads(tree: Tree, rules: HeadRules | None) -> dict[Node, int]:
    if any(token.is_null for token in tree.tokens):
        raise InputError(
            f"{f'sentence {tree.id}' if tree.id else 'a sentence'} has null elements: "
            "transform the trees first ('plcfrs transform', or 'plcfrs eval --transform')"
        )
    return head_words(tree, rules)


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
