"""The public names of a package: its stub names them, and they are loaded on first use."""

from __future__ import annotations

import lazy_loader

TYPE_CHECKING = False  # importing typing would take longer than the package itself
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Exports = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def attach(package: str, file: str) -> Exports:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package, given its file.

    Each import of a stub is one line, ``from .module import name as name``. Therefore we need not
    parse it as `lazy_loader.attach_stub` does: importing `ast` would take most of the time of
    ``import plcfrs``.

    >>> import plcfrs.drawing
    >>> attach("plcfrs.drawing", plcfrs.drawing.__file__)[2] == plcfrs.drawing.__all__
    True
    """
    names: dict[str, list[str]] = {}
    with open(f"{file}i", encoding="utf-8") as stub:  # noqa: PTH123 (importing pathlib is slow)
        for line in stub:
            if line.startswith("from ."):
                _, module, _, name, *_ = line.split()
                names.setdefault(module[1:], []).append(name)
    exports: Exports = lazy_loader.attach(package, names.pop("", ()), names)
    return exports
