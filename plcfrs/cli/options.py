"""Options of several commands: which trees are read, and how they are transformed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from plcfrs.errors import InputError, TreebankError
from plcfrs.transformation import TRACE_TYPES, Options, read_corrections
from plcfrs.transformation.presets import SPLITS, Continuous, Punctuation
from plcfrs.treebank import (
    FORMATS,
    WRITABLE,
    TreeText,
    read_dependencies,
    read_texts,
    read_trees,
)
from plcfrs.treebank import Selection as TreeSelection
from plcfrs.treebank.lint import doubt_about
from plcfrs.treebank.ranks import Ranking
from plcfrs.treebank.selection import parse_ranges
from plcfrs.trees import DependencyTree, Tree
from plcfrs.trees.heads import read_head_rules

Command = TypeVar("Command", bound=Callable[..., None])
Item = TypeVar("Item")

_NUMBER = re.compile(r"[0-9]{1,9}")
_DOUBTED = 100  # sentences


@dataclass
class Selection:
    """Which trees of the given files are read, and how."""

    format: str | None
    encoding: str
    sentences: str | None
    max_length: int | None
    skip_bad: bool
    bad: int = 0

    def read(self, sources: Iterable[str]) -> Iterator[Tree]:
        """Yield the selected trees in order; malformed trees are numbered, too."""
        yield from read_trees(sources, self.format, self.encoding, self.on_error, self.trees)

    def read_dependencies(self, sources: Iterable[str]) -> Iterator[DependencyTree]:
        """Yield the selected dependency trees in order."""
        format, encoding, on_error = self.format, self.encoding, self.on_error
        yield from read_dependencies(sources, format, encoding, on_error, self.trees)

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
            ranges = parse_ranges(self.sentences) if self.sentences else ()
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
        ranges = self.trees.sentences
        if read is None or not ranges:
            return read
        return sum(any(number in each for each in ranges) for number in range(1, read + 1))

    def count_read(self, sources: Sequence[str]) -> int | None:
        """Return the number of trees read to get the selected ones; None if it is not known."""
        if any(map(_is_stream, sources)):
            return None
        return sum(1 for _ in self.trees.until_last(self.texts(sources)))

    def report(self) -> None:
        """Say on stderr how many malformed trees were skipped."""
        if self.bad:
            click.echo(f"malformed trees skipped: {self.bad}", err=True)


def treebanks_argument(command: Command) -> Command:
    """Add the argument of the treebanks; the default is standard input."""
    return click.argument(
        "treebanks",
        nargs=-1,
        metavar="[TREEBANK]...",
        callback=lambda _context, _parameter, names: names or ("-",),
    )(command)


def selection_options(command: Command) -> Command:
    """Add the options that select trees; the command gets them as one `Selection`."""

    @click.option(
        "--from",
        "from_",
        type=click.Choice(list(FORMATS)),
        help="Format of the input.  [default: by file extension or content; discbracket for "
        "standard input]",
    )
    @click.option(
        "--text-encoding", default="utf-8", show_default=True, help="Encoding of the input."
    )
    @click.option(
        "--sentences", metavar="RANGES", help="Only the sentences with these numbers: 1-500,600."
    )
    @click.option(
        "--max-length",
        type=click.IntRange(1),
        metavar="N",
        help="Only sentences of at most N tokens.",
    )
    @click.option("--skip-bad", is_flag=True, help="Skip malformed trees and count them.")
    @wraps(command)
    def wrapped(
        from_: str | None,
        text_encoding: str,
        sentences: str | None,
        max_length: int | None,
        skip_bad: bool,
        **others: Any,  # noqa: ANN401 (they belong to the command)
    ) -> None:
        command(
            selection=Selection(from_, text_encoding, sentences, max_length, skip_bad), **others
        )

    return wrapped  # type: ignore[return-value]


def output_options(command: Command, formats: Iterable[str] = WRITABLE) -> Command:
    """Add the options for where trees are written, and in which format."""
    command = click.option(
        "--to",
        type=click.Choice(list(formats)),
        help="Format of the output.  [default: by file extension, else discbracket]",
    )(command)
    return click.option(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="Output file.  [default: standard output]",
    )(command)


def rank_option(what: str) -> Callable[[Command], Command]:
    """Return a decorator that adds --rank with this help."""
    return click.option("--rank", type=click.IntRange(1), metavar="N", help=what)


def report_rank(ranking: Ranking) -> None:
    """Say on stderr how many sentences have no parse of a rank."""
    if ranking.shorter:
        click.echo(ranking, err=True)


def jobs_option(what: str) -> Callable[[Command], Command]:
    """Return a decorator that adds --jobs with this help."""
    return click.option(
        "--jobs", type=click.IntRange(1), metavar="N", default=1, show_default=True, help=what
    )


def head_rules_option(command: Command) -> Command:
    """Add --head-rules; the command gets the name as `head_rules`."""
    return click.option(
        "--head-rules",
        metavar="NAME|FILE",
        default="collins",
        show_default=True,
        help="collins (Collins 1999), for the Penn Treebank; negra, for German; or a file.",
    )(command)


def transform_options(command: Command) -> Command:
    """Add the options of the transformation; the command gets them as one `Options`."""

    @click.option("--context-free", is_flag=True, help="Do not reattach (Tr and Te in the paper).")
    @click.option(
        "--reattach",
        metavar="TYPES",
        default=",".join(TRACE_TYPES),
        show_default=True,
        help="Types of traces whose fillers are reattached.",
    )
    @click.option("--keep-sbar", is_flag=True, help="Keep an SBAR over a single constituent.")
    @click.option(
        "--splits",
        metavar="NAMES",
        default=",".join(SPLITS),
        show_default=True,
        help="Category splits, or none.",
    )
    @head_rules_option
    @click.option(
        "--punctuation",
        type=click.Choice(get_args(Punctuation)),
        default="leave",
        show_default=True,
        help="Leave punctuation where it is; attach punctuation at the root without new gaps, low "
        "(treetools: punctuation_verylow) or high (root_attach); or remove all punctuation.",
    )
    @click.option(
        "--attach-low",
        is_flag=True,
        help="Attach other children of the root that interrupt a constituent.",
    )
    @click.option(
        "--balance", is_flag=True, help="Put pairs of quotes, brackets and dashes in one node."
    )
    @click.option(
        "--continuous",
        type=click.Choice(get_args(Continuous)),
        default="no",
        show_default=True,
        help="Make crossing branches continuous: raise parts without the head, or split nodes "
        "into VP*1, VP*2 (Boyd 2007; disco-dop: splitdisc).",
    )
    @click.option(
        "--corrections",
        metavar="FILE",
        help="Corrections of annotation errors: TSV with the columns file, sentence, old, new.",
    )
    @wraps(command)
    def wrapped(
        context_free: bool,
        reattach: str,
        keep_sbar: bool,
        splits: str,
        head_rules: str,
        corrections: str | None,
        punctuation: Punctuation,
        attach_low: bool,
        balance: bool,
        continuous: Continuous,
        **others: Any,  # noqa: ANN401 (they belong to the command)
    ) -> None:
        options = Options(
            () if context_free else _names("--reattach", _starred(reattach), TRACE_TYPES),
            keep_sbar,
            _names("--splits", splits, SPLITS),
            read_head_rules(head_rules),
            read_corrections(corrections) if corrections else {},
            punctuation,
            attach_low,
            balance,
            continuous,
        )
        command(options=options, **others)

    return wrapped  # type: ignore[return-value]


def memory_options(siblings: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of Markovization, `horizontal` and `vertical`.

    Each is a number or infinite; `siblings` is the default of `horizontal`.
    """
    vertical = click.option(
        "--vertical",
        type=number_or_inf(1),
        metavar="V",
        default="1",
        show_default=True,
        help="Number of categories in a symbol: 1 is its own (disco-dop: v; rparse: vMarkov).",
    )
    horizontal = click.option(
        "--horizontal",
        type=number_or_inf(0),
        metavar="H",
        default=siblings,
        show_default=True,
        help="How many siblings a Markovized symbol remembers (disco-dop: h; rparse: hMarkov).",
    )
    return lambda command: horizontal(vertical(command))


