"""The server: it serves the application until Ctrl-C, and the files of the page from memory."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread
from types import FrameType

import uvicorn
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from plcfrs.errors import InputError

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class _Server(uvicorn.Server):
    """Ends at once at a signal: there is nothing to save, and kernels stop only this way."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        sys.stderr.flush()
        os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections.

    Parameters
    ----------
    host : str
        A name or an address.
    port : int
        0 for any free port.

    Raises
    ------
    InputError
        If the port is taken or not allowed, or the host is not an address of this machine.
    """
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"cannot serve on {host}, port {port}: {reason}: choose another --port (0 for any free "
            "port) or another --host"
        ) from None
    # Connections inherit it: the body of an answer then does not wait for the client to
    # acknowledge the headers, which takes 40 ms. (asyncio sets it for sockets of its own.)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


_STARTING = b"""HTTP/1.1 503 Service Unavailable\r
Content-Type: text/html; charset=utf-8\r
Refresh: 2\r
Retry-After: 2\r
Connection: close\r
\r
<!doctype html>
<html lang="en"><title>plcfrs starts</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<p>plcfrs is starting. The first time in an environment, the parsers are compiled, which takes a
minute or more. This page then comes by itself.</p>
</html>
"""


@contextmanager
def starting(listening: socket.socket) -> Iterator[None]:
    """Answer all requests meanwhile that the server starts; browsers ask again."""
    is_over = Event()
    listening.settimeout(0.05)

    def answer() -> None:
        while not is_over.is_set():
            with suppress(OSError):  # nobody asks, or has left
                connection, _ = listening.accept()
                with connection:
                    connection.settimeout(1.0)
                    connection.recv(1 << 16)
                    connection.sendall(_STARTING)

    thread = Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        listening.settimeout(None)


def address(listening: socket.socket) -> str:
    """Return the address of the page."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_local(listening: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ip_address(listening.getsockname()[0]).is_loopback


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application; Ctrl-C ends the process with exit code 0."""
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", ws="none")
    _Server(config).run(sockets=[listening])


class PageFiles:
    """Answers requests for the files of the page, which are read once, since a read takes 5 ms."""

    def __init__(self) -> None:
        self._files = dict(_read(Path(str(files("plcfrs") / "web" / "static"))))

    def give(self, path: str, request: Request) -> Response:
        """Return a file, or only that the browser has it already (304)."""
        if path not in self._files:
            raise HTTPException(404)
        content, kind, tag = self._files[path]
        headers = {"ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)


def _read(folder: Path) -> Iterator[tuple[str, tuple[bytes, str, str]]]:
    """Yield path, content, media type and entity tag of each file."""
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            tag = f'"{sha256(content).hexdigest()[:16]}"'
            kind = _TYPES.get(file.suffix, "text/plain")
            yield file.relative_to(folder).as_posix(), (content, kind, tag)
