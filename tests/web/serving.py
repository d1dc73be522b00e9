"""``plcfrs serve`` as a separate process, and its answers."""

import re
import signal
import subprocess
import sys
from contextlib import contextmanager


@contextmanager
def running(*arguments):
    """Serve in a process; give the process and the address of the page."""

    def heed_interrupts():
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    command = [sys.executable, "-m", "plcfrs", "serve", *map(str, arguments), "--port", "0"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as process:
        try:
            lines = iter(process.stderr.readline, "")
            address = next(
                (found[1] for line in lines if (found := re.match(r"serving on (\S+)", line))), None
            )
            assert address is not None, f"plcfrs serve ended with {process.wait()}"
            yield process, address
        finally:
            process.kill()


def refusal(response):
    """Return the status and the message of an error."""
    error = response.json()["error"]
    assert error["status"] == response.status_code
    return response.status_code, error["message"]


def upload(client, name, content):
    """Upload a treebank."""
    return client.post("/api/v1/treebanks", params={"name": name}, content=content)
