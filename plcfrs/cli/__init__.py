"""The command line."""

from plcfrs.cli.program import COMMANDS, plcfrs, run

__all__ = ["COMMANDS", "plcfrs", "run"]
