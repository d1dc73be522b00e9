"""Splitting running text into sentences and words, against treebanks; its speed and memory.

python tools/bench_sentences.py ewt-dev.conllu gum-dev.conllu [--megabytes 100] [--json FILE]
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path

import click
from measuring import Report, benchmark, peak_memory, timed
from train_sentences import Document, documents

from plcfrs.text import Splitter

Counts = Counter[str]


@benchmark("Sentences and words of running text")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--megabytes", default=10, show_default=True, help="Of text, to measure speed.")
def main(report: Report, files: tuple[Path, ...], megabytes: int) -> None:
    """Run the benchmark."""
    report.about = (
        "F1 of exact spans. Sentences of a paragraph stand in a line, and blank lines are between "
        "paragraphs. Words are cut as in treebanks that tag hyphens."
    )
    splitter = Splitter(tags=["VBZ", "HYPH"])
    text = ""
    for path in files:
        report.table(path.stem, "sentences", "sentences F1", "words F1")
        genres: dict[str, Counts] = {}
        for document in documents(path):
            text += document.text + "\n\n"
            counts = _counts(splitter, document)
            for genre in (_genre(document.id), "all"):
                genres.setdefault(genre, Counter()).update(counts)
        for genre, counts in sorted(genres.items()):
            figures = (f"{_f1(counts, kind):.2f}" for kind in ("sentences", "words"))
            report.row(genre, str(counts["gold sentences"]), *figures)
    times = 1 + megabytes * 1_000_000 // len(text)
    size = times * len(text) / 1_000_000
    report.table(f"{size:.0f} MB of text", "MB a second")
    steps: dict[str, Callable[[Iterable[str]], Iterator[object]]] = {
        "sentences": splitter.split,
        "sentences and words": splitter.sentences,
    }
    for name, step in steps.items():
        lines = chain.from_iterable(repeat(text.splitlines(keepends=True), times))
        _, seconds = timed(lambda: sum(1 for _ in step(lines)))  # noqa: B023
        report.row(name, f"{size / seconds:.2f}")
    report.fact("Peak memory", peak_memory())


def _genre(name: str) -> str:
    """Return the genre in the identifier of a document of GUM or EWT."""
    parts = re.split("[_-]", name)
    return parts[1] if parts[0] == "GUM" else parts[0]


def _counts(splitter: Splitter, document: Document) -> Counts:
    """Return how many sentences and words a document has, are found, and are found rightly."""
    sentences = list(splitter.sentences(document.text))
    pairs = {
        "sentences": (document.sentences, [(each[0].start, each[-1].end) for each in sentences]),
        "words": (document.words, [(word.start, word.end) for each in sentences for word in each]),
    }
    counts: Counts = Counter()
    for kind, (gold, found) in pairs.items():
        counts[f"gold {kind}"], counts[f"found {kind}"] = len(gold), len(found)
        counts[kind] = len({*gold}.intersection(found))
    return counts


def _f1(counts: Counts, kind: str) -> float:
    return 200 * counts[kind] / (counts[f"gold {kind}"] + counts[f"found {kind}"])


if __name__ == "__main__":
    sys.exit(main())
