"""What parsers with a grammar share: tags of words, a search, and a fallback."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from plcfrs.binarization import unbinarize, unbinarize_tree
from plcfrs.chart import Forest, ParseResult, PartialParser, cover_by_tags, piece_costs
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import LOG_RATIO, Judgement
from plcfrs.experts.posteriors import posteriors_in_trees
from plcfrs.experts.votes import Constituent, votes
from plcfrs.extraction import rebuild
from plcfrs.grammar import Derivation, Grammar, Nonterminal, tag
from plcfrs.grammar.improper import improper_sums
from plcfrs.grammar.summary import some, tags_without_words
from plcfrs.pipeline.parse import Explanation, Fallback, Parse, Posterior, Status
from plcfrs.pipeline.sentence import UNKNOWN_TAG, Sentence
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.settings import check_settings, setting
from plcfrs.transformation import remove_splits
from plcfrs.trees import Token, Tree
from plcfrs.trees.spans import positions


@dataclass(frozen=True)
class FallbackOptions:
    """What a parser with a grammar does if a sentence has no parse."""

    fallback: Fallback = setting(
        "none",
        "The tree of a sentence without a parse: only its words (none), words with their tags "
        "(flat), or the most probable sequence of constituents (partial).",
    )

    def __post_init__(self) -> None:
        check_settings(self)


class GrammarParser(SentenceParser):
    """A parser of sentences with a grammar.

    Parameters
    ----------
    grammar : Grammar
        The grammar, which defines the tags.
    fallback : {"none", "flat", "partial"}
        What is below NOPARSE in the tree of a sentence without a parse: its tokens, where a word
        without a tag gets the tag that is most likely to generate it ("none"), or the tag that the
        word is most likely to have ("flat"); or the most probable sequence of constituents and
        tags that covers it ("partial", see `PartialParser`).
    budget : Budget
        For each sentence, and again for the search for this sequence.
    """

    def __init__(
        self, grammar: Grammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        FallbackOptions(fallback)
        self.grammar = grammar
        self.fallback = fallback
        self._cover: Callable[[Candidates], Derivation]
        if fallback == "partial":
            self._cover = PartialParser(grammar, budget).cover
        else:
            costs = piece_costs(grammar) if fallback == "flat" else {}
            self._cover = partial(cover_by_tags, costs=costs)
        self._tags = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}

    @property
    def words(self) -> Collection[str]:
        """The words of the lexicon."""
        return self.grammar.lexicon.words

    @property
    def tags(self) -> Collection[str]:
        """The tags of the grammar."""
        return {symbol.category for symbol in self._tags}

    @property
    def about(self) -> Mapping[str, str]:
        """The options of the grammar."""
        return self.grammar.options

    @property
    def warning(self) -> str:
        """Symbols whose probabilities do not sum to one, and tags without words; or nothing."""
        wordless = tags_without_words(self.grammar)
        slips = f"neither rules nor words: {some(wordless)}; are they misspelt?" * bool(wordless)
        return "; ".join(filter(None, [improper_sums(self.grammar), slips]))

    def _parse(self, sentence: Sentence, objective: str | None, *, explained: bool) -> Parse:
        candidates = self._candidates(sentence)
        if isinstance(candidates, Parse):
            return candidates
        objective = objective or next(iter(self.objectives), "")
        result = self._search(sentence, candidates, objective)
        return self._parsed(result, sentence, candidates, explained=explained)

    @abstractmethod
    def _search(
        self, sentence: Sentence, candidates: Candidates, objective: str
    ) -> ParseResult: ...

    @abstractmethod
    def parse_with_forest(
        self, candidates: Candidates, log_ratio: float = LOG_RATIO
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse, and the forest of parses that are not much worse, for experts.

        See `ChartParser.parse_with_forest`.

        Parameters
        ----------
        candidates : sequence of mapping of Nonterminal to float
            The possible tags of each token with their costs.
        log_ratio : float
            The forest has parses that are at most e to this power less probable than the best one.
        """

    @abstractmethod
    def _constituents(
        self, sentence: Sentence, candidates: Candidates
    ) -> Mapping[tuple[Nonterminal, int], float]:
        """Return the posterior of each symbol and span; nothing without a forest."""

    @abstractmethod
    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        """Return the possible tags of each word with their costs; none for an unknown word."""

    @abstractmethod
    def _explained(
        self, sentence: Sentence, candidates: Candidates, derivation: Derivation
    ) -> Explanation:
        """Return the explanation of a derivation with the rules that the parser used."""

    @property
    @abstractmethod
    def _meaning(self) -> str:
        """The meaning of the scores of parses."""

    def _posteriors(self, sentence: Sentence, parses: Sequence[Parse]) -> list[list[Posterior]]:
        if parses[0].status != "parsed":
            return [[] for _ in parses]
        candidates = self._candidates(sentence)
        assert not isinstance(candidates, Parse)  # there is a parse
        chances = self._chances(sentence, candidates)
        return [_posteriors_in(parse.tree, chances) if chances else [] for parse in parses]

    def _chances(self, sentence: Sentence, candidates: Candidates) -> Mapping[Constituent, float]:
        """Return the probability of each constituent; nothing without a forest."""
        return posteriors_in_trees(self._constituents(sentence, candidates))

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement | None:
        """Return votes by the posterior probabilities of constituents; None without a forest.

        See `SentenceParser.judge`.
        """
        candidates = self._candidates(sentence)
        chances = {} if isinstance(candidates, Parse) else self._chances(sentence, candidates)
        return votes(forest, chances) if chances else None

    def _candidates(self, sentence: Sentence) -> Candidates | Parse:
        """Return the possible tags of each token, or a failed parse if a token has none."""
        candidates = self._possible_tags(sentence)
        if sentence.tags is not None:
            for names, tags in zip(sentence.tags, candidates, strict=True):
                if self._tags.isdisjoint(tags):
                    return self._failed(sentence, candidates, "unknown tag", ", ".join(names))
            return candidates
        for word, tags in zip(sentence.words, candidates, strict=True):
            if not tags:
                return self._failed(sentence, candidates, "unknown word", word)
        return candidates

    def _possible_tags(self, sentence: Sentence) -> Candidates:
        if sentence.tags is None:
            return self._tags_of(sentence.words)
        return [{tag(name): cost for name, cost in tags.items()} for tags in sentence.tags]

    def _parsed(
        self, result: ParseResult, sentence: Sentence, candidates: Candidates, *, explained: bool
    ) -> Parse:
        if result.derivation is None:
            failed = self._failed(sentence, candidates, result.status)
            return replace(failed, statistics=result.statistics)
        derivation = unbinarize(result.derivation)
        explanation = None
        if explained:
            explanation = self._explained(sentence, candidates, result.derivation)
        return Parse(
            printed_tree(derivation, sentence),
            result.status,
            score=-result.cost,
            meaning=self._meaning,
            derivation=derivation,
            statistics=result.statistics,
            lost_mass=result.lost_mass,
            explanation=explanation,
            gap=result.gap,
        )

    def _failed(
        self, sentence: Sentence, candidates: Candidates, status: Status, reason: str = ""
    ) -> Parse:
        tags = [
            {tag(token.tag): 0.0} if token.tag else tags or {tag(UNKNOWN_TAG): 0.0}
            for token, tags in zip(sentence.tokens, candidates, strict=True)
        ]
        tree = printed_tree(unbinarize(self._cover(tags)), sentence)
        return Parse(tree, status, reason, score=-inf, fallback=self.fallback)


def _posteriors_in(tree: Tree, chances: Mapping[Constituent, float]) -> list[Posterior]:
    found = []
    spans = tree.yields()
    for node in tree.nodes():
        chance = chances.get((node.category, spans[node]), 0.0)
        found.append(Posterior(node.category, tuple(positions(spans[node])), chance))
    found[0] = found[0]._replace(probability=1.0)  # the root is in every tree
    return found


def printed_tree(derivation: Derivation, sentence: Sentence) -> Tree:
    """Return the tree of a derivation without binarization and splits."""
    tokens = _tagged(sentence.tokens, derivation)
    tree = rebuild(derivation, tokens, sentence.id)
    return unbinarize_tree.in_place(remove_splits.in_place(tree))


def _tagged(tokens: Sequence[Token], derivation: Derivation) -> list[Token]:
    """Return the tokens with the tags of a derivation."""
    tags = [node.nonterminal.category for node in derivation.bottom_up() if not node.children]
    return [
        replace(token, tag=tags[leaf])
        for token, leaf in zip(tokens, derivation.order(), strict=True)
    ]
