"""The same sentences through all doors: the command, Python, spaCy, threads and the server.

The sentences are those of files 0180-0199 of NLTK's sample of the Penn Treebank, as words. They are
parsed on a quiet machine, and then beside a busy process on each core.

    python tools/bench_doors.py [--sentences 100] [--json FILE]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from urllib.request import Request, urlopen

import click
import spacy
from measuring import PLCFRS, TEST, Report, benchmark, measured, read
from page_server import running
from spacy.tokens import Doc

from plcfrs import load_model
from plcfrs.transformation import Options

_MODEL = "plcfrs:english"
_THREADS = 4
_BUSY = [sys.executable, "-c", "while True: pass"]

Words = list[list[str]]
Seconds = tuple[float, float]  # of wall time and of CPU time
Doors = dict[str, Callable[[Words], Seconds]]


@benchmark("Doors")
@click.option("--sentences", default=100, show_default=True)
def main(report: Report, sentences: int) -> None:
    """Run the benchmark."""
    words = [tree.words() for tree in read(TEST, Options())][:sentences]
    report.about = (
        f"{len(words)} sentences of files 0180-0199 of NLTK's sample of the Penn Treebank, from "
        f"words alone, by {_MODEL}: milliseconds per sentence, without the start. Together: one "
        "call for all sentences, and the network reads many at a time. One by one: a call or a "
        "request for each sentence; the server also explains and draws the parse. There are "
        f"{_THREADS} threads. On the busy machine, another process computes on each core."
    )
    with TemporaryDirectory() as folder, running(_MODEL) as (server, address):
        for machine, processes in ("quiet", 0), ("busy", os.cpu_count() or 1):
            ways = {"together": together(Path(folder)), "one by one": alone(address, server.pid)}
            for how, doors in ways.items():
                report.table(f"A {machine} machine, {how}", "wall ms", "CPU ms")
                for name, parse in doors.items():
                    parse(words[:5])  # loads and compiles what is missing
                    with busy(processes):
                        used = parse(words)
                    report.row(name, *(f"{1000 * time / len(words):.1f}" for time in used))


def together(folder: Path) -> Doors:
    """Return the doors for many sentences."""
    model, pipeline, text = load_model(_MODEL), spacy.blank("en"), folder / "sentences"
    pipeline.add_pipe("plcfrs", config={"model": _MODEL})

    def command(words: Words) -> Seconds:
        first, every = run(words[:1]), run(words)
        return every[0] - first[0], every[1] - first[1]

    def run(words: Words) -> Seconds:
        lines = (" ".join(sentence) + "\n" for sentence in words)
        text.write_text("".join(lines), encoding="utf-8")
        return measured(*PLCFRS, "parse", _MODEL, text, "--from", "tokens")[:2]

    def docs(words: Words) -> Iterator[Doc]:
        for sentence in words:
            starts = [place == 0 for place in range(len(sentence))]
            yield Doc(pipeline.vocab, sentence, sent_starts=starts)

    return {
        "the command": command,
        "Python, a list": partial(timed, lambda words: model.parse_together(words)),
        "Python, pipe": partial(timed, lambda words: model.pipe(map(" ".join, words))),
        "spaCy": partial(timed, lambda words: pipeline.pipe(docs(words))),
    }


def alone(address: str, server: int) -> Doors:
    """Return the doors for sentences one by one."""
    model, url = load_model(_MODEL), f"{address.rstrip('/')}/api/v1/parse"
    explained = partial(model.parse, explained=True)

    def in_threads(words: Words) -> Iterable[object]:
        with ThreadPoolExecutor(_THREADS) as pool:
            return list(pool.map(model, words))

    def ask(words: list[str]) -> None:
        body = json.dumps({"text": " ".join(words)}).encode()
        with urlopen(Request(url, body, {"Content-Type": "application/json"})) as answer:
            answer.read()

    return {
        "Python": partial(timed, lambda words: map(model, words)),
        "Python, explained": partial(timed, lambda words: map(explained, words)),
        "threads": partial(timed, in_threads),
        "the server": partial(timed, lambda words: map(ask, words), cpu=lambda: cpu_of(server)),
    }


def timed(
    parse: Callable[[Words], Iterable[object]],
    words: Words,
    cpu: Callable[[], float] = process_time,
) -> Seconds:
    """Parse sentences, and return the time that it took."""
    start, cpu_start = perf_counter(), cpu()
    for _ in parse(words):
        pass
    return perf_counter() - start, cpu() - cpu_start


def cpu_of(process: int) -> float:
    """Return the CPU time of a process until now (on Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Let other processes compute in the meantime."""
    with ExitStack() as stack:
        for _ in range(processes):
            process = stack.enter_context(subprocess.Popen(_BUSY))
            stack.callback(process.kill)
        yield


if __name__ == "__main__":
    main()
