"""The members of a combined parser: saved models of any family, and voters.

A voter is a file with parses of another program, which vote for their constituents.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.budget import Budget
from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.evaluation.bracketing import has_parse
from plcfrs.forest.grammar_parser import GrammarParser, judges_of
from plcfrs.forest.votes import ForestScores, Judge, votes
from plcfrs.parsers.combined.weights import scores_of_members
from plcfrs.parsing import Sentence, SentenceParser, load_model
from plcfrs.parsing.parse import Constituent, chances_of
from plcfrs.storage.files import digest_of
from plcfrs.storage.included import is_included, model_path
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

TRANSFORMATION = Options(splits=())
"""The default transformation of the trees of combined parsers."""

Words = tuple[str, ...]


Files = tuple[tuple[str, str], ...]
"""The paths of files and their hashes."""


class Voter(NamedTuple):
    """Parses of another program, which vote for their constituents.

    Parameters
    ----------
    chances : mapping of tuple of str to mapping, optional
        The chances of the constituents of each sentence, by its words (see `words_of`); None
        without a file, so that the voter is ignored.
    errors : tuple of str
        The errors in skipped trees, such as ``(())`` for a sentence without a parse.
    """

    name: str
    chances: Mapping[Words, Mapping[Constituent, float]] | None = None
    errors: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """A warning about missing votes; empty if there are none."""
        if self.chances is None:
            return f"no parses from {self.name} were given; it is ignored"
        if self.errors:
            number = len(self.errors)
            return (
                f"votes {self.name}: malformed trees skipped: {number}; the first: {self.errors[0]}"
            )
        return ""

    @classmethod
    def read(cls, name: str, file: str, transformation: Options) -> Voter:
        """Read the parses in a file, and transform them; see `of`."""
        errors: list[TreebankError] = []
        trees = read_trees(file, on_error=errors.append)
        voter = cls.of(name, transform_all(trees, transformation))
        if errors and not voter.chances:
            raise errors[0]
        return voter._replace(errors=tuple(str(error) for error in errors))

    @classmethod
    def of(cls, name: str, trees: Iterable[Tree]) -> Voter:
        """Return the voter of transformed trees; NOPARSE trees do not vote.

        Several parses of the same words share a vote equally.
        """
        parses: dict[Words, list[Tree]] = defaultdict(list)
        for tree in trees:
            if has_parse(tree):
                parses[words_of(Sentence.of(tree))].append(tree)
        chances = {
            words: chances_of((1.0 / len(trees), tree) for tree in trees)
            for words, trees in parses.items()
        }
        return cls(name, chances)

    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores | None:
        """Return the votes for the constituents of a forest; None without a parse."""
        chances = (self.chances or {}).get(words_of(sentence))
        return None if chances is None else votes(forest, chances)

    def lacks(self, sentence: Sentence) -> bool:
        """Return whether there is a file without a parse of a sentence."""
        return self.chances is not None and words_of(sentence) not in self.chances


class Voters(NamedTuple):
    """The voters of a combined parser, and the transformation of their trees."""

    all: tuple[Voter, ...]
    transformation: Options

    @classmethod
    def read(cls, given: Sequence[str], transformation: Options = TRANSFORMATION) -> Voters:
        """Read the parses of voters from ``NAME=FILE``, where FILE is a treebank of any format.

        The default name is the name of the file without its extension.
        """
        voters = (Voter.read(*each, transformation) for each in _names_and_files(given))
        return cls(tuple(voters), transformation)

    def reading(self, given: Sequence[str]) -> Voters:
        """Return the same voters with the parses in other files, as for `read`.

        A voter without a file does not vote.
        """
        names = [voter.name for voter in self.all]
        files = dict(_names_and_files(given))
        for name in files:
            if name not in names:
                there = f"its voters are {', '.join(names)}" if names else "it has no voters"
                raise InputError(f"votes {name}: the combined parser does not know it: {there}")
        read = {name: Voter.read(name, file, self.transformation) for name, file in files.items()}
        return self._replace(all=tuple(read.get(name, Voter(name)) for name in names))

    def check(self, trees: Sequence[Tree]) -> None:
        """Raise an InputError if a voter's file has a parse for none of the trees."""
        sentences = [Sentence.of(tree) for tree in trees]
        for voter in self.all:
            if all(map(voter.lacks, sentences)):
                raise InputError(
                    f"votes {voter.name}: the file has none of these sentences; the words must be "
                    "the same"
                )


def words_of(sentence: Sentence) -> Words:
    """Return the words of a sentence, with parentheses escaped as in bracket formats."""
    return tuple(word.replace("(", "-LRB-").replace(")", "-RRB-") for word in sentence.words)


