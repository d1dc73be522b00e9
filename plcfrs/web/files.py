"""The files of the page: read once, and given from memory.

A page asks for all its scripts at once, and a file from the disk takes 5 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class PageFiles:
    """Answers requests for the files of the page."""

    def __init__(self) -> None:
        self._files = dict(_read(Path(str(files("plcfrs") / "web" / "static"))))

    def give(self, path: str, request: Request) -> Response:
        """Return a file, or only that the browser has it already (304).

        Raises
        ------
        HTTPException
            If there is no such file.
        """
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
