"""A program with a terminal as standard output or standard error."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios


def shown_on_terminal(*arguments, stream="stderr", **variables):
    """Run Python with a terminal as this stream, and return what it shows there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with os.fdopen(ours, "rb") as terminal:
        command = [sys.executable, *arguments]
        environment = {**os.environ, **variables}
        streams = {"stdout": subprocess.DEVNULL, "stderr": None, stream: theirs}
        with subprocess.Popen(command, **streams, env=environment) as process:
            os.close(theirs)
            found = b""
            try:
                while chunk := terminal.read1(65536):
                    found += chunk
            except OSError:
                pass  # how Linux reports that the other end is closed
        assert process.returncode == 0
    return found.decode()
