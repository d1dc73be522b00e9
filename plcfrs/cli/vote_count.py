"""How many sentences lack votes of other programs, as people are told."""

from __future__ import annotations

from collections import Counter

import click

from plcfrs.errors import InputError
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.trees import Tree


class VoteCount:
    """Counts the sentences that a parser has no votes for."""

    def __init__(self, parser: SentenceParser) -> None:
        self._parser = parser
        self._sentences = 0
        self._missing: Counter[str] = Counter()

    def noting(self, tree: Tree) -> Tree:
        """Return a sentence, and count it if it has words."""
        if tree.tokens:
            self._sentences += 1
            self._missing.update(self._parser.missing(tree))
        return tree

    def report(self) -> None:
        """Say how many sentences have no votes; raise if none has votes of one of the voters."""
        for name, number in self._missing.items():
            if number == self._sentences:
                raise InputError(
                    f"votes {name}: the file has none of these sentences: their words must be the "
                    "same"
                )
            click.echo(f"no votes of {name}: {number} of {self._sentences} sentences", err=True)
