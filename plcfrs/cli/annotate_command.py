"""``plcfrs annotate``."""

from __future__ import annotations

import getpass
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from plcfrs.cli import annotate_train_command
from plcfrs.cli.command import SuggestingGroup, argument, command_of
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import format_setting, output_setting, progress, saved
from plcfrs.cli.serve_command import check_extra, run_server
from plcfrs.errors import InputError
from plcfrs.parsing import family_of
from plcfrs.project import Project, ProjectSettings, create, read_sentences
from plcfrs.settings import setting
from plcfrs.storage.files import read_utf8
from plcfrs.text import Splitter
from plcfrs.text.splitting import TAGS_OF, Guidelines
from plcfrs.treebank import TreeWriter, read_trees
from plcfrs.trees import Node, Tree
from plcfrs.trees.labels import ROOT
from plcfrs.web.limits import Limits
from plcfrs.wording import counted

_ENGLISH = "plcfrs:english"
_NONE = "none"
_UNSAFE = re.compile(r"[^\w.-]+")


class _Commands(SuggestingGroup):
    """A group of commands; a folder in place of a command is served."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command with its arguments."""
        if args[0] not in self.commands and Path(args[0]).is_dir():
            args = ["serve", *args]
        return super().resolve_command(ctx, args)


@click.group("annotate", cls=_Commands)
def command() -> None:
    """Make a treebank, with a parser at hand.

    \b
    Examples:
      plcfrs annotate new my-treebank --text novel.txt
      plcfrs annotate my-treebank --open
      plcfrs annotate export my-treebank -o gold.export
    """  # noqa: D301


@dataclass(frozen=True)
class NewOptions:
    """The options of ``plcfrs annotate new``."""

    folder: str = argument("FOLDER")
    text: tuple[str, ...] = setting(
        (), "A file of running text. May be repeated.", commas=False, metavar="FILE"
    )
    treebank: tuple[str, ...] = setting(
        (), "A treebank to correct. May be repeated.", commas=False, metavar="FILE"
    )
    person: str = setting("", "Your name in the project.  [default: your user name]")
    model: str = setting(_ENGLISH, "The model that proposes trees, or none.", metavar="MODEL")
    words: Guidelines = setting(
        "words",
        "How to cut words without a model: words only separates punctuation; penn and "
        "penn-hyphens are for English.",
    )


@command_of("new", NewOptions())
def new(chosen: NewOptions) -> None:
    """Begin a project: a folder of text files, which you can keep in git.

    The model splits running text into sentences and words. Trees of a treebank keep everything:
    functions, null elements, lemmas, secondary edges.

    \b
    Examples:
      plcfrs annotate new my-treebank --text novel.txt
      plcfrs annotate new deutsch --text roman.txt --model none
      plcfrs annotate new corrected --treebank negra.export --model negra.gap
    """  # noqa: D301
    if bool(chosen.text) == bool(chosen.treebank):
        raise click.UsageError("give either --text or --treebank.")
    parser = "" if chosen.model == _NONE else chosen.model
    if parser:
        family_of(parser)  # a missing file is an error at once
    sentences = _split(chosen, parser) if chosen.text else _read(chosen.treebank)
    total = create(
        Path(chosen.folder),
        progress(sentences, "read"),
        chosen.person or _UNSAFE.sub("_", getpass.getuser()),
        parser,
        trees=bool(chosen.treebank),
    )
    click.echo(
        f"{counted(total, 'sentence')}; annotate them with: plcfrs annotate {chosen.folder} --open",
        err=True,
    )


def _split(chosen: NewOptions, parser: str) -> Iterator[tuple[str, Tree]]:
    """Yield the sentences of texts, each with the name of its document."""
    splitter = Splitter(tags=TAGS_OF[chosen.words])
    if parser:
        from plcfrs.parsing import load_model  # here, since it takes long to import

        splitter = load_model(parser).splitter
    as_typed = not parser and chosen.words == "words"
    for path in chosen.text:
        text = read_utf8(path, "text")
        for tokens in splitter.sentences(text):
            if as_typed:
                tokens = [replace(token, form=text[token.start : token.end]) for token in tokens]
            yield _document(path), Tree(Node(ROOT, children=[*range(len(tokens))]), tokens)


def _read(treebanks: tuple[str, ...]) -> Iterator[tuple[str, Tree]]:
    """Yield the trees of treebanks, each with the name of its document."""
    for path in treebanks:
        for tree in read_trees(path):
            yield _document(tree.id.rpartition(":")[0] or path), tree


def _document(path: str) -> str:
    return _UNSAFE.sub("_", Path(path).stem) or "text"


@dataclass(frozen=True)
class ServeProjectOptions:
    """The options of ``plcfrs annotate serve``."""

    folder: str = argument("FOLDER")
    person: str = setting("", "Whose trees.  [default: the first person of the project]")
    model: str = setting("", "Another parser than that of the project, or none.", metavar="MODEL")
    port: int = setting(8000, "Port to serve on; 0 for any free port.", least=0, most=65535)
    open: bool = setting(False, "Open the page in the browser.")


@command_of("serve", ServeProjectOptions())
def serve(chosen: ServeProjectOptions) -> None:
    """Annotate the sentences of a project in the browser.

    Every action is saved at once. Only this machine can reach the page. Ctrl-C stops the server.

    \b
    Examples:
      plcfrs annotate my-treebank --open
      plcfrs annotate serve my-treebank --person ben --port 0
    """  # noqa: D301
    check_extra("plcfrs annotate")
    from plcfrs.annotating import Assistant
    from plcfrs.annotating.order import rate_in_background
    from plcfrs.annotating.training import current_parser
    from plcfrs.web.store import Store

    folder = Path(chosen.folder)
    settings = ProjectSettings.read(folder)
    if chosen.person and chosen.person not in settings.people:
        people = ", ".join(settings.people)
        raise InputError(
            f"{chosen.person}: the people of {folder} are {people}: add the name to project.toml"
        )
    model = chosen.model or current_parser(folder, settings) or _NONE
    models = () if model == _NONE else (model,)
    with Project(chosen.folder, chosen.person or None) as project:

        def assistant_of(store: Store) -> Assistant:
            assistant = Assistant(project, store.model(None).model if models else None)
            rate_in_background(assistant)
            return assistant

        run_server(
            "127.0.0.1", chosen.port, models, (), Limits(), assistant_of, is_open=chosen.open
        )


@dataclass(frozen=True)
class ExportOptions:
    """The options of ``plcfrs annotate export``."""

    folder: str = argument("FOLDER")
    output: str = output_setting()
    to: str | None = format_setting()
    person: str = setting("", "Whose trees.  [default: the first person of the project]")
    status: str = setting(
        "accepted", "Only accepted trees, or all that there are.", choices=("accepted", "all")
    )


@command_of("export", ExportOptions())
def export(chosen: ExportOptions) -> None:
    """Write the trees of a project in any format, and say what the format cannot hold.

    \b
    Examples:
      plcfrs annotate export my-treebank -o gold.export
      plcfrs annotate export my-treebank --status all --person ben -o ben.mrg
    """  # noqa: D301
    writer = TreeWriter(chosen.output, chosen.to)
    with saved(writer, chosen.output, InputOptions()) as output:
        for sentence in read_sentences(chosen.folder, chosen.person):
            if sentence.named and chosen.status in ("all", sentence.status):
                output.write(sentence.named.tree)
    click.echo(f"{counted(writer.count, 'tree')} written", err=True)


for _each in (new, serve, annotate_train_command.command, export):
    command.add_command(_each)
