"""What commands share: which trees are read, where the output goes, how families parse.

The options of all families are imported only where they are needed, since that takes time.
"""

from __future__ import annotations

import csv
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plcfrs.cli.command import StrictCommand, argument, option_of
from plcfrs.cli.overwriting import check_kept
from plcfrs.errors import InputError, TreebankError
from plcfrs.settings import Setting, setting, settings_of
from plcfrs.storage.included import is_included
from plcfrs.text import Splitter
from plcfrs.text.doubt import doubt_about
from plcfrs.treebank import (
    FORMATS,
    WRITABLE,
    DependencyWriter,
    TreeText,
    TreeWriter,
    open_output,
    parse_texts,
    read_dependencies,
    read_texts,
    read_trees,
)
from plcfrs.treebank import Selection as TreeSelection
from plcfrs.treebank.files import STANDARD, find_sources
from plcfrs.treebank.reading import BLANK_LINE, chosen_ranges, read_in_place
from plcfrs.treebank.registry import EXTENSIONS, recognize
from plcfrs.treebank.writing import Ranking, SentenceWriter
from plcfrs.trees import DependencyTree, Tree
from plcfrs.wording import counted

if TYPE_CHECKING:
    from plcfrs.budget import BudgetSettings
    from plcfrs.parsing.sentence import Sentence
    from plcfrs.parsing.sentence_parser import SentenceParser

Item = TypeVar("Item")
Written = TypeVar("Written", Tree, DependencyTree)
Writer = TypeVar("Writer", bound=TreeWriter | DependencyWriter)

_DOUBTED = 100  # sentences


@dataclass
class Selection:
    """Which trees of the given files are read, and how."""

    format: str | None = setting(
        None,
        "Format of the input.  [default: by file extension or content; discbracket for standard "
        "input]",
        choices=tuple(FORMATS),
        option="from",
    )
    encoding: str = setting("utf-8", "Encoding of the input.", option="text-encoding")
    sentences: str | None = setting(
        None, "Only the sentences with these numbers: 1-500,600.", metavar="RANGES"
    )
    max_length: int | None = setting(None, "Only sentences of at most N tokens.", least=1)
    skip_bad: bool = setting(
        False, "Skip malformed trees, and trees that the output cannot hold, and count them."
    )
    bad: int = 0
    unwritten: int = 0
    unwritten_tokens: int = 0

    def sentences_of(
        self, sources: Sequence[str], format: str | None, model: str = ""
    ) -> Sequence[str]:
        """Return where sentences are read, by default from standard input, one on each line.

        Models that come along get plain text as running text, which is what people have.
        """
        if format is not None:
            self.format = format
        elif is_included(model) and self.format is None and _are_texts(sources):
            self.format = "text"
        elif sources in ((), ("-",)) and self.format is None:
            self.format = "tokens"
        return sources or ("-",)

    def read(self, sources: Iterable[str], splitter: Splitter | None = None) -> Iterator[Tree]:
        """Yield the selected trees in order; malformed trees are numbered, too.

        A splitter splits the sentences of running text, which is the format.
        """
        texts = self.trees.until_last(self.texts(sources))
        parse = partial(TreeText.split, splitter=splitter) if splitter else TreeText.parse
        trees = parse_texts(texts, self.on_error, self.trees, parse=parse)
        return self.checked(trees, sources)

    def read_for(
        self, parser: SentenceParser, sources: Iterable[str], *, own_tags: bool = False
    ) -> Iterator[Sentence]:
        """Yield the selected sentences for a parser, which knows how to split running text."""
        splitter = parser.splitter if self.format == "text" else None
        return as_sentences(self.read(sources, splitter), own_tags=own_tags)

    def read_dependencies(self, sources: Iterable[str]) -> Iterator[DependencyTree]:
        """Yield the selected dependency trees in order."""
        trees = read_dependencies(sources, self.format, self.encoding, self.on_error, self.trees)
        return self.checked(trees, sources)

    def read_in_place(
        self, sources: Iterable[str], *, blank_lines: bool = False
    ) -> Iterator[Tree | None]:
        """Yield all trees: see `plcfrs.treebank.reading.read_in_place`."""
        format, encoding, on_error = self.format, self.encoding, self.on_error
        trees = read_in_place(sources, format, encoding, on_error, blank_lines=blank_lines)
        return self.checked(trees, sources)

    def checked(self, items: Iterable[Item], sources: Iterable[str]) -> Iterator[Item]:
        """Yield the items of selected sentences; raise if all were skipped, or none selected."""
        nothing = True
        for item in items:
            nothing = nothing and (item is None or item is BLANK_LINE)
            self.unwritten_tokens += len(getattr(item, "tokens", ()))
            yield item
        if nothing:
            self.check_selected(sources)

    def check_selected(self, sources: Iterable[str]) -> None:
        """Raise an InputError if trees were skipped, or not selected, so that none are left."""
        name = ", ".join(islice(sources, 3))
        if self.bad:
            raise InputError(f"{name}: nothing was read: {counted(self.bad, 'malformed tree')}")
        chosen = {"--sentences": self.sentences, "--max-length": self.max_length}
        given = " ".join(f"{name} {value}" for name, value in chosen.items() if value is not None)
        if given:
            raise InputError(f"{name}: no trees were selected by {given}")

    def read_rank(self, sources: Iterable[str], ranking: Ranking) -> Iterator[Tree]:
        """Yield the parses of one rank; the ranges count sentences, not trees."""
        everything = read_trees(sources, self.format, self.encoding, self.on_error)
        wanted = self.trees
        chosen = enumerate(wanted.until_last(ranking.choose(everything)), start=1)
        return (tree for number, tree in chosen if wanted.includes(number, tree))

    def texts(self, sources: Iterable[str]) -> Iterator[TreeText | TreebankError]:
        """Yield the texts of all trees, to be parsed and selected elsewhere."""
        return read_texts(sources, self.format, self.encoding)

    @property
    def trees(self) -> TreeSelection:
        """The selection by number and length."""
        try:
            ranges = chosen_ranges(self.sentences or "")
        except InputError as error:
            raise InputError(f"--sentences: {error}") from None
        return TreeSelection(ranges, self.max_length)

    @property
    def on_error(self) -> Callable[[TreebankError], None] | None:
        """The function that gets the errors of malformed trees; None if they are not skipped."""
        return self._skip if self.skip_bad else None

    def _skip(self, error: TreebankError) -> None:
        self.bad += 1
        click.echo(f"plcfrs: skipped: {error}", err=True)

    def count(self, sources: Sequence[str]) -> int | None:
        """Return the number of selected trees, without parsing them; None if it is not known."""
        read = self.count_read(sources) if self.max_length is None else None
        return None if read is None else sum(map(self.trees.names, range(1, read + 1)))

    def count_read(self, sources: Sequence[str]) -> int | None:
        """Return the number of trees read to get the selected ones; None if it is not known."""
        if any(source.is_stream for source in find_sources(sources, EXTENSIONS)):
            return None
        return sum(1 for _ in self.trees.until_last(self.texts(sources)))

    def write(self, tree: Written, writer: SentenceWriter[Written]) -> None:
        """Write a tree; if the format cannot hold it, it is skipped like malformed trees."""
        try:
            writer.write(tree)
            self.unwritten_tokens -= len(tree.tokens)
        except TreebankError as error:
            if not self.skip_bad:
                raise
            self.unwritten += 1
            click.echo(f"plcfrs: skipped: {error}", err=True)

    def report(self, *others: Selection) -> None:
        """Say on stderr how many trees were skipped."""
        if self.unwritten:
            click.echo(f"trees skipped that cannot be written: {self.unwritten}", err=True)
        if bad := sum(each.bad for each in (self, *others)):
            click.echo(f"malformed trees skipped: {bad}", err=True)


