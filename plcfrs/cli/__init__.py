"""The command line."""

from plcfrs.cli.command import COMMANDS, plcfrs, run

__all__ = ["COMMANDS", "plcfrs", "run"]
