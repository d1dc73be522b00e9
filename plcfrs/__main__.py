"""Run the command line as ``python -m plcfrs``."""

from plcfrs.cli import main

main()