def treebanks_argument() -> Any:  # noqa: ANN401 (a field)
    """Return the field of the treebanks; the default is standard input."""
    return argument("[TREEBANK]...", nargs=-1, default=("-",))


def output_setting(help: str = "Output file.  [default: standard output]") -> str:
    """Return the field of ``-o``."""
    return setting("-", help, short="-o", metavar="FILE", is_output=True)


def saved_setting(what: str, metavar: str = "MODEL") -> str:
    """Return the field of ``-o`` of what is made, which must be given."""
    return setting("", what, short="-o", metavar=metavar, is_needed=True, is_output=True)


def format_setting(formats: Iterable[str] = WRITABLE) -> str | None:
    """Return the field of ``--to`` for trees."""
    help = "Format of the output.  [default: by file extension, else discbracket]"
    return setting(None, help, choices=tuple(formats))


def patience_of(budget: BudgetSettings) -> float:
    """Return the seconds for a sentence after which a process is ended.

    Search and fallback have a budget each; the rest is for the compilation of kernels in all
    processes at once, and everything else.
    """
    return 4 * budget.chosen.max_seconds + 120


def report_rank(ranking: Ranking) -> None:
    """Say on stderr how many sentences have no parse of a rank."""
    if ranking.shorter:
        click.echo(ranking, err=True)


def _are_texts(sources: Iterable[str]) -> bool:
    """Whether all sources are plain text; standard input is."""
    names = [name for name in sources if name != STANDARD]
    texts = [source for source in find_sources(names, ()) if source.name.endswith(".txt")]
    return len(texts) == len(names) and all(recognize(each).name == "tokens" for each in texts)


def as_sentences(trees: Iterable[Tree], *, own_tags: bool) -> Iterator[Sentence]:
    """Yield the sentences of trees for a parser, perhaps without tags."""
    from plcfrs.parsing.sentence import Sentence  # here, since Numba takes long to import

    for tree in _doubting(trees):
        sentence = Sentence.of(tree)
        yield sentence.untagged() if own_tags else sentence


