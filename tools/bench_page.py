"""How long a user of the page waits, and whether it can serve twenty users at once.

Serves a grammar of files 0001-0159 of NLTK's sample of the Penn Treebank, all trees of the sample,
and damaged copies of them as parses. A browser does what a user does; then clients without a
browser send requests for a while.

    python tools/bench_page.py [--runs 5] [--clients 20] [--seconds 60] [--json FILE]
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import chain, cycle, islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode, urlsplit

import click
import yaml
from bench_corpus import damaged
from measuring import TEST, TRAINING, Report, benchmark, read
from page_server import chromium, running

from plcfrs import Tree, read_trees, train, write_trees
from plcfrs.transformation import EVANG_KALLMEYER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_TREEBANK = "nltk:treebank"

PAGE = yaml.safe_load(Path(__file__).with_name("page.yaml").read_text(encoding="utf-8"))
"""The tasks of a user, and the requests of clients."""


class UserTask(NamedTuple):
    """What a user does, as addresses, and the element that shows that it is done."""

    time: str
    what: str
    tab: str
    fields: list[dict[str, str]]
    sign: str


@benchmark("The page")
@click.option("--runs", default=5, show_default=True)
@click.option("--clients", default=20, show_default=True)
@click.option("--seconds", default=60, show_default=True)
def main(report: Report, runs: int, clients: int, seconds: int) -> None:
    """Run the benchmark."""
    report.about = (
        "The page in Chromium, with a grammar of files 0001-0159 of NLTK's sample of the Penn "
        f"Treebank and its 3,914 trees: medians of {runs} runs. First times are from a server "
        f"that has not read a treebank. Then {clients} clients send requests for {seconds} "
        "seconds, each as soon as it has an answer: parses, hits, trees, rules, pictures, and the "
        "page."
    )
    sentences = [tree for tree in read_trees(TEST[0]) if 15 <= len(tree.words()) <= 25][:runs]
    tasks = [UserTask(*values) for values in PAGE["tasks"]]
    with TemporaryDirectory() as folder, chromium() as browser:
        files = _files(Path(folder))
        report.table("What a user waits for", "median ms", "longest ms")
        for task in (task for task in tasks if task.time == "first"):
            times = []
            for _ in range(runs):
                with running(*files) as (_, address):
                    times += _again(browser, address, task, 1)
            _row(report, f"{task.what}, the first time", times)
        with running(*files) as (server, address):
            _, *times = _pictures(browser, address, runs + 1)  # the first one warms the server
            _row(report, "the first picture", times)
            _row(report, "a parse of 15 to 25 words", _parses(browser, address, sentences))
            for task in (task for task in tasks if task.time == "afterwards"):
                _, *times = _again(browser, address, task, runs + 1)  # the first one reads trees
                _row(report, task.what, times)
            report.table(f"{clients} clients for {seconds} seconds", "figure")
            for what, figure in load(address, server.pid, clients, seconds).items():
                report.row(what, figure)


def _files(folder: Path) -> list[str]:
    """Write a grammar and parses; return the arguments of plcfrs serve."""
    model, parses = folder / "wsj.plcfrs", folder / "parses.discbracket"
    train("grammar", read(TRAINING, EVANG_KALLMEYER)).save(model)
    random = Random(1)
    write_trees([damaged(tree, random) for tree in read([_TREEBANK], EVANG_KALLMEYER)], parses)
    return [str(model), "--treebank", _TREEBANK, "--treebank", str(parses), "--max-seconds", "60"]


def _row(report: Report, what: str, times: list[float]) -> None:
    report.row(what, f"{median(times):.0f}", f"{max(times):.0f}")


def _pictures(browser: Browser, address: str, runs: int) -> list[float]:
    """Return how long it takes from the address to the picture of the first parse."""
    times = []
    for _ in range(runs):
        with browser.new_page() as page:  # with an empty cache
            page.goto(address, wait_until="commit")
            times.append(_seen(page, "#parse-picture svg"))
    return times


def _parses(browser: Browser, address: str, sentences: list[Tree]) -> list[float]:
    """Return how long it takes from Enter to the picture."""
    times = []
    with browser.new_page() as page:
        page.goto(address)
        _seen(page, "#parse-picture svg")
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


def _again(browser: Browser, address: str, task: UserTask, runs: int) -> list[float]:
    """Return how long an open page takes from the address of a task to its element."""
    times = []
    for number in range(runs):
        with browser.new_page() as page:
            page.goto(address)
            page.wait_for_selector("body[data-ready]")
            page.wait_for_selector("#parse:not([aria-busy]) svg")
            wanted = f"{task.tab}?{urlencode(task.fields[number % len(task.fields)])}"
            start = page.evaluate("hash => [location.hash = hash, performance.now()][1]", wanted)
            times.append(_seen(page, task.sign) - start)
    return times


def _seen(page: Page, selector: str) -> float:
    """Wait for an element, and return after how many milliseconds it exists."""
    when_seen = "wanted => document.querySelector(wanted) && performance.now()"
    return float(page.wait_for_function(when_seen, arg=selector, timeout=120_000).json_value())


def load(address: str, process: int, clients: int, seconds: float) -> dict[str, str]:
    """Let clients send requests to a server, each as soon as it has an answer.

    Parameters
    ----------
    address : str
    process : int
        The number of the server's process.
    clients : int
    seconds : float

    Returns
    -------
    dict of str to str
        Numbers of answers and errors, times, and the memory of the server before and after.
    """
    _ask(address, 0, 10)  # the server reads and keeps what is asked for first
    answers: list[tuple[int, float]] = []  # the status, 0 if there was none, and seconds
    memory = [_memory(process)]
    for _ in range(2):
        with ThreadPoolExecutor(clients) as pool:
            ask = partial(_ask, address, seconds=seconds / 2)
            answers += chain.from_iterable(pool.map(ask, range(clients)))
        memory.append(_memory(process))
    errors = Counter(status for status, _ in answers if status != 200)
    times = quantiles([1000 * taken for _, taken in answers], n=20)
    return {
        "answers": f"{len(answers):,}",
        "answers a second": f"{len(answers) / seconds:.0f}",
        "errors": ", ".join(f"{count} of {status}" for status, count in errors.items()) or "none",
        "median of an answer": f"{times[9]:.0f} ms",
        "95% of the answers within": f"{times[18]:.0f} ms",
        "memory before": memory[0],
        "memory after half of the time": memory[1],
        "memory after": memory[2],
    }


def _memory(process: int) -> str:
    """Return how much memory a process uses now (on Linux)."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return f"{pages * os.sysconf('SC_PAGE_SIZE') / 2**20:.0f} MB"


def _ask(address: str, number: int, seconds: float) -> list[tuple[int, float]]:
    """Send requests for some time; each client begins with a different one."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
    answers = []
    end = time.perf_counter() + seconds
    for path, *body in islice(cycle(PAGE["requests"]), number, None):
        start = time.perf_counter()
        if start > end:
            break
        answers.append((_status(connection, path, *body), time.perf_counter() - start))
    connection.close()
    return answers


def _status(connection: HTTPConnection, path: str, body: object = None) -> int:
    posted = () if body is None else (json.dumps(body), {"Content-Type": "application/json"})
    try:
        connection.request("POST" if posted else "GET", path, *posted)
        answer = connection.getresponse()
        answer.read()
    except (HTTPException, OSError):
        connection.close()  # the next request opens it again
        return 0
    return answer.status


if __name__ == "__main__":
    main()
