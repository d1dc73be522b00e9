"""Several parsers as one: all judge the forest of one of them, and the best derivation wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest, ParseResult, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.scanning import Candidates
from plcfrs.errors import GrammarError, InputError
from plcfrs.experts import best_derivation, score_sums, unjudged
from plcfrs.experts.calibration import Calibration
from plcfrs.experts.decoding import derivation_of_edges, ranked_derivations
from plcfrs.experts.expected_f1 import best_expected_f1
from plcfrs.experts.forests import forest_of_parses
from plcfrs.experts.votes import Constituent
from plcfrs.experts.weights import Example, example_of
from plcfrs.grammar import Derivation, Nonterminal
from plcfrs.grammar.positions import Want
from plcfrs.pipeline.combined_explanation import CombinedExplanation, explain_combined
from plcfrs.pipeline.grammar_parser import GrammarParser
from plcfrs.pipeline.members import Files, Members
from plcfrs.pipeline.parse import Explanation, Fallback, Parse
from plcfrs.pipeline.sentence import Input, Sentence
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.pipeline.voters import Voters
from plcfrs.storage.model_file import MODEL, ModelFile, opened, save
from plcfrs.transformation import Options
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Tree

# Several judges together find the right parse among more than one judge does.
_LOG_RATIO = 9.0


class _Found(NamedTuple):
    """A result of a parser, and its forest."""

    parser: GrammarParser
    result: ParseResult
    forest: Forest | None


class Contents(NamedTuple):
    """What is stored: the names of voters, and the members' files, relative to the own folder."""

    members: Files
    voters: tuple[str, ...]
    transformation: Options
    weights: Costs
    calibration: Calibration
    about: Mapping[str, str]

    def check(self) -> None:
        """Raise a ValueError if a weight is missing or not finite."""
        numbers = [*self.weights.tolist(), *self.calibration]
        number = 2 * (len(self.members) + len(self.voters))
        if len(self.weights) != number or not np.isfinite(numbers).all():
            raise ValueError("the weights are damaged")


