"""How long a user of the page waits, and whether it stands twenty users at once.

Serves a grammar of files 0001-0159 of NLTK's sample of the Penn Treebank, all trees of the sample,
and damaged copies of them as parses. A browser does what a user does; then clients without a
browser send requests for a while.

    python tools/bench_page.py [--runs 5] [--clients 20] [--seconds 60] [--json FILE]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import click
from bench_eval import damaged
from measuring import Report, reports
from page_load import load
from page_server import chromium, running
from splits import RUNS, TEST, TRAINING

from plcfrs.parsing.registry import train
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees, write_trees
from plcfrs.trees import Tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_TREEBANK = "nltk:treebank"


class Task(NamedTuple):
    """What a user does, as addresses, and by what one sees that it is done."""

    time: str
    what: str
    tab: str
    fields: list[dict[str, str]]
    sign: str


@click.command()
@click.option("--runs", default=5, show_default=True)
@click.option("--clients", default=20, show_default=True)
@click.option("--seconds", default=60, show_default=True)
@reports("The page")
def main(report: Report, runs: int, clients: int, seconds: int) -> None:
    """Run the benchmark."""
    report.about = (
        "The page in Chromium, with a grammar of files 0001-0159 of NLTK's sample of the Penn "
        f"Treebank and its 3,914 trees: medians of {runs} runs. First times are those of a server "
        f"that has read no treebank. Then {clients} clients send requests for {seconds} seconds, "
        "each as soon as it has an answer: parses, hits, trees, rules, pictures, and the page."
    )
    sentences = [tree for tree in read_trees(TEST[0]) if 15 <= len(tree.words()) <= 25][:runs]
    tasks = [Task(*values) for values in RUNS["page"]]
    with TemporaryDirectory() as folder, chromium() as browser:
        files = _files(Path(folder))
        report.table("What a user waits for", "what", "median ms", "longest ms")
        for task in (each for each in tasks if each.time == "first"):
            _row(
                report,
                f"{task.what}, the first time",
                list(_first_times(files, browser, task, runs)),
            )
        with running(*files) as (server, address):
            _, *times = _pictures(browser, address, runs + 1)  # the first one warms the server
            _row(report, "the first picture", times)
            _row(report, "a parse of 15 to 25 words", _parses(browser, address, sentences))
            for task in (each for each in tasks if each.time == "afterwards"):
                _, *times = _again(browser, address, task, runs + 1)  # the first one reads trees
                _row(report, task.what, times)
            report.table(f"{clients} clients for {seconds} seconds", "what", "figure")
            for name, figure in load(address, server.pid, clients, seconds).items():
                report.row(name, figure)


def _files(folder: Path) -> list[str]:
    """Write a grammar and parses; return what is served."""
    model, parses = folder / "wsj.plcfrs", folder / "parses.discbracket"
    train("grammar", transform_all(read_trees(TRAINING))).save(model)
    random = Random(1)
    write_trees((damaged(tree, random) for tree in transform_all(read_trees(_TREEBANK))), parses)
    return [str(model), "--treebank", _TREEBANK, "--treebank", str(parses), "--max-seconds", "60"]


def _row(report: Report, what: str, times: list[float]) -> None:
    report.row(what, f"{median(times):.0f}", f"{max(times):.0f}")


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()  # with an empty cache
    yield context.new_page()
    context.close()


def _first_times(files: list[str], browser: Browser, task: Task, runs: int) -> Iterator[float]:
    for _ in range(runs):
        with running(*files) as (_, address):
            yield from _again(browser, address, task, 1)


def _pictures(browser: Browser, address: str, runs: int) -> list[float]:
    """Return how long it takes from the address to the picture of the first parse."""
    times = []
    for _ in range(runs):
        with _page(browser) as page:
            page.goto(address, wait_until="commit")
            times.append(_seen(page, "#parse-picture svg"))
    return times


def _parses(browser: Browser, address: str, sentences: list[Tree]) -> list[float]:
    """Return how long it takes from Enter to the picture."""
    times = []
    with _page(browser) as page:
        page.goto(address)
        page.wait_for_selector("#parse-picture svg")
        for tree in sentences:
            page.fill("#text", " ".join(tree.words()))
            picture = page.query_selector("#parse-picture svg")
            start = page.evaluate("performance.now()")
            page.press("#text", "Enter")
            shown = page.wait_for_function(
                "old => !old.isConnected && performance.now()", arg=picture, timeout=60_000
            )
            times.append(shown.json_value() - start)
            page.wait_for_selector("#parse:not([aria-busy])")
    return times


def _again(browser: Browser, address: str, task: Task, runs: int) -> list[float]:
    """Return how long it takes from an address until what it names is seen, for an open page."""
    times = []
    for number in range(runs):
        with _page(browser) as page:
            page.goto(address)
            page.wait_for_selector("body[data-ready]")
            page.wait_for_selector("#parse:not([aria-busy]) svg")
            wanted = f"{task.tab}?{urlencode(task.fields[number % len(task.fields)])}"
            start = page.evaluate("hash => [location.hash = hash, performance.now()][1]", wanted)
            times.append(_seen(page, task.sign) - start)
    return times


def _seen(page: Page, selector: str) -> float:
    """Wait for an element, and return after how many milliseconds it is there."""
    seen = page.wait_for_function(
        "wanted => document.querySelector(wanted) && performance.now()",
        arg=selector,
        timeout=120_000,
    )
    return float(seen.json_value())


if __name__ == "__main__":
    main()
