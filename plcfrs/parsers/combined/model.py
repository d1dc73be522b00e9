"""Several parsers as one: all judge the forest of one of them, and choose the best derivation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.budget import DEFAULT, Budget
from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors, span_of_item
from plcfrs.chart.held_forest import HeldForest
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.errors import GrammarError, InputError
from plcfrs.forest.forest_parser import ForestParser
from plcfrs.forest.forests import forest_of_parses
from plcfrs.forest.grammar_parser import GrammarParser, WordTags
from plcfrs.forest.posteriors import Calibration, calibrated
from plcfrs.forest.scored_forest import (
    ScoredForest,
    best_derivation,
    best_expected_f1,
    derivation_of_edges,
    want_lines,
)
from plcfrs.forest.votes import ForestScores
from plcfrs.grammar import Derivation
from plcfrs.grammar.rules import Want
from plcfrs.parsers.combined.members import Files, Members, Voter, Voters
from plcfrs.parsers.combined.weights import WeightExample, example_of
from plcfrs.parsing.explanation import Cell, Column, Explanation, Row
from plcfrs.parsing.parse import BARE_PARSE, Constituent, Fallback, Parse
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.parsing.sentence_parser import SAVED, SentenceParser
from plcfrs.storage.model_file import MODEL, ModelFile, opened, save
from plcfrs.transformation import Options
from plcfrs.trees import Fixed, Tree
from plcfrs.trees.tree import leftmost, positions, render_ranges, runs, span_of_runs

_POSTERIOR = Column("posterior", is_number=True, decimals=4)
# The key of the member with the best tags, in the facts about the model.
TAGGER = "tagger"

# Several members can choose among more parses than one can, so the forests are larger.
_LOG_RATIO = 9.0


class ScoredByMembers(ScoredForest):
    """A forest with the weighted scores of each member, a float64 array (members, E)."""

    def __init__(self, forest: Forest, members: Sequence[str], weighted: Costs) -> None:
        super().__init__(forest, weighted.sum(axis=0))
        self.members = members
        self.weighted = weighted

    def held(
        self,
        held: HeldForest,
        free: ScoredForest,  # noqa: ARG002 (scores are no probabilities)
    ) -> ScoredByMembers:
        """Return the derivations with what is fixed of a tree, with their scores."""
        return ScoredByMembers(held.forest, self.members, self.weighted[:, held.edges])

    def cost(self, score: float) -> float:
        """Return the negative sum of the scores of a derivation."""
        return -score

    def best(self, objective: str | None) -> tuple[float, Derivation] | None:
        """Return the best derivation with its cost."""
        choose = best_expected_f1 if objective == "expected-f1" else best_derivation
        edges = choose(self.forest, self.scores).edges
        score = float(self.scores[edges[edges >= 0]].sum())
        return self.cost(score), derivation_of_edges(self.forest, edges)

    def explain(
        self,
        words: list[str],
        derivation: Derivation | None = None,
        wants: Sequence[Want] = (),
        *,
        binarized: bool = False,
    ) -> Explanation:
        """Return each member's scores of a parse, by default the best, and of wanted constituents.

        If `binarized`, the explanation shows the intermediate symbols of the forest.
        """
        text = []
        for want in wants:
            missing = [f"{want}: not in the forest, so no member could choose it"]
            text += ["", *(want_lines(self, want) or missing)]
        edges = self.best_edges() if derivation is None else _edges_of(self.forest, derivation)
        numbers = [Column(name, is_number=True) for name in ("sum", *self.members, "at")]
        columns = [_POSTERIOR, *numbers, Column("constituent")]
        rows = list(_Rows(self, edges).all(with_intermediate=binarized))
        return Explanation(words, "constituent", "score", columns, rows, text)


def _edges_of(forest: Forest, derivation: Derivation) -> Int64:
    """Return the edge of each item of a derivation, the only one with all its items in it."""
    symbols = list(forest.compiled.labels)
    used = {
        (part.nonterminal, span_of_runs(ranges))
        for part, ranges in zip(derivation.bottom_up(), derivation.ranges(), strict=True)
    }
    is_used = np.array(
        [
            (symbols[label], span_of_item(forest, item)) in used
            for item, label in enumerate(forest.label)
        ]
        + [True]  # for the child -1
    )
    children = is_used[forest.edge_left] & is_used[forest.edge_right]
    scores = np.where(is_used[forest.edge_mother] & children, 0.0, -np.inf)
    return best_derivation(forest, scores).edges


class _Rows:
    """The constituents of a derivation in a forest, with the scores of the members."""

    def __init__(self, scored: ScoredByMembers, edges: Int64) -> None:
        self._forest = forest = scored.forest
        self._edges = edges
        self._weighted = scored.weighted
        self._posterior = scored.posterior
        self._symbols = [list(forest.compiled.labels)[label] for label in forest.label]

    def all(self, *, with_intermediate: bool = False) -> Iterator[Row]:
        """Yield all constituents, mothers before their children, from left to right."""
        stack = [(self._forest.goal, 0)]
        while stack:
            item, depth = stack.pop()
            if self._symbols[item].kind == "tag":
                continue
            children, scores = self._below(item, with_intermediate=with_intermediate)
            yield self._row(item, depth, children, scores.tolist(), is_full=with_intermediate)
            stack += [(child, depth + 1) for child in reversed(children)]

    def _row(
        self, item: int, depth: int, children: list[int], scores: list[float], *, is_full: bool
    ) -> Row:
        span = span_of_item(self._forest, item)
        symbol, below = self._symbols[item], [self._symbols[child] for child in children]
        text = f"{symbol.category} -> {' '.join(child.category for child in below)}"
        shown = f"{symbol} -> {' '.join(map(str, below))}" if is_full else text
        posterior, score = float(self._posterior[item]), fsum(scores)
        places = render_ranges(runs(span))
        cells: list[Cell] = [posterior, score, *scores, places, f"{2 * depth * ' '}{shown}"]
        details = {"posterior": _POSTERIOR.printed(posterior)}
        return Row(text, text, score, positions(span), cells, (symbol.category,), details)

    def _below(self, item: int, *, with_intermediate: bool = False) -> tuple[list[int], Costs]:
        """Return the children of a constituent, and the sums of the scores down to them."""
        edge = self._edges[item]
        scores = self._weighted[:, edge].copy()
        children: list[int] = []
        for child in (self._forest.edge_left[edge], self._forest.edge_right[edge]):
            is_left_out = not with_intermediate and self._symbols[child].kind == "intermediate"
            if child >= 0 and is_left_out:
                below, more = self._below(child)
                children += below
                scores += more
            elif child >= 0:
                children.append(int(child))
        children.sort(key=lambda child: leftmost(span_of_item(self._forest, child)))
        return children, scores


class CombinedContents(NamedTuple):
    """What a model file contains; the members' files are relative to the folder of this file."""

    members: Files
    voters: tuple[str, ...]
    transformation: Options
    weights: Costs
    calibration: Calibration
    about: Mapping[str, str]

    def check(self) -> None:
        """Raise a ValueError if a weight is missing or not finite."""
        numbers = [*self.weights.tolist(), *self.calibration]
        least = 2 * (len(self.members) + len(self.voters))  # a member may have several heads
        if len(self.weights) < least or not np.isfinite(numbers).all():
            raise ValueError("the weights are damaged")


