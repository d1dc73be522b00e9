"""``plcfrs serve``."""

from __future__ import annotations

import sys
import webbrowser
from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from plcfrs.chart.budget import DEFAULT, LEAST
from plcfrs.cli.command import argument, command_of
from plcfrs.errors import InputError
from plcfrs.settings import setting
from plcfrs.treebank.files import DEMO

if TYPE_CHECKING:
    from plcfrs.web import Limits

_NEEDED = ("fastapi", "uvicorn")


@dataclass(frozen=True)
class Serve:
    """The options of ``plcfrs serve``."""

    models: tuple[str, ...] = argument("[MODEL]...", nargs=-1, default=())
    treebank: tuple[str, ...] = setting(
        (),
        "A treebank to browse. May be repeated. The page can open no other file, but files can be "
        "uploaded.",
        commas=False,
        metavar="FILE",
    )
    host: str = setting(
        "127.0.0.1",
        "Address to serve on. Only this machine can reach the default address. Everyone who can "
        "reach another address can use the page: there are no passwords.",
    )
    port: int = setting(8000, "Port to serve on; 0 for any free port.", least=0, most=65535)
    open: bool = setting(False, "Open the page in the browser.")
    max_length: int = setting(100, "Refuse sentences of more than N words.", least=1)
    max_seconds: float = setting(
        DEFAULT.max_seconds,
        "Stop a parse or a search after this time; inf for no limit.",
        least=LEAST,
        fraction=True,
        metavar="SECONDS",
    )
    max_items: float = setting(
        5_000_000, "Stop the search of a sentence after N chart items; inf for no limit.", least=1
    )
    max_memory: float = setting(
        DEFAULT.max_memory,
        "Stop the search of a sentence when its arrays take more memory than this; inf for no "
        "limit.",
        least=LEAST,
        fraction=True,
        metavar="GIB",
    )
    jobs: int = setting(
        2, "Number of parses and searches at the same time; further requests wait.", least=1
    )
    waiting: int = setting(
        64, "Number of requests that may wait; further requests are refused.", least=0
    )
    max_megabytes: int = setting(
        10, "Refuse larger uploads.", least=1, metavar="MB", option="max-upload"
    )

    @property
    def limits(self) -> Limits:
        """The limits of requests."""
        from plcfrs.web import Limits  # here, since it needs the extra

        known = {each.name for each in fields(Limits)}
        return Limits(**{name: value for name, value in vars(self).items() if name in known})


@command_of("serve", Serve())
def command(chosen: Serve) -> None:
    """Serve a web page for parsing sentences and for browsing grammars and treebanks.

    Without a model, --treebank alone serves treebanks and their queries; without both, the demo
    treebank and its grammar are served.

    The page needs no other host. There is also a JSON API, described at /api and in /openapi.json.
    Ctrl-C stops the server.

    \b
    Examples:
      plcfrs serve --open
      plcfrs serve --treebank tiger.xml
      plcfrs serve wsj.plcfrs --open
      plcfrs serve wsj.plcfrs wsj.refined wsj.gap --treebank nltk:treebank --port 0
    """  # noqa: D301
    if not all(map(find_spec, _NEEDED)):
        raise InputError("plcfrs serve needs the extra 'web': pip install 'plcfrs[web]'")
    from plcfrs.web import Store, address, create_app, is_local, listen, serve, warm_up
    from plcfrs.web.guard import LOCAL_NAMES
    from plcfrs.web.server import starting

    models, treebanks = chosen.models, chosen.treebank
    if not models and not treebanks:
        models = treebanks = (DEMO,)
    with listen(chosen.host, chosen.port) as listening:
        with starting(listening):
            store = Store(models, treebanks, chosen.limits)
            warm_up(store)
            app = create_app(store, LOCAL_NAMES if is_local(listening) else None)
        click.echo(f"serving on {address(listening)} (Ctrl-C stops it)", err=True)
        if chosen.open:
            webbrowser.open(address(listening))
        sys.stderr.flush()
        serve(app, listening)
