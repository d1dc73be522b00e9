"""``plcfrs serve``."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from plcfrs.cli.command import argument, command_of, group
from plcfrs.errors import InputError
from plcfrs.settings import setting
from plcfrs.storage.included import ENGLISH
from plcfrs.treebank.files import DEMO
from plcfrs.web.limits import Limits

if TYPE_CHECKING:
    from plcfrs.annotating import Assistant
    from plcfrs.web.store import Store

_NEEDED = ("fastapi", "markdown_it", "uvicorn")


@dataclass(frozen=True)
class ServeOptions:
    """The options of ``plcfrs serve``."""

    models: tuple[str, ...] = argument("[MODEL]...", nargs=-1, default=())
    treebank: tuple[str, ...] = setting(
        (),
        "A treebank to browse. May be repeated. The page cannot open other files, but people can "
        "upload files.",
        commas=False,
        metavar="FILE",
    )
    host: str = setting(
        "127.0.0.1",
        "Address to serve on. Only this machine can reach the default address. Everyone who can "
        "reach the address can use the page: there are no passwords.",
    )
    port: int = setting(8000, "Port to serve on; 0 for any free port.", least=0, most=65535)
    open: bool = setting(False, "Open the page in the browser.")
    limits: Limits = group(Limits)


@command_of("serve", ServeOptions())
def command(chosen: ServeOptions) -> None:
    """Serve a web page for parsing sentences and for browsing grammars and treebanks.

    With --treebank and without models, it serves only treebanks and their queries. Without both, it
    serves the included English models and the demo treebank.

    The page does not use any other host. There is also a JSON API, described at /api and in
    /openapi.json. Ctrl-C stops the server.

    \b
    Examples:
      plcfrs serve --open
      plcfrs serve --treebank tiger.xml
      plcfrs serve wsj.plcfrs --open
      plcfrs serve wsj.plcfrs wsj.refined wsj.gap --treebank nltk:treebank --port 0
    """  # noqa: D301
    check_extra("plcfrs serve")
    models, treebanks = chosen.models, chosen.treebank
    if not models and not treebanks:
        models, treebanks = tuple(ENGLISH), (DEMO,)
    run_server(chosen.host, chosen.port, models, treebanks, chosen.limits, is_open=chosen.open)


def check_extra(command: str) -> None:
    """Raise an InputError if a package is missing that a server needs."""
    if not all(map(find_spec, _NEEDED)):
        raise InputError(f"{command} needs the extra 'web': pip install 'plcfrs[web]'")


def run_server(
    host: str,
    port: int,
    models: Sequence[str],
    treebanks: Sequence[str],
    limits: Limits,
    assistant_of: Callable[[Store], Assistant | None] = lambda _: None,
    *,
    is_open: bool,
) -> None:
    """Serve the page until the process ends."""
    from plcfrs.jit import interpreter
    from plcfrs.web.app import address, create_app, is_local, listen, serve, starting, warm_up
    from plcfrs.web.guard import LOCAL_NAMES
    from plcfrs.web.store import Store

    interpreter.stop()  # a server parses many sentences
    with listen(host, port) as listening:
        with starting(listening) as tell:
            if is_open:
                webbrowser.open(address(listening))
            store = Store(models, treebanks, limits)
            warm_up(store, tell)
            hosts = LOCAL_NAMES if is_local(listening) else None
            app = create_app(store, hosts, assistant_of(store))
        click.echo(f"serving on {address(listening)} (Ctrl-C stops it)", err=True)
        sys.stderr.flush()
        serve(app, listening)
