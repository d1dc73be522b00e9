"""Every kind of parser, side by side: scores, speed, time to train, size of the model.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, test 0180-0199, all lengths) or
on any treebank (its last tenth is the test). Each parser is trained and parses as in
`plcfrs.train` and `model.parse`; the table has the command line that trains the same one.

    python tools/bench_parsers.py [--seeds 3] [--only grammar] [--json FILE]
    python tools/bench_parsers.py pcc --punctuation low --head-rules negra --attach-low \
        --pair-marks --splits none --seeds 1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import bench
import click
from measuring import Report, cells_of, on_one_core, warm_up

from plcfrs.parsing.registry import find_family


class Parser(NamedTuple):
    """A kind of parser, and its settings."""

    name: str
    kind: str
    settings: Mapping[str, Any] = {}
    preset: str | None = None

    @property
    def command(self) -> str:
        """The command line that trains it."""
        if self.preset:
            return f"plcfrs extract TREEBANK --preset {self.preset} -o MODEL"
        options = "".join(f" --{name} {value}" for name, value in self.settings.items())
        return f"plcfrs train {self.kind} TREEBANK{options} -o MODEL"

    def seeds(self, number: int) -> list[dict[str, int]]:
        """Return the first seed of each of some models, of which no two share a grammar."""
        if self.preset:
            return [{}]  # nothing is random
        return [{"seed": 1 + place * self.settings.get("grammars", 1)} for place in range(number)]


COLUMNS: dict[str, bench.Column] = {
    "F1": bench.f1(),
    "discontinuous F1": bench.discontinuous_f1(),
    "F1 from words": bench.f1(runs="others"),
    "discontinuous F1 from words": bench.discontinuous_f1(runs="others"),
    "right tags": bench.right_tags("others"),
    **bench.RATE,
    "training s": bench.mean_of(lambda each: each.training),
    "file MB": bench.mean_of(lambda each: _megabytes(each.model), 1),
}


@bench.on_treebank("Parsers")
@click.option("--seeds", default=3, show_default=True, help="Of each parser that has seeds.")
@click.option(
    "--only", multiple=True, help="Measure this family alone; --json FILE keeps the other rows."
)
def main(report: Report, source: bench.Source, seeds: int, only: tuple[str, ...]) -> None:
    """Run the benchmark."""
    report.is_partial = bool(only)
    number = "a single seed" if seeds == 1 else f"means over {seeds} seeds, standard deviations"
    report.about = (
        f"{source}, sentences of all lengths, gold tags or the parser's own (from words); "
        f"{number}; CPU time on one core."
    )
    rows = (
        (parser.name, *cells_of(COLUMNS, list(_outcomes(parser, source, seeds))), parser.command)
        for parser in starmap(Parser, bench.RUNS["parsers"])
        if not only or parser.kind in only
    )
    report.table("All kinds of parsers", "parser", *COLUMNS, "command", rows=rows)


def _outcomes(parser: Parser, source: bench.Source, seeds: int) -> Iterator[bench.Outcome]:
    warm_up(parser.kind)
    family = find_family(parser.kind)
    preset = family.preset(parser.preset) if parser.preset else family
    training, test = source.parts(preset.transformation.splits)
    for seed in parser.seeds(seeds):
        values = {**parser.settings, **seed}
        model, seconds = bench.trained(parser.kind, training, parser.preset, **values)
        runs = [bench.parse_together(model, test, tagged=tagged) for tagged in (True, False)]
        yield bench.Outcome(model, runs[0], seconds, runs[1])


def _megabytes(model: Any) -> float:  # noqa: ANN401 (of any family)
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.plcfrs")
        model.save(path)
        return path.stat().st_size / 1e6


if __name__ == "__main__":
    on_one_core()
    main()
