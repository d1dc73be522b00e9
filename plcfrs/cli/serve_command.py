"""``plcfrs serve``."""

from __future__ import annotations

import sys
import webbrowser
from importlib.util import find_spec

import click

from plcfrs.chart.budget import DEFAULT
from plcfrs.cli.budget_options import POSITIVE
from plcfrs.cli.options import number_or_inf
from plcfrs.errors import InputError
from plcfrs.treebank.files import DEMO

_NEEDED = ("fastapi", "uvicorn")


@click.command("serve")
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    metavar="FILE",
    help="A treebank to browse. May be repeated. The page can open no other file, but files can "
    "be uploaded.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to serve on. Only this machine can reach the default address. Everyone who can "
    "reach another address can use the page: there are no passwords.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to serve on; 0 for any free port.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--max-length",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Refuse sentences of more than N words.",
)
@click.option(
    "--max-seconds",
    type=POSITIVE,
    default=DEFAULT.max_seconds,
    show_default=True,
    metavar="SECONDS",
    help="Stop a parse or a search after this time; inf for no limit.",
)
@click.option(
    "--max-items",
    type=number_or_inf(1),
    default="5000000",
    show_default=True,
    metavar="N",
    help="Stop the search of a sentence after N chart items; inf for no limit.",
)
@click.option(
    "--max-memory",
    type=POSITIVE,
    default=DEFAULT.max_memory,
    show_default=True,
    metavar="GIB",
    help="Stop the search of a sentence when its arrays take more memory than this; inf for no "
    "limit.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    metavar="N",
    help="Number of parses and searches at the same time; further requests wait.",
)
@click.option(
    "--waiting",
    type=click.IntRange(0),
    default=64,
    show_default=True,
    metavar="N",
    help="Number of requests that may wait; further requests are refused.",
)
@click.option(
    "--max-upload",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="MB",
    help="Refuse larger uploads.",
)
def command(
    models: tuple[str, ...],
    treebanks: tuple[str, ...],
    host: str,
    port: int,
    opened: bool,
    max_length: int,
    max_seconds: float,
    max_items: float,
    max_memory: float,
    jobs: int,
    waiting: int,
    max_upload: int,
) -> None:
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
    from plcfrs.web import Limits, Store, address, create_app, is_local, listen, serve, warm_up
    from plcfrs.web.guard import LOCAL_NAMES

    if not models and not treebanks:
        models = treebanks = (DEMO,)
    limits = Limits(
        max_length=max_length,
        max_seconds=max_seconds,
        max_items=max_items,
        max_memory=max_memory,
        jobs=jobs,
        waiting=waiting,
        max_megabytes=max_upload,
    )
    with listen(host, port) as listening:
        store = Store(models, treebanks, limits)
        warm_up(store)
        app = create_app(store, LOCAL_NAMES if is_local(listening) else None)
        click.echo(f"serving on {address(listening)} (Ctrl-C stops it)", err=True)
        if opened:
            webbrowser.open(address(listening))
        sys.stderr.flush()
        serve(app, listening)
