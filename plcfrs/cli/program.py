"""The program; each of its commands has a file, which is loaded when the command is called."""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from plcfrs import __version__
from plcfrs.cli.command import SuggestingGroup
from plcfrs.compiling import not_kept, watchers
from plcfrs.errors import PlcfrsError, TreebankWarning, WorkerError
from plcfrs.stopping import StoppedError
from plcfrs.wording import unencodable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMPILING = "compiling the parsers, once in this environment: a minute or more ..."

COMMANDS = {
    "transform": "Turn traces into crossing branches.",
    "extract": "Extract a grammar from a treebank and binarize it.",
    "train": "Train a parser, such as a refined grammar or a transition parser.",
    "combine": "Combine several parsers into a better one.",
    "parse": "Parse sentences.",
    "eval": "Score parses against gold trees.",
    "compare": "Compare parsers on gold trees.",
    "inspect": "Show the statistics and rules of a model, or compare two grammars.",
    "generate": "Generate sentences or trees of a grammar.",
    "explain": "Show why a sentence has its parse.",
    "surprisal": "Say how surprising each word is, given the words before it.",
    "complete": "Give trees functions, null elements and indices.",
    "relations": "Say who does what to whom: subjects and objects of verbs.",
    "convert": "Convert treebanks or a grammar between formats.",
    "index": "Compile a treebank into one file that is fast to search.",
    "find": "Search trees with a query.",
    "statistics": "Count what a treebank has, or compare two treebanks.",
    "check": "Find probable errors in a treebank.",
    "draw": "Draw trees in the terminal, as SVG, PDF, PNG or LaTeX source.",
    "annotate": "Make a treebank, with a parser at hand.",
    "experiment": "Run a whole experiment from one file.",
    "serve": "Serve a web page for parsing and for browsing grammars and treebanks.",
    "compile": "Compile the kernels of models now, for example for a container image.",
    "demo": "Go from a small treebank to scored parses.",
    "completion": "Print the script that completes commands in a shell.",
}


_COMPLETING = "_PLCFRS_COMPLETE"  # shells set this variable to ask for completions


class LazyGroup(SuggestingGroup):
    """A group that imports each command only when it is called, so that --help is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order in which they are usually run."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"plcfrs.cli.{cmd_name}_command").command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option, without importing a command."""
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(name, help=help)
            for name, help in COMMANDS.items()
            if name.startswith(incomplete)
        ] or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="plcfrs")
def plcfrs() -> None:
    """Discontinuous constituents: treebanks, grammars, exact parsing.

    \b
    Example, with NLTK's sample of the Penn Treebank:
      plcfrs extract nltk:treebank --sentences 1-3396 -o wsj.plcfrs
      echo 'What/WP should/MD I/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
    """  # noqa: D301 (\b keeps click from filling the lines)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code.

    0: done; 1: a failed or interrupted run; 2: bad input or usage.
    """
    tell = cache(_tell_of_kernels)  # each line once
    watchers.add(tell)
    if {"-h", "--help"} & {*arguments} and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # help has names of people
    if _COMPLETING in os.environ:
        import_module("plcfrs.cli.completion_command")  # it answers shells
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", TreebankWarning)
            warnings.showwarning = _show_warning
            return _run(arguments)
    finally:
        watchers.discard(tell)


def _run(arguments: list[str]) -> int:
    try:
        plcfrs.main(arguments, prog_name="plcfrs", standalone_mode=False)
    except PlcfrsError as error:
        return _fail(str(error), 1 if isinstance(error, WorkerError | StoppedError) else 2)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "plcfrs"
        message = error.format_message().rstrip(".")
        if isinstance(error, click.MissingParameter) and "MODEL" in message:
            from plcfrs.storage.included import INCLUDED  # here, for a fast start

            message += f": a file, or {' or '.join(INCLUDED)}"
        end = "" if message.endswith("?") else "."
        return _fail(f"{message}{end} See '{command} --help'.", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 1)
    except BrokenPipeError:
        # The reader has closed the output: keep Python from complaining when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UnicodeEncodeError as error:
        return _fail(f"output: {unencodable(error, sys.stdout.encoding)}", 2)
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror}", 1)
    except MemoryError:
        return _fail("out of memory", 1)
    return 0


def _tell_of_kernels(trouble: str) -> None:
    """Say that parsers are compiled, or why compiled ones cannot be kept."""
    line = not_kept(trouble) if trouble else _COMPILING
    if "tqdm" in sys.modules:  # there may be a progress bar
        from tqdm import tqdm

        tqdm.write(line, file=sys.stderr)
    else:
        click.echo(line, err=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"plcfrs: {message}", err=True)


def _fail(message: str, code: int) -> int:
    click.echo(f"plcfrs: {' '.join(message.split())}", err=True)
    return code
