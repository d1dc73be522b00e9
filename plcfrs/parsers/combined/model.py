"""Several parsers as one: all judge the forest of one of them, and the best derivation wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.budget import DEFAULT, Budget
from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.errors import GrammarError, InputError
from plcfrs.forest.forest_parser import ForestParser
from plcfrs.forest.forests import forest_of_parses
from plcfrs.forest.grammar_parser import GrammarParser, WordTags
from plcfrs.forest.votes import Judgement
from plcfrs.grammar.nonterminal import Want
from plcfrs.learning.calibration import Calibration, calibrated
from plcfrs.parsers.combined.judged_forest import JudgedByMembers
from plcfrs.parsers.combined.members import Files, Members, Voter, Voters
from plcfrs.parsers.combined.weights import WeightExample, example_of
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.parse import Fallback, Parse
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.parsing.sentence_parser import SAVED, SentenceParser
from plcfrs.parsing.votes import Constituent
from plcfrs.storage.model_file import MODEL, ModelFile, opened, save
from plcfrs.transformation import Options
from plcfrs.trees import Tree

# What says how the model was made has the name of the member whose tags are best, under this one.
TAGGER = "tagger"

# Several judges can choose among more parses than one can, so the forests are larger.
_LOG_RATIO = 9.0


class CombinedContents(NamedTuple):
    """What is stored; the files of the members are relative to the folder of this file."""

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

    The first member with a grammar makes a forest. If it cannot, the next one with a grammar does,
    and at last the parses of members without a grammar are the forest. All members judge it, and
    the derivation with the highest weighted sum of their scores is the parse. A parser without a
    grammar votes for the constituents of its own parses, and so do voters, which are files with
    parses. With the objective "expected-f1", the parse is the derivation with the highest expected
    F1 (see `plcfrs.forest.forest_parser`); its score is still this sum.

    Parameters
    ----------
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
    """

    kind = "combined"
    objectives = ("weighted-sum", "expected-f1")
    capabilities = frozenset({"budget", "nbest", "sums", "wants"})
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
                known = ", ".join(members.names)
                raise InputError(f"without {name}: the members are {known}")
        self.members = members
        self.weights = weights
        self.calibration = calibration
        self._about = dict(about)
        self._without = without
        learned = [each.parser.training_set for each in members.all]
        self.training_set = frozenset().union(*learned) if all(learned) else frozenset()
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
            Parses by other programs, see `Voters.reading`; a voter without parses is silent.
        members : sequence of str or Path
            Models with the names of the members that are to take their places, such as the same
            parsers trained on more trees.
        """
        with opened(path) as file:
            if file.kind != cls.kind:
                raise GrammarError(f"a parser of the family {file.kind}, not a combined one")
            stored = file.read(MODEL, CombinedContents)
            voters = Voters(tuple(map(Voter, stored.voters)), stored.transformation)
            if members:
                found = Members.replacing(stored.members, members, budget, voters)
            else:
                found = Members.stored(stored.members, Path(path).parent, budget, voters)
            if len(stored.weights) != 2 * len(found.names):
                raise ValueError("the weights are damaged")
        found = found._replace(voters=voters.reading(votes))
        numbers = stored.weights, stored.calibration
        return cls(found, *numbers, stored.about, fallback, without, budget)

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
        """That of the member that makes the forests."""
        return self.members.base.lexicon

    @property
    def asked(self) -> Sequence[SentenceParser]:
        """The parser that makes the forests, and the other members that are asked."""
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
        """A warning about the grammar, and about votes that are missing; or nothing."""
        asked = [each for each in self.members.voters.all if each.name not in self._without]
        return "; ".join(filter(None, [super().warning, *(each.warning for each in asked)]))

    def missing(self, sentence: Input) -> Sequence[str]:
        """Return the names of the voters whose files do not have a sentence."""
        read = Sentence.of(sentence)
        lacking = [each.name for each in self.members.voters.all if each.lacks(read)]
        return [name for name in lacking if name not in self._without]

    def explain(
        self, sentence: Input, wants: Sequence[Want] = (), *, binarized: bool = False
    ) -> Explanation:
        """Return what each member says of the constituents of the parse and of wanted ones.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        binarized : bool
            Whether the intermediate symbols of the forest are shown.
        """
        read = self.tagged(Sentence.of(sentence))
        if not read.tokens:
            raise InputError("the sentence has no words")
        tags = self.tags_of(read)
        if isinstance(tags, Parse):
            raise InputError(f"there is no parse to explain: {tags.status}")
        result, forest = self._forest(read, tags, _LOG_RATIO)
        if forest is None:
            raise InputError(f"there is no forest to explain: {result.status}")
        return self.judged(read, forest).explain(read.words, wants=wants, binarized=binarized)

    def parse_with_forest(
        self, tags: Candidates, log_ratio: float = _LOG_RATIO
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse and the forest of the first member that has one."""
        tried = []
        for parser in self._grammars:
            result, forest = parser.parse_with_forest(tags, log_ratio)
            if forest is not None:
                return result, forest
            tried.append(result)
        return next((each for each in tried if each.derivation is not None), tried[0]), None

    def tagged(self, sentence: Sentence) -> Sentence:
        """Return a sentence with the tags of the member that found the best ones in training."""
        tagger = self._about.get(TAGGER)
        if sentence.tags is not None or tagger is None:
            return sentence
        (parser,) = (each.parser for each in self.members.all if each.name == tagger)
        return replace(sentence, tags=parser.find_tags(sentence))

    def example(self, sentence: Sentence, gold: Tree) -> WeightExample | None:
        """Return an example to learn weights from; None if no grammar has a forest of the sentence.

        A forest of the members' own parses would say that these members are right.
        """
        sentence = self.tagged(sentence)
        tags = self.tags_of(sentence)
        if isinstance(tags, Parse):
            return None
        _, forest = self.parse_with_forest(tags)
        if forest is None:
            return None
        return example_of(forest, self.members.scores(sentence, forest), gold)

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement | None:
        """Return votes by the calibrated probabilities of constituents; None without a forest."""
        return GrammarParser.judge(self, self.tagged(sentence), forest)

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedByMembers:
        """Return a forest with the weighted scores of its edges by each member."""
        scores = self.weights[:, None] * self.members.scores(sentence, forest, self._without)
        without_gap, with_gap = np.split(scores, 2)
        return JudgedByMembers(forest, self.members.names, without_gap + with_gap)

    def tags_of(self, sentence: Sentence) -> Candidates | Parse:
        """Return the possible tags of each token; a parser without a grammar parses without."""
        if self._grammarless:
            return self._possible_tags(sentence)
        return super().tags_of(sentence)

    def chances(self, posteriors: SymbolPosteriors) -> Mapping[Constituent, float]:
        """Return the calibrated probability of each constituent."""
        return calibrated(super().chances(posteriors), self.calibration)

    def _forest(
        self, sentence: Sentence, tags: Candidates, log_ratio: float
    ) -> tuple[ParseResult, Forest | None]:
        """Return the forest of the first grammar that has one, or of parses without a grammar."""
        result, forest = self.parse_with_forest(tags, log_ratio)
        if forest is None:
            parses = [each.parse(sentence) for each in self._grammarless]
            if trees := [each.tree for each in parses if each.status == "parsed"]:
                found, forest = forest_of_parses(trees)
                return (result, None) if forest is None else (found, forest)
        return result, forest