class CombinedModel(ForestParser):
    """Several parsers as one.

    The first member with a grammar makes a forest. If it cannot, the next one with a grammar does.
    If none can, the forest has the parses of members without a grammar. All members judge it, and
    the parse is the derivation with the highest weighted sum of their scores. A parser without a
    grammar votes for the constituents of its own parses, and so do voters, which are files with
    parses. With the objective "expected-f1", the parse is the derivation with the highest expected
    F1 (see `plcfrs.forest.forest_parser`); its score is still this sum.

    Parameters
    ----------
    weights : float64 array (2 * members,)
        For constituents without gaps, and then with gaps.
    calibration : Calibration
        Of the probabilities of the constituents of parses.
    about : mapping of str to str
        How the model was made, for people.
    fallback : {"none", "flat", "partial"}
        What to do without a parse; see `GrammarParser`.
    without : tuple of str
        Members to leave out.
    budget : Budget
        For each sentence and member.
    """

    kind = "combined"
    objectives = ("weighted-sum", "expected-f1")
    capabilities = frozenset({"budget", "nbest", "sums"})
    log_ratios = (_LOG_RATIO,)
    _meaning = "weighted sum of the scores of the members"

    def __init__(
        self,
        members: Members,
        weights: Costs,
        calibration: Calibration,
        about: Mapping[str, str],
        fallback: Fallback = "none",
        without: tuple[str, ...] = (),
        budget: Budget = DEFAULT,
    ) -> None:
        base = members.base
        super().__init__(base.grammar, base._chart, fallback, budget)
        for name in without:
            if name not in members.names:
                raise InputError(f"without {name}: the members are {', '.join(members.names)}")
        self.members = members
        self.weights = weights
        self.calibration = calibration
        self._about = dict(about)
        self._without = without
        learned = [each.parser.training_set for each in members.all]
        self.training_set = frozenset().union(*learned) if all(learned) else frozenset()
        completions = [each.parser.completion for each in members.all]
        self.completion = next(filter(None, completions), None)
        asked = self.asked
        self._grammars = [each for each in asked if isinstance(each, GrammarParser)]
        self._grammarless = [each for each in asked if not isinstance(each, GrammarParser)]
        self._tags.update(*(each._tags for each in self._grammars))

    @classmethod
    def load(
        cls,
        path: str | Path,
        fallback: Fallback = "none",
        without: tuple[str, ...] = (),
        votes: Sequence[str] = (),
        budget: Budget = DEFAULT,
        members: Sequence[str | Path] = (),
    ) -> CombinedModel:
        """Read a saved model and its members.

        Parameters
        ----------
        fallback, without, budget
            As for the class.
        votes : sequence of str
            Parses of other programs, see `Voters.reading`; a voter without parses does not vote.
        members : sequence of str or Path
            Models that replace the members of the same names, such as the same parsers trained on
            more trees.
        """
        with opened(path) as file:
            if file.kind != cls.kind:
                raise GrammarError(f"a parser of the family {file.kind}, not a combined one")
            stored = file.read(MODEL, CombinedContents)
            voters = Voters(tuple(map(Voter, stored.voters)), stored.transformation)
            if members:
                loaded = Members.replacing(stored.members, members, budget, voters)
            else:
                loaded = Members.stored(stored.members, Path(path).parent, budget, voters)
            if len(stored.weights) != 2 * len(loaded.names):
                raise ValueError("the weights are damaged")
        loaded = loaded._replace(voters=voters.reading(votes))
        numbers = stored.weights, stored.calibration
        return cls(loaded, *numbers, stored.about, fallback, without, budget)

    def save(self, path: str | Path) -> None:
        """Write the weights and the names of the members' files, relative to this one."""
        voters = self.members.voters
        contents = CombinedContents(
            self.members.files(Path(path).resolve().parent),
            tuple(each.name for each in voters.all),
            voters.transformation,
            self.weights,
            self.calibration,
            self._about,
        )
        save(path, ModelFile.of(self.kind, model=contents))

    def save_into(self, folder: str | Path) -> None:
        """Write the model and its members into a folder; see `SentenceParser.save_into`."""
        alone = copy(self)
        alone.members = self.members.saved_into(Path(folder))
        alone.save(Path(folder, SAVED))

    @property
    def lexicon(self) -> WordTags:
        """The lexicon of the member that makes the forests."""
        return self.members.base.lexicon

    @property
    def asked(self) -> Sequence[SentenceParser]:
        """The parser that makes the forests, and all other members that are not left out."""
        base = self.members.base
        others = [each.parser for each in self.members.all if {*each.judges} - {*self._without}]
        return [base, *(each for each in others if each is not base)]

    @property
    def about(self) -> Mapping[str, str]:
        """How the weights were learned, and the options of the grammar."""
        return {**super().about, **self._about}

    @property
    def weight_lines(self) -> list[str]:
        """The weights as a table for people."""
        width = max(map(len, self.members.names))
        lines = [f"  {'member':<{width}}  no gap     gap"]
        for name, *both in zip(self.members.names, *np.split(self.weights, 2), strict=True):
            lines.append(f"  {name:<{width}}  {both[0]:6.3f}  {both[1]:6.3f}")
        return lines

    @property
    def warning(self) -> str:
        """A warning about the grammar and missing votes; empty if there is none."""
        asked = [each for each in self.members.voters.all if each.name not in self._without]
        return "; ".join(filter(None, [super().warning, *(each.warning for each in asked)]))

    def missing(self, sentence: Input) -> Sequence[str]:
        """Return the names of the voters whose files lack a sentence."""
        read = self.read(sentence)
        lacking = [each.name for each in self.members.voters.all if each.lacks(read)]
        return [name for name in lacking if name not in self._without]

    def explain(
        self, sentence: Input, wants: Sequence[Want] = (), *, binarized: bool = False
    ) -> Explanation:
        """Return each member's scores of the constituents of the parse, and of wanted ones.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        binarized : bool
            Whether the explanation shows the intermediate symbols of the forest.
        """
        read = self.tagged(self.read(sentence))
        if not read.tokens:
            raise InputError("the sentence has no words")
        tags = self.tags_of(read)
        if isinstance(tags, Parse):
            raise InputError(f"there is no parse to explain: {tags.status}")
        result, forest = self._forest(read, tags, _LOG_RATIO)
        if forest is None:
            raise InputError(f"there is no forest to explain: {result.status}")
        return self.scored(read, forest).explain(read.words, wants=wants, binarized=binarized)

    def parse_with_forest(
        self,
        tags: Candidates,
        log_ratio: float = _LOG_RATIO,
        fixed: Fixed | None = None,
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse and the forest of the first member that has one."""
        tried = []
        for parser in self._grammars:
            result, forest = parser.parse_with_forest(tags, log_ratio, fixed)
            if forest is not None:
                return result, forest
            tried.append(result)
        return next((each for each in tried if each.derivation is not None), tried[0]), None

    def tagged(self, sentence: Sentence) -> Sentence:
        """Return a sentence with the tags of the member whose tags were best in training."""
        tagger = self._about.get(TAGGER)
        if sentence.tags is not None or tagger is None:
            return sentence
        (parser,) = (each.parser for each in self.members.all if each.name == tagger)
        return replace(sentence, tags=parser.find_tags(sentence))

    def example(self, sentence: Sentence, gold: Tree) -> WeightExample | None:
        """Return an example to learn weights from; None if no grammar has a forest of the sentence.

        A forest of members' own parses would make these members look right.
        """
        sentence = self.tagged(sentence)
        tags = self.tags_of(sentence)
        if isinstance(tags, Parse):
            return None
        _, forest = self.parse_with_forest(tags)
        if forest is None:
            return None
        return example_of(forest, self.members.scores(sentence, forest), gold)

    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores | None:
        """Return votes with the calibrated probabilities of constituents; None without a forest."""
        return GrammarParser.judge(self, self.tagged(sentence), forest)

    def scored(self, sentence: Sentence, forest: Forest) -> ScoredByMembers:
        """Return a forest with each member's weighted scores of its edges."""
        scores = self.weights[:, None] * self.members.scores(sentence, forest, self._without)
        without_gap, with_gap = np.split(scores, 2)
        return ScoredByMembers(forest, self.members.names, without_gap + with_gap)

    def tags_of(self, sentence: Sentence) -> Candidates | Parse:
        """Return the possible tags of each token; members without a grammar need none."""
        if self._grammarless:
            return self._possible_tags(sentence)
        return super().tags_of(sentence)

    def chances(self, posteriors: SymbolPosteriors) -> Mapping[Constituent, float]:
        """Return the calibrated probability of each constituent."""
        return calibrated(super().chances(posteriors), self.calibration)

    def _forest(
        self,
        sentence: Sentence,
        tags: Candidates,
        log_ratio: float,
        fixed: Fixed | None = None,
    ) -> tuple[ParseResult, Forest | None]:
        """Return the forest of the first grammar that has one, or of parses without a grammar."""
        result, forest = self.parse_with_forest(tags, log_ratio, fixed)
        if forest is None:
            parses = [each.parse_together([sentence], BARE_PARSE) for each in self._grammarless]
            if trees := [best.tree for ((best,),) in parses if best.status == "parsed"]:
                best, forest = forest_of_parses(trees)
                return (result, None) if forest is None else (best, forest)
        return result, forest