def _doubting(trees: Iterable[Tree]) -> Iterator[Tree]:
    """Yield the trees; warn once on stderr if words without tags look like another format."""
    remaining = iter(trees)
    for number, tree in enumerate(islice(remaining, _DOUBTED), start=1):
        has_tags = any(token.tag for token in tree.tokens)
        doubt = None if has_tags else doubt_about([token.form for token in tree.tokens])
        if doubt:
            click.echo(f"sentence {number}: {doubt}", err=True)
        yield tree
        if doubt:
            break
    yield from remaining


def progress(
    items: Iterable[Item], what: str, count: Callable[[], int | None] = lambda: None, done: int = 0
) -> Iterator[Item]:
    """Show a progress bar on stderr while items pass, if it is a terminal.

    With the number of all items, including those done before, it estimates the remaining time;
    the items are counted only if there is a bar.
    """
    if not sys.stderr.isatty():  # Ctrl-C while tqdm starts, even disabled, prints a traceback
        yield from items
        return
    from tqdm import tqdm  # here, for a fast start

    options: dict[str, Any] = {"desc": what, "total": count(), "initial": done}
    yield from tqdm(items, **options, unit=" sentences", leave=False)


class FamilyCommand(StrictCommand):
    """A command with options of its own, and after them those of all families.

    Importing all families takes a tenth of a second. Therefore a command line without any of their
    options is read without them: the command must have defaults for them.
    """

    _all: list[click.Parameter] | None = None

    @property
    def params(self) -> list[click.Parameter]:
        """All parameters."""
        if self._all is None:
            self._all = [*self._own, *_options_of_families()]
        return self._all

    @params.setter
    def params(self, own: list[click.Parameter]) -> None:
        self._own = own

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read a command line."""
        own = {"-", "--"}.union(*(each.opts for each in self._own))
        names = {each.partition("=")[0] for each in args if each.startswith("-")}
        if names <= own:
            return StrictCommand(self.name, params=self._own).parse_args(ctx, args)
        return super().parse_args(ctx, args)


def _options_of_families() -> list[click.Parameter]:
    """Return the objective and the options of each family; an option that is not given is None."""
    objectives: set[str] = set()
    owners: dict[Setting, list[str]] = {}
    from plcfrs.parsing.registry import families

    for family in families().values():
        objectives.update(family.objectives)
        for each in settings_of(family.options):
            owners.setdefault(each, []).append(family.kind)
    options: list[click.Parameter] = [
        click.Option(
            ["--objective"],
            type=click.Choice(sorted(objectives)),
            help="The best tree is the one of the most probable derivation (mpd), of most "
            "constituents expected to be correct (mcp), or of the rules most probably correct "
            "(max-rule-product, max-rule-sum).  [default: the first that the model has]",
        )
    ]
    for each, kinds in owners.items():
        default = f"  [default: {each.default}]" if each.default not in (None, ()) else ""
        text = f"{each.help} For {', '.join(kinds)}.{default}"
        options.append(option_of(replace(each, default=None, help=text)))
    return options


def kind_of_output(path: str, kinds: Mapping[str, str]) -> str:
    """Return the kind of output by its file extension; text for ``.txt`` or no extension.

    >>> kind_of_output("a.svg.gz", {".svg": "svg"}), kind_of_output("-", {})
    ('svg', 'text')
    """
    extension = PurePath(path.removesuffix(".gz")).suffix.lower()
    if extension not in ("", ".txt", *kinds):
        raise InputError(
            f"{path}: unknown extension: use {', '.join([*kinds, '.txt'])}, or choose a format "
            "with --to"
        )
    return kinds.get(extension, "text")


@contextmanager
def saved(writer: Writer, path: str, selection: Selection) -> Iterator[Writer]:
    """Open a file for selected trees, and say what its format has lost.

    If the run is interrupted, say where the finished trees are.
    """
    try:
        with writer:
            yield writer
            check_kept(writer.loss or selection.unwritten_tokens)
        if writer.loss:
            click.echo(writer.loss, err=True)
    except KeyboardInterrupt:
        if path != "-" and writer.count:
            click.echo(f"the finished trees are in {path}.part", err=True)
        raise


def say_tsv(path: str | None) -> None:
    """Say that a table is TSV if the name of its file promises something else."""
    suffix = PurePath((path or "").removesuffix(".gz")).suffix.lower()
    if suffix not in ("", ".tsv", ".tab", ".txt"):
        click.echo(f"{path}: written as TSV, whatever the name says", err=True)


def write_rows(
    path: str | None, header: list[str], rows: Iterable[Sequence[object]], delimiter: str = "\t"
) -> None:
    """Write rows as they come; without a path, only go through them."""
    if path is None:
        deque(rows, maxlen=0)
        return
    with open_output(path) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
