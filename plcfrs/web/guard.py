"""The guard of the application: it refuses requests, and gives all errors the same form.

Pages of other sites must not use a server on this machine. They cannot read answers, since there
is no CORS. The guard refuses host names that they have bound to this machine (DNS rebinding), and
requests that come from other pages according to the browser.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Collection

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic_core import PydanticSerializationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plcfrs.errors import PlcfrsError
from plcfrs.stopping import StoppedError
from plcfrs.web.limits import RefusedError

LOCAL_NAMES = frozenset(["localhost", "127.0.0.1", "[::1]"])

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",  # the scripts change with the version of plcfrs
}
_TOO_BUSY = {"Retry-After": "1"}
_HEADERS_OF = {413: {"Connection": "close"}, 429: _TOO_BUSY, 503: _TOO_BUSY}
_DROPPED = 20  # times the size limit: how much of a larger request is read and dropped


class Guard:
    """Refuses too large requests, and requests for other hosts (unless `hosts` is None)."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None, max_bytes: int) -> None:
        self.app = app
        self.hosts = hosts
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it to the application."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            self._check(Headers(scope=scope), scope)
        except RefusedError as error:
            await self._drop_rest(receive)
            await refuse(error.status, str(error))(scope, receive, send_with_headers)
            return
        await self.app(scope, self._limited(receive), send_with_headers)

    def _check(self, headers: Headers, scope: Scope) -> None:
        host = headers.get("host", "")
        if self.hosts is not None and _without_port(host) not in self.hosts:
            raise RefusedError(
                403,
                f"the server has no host name {host!r}: use one of {', '.join(sorted(self.hosts))}",
            )
        origin = headers.get("origin")
        if origin is not None and origin not in _origins(host, scope.get("scheme", "http")):
            raise RefusedError(403, f"the server refuses requests from pages of {origin}")
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and not _is_navigation(headers, scope):
            raise RefusedError(403, "the server refuses requests from pages of other sites")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.max_bytes:
            raise RefusedError(413, self._too_large)

    def _limited(self, receive: Receive) -> Receive:
        """Count the received bytes: the header may be wrong."""
        received = 0

        async def receive_some() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.max_bytes:
                if message.get("more_body"):
                    await self._drop_rest(receive)
                raise HTTPException(413, self._too_large)
            return message

        return receive_some

    async def _drop_rest(self, receive: Receive) -> None:
        """Read the rest of a request: the client reads the answer only after sending everything."""
        left = _DROPPED * self.max_bytes
        while left > 0:
            message = await receive()
            left -= len(message.get("body", b""))
            if not message.get("more_body"):
                return

    @property
    def _too_large(self) -> str:
        return f"the request is too large: the limit is {self.max_bytes / 2**20:.3g} MB"


def _origins(host: str, scheme: str) -> list[str]:
    """Return the origins of our own pages, which may be behind a web server with encryption."""
    schemes = [scheme] if _without_port(host) in LOCAL_NAMES else [scheme, "https"]
    return [f"{scheme}://{host}" for scheme in schemes]


def _is_navigation(headers: Headers, scope: Scope) -> bool:
    """Return whether a link on another site opens one of our pages (not an answer of the API)."""
    return (
        scope["method"] == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not scope["path"].startswith("/api/v")
    )


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name.lower() if name and port.isdecimal() else host.lower()


def refuse(status: int, message: str) -> JSONResponse:
    """Return an error as an answer: ``{"error": {"status": 413, "message": "..."}}``."""
    content = {"error": {"status": status, "message": message}}
    return JSONResponse(content, status, _HEADERS_OF.get(status))


def add_refusals(app: FastAPI) -> None:
    """Let an application answer all errors in the same JSON form."""

    @app.exception_handler(PlcfrsError)
    async def refused(_request: Request, error: PlcfrsError) -> JSONResponse:
        status = 503 if isinstance(error, StoppedError) else 400
        return refuse(error.status if isinstance(error, RefusedError) else status, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        return refuse(422, "; ".join(map(_describe_invalid, error.errors())))

    @app.exception_handler(UnicodeEncodeError)
    @app.exception_handler(PydanticSerializationError)
    async def unwritable(_request: Request, _error: Exception) -> JSONResponse:
        return refuse(400, "invalid Unicode: unpaired surrogate in the text")

    @app.exception_handler(HTTPException)
    async def http(_request: Request, error: HTTPException) -> JSONResponse:
        return refuse(error.status_code, error.detail)

    @app.exception_handler(MemoryError)
    async def too_large(_request: Request, _error: MemoryError) -> JSONResponse:
        return refuse(503, "this takes more memory than there is: search for less")

    @app.exception_handler(Exception)
    async def unexpected(_request: Request, error: Exception) -> JSONResponse:
        traceback.print_exception(error, file=sys.stderr)
        return refuse(500, f"the server failed ({type(error).__name__}): please report this")


def _describe_invalid(error: dict[str, object]) -> str:
    place = error["loc"]
    names = ".".join(map(str, place[1:])) if isinstance(place, tuple | list) else ""
    return f"{names or 'the request'}: {error['msg']}"
