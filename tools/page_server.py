"""``plcfrs serve`` as a separate process, and a browser for its page."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The page does not need a network.
_BROWSER_ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


@contextmanager
def running(
    *arguments: str | Path, port: int = 0, command: Sequence[str] = ("serve",)
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve in a process; yield the process and the address of the page."""
    words = [sys.executable, "-m", "plcfrs", *command, *map(str, arguments), f"--port={port}"]
    heed_interrupts = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        words, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as process:
        try:
            lines = iter(process.stderr or [])
            matches = (re.match(r"serving on (\S+)", line) for line in lines)
            address = next((match[1] for match in matches if match), None)
            assert address is not None, f"plcfrs {command[0]} ended with {process.wait()}"
            yield process, address
        finally:
            process.kill()


def chromium_path() -> str | None:
    """Return the path of the browser, if there is one."""
    return os.environ.get("PLCFRS_CHROMIUM") or shutil.which("chromium")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser without a window."""
    from playwright.sync_api import sync_playwright  # here, since it takes a while to import

    with sync_playwright() as playwright:
        # The sandbox needs rights that containers do not give.
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=_BROWSER_ARGUMENTS, chromium_sandbox=False
        )
        yield browser
        browser.close()
