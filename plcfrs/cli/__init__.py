"""The command line: one file per command, loaded when the command is called."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from io import TextIOWrapper
from time import monotonic

import click
from click.shell_completion import CompletionItem, add_completion_class

from plcfrs import __version__
from plcfrs.cli.completion import SHELLS, SuggestingGroup
from plcfrs.compiling import not_kept, watchers
from plcfrs.errors import PlcfrsError, TreebankWarning, WorkerError
from plcfrs.wording import unencodable

_PAUSE = 20.0  # seconds from one line about the compilation to the next

COMMANDS = {
    "transform": "Turn traces into crossing branches.",
    "extract": "Extract a grammar from a treebank and binarize it.",
    "train": "Train a parser, such as a refined grammar or a transition parser.",
    "combine": "Combine several parsers into a better one.",
    "parse": "Parse sentences.",
    "eval": "Score parses against gold trees.",
    "compare": "Compare parsers on gold trees.",
    "inspect": "Show the statistics and rules of a model, or compare two grammars.",
    "explain": "Show why a sentence has its parse.",
    "surprisal": "Say how surprising each word is, given the words before it.",
    "convert": "Convert treebanks or a grammar between formats.",
    "find": "Search trees with a query.",
    "draw": "Draw trees in the terminal, as SVG, PDF, PNG or LaTeX source.",
    "experiment": "Run a whole experiment from one file.",
    "serve": "Serve a web page for parsing and for browsing grammars and treebanks.",
    "demo": "Go from a small treebank to scored parses.",
    "completion": "Print the script that completes commands in a shell.",
}


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


for shell in SHELLS.values():
    add_completion_class(shell)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code.

    0: done; 1: a failed or interrupted run; 2: bad input or usage.
    """
    news = _News()
    watchers.add(news)
    if {"-h", "--help"} & {*arguments} and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # it has names of people
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", TreebankWarning)
            warnings.showwarning = _show_warning
            return _run(arguments)
    finally:
        watchers.discard(news)


def _run(arguments: list[str]) -> int:
    try:
        plcfrs.main(arguments, prog_name="plcfrs", standalone_mode=False)
    except PlcfrsError as error:
        return _fail(str(error), 1 if isinstance(error, WorkerError) else 2)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "plcfrs"
        message = error.format_message().rstrip(".")
        end = "" if message.endswith("?") else "."
        return _fail(f"{message}{end} See '{command} --help'.", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 1)
    except BrokenPipeError:
        # The reader of the output has closed it; Python must not complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UnicodeEncodeError as error:
        return _fail(f"output: {unencodable(error, sys.stdout.encoding)}", 2)
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror}", 1)
    except MemoryError:
        return _fail("out of memory", 1)
    return 0


class _News:
    """Says that parsers are compiled, and from time to time how far it is."""

    def __init__(self) -> None:
        self._kernels = 0
        self._start = self._said = monotonic()
        self._trouble = ""

    def __call__(self, trouble: str) -> None:
        """Note that a kernel is compiled, or that kernels cannot be kept."""
        self._kernels += 1
        if trouble and not self._trouble:
            self._trouble = trouble
            self._say(not_kept(trouble))
        elif self._kernels == 1:
            self._say("compiling the parsers, once in this environment: a minute or more ...")
        elif monotonic() > self._said + _PAUSE:
            seconds = monotonic() - self._start
            self._say(f"compiling: {self._kernels} kernels so far, {seconds:.0f} s ...")

    def _say(self, line: str) -> None:
        self._said = monotonic()
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
