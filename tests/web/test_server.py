"""The socket of the server, and the scripts of the page that it gives."""

import re
import socket
from importlib.resources import files

from plcfrs.web.server import address, listen

STATIC = files("plcfrs") / "web" / "static"


def test_answers_do_not_wait_for_acknowledgements():
    with listen("127.0.0.1", 0) as listening:
        assert address(listening).startswith("http://127.0.0.1:")
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


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


def test_all_scripts_are_asked_for_at_once():
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    preloaded = set(re.findall(r'<link rel="modulepreload" href="/static/([\w/-]+\.js)">', text))
    scripts = {file.name for file in STATIC.iterdir() if file.name.endswith(".js")}
    assert preloaded == scripts - {"main.js", "documentation.js"} | {"vendor/htm-preact.js"}
