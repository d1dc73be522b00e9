"""A trained transition parser with its tagger, ready to parse."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray

from plcfrs.errors import GrammarError, InputError
from plcfrs.pipeline.parse import Parse
from plcfrs.pipeline.sentence_parser import NBestParser
from plcfrs.pipeline.steps import TransitionStep, steps_of
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import ModelFile, kind_of, load, save
from plcfrs.transformation import remove_splits
from plcfrs.transition.parser import TransitionParse, TransitionParser
from plcfrs.transition.registry import SYSTEMS
from plcfrs.transition.settings import Settings, check_beam
from plcfrs.transition.tagger import Tagger
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Token, Tree, no_parse

Tags = Literal["gold", "jackknifed"]
"""The tags in training: those of the trees, or those of taggers that have not seen the sentence."""

EPOCHS = 20
"""How many there are if nobody says anything else."""

_SETTINGS = Settings()

# What stands before the names of a part in a file.
PARSER, TAGGER = "parser.", "tagger."
_OPTIONS = "options"


class TransitionModel(NBestParser[str]):
    """A transition parser, and a tagger for words that come without tags.

    Every sentence has a parse. Its cost is the score with the sign changed: less is better, but
    it is not that of a probability. The n best parses are those in the beam, so that there are not
    more than it is wide. There are no objectives to choose from.

    Parameters
    ----------
    parser : TransitionParser
    tagger : Tagger
    options : mapping of str to str
        How it was made, for people.
    beam : int, optional
        Of the search; by default as in training.

    Examples
    --------
    >>> from plcfrs.transformation import transform
    >>> from plcfrs.treebank import read_trees
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> model = TransitionModel.train(trees, epochs=8)
    >>> model.parse(["What", "should", "we", "do", "?"]).tree.gap_degree()
    1
    """

    def __init__(
        self,
        parser: TransitionParser,
        tagger: Tagger,
        options: Mapping[str, str] | None = None,
        *,
        beam: int | None = None,
    ) -> None:
        super().__init__(())
        if beam is not None:
            check_beam(beam)
        self.parser = parser
        self.tagger = tagger
        self.options = dict(options or {})
        self.beam = beam or parser.settings.beam

    @classmethod
    def train(
        cls,
        trees: Iterable[Tree],
        settings: Settings = _SETTINGS,
        epochs: int = EPOCHS,
        *,
        tags: Tags = "gold",
        development: Sequence[Tree] = (),
    ) -> TransitionModel:
        """Train a parser and a tagger on transformed trees; for more control, use `Learning`.

        Parameters
        ----------
        trees : iterable of Tree
            With heads marked; they are changed.
        settings : Settings
        epochs : int
        tags : {"gold", "jackknifed"}
            Which tags the parser learns from.
        development : sequence of Tree
            By whose F1 the best epoch is chosen; without any, the last one is.
        """
        from plcfrs.pipeline.learning import Learning  # which makes models

        learning = Learning(list(trees), settings, tags, development)
        for _ in range(epochs):
            learning.run_epoch()
        return learning.model

    @property
    def words(self) -> Collection[str]:
        """Those that were not seen but once."""
        return self.parser.vocabulary.words

    @classmethod
    def load(cls, path: str | Path, *, beam: int | None = None) -> TransitionModel:
        """Read a saved transition parser; the rest is as for `TransitionModel`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a transition parser.
        """
        if kind_of(path) not in SYSTEMS:
            raise GrammarError(f"{path}: not a transition parser: use load_model")
        contents = load(path)
        with errors_name(path):
            return cls.from_contents(contents, beam=beam)

    @classmethod
    def from_contents(cls, contents: ModelFile, *, beam: int | None = None) -> TransitionModel:
        """Return the model that is in a file.

        Raises
        ------
        GrammarError
            If something is missing or damaged.
        """
        try:
            options = json.loads(contents.header[_OPTIONS])
            if not isinstance(options, dict):
                raise ValueError
            parser = TransitionParser.from_arrays(*contents.part(PARSER)[1:])
            tagger = Tagger.from_arrays(*contents.part(TAGGER)[1:])
        except (KeyError, ValueError, OverflowError, InputError):
            raise GrammarError("the transition parser is damaged; train it again") from None
        return cls(parser, tagger, options, beam=beam)

    def contents(self) -> ModelFile:
        """Return what a file of the model has."""
        parts: dict[str, TransitionParser | Tagger] = {PARSER: self.parser, TAGGER: self.tagger}
        header = {_OPTIONS: json.dumps(self.options, ensure_ascii=False)}
        arrays: dict[str, NDArray[Any]] = {}
        for prefix, part in parts.items():
            header |= {f"{prefix}{name}": text for name, text in part.header().items()}
            arrays |= {f"{prefix}{name}": array for name, array in part.arrays().items()}
        return ModelFile(self.parser.settings.system, header, arrays)

    def save(self, path: str | Path) -> None:
        """Write the parser and the tagger into one file."""
        save(path, self.contents())

    def parse_tokens(
        self,
        tokens: list[Token],
        *,
        tagged: bool,
        tags: Sequence[Mapping[str, float]] | None = None,
        sentence: str = "",
        objective: str | None = None,
    ) -> Parse:
        """Parse the tokens of a sentence.

        Without tags that are given, they are those of the tagger; of several that are given for a
        token, the one that costs least is taken.
        """
        if objective is not None:
            raise InputError(f"objective {objective}: a transition parser has none to choose from")
        return self.parse_tokens_nbest(tokens, 1, tagged=tagged, tags=tags, sentence=sentence)[0]

    def parse_tokens_nbest(
        self,
        tokens: list[Token],
        number: int,
        *,
        tagged: bool,
        tags: Sequence[Mapping[str, float]] | None = None,
        sentence: str = "",
        derivations: bool = False,
    ) -> list[Parse]:
        """Return the best parses of the tokens of a sentence; see `parse_nbest`."""
        if not tokens:
            return [Parse(no_parse(tokens, sentence), "empty")]
        tokens = tokens if tagged else self.with_tags(tokens, tags)
        parses: dict[str, Parse] = {}
        wanted = 1 if number == 1 else self.beam  # of which some may be the same tree
        for place, found in enumerate(self.parser.k_best(tokens, wanted, self.beam)):
            parse = self._parsed(found, sentence)
            key = str(place) if derivations or number == 1 else render(parse.tree, 1)
            parses.setdefault(key, parse)
        return list(parses.values())[:number]

    def explain_tokens(self, tokens: list[Token], *, tagged: bool) -> list[TransitionStep]:
        """Return the transitions that lead to the best parse of the tokens of a sentence.

        Raises
        ------
        InputError
            If there are no tokens.
        """
        tokens = tokens if tagged else self.with_tags(tokens)
        return steps_of(self.parser.settings, self.parser.parse(tokens, self.beam))

    def with_tags(
        self, tokens: list[Token], tags: Sequence[Mapping[str, float]] | None = None
    ) -> list[Token]:
        """Return the tokens with the best of the given tags, or else with those of the tagger."""
        if tags is None:
            best = self.tagger([token.form for token in tokens])
        else:
            best = [min(each, key=lambda tag: each[tag], default="") for each in tags]
        return [replace(token, tag=tag) for token, tag in zip(tokens, best, strict=True)]

    def _parsed(self, found: TransitionParse, sentence: str) -> Parse:
        tree = remove_splits(found.tree)
        tree.id = sentence
        return Parse(tree, "parsed", cost=-found.score)
