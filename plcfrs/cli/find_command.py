"""``plcfrs find``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path

import click

from plcfrs.cli.command import argument, command_of, group, treebanks_argument
from plcfrs.cli.find_output import FindLayout, QuerySearch, TreebankPart, write_results, write_table
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import format_setting, output_setting, progress
from plcfrs.corpus.indexing import compiled_only, is_large, open_treebank, sources_of
from plcfrs.errors import InputError
from plcfrs.query import Query, Treebank, parse_query
from plcfrs.query.expressions import MOST_SECONDS
from plcfrs.query.help import help_text
from plcfrs.query.translation import LANGUAGES, suggest, translate
from plcfrs.settings import setting
from plcfrs.stopping import TimeLimit
from plcfrs.storage.files import read_utf8
from plcfrs.transformation import EVANG_KALLMEYER, transform_all
from plcfrs.treebank import EVERYTHING
from plcfrs.treebank.compilation import PART, compiled_parts
from plcfrs.treebank.files import DEMO, NLTK
from plcfrs.trees.restoring import with_traces


@dataclass(frozen=True)
class FindOptions:
    """The options of ``plcfrs find``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    query: str = argument()
    output: str = output_setting()
    to: str | None = format_setting()
    layout: FindLayout = group(FindLayout)
    language: str | None = setting(
        None, "Translate the query from the language of another tool.", choices=LANGUAGES
    )
    macros: str | None = setting(
        None, "Use the macros in a file of tgrep2, with --language tgrep2.", metavar="FILE"
    )
    transform: bool = setting(
        False, "First turn traces into crossing branches, like plcfrs transform."
    )
    traces: bool = setting(
        False,
        "First put null elements and traces back, in trees that have them in an annotation.",
    )
    parse: str | None = setting(
        None,
        "Parse the input with this model, and search the parses. The input is as for plcfrs "
        "parse; if it has trees, the model uses their tags.",
        metavar="MODEL",
    )
    index: bool = setting(
        True,
        "Compile a large treebank and keep it in the cache, so that the next search is fast.",
    )
    max_seconds: float = setting(
        MOST_SECONDS,
        "Stop if the regular expressions of a query take longer than this; inf for no limit.",
        least=0,
        fraction=True,
        metavar="SECONDS",
    )
    input: InputOptions = group(InputOptions)

    @property
    def is_list(self) -> bool:
        """Whether the query names a file of queries; in tgrep2 and Tregex, @NP may be a node."""
        is_file = self.language not in ("tgrep2", "tregex") or os.path.exists(self.query[1:])  # noqa: PTH110
        return self.query.startswith("@") and is_file

    def check(self) -> None:
        """Raise if options exclude each other."""
        names = list(self.layout.kinds)
        if self.to is not None or self.output != "-":
            names.insert(0, "-o or --to")
        if len(names) > 1:
            raise InputError(f"{' and '.join(names)} exclude each other: give only one")
        if self.is_list and names:
            raise InputError(f"{self.query} is a file of queries: it excludes {names[0]}")
        if self.transform and self.traces:
            raise InputError("--transform and --traces exclude each other: give only one")
        if self.macros and self.language != "tgrep2":
            raise InputError("--macros needs --language tgrep2")
        layout = self.layout
        if layout.per_million and not (self.is_list or layout.count or layout.count_by):
            raise InputError("--per-million needs --count, --count-by or a file of queries")
        if layout.context and (self.is_list or set(names) - {"--kwic", "--columns"}):
            raise InputError("--context works only with lists of matches, --kwic and --columns")
        if layout.random is not None and self.is_list:
            raise InputError("--random works only with one query, not with a file of queries")


@command_of("find", FindOptions())
def command(chosen: FindOptions) -> None:
    """Find the trees that match a query.

    Prints a line for each match: the sentence, the label (or tag) and the words, with dots for
    gaps. With -o or --to, writes the trees instead. A large treebank is compiled once, see plcfrs
    index.

    The operators come from tgrep2. Every condition after the first node is about this node:
    S < NP < VP is an S with both. Parentheses hold conditions on another node: S < (NP < DT).
    @FILE is a file with a query on each line, which give one table.

    LANGUAGE

    Put a blank before a query that starts with -.

    \b
    Examples: wh-phrases out of the complement clause of a verb; VPs with a finite verb in a gap;
    these verbs; NPs with an extraposed relative clause; trees with a VP of three parts.
      plcfrs find nltk:treebank --transform '/^WH/[moved=*T*] >>, (S[discontinuous] > VP)'
      plcfrs find nltk:treebank --transform 'VP[discontinuous] <~ MD|VBD|VBP|VBZ'
      plcfrs find nltk:treebank --transform 'MD|VBD|VBP|VBZ >~ VP' --count-by words
      plcfrs find nltk:treebank --transform 'NP < S[moved=*ICH* & split=WH]' --draw
      plcfrs find negra.export tiger.export 'VP[fanout>=3]' -o three.export
      plcfrs find article.txt 'VP[discontinuous]' --parse plcfrs:english
    \b
    Tables of named nodes; fifty random matches in their context; a query of another tool.
      plcfrs find tiger.xml 'S < (NP=n $.. VP=v)' --columns n.words,n.function,v.tags
      plcfrs find wsj.treebank 'SBAR >~ NP' --random 50 --kwic
      plcfrs find tiger.xml '#x:[cat="VP"] & discontinuous(#x)' --language tigersearch
    """  # noqa: D301
    chosen.check()
    _check_order(chosen.treebanks, chosen.query)
    names = chosen.layout.names
    searches = [
        QuerySearch(query, names, chosen.transform, TimeLimit(chosen.max_seconds))
        for query in _queries(chosen)
    ]
    if chosen.is_list:
        write_table(searches, _parts_of(chosen), chosen.layout)
    else:
        output = chosen.output, chosen.to
        write_results(searches[0], _parts_of(chosen), chosen.layout, output, chosen.input)
    chosen.input.report()
    for search in searches:
        _report(search)


