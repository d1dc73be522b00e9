"""What a parser proposes for a sentence, given what a person has decided."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import isfinite
from zlib import crc32

from plcfrs.compiling import working_time
from plcfrs.errors import PlcfrsError
from plcfrs.forest.preparation import easy_sentence
from plcfrs.parsing import Sentence, SentenceParser
from plcfrs.parsing.parse import Parse, Task
from plcfrs.project import AnnotatedSentence
from plcfrs.project.decisions import fixed_of, tree_of
from plcfrs.stopping import StoppedError, check_stopped, stoppable
from plcfrs.trees import Fixed, Node, Token, Tree, restore_traces

_NBEST = 10
_OPENING = 10.0  # times as long may a parse without decisions take: only who opens a tree waits
_KEPT = 200  # guesses
_FREE = Fixed()


@dataclass(frozen=True, eq=False)
class Guess:
    """A parse, complete with functions and perhaps null elements.

    Parameters
    ----------
    tree : Tree
    chances : dict of Node to float
        How probable constituents of the tree are; empty if the parser cannot say.
    cost : float or None
        How much less it scores than the best parse without decisions; None if the parser does not
        have such a parse.
    parse : Parse
    """

    tree: Tree
    chances: dict[Node, float]
    cost: float | None
    parse: Parse

    @property
    def doubt(self) -> float | None:
        """The expected number of repairs for each word, if the parser says it."""
        if not self.chances:
            return None
        return sum(1 - chance for chance in self.chances.values()) / len(self.parse.tree.tokens)


class Proposer:
    """A parser that proposes trees, and keeps what it has proposed.

    Parameters
    ----------
    model : SentenceParser, optional
        Without one, nothing is proposed.
    nulls : bool
        Whether trees have null elements and indices in place of crossing branches.
    seconds : float
        How long it may take for a sentence: a parser never stands in the way of an edit.

    Attributes
    ----------
    name : str
        No other parser has it: it tells the settings, and the training set.
    """

    def __init__(self, model: SentenceParser | None, *, nulls: bool, seconds: float) -> None:
        self.model, self._nulls, self._seconds = model, nulls, seconds
        self.name = ""
        self._guesses: OrderedDict[tuple[str, bool], tuple[object, Guess | None]] = OrderedDict()
        self._best: tuple[object, list[Parse]] = None, []
        if model:
            self.name = f"{crc32(f'{model!r} {sum(model.training_set)}'.encode()):08x}"
            words = easy_sentence(model).tokens  # the first sentence takes long
            self._parse(model, words, _FREE, None)
            self._parses(model, words, _FREE)

    def free(self, sentence_id: str, tokens: list[Token]) -> Guess | None:
        """Return the best parse of a sentence about which nothing is decided, if there is one."""
        return self._guess(sentence_id, tokens, _FREE)

    def guess(self, sentence: AnnotatedSentence) -> Guess | None:
        """Return the best parse with all that is decided about a sentence, if there is one.

        If the parser takes too long, there is none.
        """
        tokens, fixed = _words(sentence), fixed_of(sentence)
        free = self.free(sentence.id, tokens)
        return free if fixed == _FREE else self._guess(sentence.id, tokens, fixed, free)

    def best(self, sentence: AnnotatedSentence, share: float = 1.0) -> list[Parse] | None:
        """Return the best parses with all that is decided, with categories alone.

        None if they take longer than a share of the time for a parse.
        """
        task = _words(sentence), fixed_of(sentence)
        if self._best[0] != task:
            parses: list[Parse] | None = []
            guess = self.guess(sentence)
            if self.model and guess and guess.cost is not None:
                parses = None
                with self._in_time(share):
                    parses = self._parses(self.model, *task)
            if parses is None:
                return None
            self._best = task, parses
        return self._best[1]

    def completed(self, tree: Tree, fixed: Fixed) -> Tree:
        """Return a parse with functions and null elements; fixed functions stay."""
        completed = fixed.hold(self.model.complete(Sentence.of(tree), tree) if self.model else tree)
        if self._nulls:
            return restore_traces(completed)
        completed.annotation = None
        return completed

    def _guess(
        self, sentence_id: str, tokens: list[Token], fixed: Fixed, free: Guess | None = None
    ) -> Guess | None:
        place, task = (sentence_id, fixed == _FREE), (tokens, fixed)
        known = self._guesses.get(place)
        if self.model and (known is None or known[0] != task):
            known = None
            with self._in_time(_OPENING if fixed == _FREE else 1.0):
                known = task, self._parse(self.model, tokens, fixed, free)
            if known is None:
                return None
            self._guesses[place] = known
            if len(self._guesses) > _KEPT:
                self._guesses.popitem(last=False)
        return known[1] if known else None

    @contextmanager
    def _in_time(self, share: float) -> Iterator[None]:
        end = working_time() + share * self._seconds

        def check() -> None:
            if working_time() > end:
                raise StoppedError("the parser takes too long")

        with suppress(PlcfrsError), stoppable(check):
            yield
        check_stopped()  # if not the parser was too slow, but somebody waits

    def _parse(
        self, model: SentenceParser, tokens: Sequence[Token], fixed: Fixed, free: Guess | None
    ) -> Guess | None:
        task = Task(posteriors="sums" in model.capabilities, functions=False)
        sentence = _sentence(tokens, fixed)
        ((parse,),) = model.parse_together([sentence], task)
        if parse.status != "parsed":
            return None
        marked = parse.tree.copy()
        if parse.posteriors:
            for node, posterior in zip(marked.nodes(), parse.posteriors, strict=True):
                node.note = str(posterior.probability)  # copies of a node keep its note
        tree = self.completed(marked, fixed)
        chances = {}
        for node in tree.nodes():
            if node.note:
                chances[node], node.note = float(node.note), ""
        cost = 0.0
        if free and fixed != _FREE:
            cost = model.cost_of_fixed(replace(sentence, fixed=None), free.parse, parse)
        return Guess(tree, chances, cost if isfinite(cost) else None, parse)

    def _parses(self, model: SentenceParser, tokens: Sequence[Token], fixed: Fixed) -> list[Parse]:
        if "nbest" not in model.capabilities:
            return []
        task = Task(nbest=_NBEST, functions=False)
        (parses,) = model.parse_together([_sentence(tokens, fixed)], task)
        return [parse for parse in parses if isfinite(parse.score)]


def _words(sentence: AnnotatedSentence) -> list[Token]:
    """Return the words of a sentence without what a parser finds."""
    tokens = tree_of(sentence).tree.tokens
    return [replace(token, tag="", function="") for token in tokens if not token.is_null]


def _sentence(tokens: Sequence[Token], fixed: Fixed) -> Sentence:
    words = [replace(token, tag="") for token in tokens]
    return Sentence(words, fixed=None if fixed == _FREE else replace(fixed, functions={}))
