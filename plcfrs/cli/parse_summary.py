"""The summary of ``plcfrs parse``: the outcomes, and the sentences without votes."""

from __future__ import annotations

from collections import Counter

import click

from plcfrs.cli.resuming import Record
from plcfrs.errors import InputError
from plcfrs.parsing.parse import describe_gap
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.wording import counted

_SHOWN = 5


class Summary:
    """Counts the outcomes of all sentences."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.fallbacks: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.tokens = self.items = self.unproven = 0
        self.cpu_seconds = self.lost_mass = self.gap = 0.0

    @property
    def sentences(self) -> int:
        """The number of sentences so far."""
        return self.statuses.total()

    def add(self, record: Record, *, tagged: bool) -> None:
        """Count a sentence, with or without given tags."""
        self.statuses[record.status] += 1
        if record.tokens:
            self.tags["given" if tagged else "found by the parser"] += 1
        if record.fallback != "none":
            self.fallbacks[record.fallback] += 1
        if record.reason:
            self.reasons[f"{record.status} {record.reason}"] += 1
        self.tokens += record.tokens
        self.items += record.items
        self.cpu_seconds += record.cpu_seconds
        self.lost_mass = max(self.lost_mass, record.lost_mass)
        self.unproven += bool(record.gap)
        self.gap = max(self.gap, record.gap or 0.0)

    def __str__(self) -> str:
        sentences, parsed = self.sentences, self.statuses["parsed"]
        seconds = max(self.cpu_seconds, 1e-9)
        items = f"{self.items} items, " if self.items else ""  # transition parsers have none
        lines = [
            f"{parsed} of {sentences} sentences parsed, {sentences - parsed} failed",
            f"{items}{self.cpu_seconds:.2f} s CPU, "
            f"{sentences / seconds:.1f} sentences/s, {self.tokens / seconds:.0f} tokens/s",
        ]
        if len(self.tags) == 1:
            lines.append(f"tags: {next(iter(self.tags))}")
        elif self.tags:
            given = f"{self.tags['given']} of {sentences} sentences"
            lines.append(f"tags: given in {given}, else found by the parser")
        failed = {status: count for status, count in self.statuses.items() if status != "parsed"}
        if self.unproven:
            lines.append(f"{counted(self.unproven, 'parse')} {describe_gap(self.gap)}")
        if self.lost_mass:
            lines.append(
                "largest share of the probability of a sentence that the sums leave out: "
                f"{self.lost_mass:.2g}"
            )
        if failed:
            lines.append(", ".join(f"{status}: {count}" for status, count in failed.items()))
        for fallback, count in self.fallbacks.items():
            lines.append(f"fallback {fallback}: {count}")
        for reason, count in self.reasons.most_common(_SHOWN):
            lines.append(f"  {reason}: {count}")
        if len(self.reasons) > _SHOWN:
            lines.append(f"  and {len(self.reasons) - _SHOWN} others")
        return "\n".join(lines)


class VoteCount:
    """Counts the sentences without votes for a parser."""

    def __init__(self, parser: SentenceParser) -> None:
        self._parser = parser
        self._sentences = 0
        self._missing: Counter[str] = Counter()

    def add(self, sentence: Sentence) -> None:
        """Count a sentence, if it has words."""
        if sentence.tokens:
            self._sentences += 1
            self._missing.update(self._parser.missing(sentence))

    def report(self) -> None:
        """Say how many sentences have no votes; raise an InputError if a voter has none at all."""
        for name, number in self._missing.items():
            if number == self._sentences:
                raise InputError(
                    f"votes {name}: the file has none of these sentences; the words must be the "
                    "same"
                )
            click.echo(f"no parses from {name}: {number} of {self._sentences} sentences", err=True)
