"""The members of a combined parser: saved models of any family and voters, and what they say."""

from __future__ import annotations

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
from plcfrs.experts.weights import scores_of_members
from plcfrs.pipeline.grammar_parser import GrammarParser
from plcfrs.pipeline.registry import load_model
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.pipeline.voters import NO_VOTERS, Voters
from plcfrs.storage.files import digest_of

Files = tuple[tuple[str, str], ...]
"""Names of files and their hashes."""


class Member(NamedTuple):
    """A parser that judges the forest of another one.

    Parameters
    ----------
    name : str
        The name of its file without the extension.
    digest : str
        Of its file.
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
        The saved models.
    voters : Voters
        The parses of other programs.
    """

    all: tuple[Member, ...]
    voters: Voters = NO_VOTERS

    @property
    def names(self) -> list[str]:
        """The names of the models, and then of the voters."""
        return [each.name for each in self.all] + [each.name for each in self.voters.all]

    @property
    def base(self) -> GrammarParser:
        """The parser that makes the forests."""
        return self.grammars[0]

    @property
    def grammars(self) -> list[GrammarParser]:
        """The parsers that have a grammar: the first one makes the forests."""
        return [each.parser for each in self.all if isinstance(each.parser, GrammarParser)]

    def scores(self, sentence: Sentence, forest: Forest, silent: Iterable[str] = ()) -> Costs:
        """Return the scores of the edges of a forest by each member.

        Parameters
        ----------
        silent : iterable of str
            The names of members that are not asked.

        Returns
        -------
        float64 array (2 * members, E)
            First of the models, then of the voters; see
            `plcfrs.experts.weights.scores_of_members`.
        """
        judges = [
            *((each.name, each.parser.judge) for each in self.all),
            *((each.name, each.judge) for each in self.voters.all),
        ]
        said = [None if name in silent else judge(sentence, forest) for name, judge in judges]
        nothing = Judgement(np.zeros(len(forest.edge_rule)), np.zeros(len(forest.label)))
        return scores_of_members(forest, [each or nothing for each in said])

    def files(self, folder: Path) -> Files:
        """Return the files of the models, relative to a folder, and their hashes."""
        return tuple(
            (Path(os.path.relpath(each.path, folder)).as_posix(), each.digest) for each in self.all
        )

    @classmethod
    def load(
        cls, paths: Sequence[str | Path], budget: Budget, voters: Voters = NO_VOTERS
    ) -> Members:
        """Read saved models."""
        return cls._read([(Path(path), None) for path in paths], budget, voters)

    @classmethod
    def stored(
        cls, files: Files, folder: Path, budget: Budget, voters: Voters = NO_VOTERS
    ) -> Members:
        """Read the models that a file in a folder names."""
        known = [(Path(folder, path), digest) for path, digest in files]
        for path, digest in known:
            if not path.is_file():
                raise GrammarError(f"its member {path} is missing: keep it there, or combine again")
            if digest_of([path]) != digest:
                raise GrammarError(f"its member {path} has changed since: combine again")
        return cls._read(known, budget, voters)

    @classmethod
    def replacing(
        cls, files: Files, paths: Sequence[str | Path], budget: Budget, voters: Voters = NO_VOTERS
    ) -> Members:
        """Read saved models that take the places of those that a file names."""
        wanted = [Path(path).stem for path, _ in files]
        given = [Path(path).stem for path in paths]
        if given != wanted:
            raise InputError(
                f"the weights are for {', '.join(wanted)}, not for {', '.join(given)}: "
                "models with these names, in this order"
            )
        return cls.load(paths, budget, voters)

    @classmethod
    def _read(
        cls, files: Sequence[tuple[Path, str | None]], budget: Budget, voters: Voters
    ) -> Members:
        """Read models, given their files, with the hashes of these where they are known."""
        members = []
        for path, digest in files:
            parser = load_model(path, budget)
            members.append(Member(path.stem, path.resolve(), digest or digest_of([path]), parser))
        found = cls(tuple(members), voters)
        for name in found.names:
            if found.names.count(name) > 1:
                raise InputError(f"two members are called {name}: rename one of the files")
        if not any(isinstance(member.parser, GrammarParser) for member in members):
            raise InputError(
                "none of the models has a grammar, which makes the forests that all others judge: "
                "add a grammar, or better a refined one"
            )
        return found
