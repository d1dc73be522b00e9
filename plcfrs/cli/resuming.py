"""How a command that was interrupted continues: its journal, and what makes it the same run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from plcfrs import __version__
from plcfrs.corpus.journal import Journal, Record
from plcfrs.grammar.formats import files_of
from plcfrs.storage.files import digest_of

# Options that do not change what is written: a run may be resumed with other values.
_INDIFFERENT = ("output", "jobs", "scheduler", "resume")


def this_run() -> dict[str, str]:
    """Return what decides what the present command writes: model, input and options."""
    run = {"version of plcfrs": __version__}
    for name, value in click.get_current_context().params.items():
        if name in _INDIFFERENT or value in (None, False, ()):
            continue
        if name == "model":
            run["model"] = digest_of(files_of(str(value)))
        elif name == "sources":
            run["input"] = " ".join(value)
        else:
            run[f"--{name.replace('_', '-')}"] = str(value)
    return run


@contextmanager
def kept(journal: Journal, path: str, *, resume: bool) -> Iterator[Record | None]:
    """Start or continue a journal, and remove it if the run is complete or has done nothing."""
    if resume:
        journal.resume()
    try:
        if not resume:
            journal.start()  # an interrupt may come as soon as the file is there
        yield journal.last
    except BaseException:
        journal.close()
        if journal.last is None:
            journal.remove()
        else:
            click.echo(
                f"the finished sentences are in {path}.part: to continue, run the same command "
                "with --resume",
                err=True,
            )
        raise
    journal.remove()


def can_be_resumed(name: str) -> bool:
    """Return whether a run that writes a file can be continued."""
    path = Path(name)
    return name != "-" and path.suffix != ".gz" and (path.is_file() or not path.exists())
