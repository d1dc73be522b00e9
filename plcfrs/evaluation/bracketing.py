"""Brackets (EVALB, Parseval) of trees with crossing branches (Maier and Kallmeyer 2010).

A bracket is the category of a constituent with the set of its tokens, which may have gaps;
precision and recall compare the multisets of brackets of the gold tree and the parse. Tags are
not brackets; function tags and category splits do not count.

Scores of a corpus are for all sentences, for kinds of constituents, and for subsets: D and C of
table 2 of Evang and Kallmeyer (2011) are the sentences with and without a discontinuity in the
reference trees. Only sums are kept, so that memory does not grow with the number of sentences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from plcfrs.evaluation.alignment import align_with_reference, align_words, words
from plcfrs.evaluation.nulls import Nulls, detected, null_elements
from plcfrs.evaluation.prm import FIELD, Settings, load_settings
from plcfrs.treebank.reading import checked_trees, given_trees
from plcfrs.trees import NO_PARSE, Node, Tree
from plcfrs.trees.heads import HeadRules, head_of
from plcfrs.trees.tree import fan_out

LENGTHS = 10  # width of the groups of `Evaluation.by_length`

Item = TypeVar("Item")
Parts = set[Node | int]
"""Nodes, and positions of tokens."""


@dataclass
class Counts:
    """Numbers of brackets in the gold trees, in the parses, and in both.

    If neither gold trees nor parses have brackets, all scores are 100; otherwise a score with a
    denominator of 0 is 0.

    Examples
    --------
    >>> Counts(gold=4, parsed=2, matched=1).precision
    50.0
    >>> Counts().f1
    100.0
    """

    gold: int = 0
    parsed: int = 0
    matched: int = 0

    @property
    def precision(self) -> float:
        """Percentage of the parsed brackets that are correct."""
        return 100 * self.matched / self.parsed if self.parsed else _nothing(self.gold)

    @property
    def recall(self) -> float:
        """Percentage of the gold brackets that were found."""
        return 100 * self.matched / self.gold if self.gold else _nothing(self.parsed)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.gold + self.parsed
        return 200 * self.matched / both if both else 100.0

    def add(self, other: Counts) -> None:
        """Add the counts of more trees."""
        self.gold += other.gold
        self.parsed += other.parsed
        self.matched += other.matched


@dataclass
class Scores:
    """The counts of some sentences, and the scores computed from them.

    Parameters
    ----------
    labelled, unlabelled : Counts
        Of all constituents.
    labelled_discontinuous, unlabelled_discontinuous : Counts
        Of constituents with a gap.
    functions, word_functions : Counts
        Of the function tags of constituents and tokens whose label is correct; of tokens alone.
    nulls, nulls_with_antecedents : Counts
        Of null elements, alone and with their antecedents (Johnson 2002).
    sentences, exact, without_parse : int
        Numbers of sentences; of parsed sentences whose labelled brackets are all correct; of
        sentences with NOPARSE, or without words.
    words, right_tags : int
        Numbers of words that are not ignored; of words with the gold tag.
    """

    labelled: Counts = field(default_factory=Counts)
    unlabelled: Counts = field(default_factory=Counts)
    labelled_discontinuous: Counts = field(default_factory=Counts)
    unlabelled_discontinuous: Counts = field(default_factory=Counts)
    functions: Counts = field(default_factory=Counts)
    word_functions: Counts = field(default_factory=Counts)
    nulls: Counts = field(default_factory=Counts)
    nulls_with_antecedents: Counts = field(default_factory=Counts)
    sentences: int = 0
    exact: int = 0
    without_parse: int = 0
    words: int = 0
    right_tags: int = 0

    @property
    def exact_match(self) -> float:
        """Percentage of sentences whose labelled brackets are all correct."""
        return 100 * self.exact / self.sentences if self.sentences else 100.0

    @property
    def tagging_accuracy(self) -> float:
        """Percentage of words with the gold tag."""
        return 100 * self.right_tags / self.words if self.words else 100.0

    def add(self, other: Scores) -> None:
        """Add the scores of more sentences."""
        self.labelled.add(other.labelled)
        self.unlabelled.add(other.unlabelled)
        self.labelled_discontinuous.add(other.labelled_discontinuous)
        self.unlabelled_discontinuous.add(other.unlabelled_discontinuous)
        self.functions.add(other.functions)
        self.word_functions.add(other.word_functions)
        self.nulls.add(other.nulls)
        self.nulls_with_antecedents.add(other.nulls_with_antecedents)
        self.sentences += other.sentences
        self.exact += other.exact
        self.without_parse += other.without_parse
        self.words += other.words
        self.right_tags += other.right_tags


def _nothing(others: int) -> float:
    return 0.0 if others else 100.0


def has_parse(tree: Tree) -> bool:
    """Whether a tree has words and is not a NOPARSE tree."""
    return bool(tree.tokens) and all(node.category != NO_PARSE for node in tree.root.nodes)


def head_words(tree: Tree, rules: HeadRules | None = None) -> dict[Node, int]:
    """Return the position of the lexical head of each node, by default as in Collins (1999).

    Null elements are no heads, so nodes without words have none.
    """
    heads: dict[Node, int] = {}
    for node in tree.bottom_up():
        children = [
            child
            for child in node.children
            if (child in heads if isinstance(child, Node) else not tree.tokens[child].is_null)
        ]
        if children:
            whole = len(children) == len(node.children)
            with_words = node if whole else Node(node.category, children=children)
            child = children[head_of(tree, with_words, rules)]
            heads[node] = child if isinstance(child, int) else heads[child]
    return heads


Bracket = tuple[str, int]
Brackets = Counter[Bracket]
Functions = Counter[tuple[Bracket, str]]
Key = TypeVar("Key", bound=Hashable)
Bits = Mapping[int, int]
"""The bit of each word in spans, by its position; words that belong together share a bit."""


@dataclass
class Sentence:
    """The brackets, tags and functions of a gold tree and its parse.

    Parameters
    ----------
    number : int
        From 1.
    id : str
    length : int
        In words.
    gap_degree : int
        Of the reference tree.
    parsed_at_all : bool
        False for NOPARSE and for a tree without words.
    gold, parsed : Counter of (str, int)
        Labelled brackets; bit ``i`` of a span is the i-th word that is not ignored.
    gold_functions, parsed_functions : Counter of ((str, int), str)
        Of correct brackets, and of tokens with correct tags.
    tags : list of (str, str)
        Of each word that is not ignored.
    gold_nulls, parsed_nulls : Counter of (NullElement, Antecedent or None)
    """

    number: int
    id: str
    length: int
    gap_degree: int
    parsed_at_all: bool
    gold: Brackets
    parsed: Brackets
    gold_functions: Functions = field(default_factory=Counter)
    parsed_functions: Functions = field(default_factory=Counter)
    tags: list[tuple[str, str]] = field(default_factory=list)
    gold_nulls: Nulls = field(default_factory=Counter)
    parsed_nulls: Nulls = field(default_factory=Counter)

    @property
    def wrong(self) -> tuple[int, int]:
        """Numbers of missed and of spurious labelled brackets."""
        return (self.gold - self.parsed).total(), (self.parsed - self.gold).total()

    def scores(self, discontinuous_only: bool = False) -> Scores:
        """Return the scores of the sentence; it may be left out if it has no brackets."""
        counted = bool(self.gold or self.parsed or not discontinuous_only)
        gold_gaps, parsed_gaps = with_gaps(self.gold), with_gaps(self.parsed)
        scores = Scores(
            labelled=count_matches(self.gold, self.parsed),
            unlabelled=count_matches(_spans(self.gold), _spans(self.parsed)),
            labelled_discontinuous=count_matches(gold_gaps, parsed_gaps),
            unlabelled_discontinuous=count_matches(_spans(gold_gaps), _spans(parsed_gaps)),
            functions=count_matches(self.gold_functions, self.parsed_functions),
            sentences=int(counted),
            exact=int(counted and self.parsed_at_all and self.gold == self.parsed),
            without_parse=int(counted and not self.parsed_at_all),
            words=len(self.tags),
            right_tags=sum(gold == parsed for gold, parsed in self.tags),
        )
        gold, parsed = self.gold_functions, self.parsed_functions
        if gold or parsed:
            scores.word_functions = count_matches(self._of_words(gold), self._of_words(parsed))
        if self.gold_nulls or self.parsed_nulls:
            gold_nulls, parsed_nulls = detected(self.gold_nulls), detected(self.parsed_nulls)
            scores.nulls = count_matches(gold_nulls, parsed_nulls)
            scores.nulls_with_antecedents = count_matches(self.gold_nulls, self.parsed_nulls)
        return scores

    def _of_words(self, functions: Functions) -> Functions:
        """Return the functions of words: no constituent has their tag and span."""
        return Counter(
            {key: number for key, number in functions.items() if key[0] not in self.gold}
        )


def compare_sentences(
    gold: Iterable[Tree],
    parses: Iterable[Tree],
    settings: Settings = FIELD,
    reference: Iterable[Tree] | None = None,
) -> Iterator[Sentence]:
    """Compare parses with gold trees, one pair at a time.

    Parameters
    ----------
    gold, parses : iterable of Tree
        The same sentences in the same order.
    settings : Settings
    reference : iterable of Tree, optional
        The trees that decide the gap degree of a sentence; the gold trees by default.

    Raises
    ------
    InputError
        If the sentences differ.
    """
    for trees in align_with_reference(gold, parses, reference, settings):
        yield compare_trees(*trees, settings)


def gap_degree(tree: Tree) -> int:
    """Return the gap degree of a tree without its null elements."""
    if _is_continuous(tree):
        return 0
    spans = set(_covered(tree, {place: 1 << bit for bit, place in enumerate(words(tree))}).values())
    return max((fan_out(span) - 1 for span in spans if span), default=0)


def kept_words(gold: Tree, parse: Tree, settings: Settings) -> tuple[Bits, Bits]:
    """Return the bits of the words that count, in the gold tree and in the parse.

    Words that belong together share a bit; they count if one of the gold tree does.
    """
    ignored = settings.ignored_tags
    at_root = set(gold.root.children) if settings.ignore_root_tokens else set()
    ones = words(gold)
    kept = [
        position
        for position in ones
        if gold.tokens[position].tag not in ignored
        and gold.tokens[position].form not in settings.ignored_words
        and position not in at_root
    ]
    if settings.align:
        units = [unit for unit in align_words(gold, parse) if not unit[0].isdisjoint(kept)]
        return _bits(one for one, _ in units), _bits(other for _, other in units)
    pairs = dict(zip(ones, words(parse), strict=True))
    bits = {position: 1 << number for number, position in enumerate(kept)}
    return bits, {pairs[position]: bit for position, bit in bits.items()}


def _bits(groups: Iterable[Iterable[int]]) -> Bits:
    """Return the bit of each position, the same for all positions of a group."""
    return {place: 1 << number for number, group in enumerate(groups) for place in sorted(group)}


def joined(texts: Sequence[str], bits: Bits) -> list[str]:
    """Return the text of each word, by position; join the texts of words that belong together."""
    if not bits or max(bits.values()).bit_length() == len(bits):
        return [texts[position] for position in bits]
    text_of: dict[int, str] = {}
    for position, bit in bits.items():
        text_of[bit] = f"{text_of[bit]} {texts[position]}" if bit in text_of else texts[position]
    return list(text_of.values())


def tags_of(gold: Tree, parse: Tree, kept: tuple[Bits, Bits]) -> list[tuple[str, str]]:
    """Return both tags of each word that counts."""
    ones = joined([token.tag for token in gold.tokens], kept[0])
    others = joined([token.tag for token in parse.tokens], kept[1])
    return list(zip(ones, others, strict=True))


def labelled_nodes(tree: Tree, bits: Bits, settings: Settings) -> list[tuple[Node, Bracket]]:
    """Return the nodes that count, each with its bracket, children before their mothers.

    The root and NOPARSE never count, because readers and parsers add them.
    """
    ignored, equal = settings.ignored_labels | {NO_PARSE}, settings.equal_labels
    labelled = [
        (node, (equal.get(node.category, node.category) if settings.labelled else "", span))
        for node, span in _covered(tree, bits).items()
        if span and node is not tree.root and node.category not in ignored
    ]
    if settings.discontinuous_only:
        return [(node, bracket) for node, bracket in labelled if fan_out(bracket[1]) > 1]
    return labelled


def with_gaps(labelled: Brackets) -> Brackets:
    """Return the discontinuous brackets."""
    return Counter({key: number for key, number in labelled.items() if fan_out(key[1]) > 1})


def count_matches(gold: Counter[Key], parsed: Counter[Key]) -> Counts:
    """Count two multisets and their intersection."""
    if gold == parsed:
        total = gold.total()
        return Counts(total, total, total)
    matched = sum(min(number, parsed[key]) for key, number in gold.items() if key in parsed)
    return Counts(gold.total(), parsed.total(), matched)


def compare_trees(
    number: int, gold: Tree, parse: Tree, reference: Tree, settings: Settings
) -> Sentence:
    """Compare a gold tree and its parse, which are aligned."""
    ones, others = kept = kept_words(gold, parse, settings)
    gold_nodes = labelled_nodes(gold, ones, settings)
    parse_nodes = labelled_nodes(parse, others, settings)
    sentence = Sentence(
        number,
        gold.id,
        sum(gold.tokens[i].tag not in settings.uncounted_tags for i in words(gold)),
        gap_degree(reference),
        has_parse(parse),
        Counter([bracket for _, bracket in gold_nodes]),
        Counter([bracket for _, bracket in parse_nodes]),
        tags=tags_of(gold, parse, kept),
    )
    sentence.gold_functions = _functions(gold_nodes, sentence.parsed)
    sentence.parsed_functions = _functions(parse_nodes, sentence.gold)
    _add_functions(sentence.gold_functions, gold, ones, sentence.tags)
    _add_functions(sentence.parsed_functions, parse, others, sentence.tags)
    if not settings.align:  # places are numbers of words
        sentence.gold_nulls.update(null_elements(gold))
        sentence.parsed_nulls.update(null_elements(parse))
    return sentence


def _functions(nodes: list[tuple[Node, Bracket]], others: Brackets) -> Functions:
    """Return the function tags of the nodes that the other tree also has."""
    return Counter(
        (bracket, function)
        for node, bracket in nodes
        if node.functions and bracket in others
        for function in node.functions
    )


def _add_functions(
    functions: Functions, tree: Tree, bits: Bits, tags: list[tuple[str, str]]
) -> None:
    """Add the functions of words with the right tag."""
    for position, bit in bits.items():
        function = tree.tokens[position].function
        if function:
            gold, parsed = tags[bit.bit_length() - 1]
            if gold == parsed:
                functions[(gold, bit), function] += 1


def _covered(tree: Tree, bits: Bits) -> dict[Node, int]:
    """Return the span of every node over some of the tokens, children before their mothers."""
    spans: dict[Node, int] = {}
    for node in _children_first(tree):
        span = 0
        for child in node.children:
            span |= bits.get(child, 0) if isinstance(child, int) else spans[child]
        spans[node] = span
    return spans


def _is_continuous(tree: Tree) -> bool:
    # Most trees are: then a walk through the tree meets the tokens from left to right.
    last = -1
    stack: list[Node | int] = [tree.root]
    while stack:
        child = stack.pop()
        if isinstance(child, Node):
            stack.extend(reversed(child.children))
        elif child < last:
            return False
        else:
            last = child
    return True


def _children_first(tree: Tree) -> list[Node]:
    # Like `Tree.bottom_up`, except for the order of sisters, in half the time.
    nodes = [tree.root]
    for node in nodes:
        nodes.extend([child for child in node.children if isinstance(child, Node)])
    nodes.reverse()
    return nodes


def _spans(labelled: Brackets) -> Counter[int]:
    return Counter([span for _, span in labelled.elements()])


@dataclass
class Evaluation:
    """The scores of a corpus.

    Parameters
    ----------
    cutoff : int, optional
        The greatest length of a sentence in `short`.
    all : Scores
    discontinuous, continuous : Scores
        Of the sentences with and without a discontinuity in the reference trees (D and C).
    parsed : Scores
        Of the sentences with a parse.
    short : Scores
    by_category : dict of str to Counts
        Of labelled constituents.
    by_fan_out : dict of int to Counts
    by_function : dict of str to Counts
    by_null, by_null_with_antecedent : dict of (str, str) to Counts
        Of null elements, by the category above them and their type (Johnson 2002).
    by_gap_degree : dict of int to Scores
        By the gap degree of the reference tree.
    by_length : dict of int to Scores
        Of sentences of 1 to 10, 11 to 20 ... words, by the greatest length of the group.
    """

    cutoff: int | None = None
    all: Scores = field(default_factory=Scores)
    discontinuous: Scores = field(default_factory=Scores)
    continuous: Scores = field(default_factory=Scores)
    parsed: Scores = field(default_factory=Scores)
    short: Scores = field(default_factory=Scores)
    by_category: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_fan_out: dict[int, Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_function: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_null: dict[tuple[str, str], Counts] = field(default_factory=lambda: defaultdict(Counts))
    by_null_with_antecedent: dict[tuple[str, str], Counts] = field(
        default_factory=lambda: defaultdict(Counts)
    )
    by_gap_degree: dict[int, Scores] = field(default_factory=lambda: defaultdict(Scores))
    by_length: dict[int, Scores] = field(default_factory=lambda: defaultdict(Scores))

    def subsets(self) -> dict[str, Scores]:
        """Return the scores of all subsets of sentences, by the headings of their columns."""
        columns = {
            "All": self.all,
            "D": self.discontinuous,
            "C": self.continuous,
            "With parse": self.parsed,
        }
        return columns if self.cutoff is None else {**columns, f"<= {self.cutoff}": self.short}

    def add(self, sentence: Sentence, scores: Scores) -> None:
        """Add a sentence with its scores."""
        self.all.add(scores)
        (self.discontinuous if sentence.gap_degree else self.continuous).add(scores)
        if sentence.parsed_at_all:
            self.parsed.add(scores)
        if self.cutoff is not None and sentence.length <= self.cutoff:
            self.short.add(scores)
        longest = max(1, -(-sentence.length // LENGTHS)) * LENGTHS
        self.by_length[longest].add(scores)
        self.by_gap_degree[sentence.gap_degree].add(scores)
        _count(sentence.gold, sentence.parsed, self._kinds)
        functions = self.by_function
        _count(sentence.gold_functions, sentence.parsed_functions, lambda key: (functions[key[1]],))
        gold, parsed = sentence.gold_nulls, sentence.parsed_nulls
        if gold or parsed:
            nulls, linked = self.by_null, self.by_null_with_antecedent
            _count(detected(gold), detected(parsed), lambda null: (nulls[null[:2]],))
            _count(gold, parsed, lambda key: (linked[key[0][:2]],))

    def _kinds(self, bracket: Bracket) -> tuple[Counts, ...]:
        category, span = bracket
        return self.by_category[category], self.by_fan_out[max(1, fan_out(span))]


def _count(
    gold: Counter[Key], parsed: Counter[Key], kinds: Callable[[Key], tuple[Counts, ...]]
) -> None:
    for key, number in gold.items():
        matched = min(number, parsed[key]) if key in parsed else 0
        for counts in kinds(key):
            counts.gold += number
            counts.matched += matched
    for key, number in parsed.items():
        for counts in kinds(key):
            counts.parsed += number


def summarize(sentences: Iterable[Sentence], settings: Settings = FIELD) -> Evaluation:
    """Return the total scores of compared sentences, from any scorer.

    Parameters
    ----------
    sentences : iterable of Sentence
    settings : Settings
    """
    evaluation = Evaluation(settings.cutoff)
    for sentence in sentences:
        evaluation.add(sentence, sentence.scores(settings.discontinuous_only))
    return evaluation


def evaluate(
    gold: Iterable[Tree],
    parses: Iterable[Tree],
    settings: Settings = FIELD,
    reference: Iterable[Tree] | None = None,
) -> Evaluation:
    """Compare parses with gold trees.

    Parameters
    ----------
    gold, parses : iterable of Tree
        The same sentences in the same order; one pair is held at a time.
    settings : Settings
    reference : iterable of Tree, optional
        The trees that decide which sentences are discontinuous; the gold trees by default.

    Raises
    ------
    InputError
        If the sentences differ, or a tree is something else.
    """
    gold, parses = checked_trees(gold, "gold tree"), checked_trees(parses, "parse")
    return summarize(compare_sentences(gold, parses, settings, reference), settings)


def score(
    gold: str | Path | Iterable[Tree],
    parses: str | Path | Iterable[Tree],
    settings: Settings | str | Path = FIELD,
) -> Scores:
    """Compare parses with gold trees, and return only the scores of all sentences.

    Parameters
    ----------
    gold, parses : iterable of Tree, str or Path
        The same sentences in the same order, or the names of treebanks; one pair is held at a time.
    settings : Settings, str or Path
        Settings, or a name as for `load_settings`: ``"all"`` counts every constituent except the
        root.

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        If the sentences differ, a tree has another type, or a name is neither a file nor a setting.
    TreebankError
        If a treebank cannot be read.

    See Also
    --------
    plcfrs.evaluation.evaluate : Scores of subsets and kinds of constituents.
    plcfrs.evaluation.compare_sentences : Sentence by sentence.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ")]
    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0]), 1]), tokens)
    >>> score([tree], [tree]).labelled
    Counts(gold=1, parsed=1, matched=1)
    >>> score([tree], [tree]).labelled.f1
    100.0
    >>> score("plcfrs:demo", "plcfrs:demo", "all").labelled.f1
    100.0
    """
    if isinstance(settings, str | Path):
        settings = load_settings(settings)
    return evaluate(given_trees(gold), given_trees(parses), settings).all


def differences(gold: Tree, parse: Tree, settings: Settings = FIELD) -> tuple[Parts, Parts]:
    """Return the wrong parts of a parse, to mark them in a picture.

    Parameters
    ----------
    gold, parse : Tree
        With the same words.
    settings : Settings

    Returns
    -------
    tuple of set
        The missed nodes of the gold tree, and the spurious nodes of the parse, each with the
        tokens whose tags differ.
    """
    ones, others = kept = kept_words(gold, parse, settings)
    missed, spurious = labelled_nodes(gold, ones, settings), labelled_nodes(parse, others, settings)
    tags = enumerate(tags_of(gold, parse, kept))
    wrong = {1 << number for number, (tag, other) in tags if tag != other}
    return (
        {*_unmatched_nodes(missed, spurious), *(i for i, bit in ones.items() if bit in wrong)},
        {*_unmatched_nodes(spurious, missed), *(j for j, bit in others.items() if bit in wrong)},
    )


def unmatched(
    some: Iterable[Item], others: Iterable[Item], bracket: Callable[[Item], Bracket]
) -> list[Item]:
    """Return the constituents that the other tree lacks, or has less often."""
    available = Counter(map(bracket, others))
    remaining = []
    for constituent in some:
        if available[bracket(constituent)]:
            available[bracket(constituent)] -= 1
        else:
            remaining.append(constituent)
    return remaining


def _unmatched_nodes(
    some: list[tuple[Node, Bracket]], others: list[tuple[Node, Bracket]]
) -> list[Node]:
    return [node for node, _ in unmatched(some, others, lambda labelled: labelled[1])]
