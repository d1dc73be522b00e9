"""Tables of stimuli of experiments: CSV or TSV with a column `sentence` or `word`.

With `word`, each row has one or a few words; successive rows are one sentence as long as the
columns that name the sentence are the same. Otherwise, each row is a sentence; marks, ``|`` or
``/``, cut it into regions. A test suite of SyntaxGym is read as a table with a row for each region.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from itertools import groupby
from typing import NamedTuple

from plcfrs.corpus.surprisal_table import Row, header, merged
from plcfrs.corpus.syntaxgym import is_suite, lines_of
from plcfrs.errors import InputError, TreebankError
from plcfrs.text import Splitter
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.files import find_sources, read_lines, read_start, uncompressed
from plcfrs.treebank.reading import Selection, check_characters
from plcfrs.trees import ROOT, Node, Tree

_EXTENSIONS = (".csv", ".tsv")
_NAMING = ("sentence", "sentence_id", "list", "item", "condition")
_SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # the first line of files for Excel
_MARK = re.compile(r"\|(?!/)|/(?!\S)")  # between regions; not in and/or, and not |/SYM with its tag
_REGION = "|"  # the column of their numbers, which no table has


class _TableRow(NamedTuple):
    chunk: Chunk  # its sentence or word
    cells: dict[str, str]  # of all columns

    def regions(self) -> list[_TableRow]:
        """Return a row for each region of a sentence."""
        texts = [text for text in _MARK.split(self.chunk.text) if text.strip()] or [""]
        return [
            _TableRow(self.chunk._replace(text=text), self.cells | {_REGION: str(number)})
            for number, text in enumerate(texts, start=1)
        ]


class UnsplitStimulus(NamedTuple):
    """A sentence of a list or a table, not yet split into words.

    Parameters
    ----------
    id : str
        Its name in the table; without one, its number.
    rows : list
        Its rows in the table, or its regions.
    kept : dict of str to str
        The other columns, and their names in the output.
    """

    id: str
    rows: list[_TableRow]
    kept: dict[str, str]

    @property
    def text(self) -> str:
        """The sentence as it is in the table."""
        return " ".join(row.chunk.text for row in self.rows)

    def read(self, format: str | None, splitter: Splitter | None) -> Stimulus:
        """Split it into words, or raise a TreebankError."""
        texts = [row.chunk.text for row in self.rows]
        is_words = "word" in self.rows[0].cells
        if splitter:
            parts = splitter.tokens_of(texts)
        else:
            parts = [FORMATS[format or "tokens"].parse(row.chunk).tokens for row in self.rows]
        for row, tokens in zip(self.rows, parts, strict=True):
            if is_words and not tokens:
                raise row.chunk.error("a row has no word")
        tokens = [token for part in parts for token in part]
        return Stimulus(
            Tree(Node(ROOT, children=list(range(len(tokens)))), tokens, self.id),
            [{new: row.cells[name] for name, new in self.kept.items()} for row in self.rows],
            texts if is_words else [],
            [number for number, part in enumerate(parts) for _ in part],
        )


@dataclass
class Stimulus:
    """A sentence of a table.

    Attributes
    ----------
    tree : Tree
        Its words below the root.
    kept : list of dict of str to str
        The other columns of each of its rows, or of its regions.
    words : list of str
        The words of each row; none if its only row is the sentence.
    rows : list of int
        The row or the region of each token, from 0.
    """

    tree: Tree
    kept: list[dict[str, str]]
    words: list[str]
    rows: list[int]

    def arranged(self, token_rows: Sequence[Row], fixed: Collection[str]) -> list[Row]:
        """Return output rows for the rows of its table, and for its end if there is one.

        Each row of the table gets the values of its tokens together. The end gets the columns that
        are `fixed` in sentences.
        """
        tokens = iter(token_rows)
        if self.words:
            words = [
                merged([next(tokens) for _ in same]) | {"word": self.words[row]} | self.kept[row]
                for row, same in groupby(self.rows)
            ]
        else:
            words = [next(tokens) | self.kept[row] for row in self.rows]
        end = {name: self.kept[0][name] if name in fixed else None for name in self.kept[0]}
        return [*words, *(row | end for row in tokens)]

    def fixed(self) -> set[str]:
        """Return the columns that are the same in all rows of the sentence."""
        return {name for name in self.kept[0] if len({cells[name] for cells in self.kept}) == 1}


@dataclass
class Stimuli:
    """The sentences of tables, and the names of the columns that are kept."""

    sentences: list[Stimulus]
    kept: list[str]

    def selected(self, selection: Selection) -> Stimuli:
        """Return the sentences that are selected."""
        numbered = enumerate(self.sentences, start=1)
        chosen = [stimulus for i, stimulus in numbered if selection.includes(i, stimulus.tree)]
        return Stimuli(chosen, self.kept)

    def read(self) -> tuple[Iterator[Tree], Callable[[], int]]:
        """Return the trees, and a function that counts them."""
        return (stimulus.tree for stimulus in self.sentences), self.sentences.__len__

    def arranged(self, number: int, token_rows: Sequence[Row]) -> list[Row]:
        """Return the output rows of a sentence: see `Stimulus.arranged`."""
        return self.sentences[number].arranged(token_rows, self._fixed)

    @property
    def are_marked(self) -> bool:
        """Whether marks cut sentences into regions."""
        return any(len(stimulus.kept) > 1 and not stimulus.words for stimulus in self.sentences)

    @cached_property
    def _fixed(self) -> set[str]:
        return set(self.kept).intersection(*(stimulus.fixed() for stimulus in self.sentences))


def are_tables(names: Iterable[str]) -> bool:
    """Return whether all files are tables, by their extensions, or test suites of SyntaxGym.

    >>> are_tables(["items.csv", "fillers.tsv.gz"]), are_tables(["items.txt"])
    (True, False)
    """
    return all(
        uncompressed(name).lower().endswith(_EXTENSIONS) or _is_suite(name) for name in names
    )


def _is_suite(name: str) -> bool:
    if not uncompressed(name).lower().endswith(".json"):
        return False
    return all(is_suite(read_start(source)) for source in find_sources([name], ()))


def read_stimuli(
    names: Sequence[str], format: str | None, encoding: str, splitter: Splitter | None = None
) -> Stimuli:
    """Read tables that have the same columns.

    Parameters
    ----------
    names : sequence of str
        As for `read_trees`.
    format : str
        The format of sentences with blanks between words: "tokens" or "tagged".
    splitter : Splitter, optional
        Splits running text instead.

    Raises
    ------
    InputError
        If there is neither a column `sentence` nor `word`, or no column tells which words are one
        sentence.
    TreebankError
        If a table cannot be read, or a row has too many or too few cells.
    """
    stimuli = Stimuli([], [])
    for source in find_sources(names, _EXTENSIONS):
        lines = read_lines(source, FORMATS["tokens"], encoding)
        if _is_suite(source.name):
            text = "".join(lines)
            check_characters(Chunk(source.name, 1, text, 1), encoding)
            lines = lines_of(text, source.name)
        kept, unsplit = _read_table(lines, source.name, encoding, len(stimuli.sentences) + 1)
        if stimuli.sentences and kept != stimuli.kept:
            raise InputError(f"{source.name}: not the same columns as in the previous table")
        stimuli.kept = kept
        stimuli.sentences += [stimulus.read(format, splitter) for stimulus in unsplit]
    return stimuli


def read_unsplit(text: str, name: str) -> tuple[list[str], list[UnsplitStimulus]]:
    r"""Return the kept columns and the sentences of a table or a list, not yet split into words.

    A table has tabs, or a column `sentence` or `word`; a list has a sentence on each line. Raises
    the errors of `read_stimuli`.

    >>> kept, stimuli = read_unsplit("item,sentence\n4,What now ?\n", "the table")
    >>> kept, [stimulus.text for stimulus in stimuli]
    (['item'], ['What now ?'])
    >>> read_unsplit("What now ?\n\nWho ?", "the list")[1][1].id
    '2'
    """
    lines = list(StringIO(text))
    _, delimiter, names = _read_header(iter(lines))
    if delimiter == "\t" or {"sentence", "word"}.intersection(name.lower() for name in names):
        kept, stimuli = _read_table(iter(lines), name, "utf-8", 1)
        return kept, list(stimuli)
    chunks = [Chunk(name, i, line.strip(), i) for i, line in enumerate(lines, start=1)]
    rows = [_TableRow(chunk, {}) for chunk in chunks if chunk.text]
    return [], [UnsplitStimulus(str(i), [row], {}) for i, row in enumerate(rows, start=1)]


def _read_header(lines: Iterator[str]) -> tuple[int, str, list[str]]:
    """Return the number of the line with the names of the columns, the delimiter, and the names."""
    number, line = 1, next(lines, "")
    stated = _SEPARATOR.fullmatch(line)
    if stated:
        number, line = 2, next(lines, "")
    delimiter = stated[1] if stated else max(",;\t", key=line.count)
    try:
        names = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # longer than the limit of a cell
        names = []
    return number, delimiter, [name.strip() for name in names]


def _read_table(
    lines: Iterator[str], path: str, encoding: str, first: int
) -> tuple[list[str], Iterator[UnsplitStimulus]]:
    """Return the kept columns and the sentences of a table; see `_numbered`."""
    above, delimiter, names = _read_header(lines)
    check_characters(Chunk(path, above, " ".join(names), above), encoding)
    columns = [name.lower() for name in names]
    if twice := [name for name in columns if columns.count(name) > 1]:
        raise InputError(f"{path}: two columns have the name {twice[0]!r}")
    text = next((name for name in ("word", "sentence") if name in columns), None)
    if text is None:
        found = ", ".join(columns) or "nothing"
        raise InputError(f"{path}: expected a column sentence or word, but found {found}")

    def read_rows() -> Iterator[_TableRow]:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            line = above + reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise TreebankError(f"not a table: {error}", path, line) from None
            if cells is None:
                return
            check_characters(Chunk(path, line, " ".join(cells), line), encoding)
            if not any(cells):
                continue
            if len(cells) != len(columns):
                message = f"{len(cells)} cells, but there are {len(columns)} columns"
                raise TreebankError(message, path, line)
            named = dict(zip(columns, cells, strict=True))
            yield _TableRow(Chunk(path, line, named[text], line), named)

    rows, kept = list(read_rows()), _kept(names)
    if text == "sentence" and any(len(row.regions()) > 1 for row in rows):
        kept = _kept(names, "region") | {_REGION: "region"}
    return [*kept.values()], _numbered(columns, kept, rows, path, first)


def _kept(columns: Sequence[str], *added: str) -> dict[str, str]:
    """Return all columns but the text, in lower case, with their names in the output."""
    own = set(header(0))
    return {
        name.lower(): f"given_{name}" if name in own or name.lower() in added else name
        for name in columns
        if name.lower() not in ("sentence", "word")
    }


def _numbered(
    columns: Sequence[str], kept: dict[str, str], rows: Iterable[_TableRow], path: str, first: int
) -> Iterator[UnsplitStimulus]:
    """Yield the sentences of a table; they are numbered from `first`, which names those without."""
    for number, group in enumerate(_sentences(columns, rows, path), start=first):
        name = group[0].cells.get("sentence") if "word" in columns else None
        yield UnsplitStimulus(name or str(number), group, kept)


def _sentences(
    columns: Sequence[str], rows: Iterable[_TableRow], path: str
) -> Iterator[list[_TableRow]]:
    """Yield the rows of each sentence."""
    if "word" not in columns:
        yield from (row.regions() for row in rows)
        return
    naming = [name for name in _NAMING if name in columns]
    if not naming:
        raise InputError(
            f"{path}: no column tells the sentences apart: add a column sentence with the same "
            "name or number in all rows of a sentence"
        )
    for _, group in groupby(rows, key=lambda row: [row.cells[name] for name in naming]):
        yield list(group)
