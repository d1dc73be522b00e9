"""The figures of the documentation: which are older than their code, and how to make them again.

Each file in `docs/results` names the command that wrote it, and the code that it depends on, with
hashes (`sources.py`). Without names this lists all files: fresh, older with what has changed since,
or not made by a tool. With names, it makes these files again by their commands, in the folder
where it is called: models and corpora that a command names are looked for there.

    python tools/figures.py [--older]
    python tools/figures.py parse presets
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Any

import click
from house import ROOT
from sources import hashes

RESULTS = ROOT / "docs/results"


def state_of(name: str) -> tuple[str, list[str]]:
    """Return the state of a file of results, and what has changed since a tool wrote it."""
    results = _read(name)
    if not results["command"]:
        return "not made by a tool", []
    before = results.get("sources", {})
    changed = [source for source, now in hashes(before).items() if before[source] != now]
    return ("fresh" if before and not changed else "older"), changed


def make(name: str) -> None:
    """Run the command of a file, which writes it again."""
    command = _read(name)["command"]
    if not command:
        raise click.ClickException(f"no tool makes {name}.json")
    _, tool, *options = shlex.split(command)
    line = [sys.executable, str(ROOT / tool), *options, "--json", str(RESULTS / f"{name}.json")]
    print(shlex.join(line), flush=True)
    if subprocess.run(line, check=False).returncode:
        raise click.ClickException(f"{name}.json could not be made again")


@click.command()
@click.argument("names", nargs=-1)
@click.option("--older", is_flag=True, help="List only the files that are older than their code.")
def main(names: tuple[str, ...], older: bool) -> None:
    """List the figures of the documentation, or make those of NAMES again."""
    known = sorted(path.stem for path in RESULTS.glob("*.json"))
    if unknown := sorted({*names} - {*known}):
        raise click.UsageError(f"no {', '.join(unknown)}: expected some of {', '.join(known)}")
    for name in names:
        make(name)
    for name in () if names else known:
        state, changed = state_of(name)
        if state == "older" or not older:
            sources = " ".join(changed).replace("plcfrs/", "")
            print("\t".join([name, _read(name)["date"], state, sources]).rstrip())


def _read(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return results


if __name__ == "__main__":
    main()
