"""The application: the page, its scripts, and the API."""

from __future__ import annotations

from collections.abc import Collection
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

from plcfrs.web.api import create_api
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

    static = Path(str(files("plcfrs") / "web" / "static"))
    app = FastAPI(
        title="plcfrs", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None
    )
    add_refusals(app)
    app.include_router(create_api(store))
    app.mount("/static", StaticFiles(directory=static))

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(static / "index.html")

    @app.get("/api", include_in_schema=False)
    async def documentation() -> FileResponse:
        return FileResponse(static / "api.html")

    return Guard(app, hosts, store.limits.max_bytes)
