"""plcfrs in a process that interrupts itself when it imports a certain module.

So nothing depends on timing. The first interesting moment is when plcfrs has started: earlier
interrupts are handled by Python.
"""

import os
import runpy
import signal
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):  # noqa: ARG002 (as importlib calls it)
        if name == module:
            # A plain KeyboardInterrupt from `exec` has an effect even if it is caught.
            exec("os.kill(os.getpid(), signal.SIGINT)", {"os": os, "signal": signal})


if __name__ == "__main__":
    module, *sys.argv[1:] = sys.argv[1:]
    sys.meta_path.insert(0, Finder())
    runpy.run_module("plcfrs", run_name="__main__", alter_sys=True)
