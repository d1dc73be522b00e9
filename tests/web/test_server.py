"""The socket of the server, and the scripts of the page that it gives."""

import re
import socket
from importlib.resources import files
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from plcfrs.compiling import tell_watchers
from plcfrs.web.app import address, listen, starting, warm_up
from plcfrs.web.store import Store

STATIC = files("plcfrs") / "web" / "static"


def test_answers_do_not_wait_for_acknowledgements():
    with listen("127.0.0.1", 0) as listening:
        assert address(listening).startswith("http://127.0.0.1:")
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.full
def test_while_it_starts_it_says_what_it_does():
    with listen("127.0.0.1", 0) as listening:
        with starting(listening) as tell:
            for path in ("", "api/v1/models", "?q=1"):
                with pytest.raises(HTTPError) as refused:
                    urlopen(f"{address(listening)}{path}", timeout=10)
                assert refused.value.code == 503
                assert refused.value.headers["Refresh"] == "1"
                assert b"plcfrs is starting." in refused.value.read()
            tell("Preparing <demo>.")
            with pytest.raises(HTTPError) as refused:
                urlopen(address(listening), timeout=10)
            assert b"Preparing &lt;demo&gt;." in refused.value.read()
            socket.create_connection(listening.getsockname()).close()  # this one only knocks
        with socket.create_connection(listening.getsockname()):
            listening.accept()[0].close()  # the next one is for the server


@pytest.mark.full
def test_what_is_prepared_and_compiled_is_told(demo, monkeypatch):
    store = Store([str(demo)])
    parse = store.models["demo"].model.parse_together
    told = []

    def parse_and_compile(*arguments):
        tell_watchers()
        return parse(*arguments)

    monkeypatch.setattr(store.models["demo"].model, "parse_together", parse_and_compile)
    warm_up(store, told.append)
    tell_watchers()  # nobody listens any more
    assert told[0] == "Preparing demo, a PLCFRS (Evang and Kallmeyer 2011)."
    assert [re.sub(r".* (kernel \d+): this takes .*", r"\1", each) for each in told[1:]] == [
        f"kernel {number}" for number in range(1, len(told))
    ]
    assert len(told) > 2


def test_the_guide_has_a_part_for_each_tab(serve):
    client = serve()
    answer = client.get("/guide/page")
    assert answer.headers["Content-Type"].startswith("text/html")
    tabs = re.findall(r'role="tabpanel" id="(\w+)"', (STATIC / "index.html").read_text("utf-8"))
    assert set(tabs) <= set(re.findall(r'<h2 id="(\w+)">', answer.text))
    for text in (answer.text, client.get("/api").text):
        assert "](" not in text
        assert "```" not in text
        assert "<h1" in text


def test_files_of_the_page_are_given_once(serve):
    client = serve()
    for path, start in (("/", b"<!DOCTYPE html>"), ("/static/style.css", b":root")):
        first = client.get(path)
        assert first.content.startswith(start)
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        other = client.get(path, headers={"If-None-Match": '"other"'})
        assert other.content == first.content
    types = {
        path: client.get(path).headers["Content-Type"].partition(";")[0]
        for path in ("/", "/api", "/static/main.js", "/static/vendor/htm-preact.js")
    }
    assert [*types.values()] == ["text/html", "text/html", "text/javascript", "text/javascript"]
    for path in ("/static/", "/static/none.js", "/static/vendor", "/static/../app.py"):
        assert client.get(path).status_code == 404


def imported(script):
    """Return the scripts that a script needs, one by one."""
    text = (STATIC / script).read_text(encoding="utf-8")
    for found in re.findall(r'^(?:import|export) [^"]* from "\./([^"]+)";', text, re.MULTILINE):
        yield found
        yield from imported(found)


def test_all_scripts_of_the_first_picture_are_asked_for_at_once():
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    preloaded = re.findall(r'<link rel="modulepreload" href="/static/([\w/-]+\.js)">', text)
    assert sorted(preloaded) == sorted(set(imported("main.js")))
