"""The application: the page, its guides, and version 1 of the JSON API; and its server."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from ipaddress import ip_address
from itertools import count, pairwise
from pathlib import Path
from threading import Event, Thread
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp

from plcfrs.annotating import Assistant
from plcfrs.compiling import watchers
from plcfrs.errors import InputError, TreebankError
from plcfrs.forest.preparation import prepare
from plcfrs.web import (
    comparison,
    drawing,
    evaluation,
    grammars,
    parsing,
    projects,
    queries,
    sentences,
    surprisal,
    teaching,
    training,
    treebanks,
)
from plcfrs.web.guard import LOCAL_NAMES, Guard, add_refusals
from plcfrs.web.limits import Workers
from plcfrs.web.store import NamedModel, Store
from plcfrs.wording import escape

_STATIC = Path(__file__).with_name("static")
_DESCRIPTION = (
    "Parse sentences with the models of this server, search their grammars, and browse treebanks. "
    'Every error is {"error": {"status": ..., "message": ...}}.'
)
_MEANINGS = {
    400: "Unusable input; the message says why.",
    404: "No model, treebank or project has this name.",
    409: "The sentence has changed in the meantime.",
    413: "Too long, or too large.",
    422: "A value of the wrong type.",
    429: "Too many requests are waiting.",
    507: "Nothing was saved: the disk is full.",
    503: "It took too long, or the server is busy.",
}
_TOPICS = (
    parsing,
    sentences,
    drawing,
    grammars,
    treebanks,
    queries,
    teaching,
    surprisal,
    evaluation,
    comparison,
    projects,
    training,
)


class Refusal(BaseModel):
    """The reason why a request was refused."""

    status: int
    message: str


class ErrorAnswer(BaseModel):
    """An error."""

    error: Refusal


def create_app(
    store: Store,
    hosts: Collection[str] | None = LOCAL_NAMES,
    assistant: Assistant | None = None,
) -> ASGIApp:
    """Return the application.

    Parameters
    ----------
    store : Store
    hosts : collection of str, optional
        The host names that requests may use, without ports; None for any.
    assistant : Assistant, optional
        That of the project to annotate.
    """
    from plcfrs import __version__

    page_files = PageFiles()
    app = FastAPI(
        title="plcfrs", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None
    )
    add_refusals(app)
    app.state.store, app.state.workers = store, Workers(store.limits)
    app.state.assistant = assistant
    project = projects.name_of(assistant) if assistant else None
    if assistant:
        projects.serve_treebank(store, assistant)
    app.state.models = parsing.describe_models(store, project)  # once: large grammars take a while
    errors: dict[int | str, dict[str, Any]] = {
        status: {"model": ErrorAnswer, "description": meaning}
        for status, meaning in _MEANINGS.items()
    }
    for topic in _TOPICS:
        app.include_router(topic.api, prefix="/api/v1", responses=errors)

    async def documentation(request: Request) -> Response:
        return HTMLResponse(_guide(_GUIDES[request.url.path]))

    async def static(request: Request) -> Response:
        return page_files.give(request.path_params.get("path", "index.html"), request)

    app.add_route("/", static)
    for path in _GUIDES:
        app.add_route(path, documentation)
    app.add_route("/static/{path:path}", static)
    return Guard(app, hosts, store.limits.max_bytes)


def warm_up(store: Store, tell: Callable[[str], None] = lambda _: None) -> None:
    """Parse a short sentence with each model, and find the example sentences.

    This loads all kernels, so that the first page does not wait. `tell` gets a sentence about each
    step.
    """
    for named in store.models.values():
        doing = f"Preparing {named.name}, {named.family.title}."
        tell(doing)
        watch = _tell_kernels(tell, doing)
        watchers.add(watch)
        try:
            _warm_up(store, named)
        finally:
            watchers.remove(watch)


def _tell_kernels(tell: Callable[[str], None], doing: str) -> Callable[[str], object]:
    """Return a function that counts the compiled kernels, and tells the count."""
    number = count(1)
    return lambda _: tell(
        f"{doing} Compiling kernel {next(number)}: this takes a minute or more, only once."
    )


def _warm_up(store: Store, named: NamedModel) -> None:
    with suppress(TreebankError):  # a later request reports the error
        sentences.examples_of(named.model, store.treebanks.values())
    wanted = parsing.ParseRequest(text="", tagged=True)
    parsing.parse_as_wanted(named, prepare(named.model), wanted).model_dump_json()


_GUIDES = {"/api": "reference/http-api", "/guide/page": "guide/page"}


@cache
def _guide(name: str) -> str:
    """Return a page of the documentation as HTML.

    A wheel has the text beside this module, and a checkout has it in its documentation.
    """
    packaged = Path(__file__).with_name(f"{Path(name).name}.md")
    file = packaged if packaged.exists() else Path(__file__).parents[2] / "docs" / f"{name}.md"
    markdown = MarkdownIt().enable("table")
    tokens = list(_shown(markdown.parse(file.read_text("utf-8"))))
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", inline.content.lower().replace(" ", "-"))
    content = markdown.renderer.render(tokens, markdown.options, {})
    page = _STATIC.joinpath("guide.html").read_text("utf-8")
    return page.format(title=tokens[1].content, content=content)


def _shown(tokens: Iterable[Token]) -> Iterator[Token]:
    """Leave out pictures and remarks, and links to pages that are not served."""
    for token in tokens:
        if token.type == "html_block" or token.info.startswith("{"):
            continue
        token.children = [child for child in token.children or [] if "link" not in child.type]
        yield token


_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class _Server(uvicorn.Server):
    """A server that ends at once at a signal: only this stops kernels, and nothing is unsaved."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        sys.stderr.flush()
        os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens for connections.

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
            "port) or --host"
        ) from None
    # Connections inherit this option. Without it, the body of an answer waits for the client to
    # acknowledge the headers, which takes 40 ms. (asyncio sets it only for its own sockets.)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


_STARTING = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html; charset=utf-8\r\n"
    "Refresh: 1\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
)


@contextmanager
def starting(listening: socket.socket) -> Iterator[Callable[[str], None]]:
    """Answer all requests while the server starts; browsers ask again.

    Yields
    ------
    function
        It takes a sentence about the current step, which the answers show.
    """
    is_over = Event()
    listening.settimeout(0.05)
    page = _STARTING + _STATIC.joinpath("starting.html").read_text("utf-8")
    said = ["plcfrs is starting."]

    def answer() -> None:
        while not is_over.is_set():
            with suppress(OSError):  # there is no client, or it has left
                connection, _ = listening.accept()
                with connection:
                    connection.settimeout(1.0)
                    connection.recv(1 << 16)
                    connection.sendall(page.replace("{doing}", said[-1]).encode())

    thread = Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield lambda doing: said.append(escape(doing))
    finally:
        is_over.set()
        thread.join()
        listening.settimeout(None)


def address(listening: socket.socket) -> str:
    """Return the address of the page."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_local(listening: socket.socket) -> bool:
    """Return whether only this machine can reach a socket."""
    return ip_address(listening.getsockname()[0]).is_loopback


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application; Ctrl-C ends the process with exit code 0."""
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", ws="none")
    _Server(config).run(sockets=[listening])


class PageFiles:
    """The files of the page. They are read once, since each read takes 5 ms."""

    def __init__(self) -> None:
        self._files = dict(_read(_STATIC))

    def give(self, path: str, request: Request) -> Response:
        """Return a file, or the status 304 if the browser has it already."""
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