def splits_of(options: Options) -> str:
    """Return the category splits as the option ``--splits`` has them."""
    return ",".join(options.splits) or "none"


def doubting(trees: Iterable[Tree]) -> Iterator[Tree]:
    """Yield the trees; warn once on stderr if words without tags look like something else."""
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
    items: Iterable[Item],
    what: str,
    count: Callable[[], int | None] = lambda: None,
    done: int = 0,
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


def _is_stream(source: str) -> bool:
    """Whether a source can be read only once."""
    path = Path(source)
    return source == "-" or (path.exists() and not path.is_file() and not path.is_dir())


def number_or_inf(least: int) -> Callable[[str], float]:
    """Return the function that reads an option that is a whole number or inf."""

    def convert(text: str) -> float:
        if str(text) == "inf":
            return inf
        if not _NUMBER.fullmatch(str(text)) or int(text) < least:
            raise click.BadParameter(f"{text!r} is not a whole number of at least {least}, or inf")
        return int(text)

    return convert


def _names(option: str, text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    names = [] if text == "none" else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise InputError(f"{option}: {name!r} is not one of {', '.join(known)}, none")
    return tuple(names)


def _starred(types: str) -> str:
    """Allow T for *T*, which a shell would expand."""
    return ",".join(
        name if name in ("none", "") or "*" in name else f"*{name}*" for name in types.split(",")
    )
