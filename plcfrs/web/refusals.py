"""Errors as JSON: ``{"error": {"status": 413, "message": "..."}}``."""

from __future__ import annotations

import sys
import traceback

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from plcfrs.errors import PlcfrsError
from plcfrs.web.limits import RefusedError

_TOO_BUSY = (429, 503)


def refuse(status: int, message: str) -> JSONResponse:
    """Return an error as an answer."""
    headers = {"Retry-After": "1"} if status in _TOO_BUSY else {}
    return JSONResponse({"error": {"status": status, "message": message}}, status, headers)


def add_refusals(app: FastAPI) -> None:
    """Give all errors of an application the same JSON form."""

    @app.exception_handler(RefusedError)
    async def refused(_request: Request, error: RefusedError) -> JSONResponse:
        return refuse(error.status, str(error))

    @app.exception_handler(PlcfrsError)
    async def bad_input(_request: Request, error: PlcfrsError) -> JSONResponse:
        return refuse(400, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        return refuse(422, "; ".join(map(_describe, error.errors())))

    @app.exception_handler(HTTPException)
    async def http(_request: Request, error: HTTPException) -> JSONResponse:
        return refuse(error.status_code, error.detail)

    @app.exception_handler(Exception)
    async def unexpected(_request: Request, error: Exception) -> JSONResponse:
        traceback.print_exception(error, file=sys.stderr)
        return refuse(500, f"the server failed ({type(error).__name__}): please report this")


def _describe(error: dict[str, object]) -> str:
    place = error["loc"]
    names = ".".join(map(str, place[1:])) if isinstance(place, tuple | list) else ""
    return f"{names or 'the request'}: {error['msg']}"
