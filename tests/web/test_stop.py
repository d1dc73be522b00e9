"""Clients that leave: the server stops what they asked for, so that others get the slot."""

import asyncio
import json
import threading
import time
from urllib.parse import urlencode

import pytest
from apart import run_apart

from plcfrs.stopping import check_stopped, stoppable
from plcfrs.web.app import create_app
from plcfrs.web.limits import Limits
from plcfrs.web.store import Store

LONG = f"What/WP caused/VBD the/DT fire/NN {60 * 'at/IN the/DT mill/NN '}?/."
ENDLESS = float("inf")
LIMITS = Limits(jobs=1, max_length=400, max_seconds=600.0, max_items=ENDLESS, max_memory=ENDLESS)


async def ask(app, method, path, wanted, leave=None):
    """Send a request as a server does, and leave when an event happens; return the status."""
    body = json.dumps(wanted).encode() if method == "POST" else b""
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    scope = {
        "type": "http",
        "method": method,
        "path": f"/api/v1/{path}",
        "query_string": b"" if body else urlencode(wanted).encode(),
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }
    sent = []

    async def receive():
        if messages:
            return messages.pop()
        await (leave or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"]


@pytest.fixture
def store(demo):
    return Store([str(demo)], ["plcfrs:demo"], LIMITS)


@pytest.fixture
def slow(monkeypatch):
    """Let queries and transformations take a second for each tree."""

    def search_slowly(self, _query, _named, _seconds):
        for _ in self.trees:
            time.sleep(1.0)
            check_stopped()
            yield from ()

    def transform_slowly(trees, _):
        for tree in trees:
            time.sleep(1.0)
            yield tree

    monkeypatch.setattr("plcfrs.query.Treebank.search", search_slowly)
    monkeypatch.setattr("plcfrs.corpus.indexing.transform_all", transform_slowly)


@pytest.fixture
def begun(monkeypatch):
    """Return an event that happens when a job begins."""
    event = threading.Event()

    def begin(check):
        event.set()
        return stoppable(check)

    monkeypatch.setattr("plcfrs.web.limits.stoppable", begin)
    return event


@pytest.mark.full
@pytest.mark.parametrize(
    ("method", "path", "wanted"),
    [
        pytest.param(
            "POST", "parse", {"text": LONG, "tagged": True, "strategy": "knuth"}, id="parse"
        ),
        pytest.param("POST", "parse", {"text": LONG, "tagged": True, "nbest": 50}, id="parses"),
        pytest.param("POST", "surprisal", {"text": LONG, "tagged": True}, id="surprisal"),
        pytest.param("GET", "trees", {"treebank": "plcfrs:demo", "query": "VP"}, id="query"),
        pytest.param(
            "GET", "counts", {"treebank": "plcfrs:demo", "query": "VP", "by": "label"}, id="counts"
        ),
        pytest.param(
            "GET", "trees", {"treebank": "plcfrs:demo", "transform": True}, id="transformation"
        ),
    ],
)
@pytest.mark.usefixtures("slow")
def test_the_slot_of_whoever_leaves_is_soon_free(store, begun, method, path, wanted):
    app = create_app(store)

    async def leave_and_ask_again():
        leave = asyncio.Event()
        first = asyncio.create_task(ask(app, method, path, wanted, leave))
        await asyncio.to_thread(begun.wait)
        await asyncio.sleep(0.3)
        assert not first.done()
        leave.set()
        short = {"text": "What/WP should/MD we/PRP do/VB ?/.", "tagged": True}
        again = ask(app, "POST", "parse", short)
        return await first, await asyncio.wait_for(again, 300)

    assert run_apart(leave_and_ask_again()) == (503, 200)
