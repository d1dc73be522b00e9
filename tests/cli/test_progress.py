"""Progress bars: only on a terminal, with the number done and the total."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest


def on_terminal(*arguments):
    """Run plcfrs with a terminal as standard error, and return what it shows there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with os.fdopen(ours, "rb") as terminal:
        command = [sys.executable, "-m", "plcfrs", *arguments]
        with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL) as process:
            os.close(theirs)
            found = b""
            try:
                while chunk := terminal.read1(65536):
                    found += chunk
            except OSError:
                pass  # how Linux reports that the other end is closed
        assert process.returncode == 0
    return found.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
@pytest.mark.parametrize(
    ("options", "total"),
    [([], 140), (["--sentences", "21-30"], 30), (["--max-length", "9"], 140)],
)
def test_extract(tmp_path, options, total):
    shown = on_terminal("extract", "plcfrs:demo", *options, "-o", str(tmp_path / "a.plcfrs"))
    assert "extract: " in shown
    assert f"/{total} [" in shown


def test_no_bar_in_a_pipe(tmp_path):
    command = [sys.executable, "-m", "plcfrs", "extract", "plcfrs:demo", "-o", tmp_path / "a"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "extract" not in done.stderr
