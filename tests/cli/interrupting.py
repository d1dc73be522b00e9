"""plcfrs in a process that interrupts itself when it imports a certain module.

So nothing depends on a time. The first moment of interest is when our code has begun: what an
interrupt before that does is Python's affair.
"""

import os
import runpy
import signal
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):  # noqa: ARG002 (as importlib calls it)
        if name == module:
            # A plain KeyboardInterrupt that comes out of `exec` has an effect though it is caught.
            exec("os.kill(os.getpid(), signal.SIGINT)", {"os": os, "signal": signal})


if __name__ == "__main__":
    module, *sys.argv[1:] = sys.argv[1:]
    sys.meta_path.insert(0, Finder())
    runpy.run_module("plcfrs", run_name="__main__", alter_sys=True)