command.help = cleandoc(str(command.help)).replace("LANGUAGE", help_text())


def _parts_of(chosen: FindOptions) -> Iterator[TreebankPart]:
    """Yield the compiled treebank, or parts of it that are compiled as its trees are read."""
    input = chosen.input
    selected = input.selection
    sources = [] if chosen.parse else sources_of(chosen.treebanks)
    is_compiled = not chosen.transform and bool(sources) and compiled_only(sources, input.format)
    is_whole = selected == EVERYTHING and not input.skip_bad
    is_kept = is_whole and chosen.index and not chosen.traces and is_large(sources)
    if not chosen.parse and (is_compiled or is_kept):
        treebank = open_treebank(
            chosen.treebanks,
            input.format,
            input.encoding,
            options=EVANG_KALLMEYER if chosen.transform else None,
            tell=lambda line: click.echo(line, err=True),
        )
        input.say_if_text(chosen.treebanks)
        chosen_trees = treebank.selected(selected)
        if not chosen_trees.any():
            input.check_selected(chosen.treebanks)
        yield TreebankPart(treebank, None if is_whole else chosen_trees)
        return
    trees = progress(input.read_or_parse(chosen.treebanks, chosen.parse), "find")
    if chosen.transform:
        trees = transform_all(trees)
    if chosen.traces:
        trees = map(with_traces, trees)
    if chosen.layout.context:  # contexts must not end where a part ends
        yield TreebankPart(Treebank(trees))
        return
    size = 1 if chosen.parse else PART
    yield from (TreebankPart(Treebank(part)) for part in compiled_parts(trees, size))


def _report(search: QuerySearch) -> None:
    click.echo(search, err=True)
    for label in search.absent if search.trees else ():
        click.echo(f"{label} is not a category, tag or word of any tree", err=True)
    if search.has_traces and not search.matches:
        click.echo("the trees have traces: --transform turns them into crossing branches", err=True)
    if search.query.is_about_nulls and not search.has_traces:
        click.echo("no null elements: try without --transform, or with --traces", err=True)


def _queries(chosen: FindOptions) -> Iterator[Query]:
    """Yield the query, or the queries of a file; their errors name the line."""
    macros = f"{read_utf8(chosen.macros, 'macros')}\n" if chosen.macros else ""
    if not chosen.is_list:
        yield _query(macros + chosen.query, chosen.language)
        return
    name = chosen.query[1:]
    for line, text in _read_queries(name, chosen.language):
        try:
            yield _query(macros + text, chosen.language)
        except InputError as error:
            raise InputError(f"{name}:{line}: {error}") from None


def _read_queries(name: str, language: str | None) -> list[tuple[int, str]]:
    """Return the queries of a file with the numbers of their lines.

    Lines that begin with # are comments, or with // in TIGERSearch, where # begins a variable.
    """
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not utf-8"
        raise InputError(f"{name}: cannot be read: {reason}") from None
    comment = "//" if language == "tigersearch" else "#"
    numbered = enumerate(map(str.strip, lines), start=1)
    queries = [(i, line) for i, line in numbered if line and not line.startswith(comment)]
    if not queries:
        raise InputError(f"{name}: no queries in this file")
    return queries


def _query(text: str, language: str | None) -> Query:
    """Return a query, translated with --language; an error may show a translation."""
    if language is None:
        try:
            return parse_query(text)
        except InputError as error:
            translated = suggest(text)
            hint = f"; translated query: {translated}" if translated else ""
            raise InputError(f"{error}{hint}") from None
    translated = translate(text, language)
    click.echo(f"query: {translated}", err=True)
    return parse_query(translated)


def _check_order(treebanks: tuple[str, ...], query: str) -> None:
    """Raise an InputError if the query comes before the files."""
    if not _is_source(query):
        return
    if treebanks == ("-",):
        raise InputError(f"{query} is a file: expected a query after it")
    first, *others = treebanks
    if not _is_source(first) and _is_query(first):
        command = shlex.join(["plcfrs", "find", *others, query, first])
        raise InputError(f"{query} is a file, but the query comes after the files: {command}")


def _is_source(name: str) -> bool:
    # Path.exists fails on long names.
    return os.path.exists(name) or name.startswith((NLTK, DEMO))  # noqa: PTH110


def _is_query(text: str) -> bool:
    try:
        parse_query(text)
    except InputError:
        return False
    return True
