"""A served demo grammar: within the test, as a separate process, and in a browser."""

from contextlib import ExitStack
from shutil import copy

import pytest
from fastapi.testclient import TestClient
from serving import running

from plcfrs.web.app import create_app
from plcfrs.web.limits import Limits
from plcfrs.web.store import Store


@pytest.fixture(scope="session")
def demo(trained):
    """The file of a grammar of the demo treebank."""
    return trained("grammar", 140)


@pytest.fixture(scope="session")
def refined(trained, tmp_path_factory):
    """The file of a refined grammar."""
    return copy(trained("refined", 140), tmp_path_factory.mktemp("models") / "fine.refined")


@pytest.fixture(scope="session")
def transitions(trained, tmp_path_factory):
    """The file of a transition parser."""
    return copy(trained("gap", 140, epochs=8), tmp_path_factory.mktemp("models") / "steps.gap")


@pytest.fixture(scope="session")
def reduction(trained, tmp_path_factory):
    """The file of a parser of dependencies for constituents."""
    return copy(trained("reduction"), tmp_path_factory.mktemp("models") / "arcs.reduction")


@pytest.fixture(scope="session")
def serve(demo):
    """Return a client of an application with given limits.

    To make an application takes longer than most of the answers, so that those without limits of
    their own are shared; who uploads something, or patches the store, takes one `alone`.
    """
    shared, clients = {}, ExitStack()

    def client(*models, alone=False, **limits):
        models = [str(model) for model in models or (demo,)]
        key = (*models, *sorted(limits.items()))
        found = None if alone else shared.get(key)
        if found is None:
            store = Store(models, ["plcfrs:demo"], Limits(**limits))
            found = TestClient(create_app(store), base_url="http://localhost")
            if not alone:
                shared[key] = clients.enter_context(found)  # one loop of events for all requests
        return found

    with clients:
        yield client


@pytest.fixture(scope="session")
def page_address(demo, refined, transitions, reduction):
    """The address of the page of a server with all kinds of models."""
    models = demo, refined, transitions, reduction
    with running(*models, "--treebank", "plcfrs:demo", "--max-length", "30") as (_, address):
        yield address


@pytest.fixture
def open_page(browser, page_address):
    """Return a function that opens the page and fails if its scripts or its policy are broken."""
    contexts, complaints = [], []

    def open_in_browser(**options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(page_address)
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_in_browser
    for context in contexts:
        context.close()
    # The browser logs refused requests on its console.
    assert [text for text in complaints if "status of 4" not in text] == []
