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


def test_all_scripts_are_asked_for_at_once():
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    preloaded = set(re.findall(r'<link rel="modulepreload" href="/static/([\w/-]+\.js)">', text))
    scripts = {file.name for file in STATIC.iterdir() if file.name.endswith(".js")}
    assert preloaded == scripts - {"main.js", "documentation.js"} | {"vendor/htm-preact.js"}