class CombinedModel(GrammarParser):
    """Several parsers as one.

    The first member with a grammar makes a forest. If it cannot, the next one with a grammar does,
    and at last the parses of members without a grammar are the forest. All members judge it, and
    the derivation with the highest weighted sum of their scores is the parse. A parser without a
    grammar votes for the constituents of its own parses, and so do voters, which are files with
    parses. With the objective "expected-f1", the parse is the derivation with the highest expected
    F1 (see `plcfrs.experts.expected_f1`); its score is still this sum.

    Parameters
    ----------
    members : Members
    weights : float64 array (2 * members,)
        Of constituents without gaps, and then of those with gaps.
    calibration : Calibration
        Of the probabilities of the constituents of parses.
    about : mapping of str to str
        How the model was made, for people.
    fallback : {"none", "flat", "partial"}
        What to do without a parse; see `GrammarParser`.
    without : tuple of str
        Members that are not asked.
    budget : Budget
        For each sentence and member.

    Raises
    ------
    InputError
        If there is no member of a name in `without`.
    """

    kind = "combined"
    objectives = ("weighted-sum", "expected-f1")
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
        super().__init__(members.base.grammar, fallback, budget)
        for name in without:
            if name not in members.names:
                known = ", ".join(members.names)
                raise InputError(f"without {name}: the members are {known}")
        self.members = members
        self.weights = weights
        self.calibration = calibration
        self._about = dict(about)
        self._without = without
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
        path : str or Path
        fallback, without, budget
            As for the class.
        votes : sequence of str
            Parses by other programs, see `Voters.reading`; a voter without parses is silent.
        members : sequence of str or Path
            Models with the names of the members that are to take their places, such as the same
            parsers trained on more trees.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or of another family, or a member is missing.
        InputError, TreebankError
            If a file of votes cannot be read, there is no such voter, or the names of the members
            are others.
        """
        with opened(path) as file:
            if file.kind != cls.kind:
                raise GrammarError(f"a parser of the family {file.kind}, not a combined one")
            stored = file.read(MODEL, Contents)
            voters = Voters.silent(stored.voters, stored.transformation)
            if members:
                found = Members.replacing(stored.members, members, budget, voters)
            else:
                found = Members.stored(stored.members, Path(path).parent, budget, voters)
        found = found._replace(voters=voters.reading(votes))
        numbers = stored.weights, stored.calibration
        return cls(found, *numbers, stored.about, fallback, without, budget)

    def save(self, path: str | Path) -> None:
        """Write the weights and the names of the members' files, relative to this one."""
        voters = self.members.voters
        contents = Contents(
            self.members.files(Path(path).resolve().parent),
            tuple(each.name for each in voters.all),
            voters.transformation,
            self.weights,
            self.calibration,
            self._about,
        )
        save(path, ModelFile.of(self.kind, model=contents))

    @property
    def asked(self) -> Sequence[SentenceParser]:
        """The parser that makes the forests, and the other members that are asked."""
        base = self.members.base
        others = [each.parser for each in self.members.all if each.name not in self._without]
        return [base, *(each for each in others if each is not base)]

    @property
    def about(self) -> Mapping[str, str]:
        """How the weights were learned, and the options of the grammar."""
        return {**super().about, **self._about}

    @property
    def weight_lines(self) -> list[str]:
        """The weights as a table for people."""
        width = max(map(len, self.members.names))
        lines = [f"  {'expert':<{width}}  no gap     gap"]
        for name, *both in zip(self.members.names, *np.split(self.weights, 2), strict=True):
            lines.append(f"  {name:<{width}}  {both[0]:6.3f}  {both[1]:6.3f}")
        return lines

    @property
    def warning(self) -> str:
        """A warning about the grammar, and about votes that are missing; or nothing."""
        asked = [each for each in self.members.voters.all if each.name not in self._without]
        return "; ".join(filter(None, [super().warning, *(each.warning for each in asked)]))

    def missing(self, sentence: Input) -> Sequence[str]:
        """Return the names of the voters whose files do not have a sentence."""
        read = Sentence.of(sentence)
        lacking = [each.name for each in self.members.voters.all if each.lacks(read)]
        return [name for name in lacking if name not in self._without]

    def explain(self, sentence: Input, wants: Sequence[Want] = ()) -> CombinedExplanation:
        """Return what each member says of the constituents of the parse and of wanted ones.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        wants : sequence of Want

        Raises
        ------
        InputError
            If the sentence has no forest to explain.
        """
        read = Sentence.of(sentence)
        if not read.tokens:
            raise InputError("the sentence has no words")
        candidates = self._candidates(read)
        if isinstance(candidates, Parse):
            raise InputError(f"there is no parse to explain: {candidates.status}")
        _, result, forest = self._forest(read, candidates)
        if forest is None:
            raise InputError(f"there is no forest to explain: {result.status}")
        weighted = self._weighted(read, forest)
        return explain_combined(read.words, forest, self.members.names, weighted, wants)

    def parse_with_forest(
        self, candidates: Candidates, log_ratio: float = _LOG_RATIO
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse and a forest; see `GrammarParser.parse_with_forest`."""
        _, result, forest = self._forest_of_grammars(candidates, log_ratio)
        return result, forest

    def example(self, sentence: Sentence, gold: Tree) -> Example | None:
        """Return an example to learn weights from; None if no grammar has a forest of the sentence.

        A forest of the members' own parses would say that these members are right.

        Parameters
        ----------
        sentence : Sentence
        gold : Tree
        """
        candidates = self._candidates(sentence)
        if isinstance(candidates, Parse):
            return None
        forest = self._forest_of_grammars(candidates).forest
        if forest is None:
            return None
        return example_of(forest, self.members.scores(sentence, forest), gold)

    def _search(self, sentence: Sentence, candidates: Candidates, objective: str) -> ParseResult:
        _, result, forest = self._forest(sentence, candidates)
        if forest is None:
            return unjudged(result)
        scores = self._weighted(sentence, forest).sum(axis=0)
        choose = best_expected_f1 if objective == "expected-f1" else best_derivation
        edges = choose(forest, scores).edges
        score = float(scores[edges[edges >= 0]].sum())
        derivation = derivation_of_edges(forest, edges)
        return replace(result, cost=-score, derivation=derivation, gap=None)

    def _parse_nbest(
        self, sentence: Sentence, number: int, *, derivations: bool, explained: bool
    ) -> list[Parse]:
        candidates = self._candidates(sentence)
        if isinstance(candidates, Parse):
            return [candidates]
        _, result, forest = self._forest(sentence, candidates)
        if forest is None:
            return [self._parsed(unjudged(result), sentence, candidates, explained=explained)]
        found: dict[object, Parse] = {}
        weighted = self._weighted(sentence, forest)
        for score, derivation in ranked_derivations(forest, weighted.sum(axis=0)):
            each = replace(result, cost=-score, derivation=derivation, gap=None)
            parse = self._parsed(each, sentence, candidates, explained=False)
            key = len(found) if derivations else render(parse.tree, 1)
            if key in found:
                continue
            if explained:
                names = self.members.names
                said = explain_combined(sentence.words, forest, names, weighted, (), derivation)
                parse = replace(parse, explanation=said)
            found[key] = parse
            if len(found) == number:
                break
        return list(found.values())

    def _forest(self, sentence: Sentence, candidates: Candidates) -> _Found:
        """Return the forest of the first grammar that has one, or of parses without a grammar."""
        found = self._forest_of_grammars(candidates)
        if found.forest is not None:
            return found
        parses = [each.parse(sentence) for each in self._grammarless]
        trees = [each.tree for each in parses if each.status == "parsed"]
        result, forest = forest_of_parses(trees) if trees else (found.result, None)
        return found if forest is None else _Found(found.parser, result, forest)

    def _forest_of_grammars(self, candidates: Candidates, log_ratio: float = _LOG_RATIO) -> _Found:
        tried = []
        for parser in self._grammars:
            found = _Found(parser, *parser.parse_with_forest(candidates, log_ratio))
            if found.forest is not None:
                return found
            tried.append(found)
        return next((each for each in tried if each.result.derivation is not None), tried[0])

    def _candidates(self, sentence: Sentence) -> Candidates | Parse:
        # A parser without a grammar parses every sentence.
        if self._grammarless:
            return self._possible_tags(sentence)
        return super()._candidates(sentence)

    def _weighted(self, sentence: Sentence, forest: Forest) -> Costs:
        """Return the weighted scores of edges by each member, a float64 array (members, E)."""
        scores = self.weights[:, None] * self.members.scores(sentence, forest, self._without)
        without_gap, with_gap = np.split(scores, 2)
        summed: Costs = without_gap + with_gap
        return summed

    def _constituents(
        self, sentence: Sentence, candidates: Candidates
    ) -> Mapping[tuple[Nonterminal, int], float]:
        forest = self._forest(sentence, candidates).forest
        if forest is None:
            return {}
        sums = score_sums(forest, self._weighted(sentence, forest).sum(axis=0))
        return constituent_posteriors(forest, sums.posterior)

    def _chances(self, sentence: Sentence, candidates: Candidates) -> Mapping[Constituent, float]:
        chances = super()._chances(sentence, candidates)
        return {each: self.calibration(chance) for each, chance in chances.items()}

    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        return self.members.base._tags_of(words)

    def _explained(
        self, sentence: Sentence, candidates: Candidates, derivation: Derivation
    ) -> Explanation:
        parser, _, forest = self._forest(sentence, candidates)
        if forest is None:
            return parser._explained(sentence, candidates, derivation)
        weighted, names = self._weighted(sentence, forest), self.members.names
        return explain_combined(sentence.words, forest, names, weighted, (), derivation)
