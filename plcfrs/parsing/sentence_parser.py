"""What all parsers share: the way from a sentence to a parse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from math import inf, log
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    cast,
    overload,
)

import plcfrs
from plcfrs.errors import InputError
from plcfrs.grammar.rules import Want
from plcfrs.parsing.explanation import Explanation, only_in
from plcfrs.parsing.parse import (
    BARE_PARSE,
    BEST_PARSE,
    Capability,
    Constituent,
    Parse,
    Posterior,
    Task,
    chances_of,
    constituents_of,
    held,
)
from plcfrs.parsing.sentence import Input, Sentence, Tagger, Tags, Tokenizer, are_several
from plcfrs.storage.model_file import COMPLETION, MODEL, ModelFile, opened, save
from plcfrs.text import Splitter
from plcfrs.trees import Fixed, FixedConstituent, Tree, no_parse
from plcfrs.trees.training_set import TrainingSet
from plcfrs.trees.tree import span_of_runs

if TYPE_CHECKING:
    from typing_extensions import Self

    from plcfrs.completion import Completion
    from plcfrs.completion.functions import FunctionScores


Context = TypeVar("Context")

SAVED = "model"
"""The name of the file of a model in a folder of its own."""

_TRAINING_SET = "training_set"

_LEAST = 0.003  # the least distance from 0 and 1 of a probability that has log-odds


class SentenceParser(ABC):
    """A parser of sentences, of any family.

    Attributes
    ----------
    objectives : tuple of str
        The objectives to choose from; the first is the default. Empty if there is no choice.
    capabilities : set of str
        What it can do.
    batch_tokens : int
        The number of tokens to parse at once, see `parse_together`; 0 if it makes no difference.
    training_set : set of int
        The sentences that it has learned from, see `plcfrs.trees.training_set`; empty if not known.
    completion : Completion or None
        What gives its parses functions and null elements; set it to None for bare categories.
    reads_text : bool
        Whether a text is running text, as for included models; otherwise, blanks are between words.
    """

    objectives: tuple[str, ...] = ()
    capabilities: frozenset[Capability] = frozenset()
    batch_tokens: int = 0
    training_set: frozenset[int] = TrainingSet()
    completion: Completion | None = None
    reads_text: bool = False

    @property
    @abstractmethod
    def kind(self) -> str:
        """The name of the family in the registry."""

    @property
    @abstractmethod
    def words(self) -> Collection[str]:
        """The known words."""

    @property
    @abstractmethod
    def tags(self) -> Collection[str]:
        """The known tags."""

    @property
    def categories(self) -> Collection[str]:
        """The known categories of constituents; none if the parser has no list of them."""
        return ()

    @cached_property
    def splitter(self) -> Splitter:
        """What splits running text into the sentences and words that the parser knows."""
        return Splitter(self.words, self.tags)

    @property
    def asked(self) -> Sequence[SentenceParser]:
        """Other parsers that it asks about each sentence; most ask none."""
        return ()

    def __repr__(self) -> str:
        about = ", ".join(f"{name} {value}" for name, value in self.about.items())
        return f"<{type(self).__name__} {self.kind}{': ' * bool(about)}{about}>"

    @property
    def about(self) -> Mapping[str, str]:
        """How the model was made, for people."""
        return {}

    @property
    def warning(self) -> str:
        """A warning about the model, for people; usually empty."""
        return ""

    @overload
    def __call__(self, sentence: str | Tree | Sentence | Sequence[tuple[str, Tags]]) -> Parse: ...

    @overload
    def __call__(self, sentence: Sequence[Input]) -> Parse | list[Parse]: ...

    def __call__(self, sentence: Input | Sequence[Input]) -> Parse | list[Parse]:
        """Parse a sentence, or each sentence of a list, as by `parse`.

        A list of trees, of lists of words, or of texts with blanks has several sentences; a list of
        words without blanks, or of tuples, is one sentence.
        """
        if not are_several(sentence):
            return self.parse(cast(Input, sentence))
        several = cast(Sequence[Input], sentence)
        return [parses[0] for parses in self.parse_together(several)]

    def read(
        self, sentence: Input, *, tagger: Tagger | None = None, tokenizer: Tokenizer | None = None
    ) -> Sentence:
        """Return a sentence, with the words of a text as the parser knows them: see `Sentence.of`.

        Included models split running text into words; others split a text at blanks.
        """
        if self.reads_text and tokenizer is None and isinstance(sentence, str):
            sentence = Sentence.of_text(sentence, self.splitter)
        return Sentence.of(sentence, tagger=tagger, tokenizer=tokenizer)

    def parse(
        self,
        sentence: Input,
        *,
        objective: str | None = None,
        tagger: Tagger | None = None,
        tokenizer: Tokenizer | None = None,
        explained: bool = False,
        posteriors: bool = False,
        fixed: Fixed | None = None,
    ) -> Parse:
        """Parse a sentence with its own tags, or else with tags that the parser finds.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            A text, words, or words with their tags: see `Sentence.of`.
        objective : str, optional
            One of `objectives`, by default the first.
        tagger : callable, optional
            Gets the words, returns a tag for each, or several tags with their costs.
        tokenizer : callable, optional
            Splits a text into words; see `read` for the default.
        explained : bool
            Whether the parse gets its explanation.
        posteriors : bool
            Whether the parse gets the probabilities of its constituents, see `Parse`.
        fixed : Fixed, optional
            What is known of the tree: the parse is the best one that has it. What no parse of the
            model has is put into its tree as it is.

        Returns
        -------
        Parse

        Raises
        ------
        InputError
            If it is not a sentence, the parser does not have the objective, the tags or what is
            fixed do not fit the words, or the parser cannot compute probabilities of constituents.

        Examples
        --------
        >>> from plcfrs import Fixed, FixedConstituent, train
        >>> model = train("gap", "plcfrs:demo", epochs=2)
        >>> known = Fixed((FixedConstituent.over("VP", [0, 3]),))
        >>> model.parse("What should we do ?", fixed=known).tree.gap_degree()
        1
        """
        read = self.read(sentence, tagger=tagger, tokenizer=tokenizer)
        if fixed is not None:
            read = replace(read, fixed=fixed)
        task = Task(objective, explained=explained, posteriors=posteriors)
        return self.parse_together([read], task)[0][0]

    def parse_text(
        self, text: str | Iterable[str], *, objective: str | None = None, jobs: int = 1
    ) -> Iterator[Parse]:
        """Parse the sentences of running text, whose tokens know their places in the text.

        Parameters
        ----------
        text : str or iterable of str
            A text, or its lines with their line ends, such as an open file. It may be longer than
            memory.
        objective : str, optional
            One of `objectives`, by default the first.
        jobs : int
            Number of processes, see `plcfrs.parse_corpus`.

        Yields
        ------
        Parse

        Examples
        --------
        >>> from plcfrs import train
        >>> model, text = train("gap", "plcfrs:demo", epochs=2), "We sing. Who can't?"
        >>> for parse in model.parse_text(text):
        ...     print([text[token.start : token.end] for token in parse.tree.tokens])
        ['We', 'sing', '.']
        ['Who', 'ca', "n't", '?']
        """
        return plcfrs.parse_corpus(
            self, map(Sentence, self.splitter.sentences(text)), objective=objective, jobs=jobs
        )

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        *,
        as_tuples: Literal[False] = False,
        objective: str | None = None,
        jobs: int = 1,
    ) -> Iterator[list[Parse]]: ...

    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, Context]],
        *,
        as_tuples: Literal[True],
        objective: str | None = None,
        jobs: int = 1,
    ) -> Iterator[tuple[list[Parse], Context]]: ...

    def pipe(
        self,
        texts: Iterable[Any],
        *,
        as_tuples: bool = False,
        objective: str | None = None,
        jobs: int = 1,
    ) -> Iterator[Any]:
        """Parse many texts: yield the list of the parses of each, in order.

        Sentences of several texts are parsed together where that is faster, and texts are read as
        they are needed: there may be infinitely many.

        Parameters
        ----------
        texts : iterable
            Texts, or with `as_tuples` pairs of a text and anything that belongs to it, such as its
            name; then pairs with the parses are yielded.
        objective : str, optional
            One of `objectives`, by default the first.
        jobs : int
            Number of processes, see `plcfrs.parse_corpus`.

        Examples
        --------
        >>> from plcfrs import train
        >>> model = train("gap", "plcfrs:demo", epochs=2)
        >>> texts = [("We sing. Who can't?", "a"), ("", "b")]
        >>> [(len(parses), name) for parses, name in model.pipe(texts, as_tuples=True)]
        [(2, 'a'), (0, 'b')]
        """
        contexts: deque[object] = deque()
        splitter = self.splitter

        def sentences() -> Iterator[Sentence]:
            for given in texts:
                text, context = given if as_tuples else (given, None)
                contexts.append(context)
                yield from map(Sentence, splitter.sentences(text))
                yield Sentence([])  # no sentence of a text is empty: this is its end

        parses: list[Parse] = []
        for parse in plcfrs.parse_corpus(self, sentences(), objective=objective, jobs=jobs):
            if parse.status != "empty":
                parses.append(parse)
                continue
            context = contexts.popleft()
            yield (parses, context) if as_tuples else parses
            parses = []

    def parse_nbest(
        self,
        sentence: Input,
        number: int,
        *,
        derivations: bool = False,
        tagger: Tagger | None = None,
        tokenizer: Tokenizer | None = None,
        explained: bool = False,
        posteriors: bool = False,
    ) -> list[Parse]:
        """Return the best parses of a sentence, the best first.

        Parameters
        ----------
        sentence, tagger, tokenizer, explained, posteriors
            As for `parse`.
        number : int
            How many; there are fewer if the sentence has no more, or the parser finds no more.
        derivations : bool
            Whether to return all derivations of the same tree, or only the best one.

        Returns
        -------
        list of Parse
            Without a parse, the list has one item, with a NOPARSE tree.

        Raises
        ------
        InputError
            If it is not a sentence, or the parser has no n-best parses, or cannot compute
            probabilities of constituents.
        """
        read = self.read(sentence, tagger=tagger, tokenizer=tokenizer)
        task = Task(None, number, derivations, explained, posteriors)
        return self.parse_together([read], task)[0]

    def parse_together(
        self, sentences: Sequence[Input], task: Task = BEST_PARSE
    ) -> list[list[Parse]]:
        """Parse several sentences, which some families do faster than one after the other.

        Parameters
        ----------
        sentences : sequence
            See `Sentence.of`.
        task : Task
            By default the best parse of each sentence, as by `parse`.

        Returns
        -------
        list of list of Parse
            The parses of each sentence.

        Raises
        ------
        InputError
            As for `parse` and `parse_nbest`.
        """
        self._check(task)
        if isinstance(sentences, str):
            raise InputError("a text, not a list of sentences: use parse")
        read = list(map(self.read, sentences))
        for sentence in read:
            if sentence.fixed:
                sentence.fixed.check(len(sentence.tokens))
        parses = self._parse([sentence for sentence in read if sentence.tokens], task)
        # Fixed functions come last: trees that have any get no others.
        bare = [each.fixed and replace(each.fixed, functions={}) for each in read]
        found: Iterable[list[Parse]] = (
            [held(parse, fixed) for parse in next(parses)] if each.tokens else [_empty(each, task)]
            for each, fixed in zip(read, bare, strict=True)
        )
        if task.compared:
            found = self._compared(read, list(found), task.objective)
        return [
            [held(self._completed(each, parse, task), each.fixed) for parse in parses]
            for each, parses in zip(read, found, strict=True)
        ]

    def _compared(
        self, sentences: Sequence[Sentence], found: list[list[Parse]], objective: str | None
    ) -> list[list[Parse]]:
        """Return parses with what they cost against those without what is fixed."""
        free = [replace(sentence, fixed=None) for sentence in sentences]
        compared = []
        for sentence, parses, (best,) in zip(
            free, found, self.parse_together(free, Task(objective, functions=False)), strict=True
        ):
            compared.append(
                [
                    replace(parse, fixed_cost=self.cost_of_fixed(sentence, best, parse))
                    for parse in parses
                ]
            )
        return compared

    def cost_of_fixed(
        self,
        sentence: Sentence,  # noqa: ARG002 (scores may have to be made comparable)
        free: Parse,
        parse: Parse,
    ) -> float:
        """Return how much less a parse with something fixed scores than the best parse."""
        if free.tree == parse.tree:
            return 0.0
        return max(0.0, free.score - parse.score) if free.score > -inf else inf

    def function_scores(
        self,
        sentence: Sentence,  # noqa: ARG002 (networks read it)
        tree: Tree,  # noqa: ARG002
    ) -> FunctionScores | None:
        """Return what a network says of the functions of a parse, if it has learned any."""
        return None

    def complete(self, sentence: Sentence, tree: Tree) -> Tree:
        """Return a tree of a sentence with functions and null elements, if they were learned."""
        if self.completion is None:
            return tree
        return self.completion(tree, partial(self.function_scores, sentence))

    def _completed(self, sentence: Sentence, parse: Parse, task: Task) -> Parse:
        """Return a parse with functions and null elements, if they are wanted."""
        if not task.functions or parse.status != "parsed":
            return parse
        return replace(parse, tree=self.complete(sentence, parse.tree))

    def explain(
        self,
        sentence: Input,
        wants: Sequence[Want] = (),
        *,
        binarized: bool = False,
    ) -> Explanation:
        """Return why a sentence has its parse, and what parses with wanted constituents lose.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        wants : sequence of Want
            Constituents to compare the parse with.
        binarized : bool
            Whether binarized rules are shown, if the family has them.

        Raises
        ------
        InputError
            If there is no parse to explain, no time for it, or the family has no binarized rules.
        """
        if binarized:
            raise InputError(f"{self.kind} cannot show binarized rules")
        sentence = self.read(sentence)
        parse = self.parse(sentence, explained=True)
        if parse.status == "empty":
            raise InputError("the sentence has no words")
        if parse.explanation is None and parse.status == "parsed":
            raise InputError("the time was over before the parse was explained")
        if parse.explanation is None:
            why = f"{parse.status} {parse.reason}".strip()
            raise InputError(f"there is no parse to explain: {why}")
        lines = [["", *self._want_lines(sentence, want, parse)] for want in wants]
        return replace(parse.explanation, text=[*parse.explanation.text, *chain(*lines)])

    def _want_lines(self, sentence: Sentence, want: Want, best: Parse) -> list[str]:
        """Return what the best parse with a wanted constituent loses, and how it differs."""
        wanted = FixedConstituent(want.category, span_of_runs(want.ranges))
        if not Fixed((wanted,)).missing(constituents_of(best.tree)):
            return [f"{want}: in the best parse"]
        parse = self.parse(sentence, fixed=Fixed((wanted,)))
        cost = self.cost_of_fixed(sentence, best, parse)
        loss = f"the best parse with it scores {cost:.2f} less"
        only = only_in(constituents_of(best.tree), constituents_of(parse.tree))
        return [
            f"{want}: not in the best parse",
            loss if cost < inf else "no parse with it was found, so it was put into the best one",
            f"only in the best parse: {only[0]}",
            f"only with {want}: {only[1]}",
        ]

    def vote(self, sentence: Sentence) -> Mapping[Constituent, float] | None:
        """Return how probable the constituents of a sentence are: by default, those of its parse.

        Another parser may use them to choose among its derivations. All other constituents have the
        probability 0.

        Returns
        -------
        mapping of (str, int) to float, or None
            By category and span; None without a parse.
        """
        ((parse,),) = self.parse_together([sentence], BARE_PARSE)
        return chances_of([(1.0, parse.tree)]) if parse.status == "parsed" else None

    def log_odds(self, sentence: Sentence, constituents: Sequence[Constituent]) -> Sequence[float]:
        """Return how sure the parser is of some constituents of a sentence.

        By default, these are the log-odds of the probabilities with which it votes.
        """
        chances = self.vote(sentence) or {}
        inside = (min(max(chances.get(each, 0.0), _LEAST), 1 - _LEAST) for each in constituents)
        return [log(chance / (1 - chance)) for chance in inside]

    def find_tags(self, sentence: Sentence) -> Sequence[Mapping[str, float]] | None:  # noqa: ARG002
        """Return the possible tags of each word with their costs (``-log p``, natural logarithm).

        The result is None if the parser has no tagger that other parsers could use.
        """
        return None

    def missing(self, sentence: Input) -> Sequence[str]:  # noqa: ARG002 (most need no more)
        """Return the names of missing knowledge about a sentence, such as votes."""
        return ()

    def quantized(self, bits: int) -> Self:  # noqa: ARG002 (most have no network)
        """Return the parser with fewer bits in its network, and with its encoder inside.

        Its file is smaller and stands alone: it parses without PyTorch. Options of parsing are the
        default ones.

        Parameters
        ----------
        bits : int
            Of each weight of a large matrix, from 2 to 8.

        Raises
        ------
        InputError
            If it has no network, its encoder is not like BERT, or the number of bits is not
            possible.
        """
        raise InputError(f"a {self.kind} parser has no network: there is nothing to quantize")

    def calibrated(self, sentences: Sequence[Tree], gold: Sequence[Tree]) -> Self:  # noqa: ARG002
        """Return the parser calibrated on a development set: its probabilities, or its bounds.

        Parameters
        ----------
        sentences : sequence of Tree
            With the tags that the parser gets.
        gold : sequence of Tree
            The same sentences with the right trees.
        """
        return self

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Write the model to one file, which `load_model` reads.

        Raises
        ------
        GrammarError
            If the file cannot be written.
        """

    def save_into(self, folder: str | Path) -> None:
        """Write the model, as the file `SAVED`, and all models that it needs to a folder.

        Pretrained encoders stay where they are.

        Raises
        ------
        GrammarError
            If a file cannot be written.
        """
        self.save(Path(folder, SAVED))

    @abstractmethod
    def _parse(self, sentences: Sequence[Sentence], task: Task) -> Iterator[list[Parse]]:
        """Yield the parses of each sentence; all have tokens, and the parser can do what is wanted.

        The list has a single parse, unless n-best parses are wanted.
        """

    def _check(self, task: Task) -> None:
        """Raise an error if the parser cannot do what is wanted."""
        if task.objective is not None and task.objective not in self.objectives:
            known = ", ".join(self.objectives)
            problem = f"not one of {known}" if known else "there is no choice"
            raise InputError(f"objective {task.objective}: {problem}")
        if task.nbest is not None and task.nbest < 1:
            raise InputError(f"{task.nbest} parses: ask for at least 1")
        if task.nbest is not None and "nbest" not in self.capabilities:
            raise InputError(f"{self.kind} has no n-best parses, only the best one")
        if task.posteriors and "sums" not in self.capabilities:
            raise InputError(f"{self.kind} cannot compute probabilities of constituents")


