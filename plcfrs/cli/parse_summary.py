"""The outcome of a run of ``plcfrs parse``: a row for each sentence, and a summary."""

from __future__ import annotations

from collections import Counter

from plcfrs.corpus.journal import Record
from plcfrs.grammar.positions import render_ranges
from plcfrs.pipeline import Parse
from plcfrs.pipeline.parse import describe_gap
from plcfrs.trees.spans import runs, span_of

_FIGURES = ("items", "popped", "improved", "edges", "pair_tests")
_TIMES = ("estimate_seconds", "search_seconds")
COLUMNS = [
    *("id", "rank", "length", "status", "fallback", "score"),
    *(*_FIGURES, *_TIMES, "cpu_seconds", "gap"),
]
POSTERIOR_COLUMNS = ["id", "category", "tokens", "probability"]
_SHOWN = 5


class Summary:
    """Counts of the outcomes of all sentences."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.fallbacks: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.tokens = self.items = 0
        self.cpu_seconds = 0.0
        self.lost_mass = self.gap = 0.0
        self.unproven = 0

    @property
    def sentences(self) -> int:
        """The number of sentences so far."""
        return self.statuses.total()

    def add(self, record: Record, *, tagged: bool) -> None:
        """Count a sentence with given tags or without."""
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
            parses = "parse" if self.unproven == 1 else "parses"
            lines.append(f"{self.unproven} {parses} {describe_gap(self.gap)}")
        if self.lost_mass:
            lines.append(
                "share of the probability of a sentence that is left out of the sums: at most "
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


def posterior_rows(parse: Parse) -> list[list[str]]:
    """Return a row with the `POSTERIOR_COLUMNS` for each constituent below the root."""
    return [
        [parse.tree.id, category, render_ranges(runs(span_of(list(positions)))), f"{chance:.4f}"]
        for category, positions, chance in (parse.posteriors or [])[1:]
    ]


def row(parse: Parse, rank: int, seconds: float) -> list[object]:
    """Return a row of statistics with the `COLUMNS`."""
    statistics, tree = parse.statistics, parse.tree
    times = [*(getattr(statistics, name) for name in _TIMES), seconds]
    return [
        *(tree.id, rank, len(tree.tokens), parse.status, parse.fallback, repr(parse.score)),
        *(getattr(statistics, name) for name in _FIGURES),
        *(f"{time:.6f}" for time in times),
        "" if parse.optimality_gap is None else repr(parse.optimality_gap),
    ]
