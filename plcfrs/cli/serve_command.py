"""``plcfrs serve``."""

from __future__ import annotations

import sys
import webbrowser
from importlib.util import find_spec

import click

from plcfrs.cli.announce import announce_compilation
from plcfrs.errors import InputError
from plcfrs.pipeline.registry import family_of

_NEEDED = ("fastapi", "uvicorn")


@click.command("serve")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    metavar="FILE",
    help="A treebank that can be looked at; may be given several times. No other file can be "
    "opened from the page, but files can be uploaded.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to serve on. Only this machine can reach the default; with any that others "
    "can reach, they can use it: there are no passwords.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to serve on; 0 for any that is free.",
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
    type=click.FloatRange(0, min_open=True),
    default=20,
    show_default=True,
    help="Stop a parse or a search that takes so long.",
)
@click.option(
    "--max-items",
    type=click.IntRange(1),
    default=5_000_000,
    show_default=True,
    help="Stop the search of a sentence that creates so many items.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Parses and searches at a time; further requests wait.",
)
@click.option(
    "--waiting",
    type=click.IntRange(0),
    default=8,
    show_default=True,
    help="How many requests may wait; further ones are refused.",
)
@click.option(
    "--max-upload",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="MB",
    help="Refuse uploads of more than so many MB.",
)
def command(
    models: tuple[str, ...],
    treebanks: tuple[str, ...],
    host: str,
    port: int,
    opened: bool,
    max_length: int,
    max_seconds: float,
    max_items: int,
    jobs: int,
    waiting: int,
    max_upload: int,
) -> None:
    """Serve a page to parse sentences and to look at grammars and treebanks.

    The page works without a connection to anywhere else. A JSON API is beside it, described at
    /api and in /openapi.json. Ctrl-C ends it.

    \b
    Examples:
      plcfrs serve wsj.plcfrs --open
      plcfrs serve wsj.plcfrs wsj.refined wsj.gap --treebank nltk:treebank --port 0
    """  # noqa: D301
    if not all(map(find_spec, _NEEDED)):
        raise InputError("plcfrs serve needs the extra web: pip install 'plcfrs[web]'")
    from plcfrs.web import Limits, Store, address, create_app, is_local, listen, serve, warm_up
    from plcfrs.web.guard import LOCAL_NAMES

    announce_compilation(
        kernels
        for family in map(family_of, models)
        for kernels in family.kernels_for("parsing", *family.objectives)
    )
    limits = Limits(
        max_length=max_length,
        max_seconds=max_seconds,
        max_items=max_items,
        jobs=jobs,
        waiting=waiting,
        max_megabytes=max_upload,
    )
    with listen(host, port) as listening:
        store = Store(models, treebanks, limits)
        warm_up(store)
        app = create_app(store, LOCAL_NAMES if is_local(listening) else None)
        click.echo(f"serving on {address(listening)} (Ctrl-C ends it)", err=True)
        if opened:
            webbrowser.open(address(listening))
        sys.stderr.flush()
        serve(app, listening)