class LearnedParser(SentenceParser):
    """A parser with a learned model.

    Attributes
    ----------
    contents_type : type
        What is stored of a model, declared by its fields: see `plcfrs.storage.model_file`.
    """

    contents_type: ClassVar[Any]

    @property
    @abstractmethod
    def contents(self) -> Any:  # noqa: ANN401 (each family has its own)
        """What is stored."""

    @classmethod
    def of(cls, *contents: Any, **options: Any) -> Any:  # noqa: ANN401
        """Return the parser with contents that have been read; the options are those of `load`."""
        return cls(*contents, **options)

    @classmethod
    def load(cls, path: str | Path, **options: Any) -> Self:  # noqa: ANN401
        """Read a saved model; the options are those of the class.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or of another family.
        InputError
            If an option is impossible, or the model needs something that is missing, such as a
            pretrained encoder.
        """
        with opened(path) as file:
            parser: Self = cls.of(file.read(MODEL, cls.contents_type), **options)
            if _TRAINING_SET in file.header:
                parser.training_set = file.read(_TRAINING_SET, TrainingSet)
            if COMPLETION in file.header:
                from plcfrs.completion import Completion  # here, since Numba takes long to import

                parser.completion = file.read(COMPLETION, Completion)
        return parser

    def quantized(self, bits: int) -> Self:
        """Return the parser with fewer bits; see `SentenceParser.quantized`."""
        from plcfrs.networks.inputs import TrainedNetwork  # here, since most parsers have none

        contents = self.contents
        parts = {name: getattr(contents, name) for name in getattr(contents, "_fields", ())}
        networks = {name: part for name, part in parts.items() if isinstance(part, TrainedNetwork)}
        if not networks:
            return super().quantized(bits)
        changed = {name: network.quantized(bits) for name, network in networks.items()}
        parser: Self = self.of(contents._replace(**changed))
        parser.training_set, parser.completion = self.training_set, self.completion
        return parser

    def save(self, path: str | Path) -> None:
        """Write the model to one file; see `SentenceParser.save`."""
        parts = {MODEL: self.contents, _TRAINING_SET: TrainingSet(self.training_set)}
        if self.completion is not None:
            parts[COMPLETION] = self.completion
        save(path, ModelFile.of(self.kind, **parts))


def _empty(sentence: Sentence, task: Task) -> Parse:
    posteriors: list[Posterior] | None = [] if task.posteriors else None
    return Parse(no_parse([], sentence.id), "empty", posteriors=posteriors)
