"""Splitting running text into sentences and words, against treebanks; its speed and memory.

python tools/bench_sentences.py ewt-dev.jsonl gum-dev.jsonl [--megabytes 100] [--json FILE]

A line of a file is a document: `id`, `text`, and `sentences` and `tokens` as `[start, end]`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from measuring import Report, benchmark, peak_memory, timed

from plcfrs.text import Splitter
from plcfrs.text.sentences import split_sentences

Counts = Counter[str]


@benchmark("Sentences and words of running text")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--megabytes", default=20, show_default=True, help="Of text, to measure speed.")
def main(report: Report, files: tuple[Path, ...], megabytes: int) -> None:
    """Run the benchmark."""
    report.about = "F1 of exact spans. Words are cut as in treebanks that tag hyphens."
    splitter = Splitter(tags=["VBZ", "HYPH"])
    documents: list[Any] = []
    for path in files:
        with path.open() as lines:
            own = list(map(json.loads, lines))
        documents += own
        report.table(path.stem, "sentences", "sentences F1", "tokens F1")
        genres: dict[str, Counts] = {}
        for document in own:
            counts = _counts(splitter, document)
            for genre in (_genre(document["id"]), "all"):
                genres.setdefault(genre, Counter()).update(counts)
        for genre, counts in sorted(genres.items()):
            figures = (f"{_f1(counts, kind):.2f}" for kind in ("sentences", "tokens"))
            report.row(genre, str(counts["gold sentences"]), *figures)
    report.table("Speed", "MB a second")
    text = "\n\n".join(document["text"] for document in documents)
    times = 1 + megabytes * 1_000_000 // len(text)
    lines = [line for _ in range(times) for line in text.splitlines(keepends=True)]
    size = times * len(text) / 1_000_000
    for name, step in (("sentences", split_sentences), ("sentences and words", splitter.sentences)):
        _, seconds = timed(lambda step=step: _exhaust(step(iter(lines))))
        report.row(name, f"{size / seconds:.2f}")
    report.fact("Peak memory", peak_memory())


def _genre(name: str) -> str:
    """Return the genre in the identifier of a document of GUM or EWT."""
    parts = re.split("[_-]", name)
    return parts[1] if parts[0] == "GUM" else parts[0]


def _counts(splitter: Splitter, document: Any) -> Counts:  # noqa: ANN401 (JSON)
    sentences = list(splitter.sentences(document["text"]))
    found = {
        "sentences": {(tokens[0].start, tokens[-1].end) for tokens in sentences},
        "tokens": {(token.start, token.end) for tokens in sentences for token in tokens},
    }
    counts: Counts = Counter()
    for kind, spans in found.items():
        gold = set(map(tuple, document[kind]))
        counts[f"gold {kind}"], counts[f"found {kind}"] = len(gold), len(spans)
        counts[kind] = len(gold & spans)
    return counts


def _f1(counts: Counts, kind: str) -> float:
    return 200 * counts[kind] / (counts[f"gold {kind}"] + counts[f"found {kind}"])


def _exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass


if __name__ == "__main__":
    sys.exit(main())
