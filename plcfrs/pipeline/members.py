"""The members of a combined parser: saved models of any family, and what they say of a forest."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.budget import Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.errors import GrammarError, InputError
from plcfrs.experts import Judgement
from plcfrs.experts.weights import scores_of_experts
from plcfrs.pipeline.grammar_parser import GrammarParser
from plcfrs.pipeline.registry import load_model
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.storage.files import digest_of


class Member(NamedTuple):
    """A parser that judges the forest of another one.

    Parameters
    ----------
    name : str
        The name of its file without the extension.
    path : Path
    digest : str
        Of its file.
    parser : SentenceParser
    """

    name: str
    path: Path
    digest: str
    parser: SentenceParser


class Members(NamedTuple):
    """The members of a combined parser; the first one with a grammar makes the forests.

    Parameters
    ----------
    all : tuple of Member
    """

    all: tuple[Member, ...]

    @property
    def names(self) -> list[str]:
        """The names of the members."""
        return [member.name for member in self.all]

    @property
    def base(self) -> GrammarParser:
        """The parser that makes the forests."""
        return next(each.parser for each in self.all if isinstance(each.parser, GrammarParser))

    def scores(self, sentence: Sentence, forest: Forest, silent: Iterable[str] = ()) -> Costs:
        """Return the scores of the edges of a forest by each member.

        Parameters
        ----------
        sentence : Sentence
        forest : Forest
        silent : iterable of str
            The names of members that are not asked.

        Returns
        -------
        float64 array (2 * members, E)
            See `plcfrs.experts.weights.scores_of_experts`.
        """
        said = [
            None if each.name in silent else each.parser.judge(sentence, forest)
            for each in self.all
        ]
        nothing = Judgement(np.zeros(len(forest.edge_rule)), np.zeros(len(forest.label)))
        return scores_of_experts(forest, [each or nothing for each in said])

    def header(self, folder: Path) -> str:
        """Return the members as text, for a file in a folder."""
        return json.dumps(
            [
                (Path(os.path.relpath(each.path, folder)).as_posix(), each.digest)
                for each in self.all
            ],
            ensure_ascii=False,
        )

    @classmethod
    def load(cls, paths: Sequence[str | Path], budget: Budget) -> Members:
        """Read saved models.

        Raises
        ------
        GrammarError
            If one of them cannot be read.
        InputError
            If two have the same name, or none has a grammar.
        """
        return cls._read([(Path(path), None) for path in paths], budget)

    @classmethod
    def from_header(cls, text: str, folder: Path, budget: Budget) -> Members:
        """Read the models that a file in a folder names.

        Raises
        ------
        GrammarError
            If one of them is missing, or is another one now.
        TypeError, ValueError
            If the text is damaged.
        """
        known = [(Path(folder, path), digest) for path, digest in json.loads(text)]
        for path, digest in known:
            if not path.is_file():
                raise GrammarError(f"its member {path} is missing: keep it there, or combine again")
            if digest_of([path]) != digest:
                raise GrammarError(f"its member {path} has changed since: combine again")
        return cls._read(known, budget)

    @classmethod
    def _read(cls, files: Sequence[tuple[Path, str | None]], budget: Budget) -> Members:
        """Read models, given their files, with the hashes of these where they are known."""
        members = []
        for path, digest in files:
            parser = load_model(path, budget)
            members.append(Member(path.stem, path.resolve(), digest or digest_of([path]), parser))
        names = [member.name for member in members]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two models are called {name}: rename one of the files")
        if not any(isinstance(member.parser, GrammarParser) for member in members):
            raise InputError(
                "none of the models has a grammar, which makes the forests that all others judge: "
                "add a grammar, or better a refined one"
            )
        return cls(tuple(members))
