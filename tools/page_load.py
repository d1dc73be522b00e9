"""Many clients of the page at once: what they are answered, how fast, and the server's memory."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple
from urllib.parse import urlsplit

from splits import RUNS


class Answered(NamedTuple):
    """The status of an answer, 0 if there was none, and the seconds that it took."""

    status: int
    seconds: float


def load(address: str, process: int, clients: int, seconds: float) -> dict[str, str]:
    """Let clients ask a server, each as soon as it is answered.

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
    _ask(address, 0, 10)  # what is asked for first is read and kept
    before = memory(process)
    half = _with_all(address, clients, seconds / 2)
    between = memory(process)
    answers = half + _with_all(address, clients, seconds / 2)
    errors = Counter(one.status for one in answers if one.status != 200)
    times = quantiles([1000 * one.seconds for one in answers], n=20)
    return {
        "answers": f"{len(answers):,}",
        "answers a second": f"{len(answers) / seconds:.0f}",
        "errors": ", ".join(f"{count} of {status}" for status, count in errors.items()) or "none",
        "median of an answer": f"{times[9]:.0f} ms",
        "95% of the answers within": f"{times[18]:.0f} ms",
        "memory before": before,
        "memory after half of the time": between,
        "memory after": memory(process),
    }


def memory(process: int) -> str:
    """Return how much memory a process has now (on Linux)."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return f"{pages * os.sysconf('SC_PAGE_SIZE') / 2**20:.0f} MB"


def _with_all(address: str, clients: int, seconds: float) -> list[Answered]:
    with ThreadPoolExecutor(clients) as pool:
        found = pool.map(lambda number: _ask(address, number, seconds), range(clients))
        return [answer for each in found for answer in each]


def _ask(address: str, number: int, seconds: float) -> list[Answered]:
    """Ask for some time; each client begins with another request."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
    answers = []
    end = time.perf_counter() + seconds
    for path, *body in islice(cycle(RUNS["requests"]), number, None):
        start = time.perf_counter()
        if start > end:
            break
        answers.append(Answered(_status(connection, path, *body), time.perf_counter() - start))
    connection.close()
    return answers


def _status(connection: HTTPConnection, path: str, body: object = None) -> int:
    try:
        if body is None:
            connection.request("GET", path)
        else:
            kind = {"Content-Type": "application/json"}
            connection.request("POST", path, json.dumps(body), kind)
        answer = connection.getresponse()
        answer.read()
    except (HTTPException, OSError):
        connection.close()  # the next request opens it again
        return 0
    return answer.status