def _names_and_files(given: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names and files of voters."""
    pairs = []
    for text in given:
        name, separator, file = text.partition("=")
        pairs.append((name, file) if separator else (Path(text).stem, text))
    names = [name for name, _ in pairs]
    for name, file in pairs:
        if not name or not file:
            raise InputError(f"votes {name}={file}: write NAME=FILE")
        if names.count(name) > 1:
            raise InputError(f"votes {name}: two files have this name: write NAME=FILE")
    return pairs


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return the names of files, with folders that distinguish files of the same name.

    >>> names_of([Path("a/1/x.gap"), Path("a/2/x.gap"), Path("a/1/x.refined")])
    ['1/x.gap', '2/x.gap', 'x.refined']
    """
    places = [Path(os.path.normpath(path.absolute())).parts for path in paths]
    return ["/".join(_ending(place, {*places} - {place})) for place in places]


def _ending(place: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the shortest ending that distinguishes a path from all others."""
    for start in range(len(place) - 1, 0, -1):
        if all(other[start - len(place) :] != place[start:] for other in others):
            return place[start:]
    return place


class Member(NamedTuple):
    """A saved model that judges forests; it has the name of its file, and the file's digest."""

    name: str
    path: Path
    digest: str
    parser: SentenceParser

    @property
    def judges(self) -> dict[str, Judge]:
        """The model, or its heads, by their names."""
        judges = judges_of(self.parser).items()
        return {f"{self.name}:{head}" if head else self.name: judge for head, judge in judges}

    def path_from(self, folder: Path) -> str:
        """Return the path relative to a folder; an included model has only a name."""
        if is_included(self.path):
            return str(self.path)
        return Path(os.path.relpath(self.path, folder)).as_posix()


class Members(NamedTuple):
    """All saved models of a combined parser, and its voters.

    The first model with a grammar makes the forests.
    """

    all: tuple[Member, ...]
    voters: Voters

    @property
    def names(self) -> list[str]:
        """The names of the models or their heads, and then of the voters."""
        return list(self.judges)

    @property
    def judges(self) -> dict[str, Judge]:
        """The models or their heads, and then the voters, by their names."""
        voters = {each.name: each.judge for each in self.voters.all}
        return {name: judge for each in self.all for name, judge in each.judges.items()} | voters

    @property
    def kinds(self) -> list[str]:
        """The kind of each member: the family, the heads and tags of its training, and the head.

        Each voter is a kind of its own.
        """
        models = []
        for each in self.all:
            settings = [each.parser.about.get(name, "") for name in ("heads", "tags")]
            heads = judges_of(each.parser)
            models += [" ".join([each.parser.kind, *settings, head]) for head in heads]
        return [*models, *(f"votes {each.name}" for each in self.voters.all)]

    @property
    def base(self) -> GrammarParser:
        """The parser that makes the forests, the first one with a grammar."""
        return next(each.parser for each in self.all if isinstance(each.parser, GrammarParser))

    def scores(self, sentence: Sentence, forest: Forest, silent: Iterable[str] = ()) -> Costs:
        """Return each member's scores of the edges of a forest; silent members score 0.

        The models come first, then the voters; see
        `plcfrs.parsers.combined.weights.scores_of_members`.
        """
        all_scores = [
            None if name in silent else judge(sentence, forest)
            for name, judge in self.judges.items()
        ]
        zeros = ForestScores(np.zeros(len(forest.edge_rule)), np.zeros(len(forest.label)))
        return scores_of_members(forest, [each or zeros for each in all_scores])

    def files(self, folder: Path) -> Files:
        """Return the files of the models, relative to a folder, and their hashes."""
        return tuple((each.path_from(folder), each.digest) for each in self.all)

    def saved_into(self, folder: Path) -> Members:
        """Write the models into a folder, and return them with the paths there."""
        saved = []
        for member in self.all:
            path = folder.resolve() / "members" / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            member.parser.save(path)
            saved.append(member._replace(path=path, digest=digest_of([path])))
        return self._replace(all=tuple(saved))

    @classmethod
    def load(cls, paths: Sequence[str | Path], budget: Budget, voters: Voters) -> Members:
        """Read saved models."""
        return cls._read([(Path(path), None) for path in paths], budget, voters)

    @classmethod
    def stored(cls, files: Files, folder: Path, budget: Budget, voters: Voters) -> Members:
        """Read the models that a file in a folder names."""
        members = [
            (Path(path) if is_included(path) else Path(folder, path), digest)
            for path, digest in files
        ]
        for path, digest in members:
            if not model_path(path).is_file():
                raise GrammarError(f"its member {path} is missing: keep it there, or combine again")
            if digest_of([path]) != digest:
                raise GrammarError(f"its member {path} has changed since: combine again")
        return cls._read(members, budget, voters)

    @classmethod
    def replacing(
        cls, files: Files, paths: Sequence[str | Path], budget: Budget, voters: Voters
    ) -> Members:
        """Read saved models in place of the models that a file names."""
        wanted = names_of([Path(path) for path, _ in files])
        given = names_of([Path(path) for path in paths])
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
        """Read models from their files; a hash is None if it is unknown."""
        members = []
        for (path, digest), name in zip(files, names_of([path for path, _ in files]), strict=True):
            parser = load_model(path, budget)
            place = path if is_included(path) else path.resolve()
            members.append(Member(name, place, digest or digest_of([path]), parser))
        loaded = cls(tuple(members), voters)
        names = [*(each.name for each in members), *(each.name for each in voters.all)]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two members are called {name}: name each file once")
        if not any(isinstance(member.parser, GrammarParser) for member in members):
            raise InputError(
                "none of the models has a grammar, which makes the forests that all others judge: "
                "add a grammar, or better a refined one"
            )
        return loaded
