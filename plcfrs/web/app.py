"""The application: the page, its scripts, and the API."""

from __future__ import annotations

from collections.abc import Collection

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from plcfrs.web.api import create_api
from plcfrs.web.files import PageFiles
from plcfrs.web.guard import LOCAL_NAMES, Guard
from plcfrs.web.refusals import add_refusals
from plcfrs.web.store import Store

_DESCRIPTION = (
    "Parse sentences with the models of this server, search their grammars, and browse treebanks. "
    'Every error is {"error": {"status": ..., "message": ...}}.'
)


def create_app(store: Store, hosts: Collection[str] | None = LOCAL_NAMES) -> ASGIApp:
    """Return the application.

    Parameters
    ----------
    store : Store
    hosts : collection of str, optional
        The host names that requests may use, without ports; None for any.
    """
    from plcfrs import __version__

    given = PageFiles()
    app = FastAPI(
        title="plcfrs", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None
    )
    add_refusals(app)
    app.include_router(create_api(store))

    async def page(request: Request) -> Response:
        return given.give("index.html", request)

    async def documentation(request: Request) -> Response:
        return given.give("api.html", request)

    async def static(request: Request) -> Response:
        return given.give(request.path_params["path"], request)

    app.add_route("/", page)
    app.add_route("/api", documentation)
    app.add_route("/static/{path:path}", static)
    return Guard(app, hosts, store.limits.max_bytes)
