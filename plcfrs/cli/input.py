"""The input of commands: the options for reading trees and sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import click

from plcfrs.errors import InputError, TreebankError
from plcfrs.settings import setting
from plcfrs.storage.included import is_included
from plcfrs.text import Splitter
from plcfrs.text.splitting import doubt_about
from plcfrs.treebank import (
    FORMATS,
    Selection,
    TreeText,
    parse_texts,
    read_dependencies,
    read_texts,
    read_trees,
)
from plcfrs.treebank.files import STANDARD, Source, find_sources, uncompressed
from plcfrs.treebank.reading import BLANK_LINE, chosen_ranges, read_in_place
from plcfrs.treebank.registry import EXTENSIONS, recognize
from plcfrs.treebank.writing import Ranking
from plcfrs.trees import DependencyTree, Tree
from plcfrs.wording import counted

if TYPE_CHECKING:
    from plcfrs.parsing.sentence import Sentence
    from plcfrs.parsing.sentence_parser import SentenceParser

Item = TypeVar("Item")

_RUNNING = (".md", ".txt")
_ADVICE = "add --parse plcfrs:english"
_CHECKED = 100  # sentences at the beginning that may look like another format


@dataclass
class InputOptions:
    """Which trees of the input are read, and how; `bad` trees and `tokens` are counted."""

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
    tokens: int = 0
    splitter: Splitter | None = None  # of running text

    def sentences_of(
        self, sources: Sequence[str], format: str | None, model: str = ""
    ) -> Sequence[str]:
        """Choose the format of sentences, and return their sources: by default standard input.

        Markdown is running text. Included models read plain text as running text; other models read
        a sentence on each line.
        """
        if format is not None:
            self.format = format
        elif self.format is None and _are_running_texts(sources, included=is_included(model)):
            self.format = "text"
        elif sources in ((), ("-",)) and self.format is None:
            self.format = "tokens"
        return sources or ("-",)

    def read(self, sources: Iterable[str], splitter: Splitter | None = None) -> Iterator[Tree]:
        """Yield the selected trees in order; malformed trees are numbered, too.

        The splitter is for running text.
        """
        self.splitter = splitter
        texts = self.selection.until_last(self.texts(sources))
        parse = partial(TreeText.split, splitter=splitter) if splitter else TreeText.parse
        trees = parse_texts(texts, self.on_error, self.selection, parse=parse)
        return self.checked(trees, sources)

    def read_for(
        self,
        parser: SentenceParser,
        sources: Iterable[str],
        *,
        own_tags: bool = False,
        fixed: bool = False,
    ) -> Iterator[Sentence]:
        """Yield the selected sentences; the parser splits running text into words."""
        trees = self.read(sources, parser.splitter)
        return as_sentences(trees, own_tags=own_tags, fixed=fixed)

    def read_or_parse(self, sources: Sequence[str], model: str | None) -> Iterator[Tree]:
        """Yield the selected trees, or the parses of the selected sentences by a model."""
        if model is None:
            yield from self._read_trees(sources)
            return
        # Here, so that a search of trees starts without the parsers.
        from plcfrs.corpus import parse_all
        from plcfrs.grammar.formats import check_is_model
        from plcfrs.parsing.parse import BEST_PARSE
        from plcfrs.parsing.registry import load_model

        check_is_model(model, ": --parse MODEL")
        sources = self.sentences_of(sources, None, model)
        parser = load_model(model)
        for outcome in parse_all(parser, self.read_for(parser, sources), BEST_PARSE):
            yield from (parse.tree for parse in outcome.parses)

    def say_if_text(self, sources: Iterable[str]) -> None:
        """Say how to parse it if there is text where trees are expected."""
        names = [name for name in sources if name != STANDARD]
        for file in find_sources(names, EXTENSIONS) if self.format is None else ():
            if _is_text(file, *_RUNNING, ".tokens"):
                click.echo(f"{file.name} is text without trees: {_ADVICE} to parse it", err=True)
                return

    def _read_trees(self, sources: Sequence[str]) -> Iterator[Tree]:
        """Yield the selected trees; if there is text instead, say how to parse it."""
        is_empty = True
        try:
            for tree in self.read(sources):
                if is_empty:
                    self.say_if_text(sources)
                is_empty = False
                yield tree
        except TreebankError as error:
            if is_empty and tuple(sources) == (STANDARD,) and "outside all brackets" in str(error):
                raise InputError(f"{error}; if this is text, {_ADVICE}") from None
            raise

    def read_dependencies(self, sources: Iterable[str]) -> Iterator[DependencyTree]:
        """Yield the selected dependency trees in order."""
        format, encoding, on_error = self.format, self.encoding, self.on_error
        trees = read_dependencies(sources, format, encoding, on_error, self.selection)
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
        is_empty = True
        for item in items:
            is_empty = is_empty and (item is None or item is BLANK_LINE)
            self.tokens += len(getattr(item, "tokens", ()))
            yield item
        if is_empty:
            self.check_selected(sources)

    def check_selected(self, sources: Iterable[str]) -> None:
        """Raise an InputError if no trees are left because they were skipped or not selected."""
        names = ", ".join(islice(sources, 3))
        if self.bad:
            raise InputError(f"{names}: nothing was read: {counted(self.bad, 'malformed tree')}")
        limits = {"--sentences": self.sentences, "--max-length": self.max_length}
        given = " ".join(f"{name} {value}" for name, value in limits.items() if value is not None)
        if given:
            raise InputError(f"{names}: no trees were selected by {given}")

    def read_rank(self, sources: Iterable[str], ranking: Ranking) -> Iterator[Tree]:
        """Yield the parses of one rank; the ranges count sentences, not trees."""
        all_ranks = read_trees(sources, self.format, self.encoding, self.on_error)
        selection = self.selection
        numbered = enumerate(selection.until_last(ranking.choose(all_ranks)), start=1)
        return (tree for number, tree in numbered if selection.includes(number, tree))

    def texts(self, sources: Iterable[str]) -> Iterator[TreeText | TreebankError]:
        """Yield the texts of all trees, not yet parsed or selected."""
        return read_texts(sources, self.format, self.encoding, self.splitter)

    @property
    def selection(self) -> Selection:
        """Which trees are selected, by number and length."""
        try:
            ranges = chosen_ranges(self.sentences or "")
        except InputError as error:
            raise InputError(f"--sentences: {error}") from None
        return Selection(ranges, self.max_length)

    @property
    def on_error(self) -> Callable[[TreebankError], None] | None:
        """The function that gets the errors of malformed trees; None if they are not skipped."""
        return self._skip if self.skip_bad else None

    def _skip(self, error: TreebankError) -> None:
        self.bad += 1
        click.echo(f"plcfrs: skipped: {error}", err=True)

    def count(self, sources: Sequence[str]) -> int | None:
        """Return the number of selected trees, without parsing them; None if it is not known."""
        trees = self.count_read(sources) if self.max_length is None else None
        return None if trees is None else sum(map(self.selection.names, range(1, trees + 1)))

    def count_read(self, sources: Sequence[str]) -> int | None:
        """Return the number of trees up to the last selected one; None if it is not known."""
        if any(source.is_stream for source in find_sources(sources, EXTENSIONS)):
            return None
        return sum(1 for _ in self.selection.until_last(self.texts(sources)))

    def report(self, *others: InputOptions) -> None:
        """Say on stderr how many malformed trees were skipped, here and in other inputs."""
        if bad := sum(input.bad for input in (self, *others)):
            click.echo(f"malformed trees skipped: {bad}", err=True)


def _are_running_texts(sources: Sequence[str], *, included: bool) -> bool:
    """Whether all sources are running text; included models read plain text as such."""
    names = [name for name in sources if name != STANDARD]
    if not included and (not names or len(names) < len(sources)):
        return False
    extensions = _RUNNING if included else _RUNNING[:1]
    return all(_is_text(file, *extensions) for file in find_sources(names, EXTENSIONS))


def _is_text(source: Source, *extensions: str) -> bool:
    """Whether a file with one of these extensions has text, and not trees."""
    has_extension = uncompressed(source.name).endswith(extensions)
    return has_extension and recognize(source).name in ("text", "tokens")


def as_sentences(
    trees: Iterable[Tree], *, own_tags: bool, fixed: bool = False
) -> Iterator[Sentence]:
    """Yield the sentences of trees; the parser finds its own tags if wanted.

    If what the trees have is fixed, trees are partial.
    """
    from plcfrs.parsing.sentence import Sentence  # here, since Numba is slow to import

    for tree in _doubting(trees):
        sentence = Sentence.of_partial(tree) if fixed else Sentence.of(tree)
        yield sentence.untagged() if own_tags else sentence


def _doubting(trees: Iterable[Tree]) -> Iterator[Tree]:
    """Yield the trees; warn once if words without tags look like another format."""
    rest = iter(trees)
    for number, tree in enumerate(islice(rest, _CHECKED), start=1):
        has_tags = any(token.tag for token in tree.tokens)
        doubt = None if has_tags else doubt_about([token.form for token in tree.tokens])
        if doubt:
            click.echo(f"sentence {number}: {doubt}", err=True)
        yield tree
        if doubt:
            break
    yield from rest
