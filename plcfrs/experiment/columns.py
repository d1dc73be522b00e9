"""The columns of overviews of parsers: functions of the performance of a parser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from statistics import mean, median, quantiles

from plcfrs.errors import InputError
from plcfrs.evaluation import Scores, main_tables
from plcfrs.evaluation.report import Cell
from plcfrs.evaluation.scoring import Scored
from plcfrs.experiment.folder import CPU, MEMORY, Result, read_lines
from plcfrs.experiment.plan import ScorePlan
from plcfrs.wording import suggestion


@dataclass(frozen=True)
class Performance:
    """The model, parses and scores of a parser on a gold set."""

    model: Result
    parses: Result
    scored: Sequence[Scored]

    def scores(self, longest: float = inf) -> dict[str, Cell]:
        """Return all scores of sentences of limited length, by name."""
        total = Scores()
        for scored in self.scored:
            if scored.sentence.length <= longest:
                total.add(scored.scores)
        constituents, discontinuous, sentences = main_tables({"": total})
        named = constituents.rows | {f"Disc. {row}": c for row, c in discontinuous.rows.items()}
        return {name: cell for name, (cell,) in (named | sentences.rows).items()}

    @cached_property
    def milliseconds(self) -> list[float]:
        """The CPU time of each sentence."""
        return [1000 * line["cpu_seconds"] for line in read_lines(self.parses.path)]

    def cell(self, column: str) -> Cell:
        """Return the value in a column."""
        name, limit, longest = column.partition(" <= ")
        if name in SCORES:
            return self.scores(int(longest) if limit else inf)[name]
        return FIGURES[name](self)


SCORES = [
    *(
        f"{part}{score}"
        for part in ("", "Disc. ")
        for score in ("LP", "LR", "LF1", "UP", "UR", "UF1")
    ),
    "Exact match",
    "Tagging accuracy",
]
"""The columns with scores; ``LF1 <= 40`` limits the length of sentences."""

FIGURES: dict[str, Callable[[Performance], Cell]] = {
    "Rules": lambda each: each.model.figures.get("rules"),
    "Bin. rules": lambda each: each.model.figures.get("binarized"),
    "Sentences": lambda each: each.parses.figures["sentences"],
    "Parsed": lambda each: each.parses.figures["parsed"],
    "CPU ms": lambda each: median(each.milliseconds),
    "CPU ms, 95%": lambda each: quantiles(each.milliseconds, n=20)[-1],
    "CPU ms, longest": lambda each: max(each.milliseconds),
    "Sentences/s": lambda each: 1000 / mean(each.milliseconds),
    "Peak MB": lambda each: each.parses.figures.get(MEMORY),
    "Training CPU s": lambda each: each.model.figures.get(CPU),
    "Training peak MB": lambda each: each.model.figures.get(MEMORY),
    "File MB": lambda each: each.model.path.stat().st_size / 1e6,
}
"""The other columns: sizes, time and memory. `CPU ms` is the median of the sentences."""

DECIMALS = dict.fromkeys(("Peak MB", "Training peak MB", "Sentences/s"), 0)
"""The number of decimals in these columns; others have two."""

OVERVIEWS: dict[str, tuple[str, ...]] = {
    "parsers": (
        "Rules",
        "Bin. rules",
        "Sentences",
        "Parsed",
        "LP",
        "LR",
        "LF1",
        "Exact match",
        "Disc. LF1",
        "CPU ms",
        "Peak MB",
    ),
    "seeds": ("LF1", "LF1 <= 40", "Disc. LF1", "CPU ms", "Peak MB"),
}
"""The kinds of tables whose columns can be chosen, with their usual columns."""


def check_columns(plan: ScorePlan) -> None:
    """Raise an InputError if a table cannot have the chosen columns."""
    known = [*SCORES, *FIGURES] if plan.kind in OVERVIEWS else []
    for column in plan.columns:
        name, limit, longest = column.partition(" <= ")
        if name not in known or (limit and not (name in SCORES and longest.isdecimal())):
            raise InputError(f"unknown column {column!r}{suggestion(known)}")


def is_score(column: str) -> bool:
    """Whether a column has scores."""
    return column.partition(" <= ")[0] in SCORES
