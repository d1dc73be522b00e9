"""Tables of stimuli, as experiments have them: CSV or TSV with a column `sentence` or `word`.

With `word`, each row is a word, or a few together; rows that follow each other are one sentence
while the columns that name it are the same. Otherwise, each row is a sentence.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from plcfrs.corpus.surprisal_table import Row, header, together
from plcfrs.errors import InputError, TreebankError
from plcfrs.text import Splitter
from plcfrs.treebank.files import Source, find_sources, read_lines, uncompressed
from plcfrs.treebank.format import Chunk
from plcfrs.treebank.reading import Selection, check_characters
from plcfrs.treebank.registry import FORMATS
from plcfrs.trees import ROOT, Node, Tree

_EXTENSIONS = (".csv", ".tsv")
_NAMING = ("sentence", "sentence_id", "list", "item", "condition")


class _TableRow(NamedTuple):
    chunk: Chunk  # its sentence or word
    cells: dict[str, str]  # of all columns


@dataclass
class Stimulus:
    """A sentence of a table.

    Attributes
    ----------
    tree : Tree
        Its words below the root.
    kept : list of dict of str to str
        The other columns of each of its rows.
    words : list of str
        The words of each row; none if its only row is the sentence.
    rows : list of int
        The row of each token, from 0.
    """

    tree: Tree
    kept: list[dict[str, str]]
    words: list[str]
    rows: list[int]

    def arranged(self, found: Sequence[Row], fixed: Collection[str]) -> list[Row]:
        """Return the rows of its tokens as the table has them, and that of its end.

        The end has the columns that are `fixed` in sentences.
        """
        if not self.words:
            return [row | self.kept[0] for row in found]
        tokens = iter(found)
        words = [
            together([next(tokens) for _ in same]) | {"word": self.words[row]} | self.kept[row]
            for row, same in groupby(self.rows)
        ]
        end = {name: self.kept[0][name] if name in fixed else None for name in self.kept[0]}
        return [*words, *(row | end for row in tokens)]

    def fixed(self) -> set[str]:
        """Return the columns that are the same in all rows of the sentence."""
        return {name for name in self.kept[0] if len({each[name] for each in self.kept}) == 1}


@dataclass
class Stimuli:
    """The sentences of tables, and the names of the columns that are kept."""

    sentences: list[Stimulus]
    kept: list[str]

    def selected(self, selection: Selection) -> Stimuli:
        """Return the sentences that are selected."""
        numbered = enumerate(self.sentences, start=1)
        chosen = [each for number, each in numbered if selection.includes(number, each.tree)]
        return Stimuli(chosen, self.kept)

    def read(self) -> tuple[Iterator[Tree], Callable[[], int]]:
        """Return the trees, and a function that counts them."""
        return (each.tree for each in self.sentences), self.sentences.__len__

    def arranged(self, number: int, found: Sequence[Row]) -> list[Row]:
        """Return the rows of the tokens of a sentence as its table has them, and of its end."""
        return self.sentences[number].arranged(found, self._fixed)

    @cached_property
    def _fixed(self) -> set[str]:
        return set(self.kept).intersection(*(each.fixed() for each in self.sentences))


def are_tables(names: Iterable[str]) -> bool:
    """Return whether all files have the extension of a table.

    >>> are_tables(["items.csv", "fillers.tsv.gz"]), are_tables(["items.txt"])
    (True, False)
    """
    return all(uncompressed(name).lower().endswith(_EXTENSIONS) for name in names)


def read_stimuli(
    names: Sequence[str], format: str | None, encoding: str, splitter: Splitter | None = None
) -> Stimuli:
    """Read tables that have the same columns.

    Parameters
    ----------
    names : sequence of str
        As for `read_trees`.
    format : str
        How their texts are split into words at blanks: "tokens" or "tagged".
    splitter : Splitter, optional
        Splits running text instead.

    Raises
    ------
    InputError
        If there is neither a column `sentence` nor `word`, or nothing says which words are one
        sentence.
    TreebankError
        If a table cannot be read, or a row has too many or too few cells.
    """
    found = Stimuli([], [])
    for source in find_sources(names, _EXTENSIONS):
        given, rows = _read_table(source, encoding)
        columns = [name.lower() for name in given]
        kept = _kept(given)
        if found.sentences and [*kept.values()] != found.kept:
            raise InputError(f"{source.name}: not the same columns as in the table before")
        found.kept = [*kept.values()]
        for id, group in _sentences(columns, rows, source.name):
            id = id or str(len(found.sentences) + 1)
            found.sentences.append(_stimulus(id, group, kept, format, splitter))
    return found


def _read_table(source: Source, encoding: str) -> tuple[list[str], Iterator[_TableRow]]:
    """Return the names of the columns, and an iterator over the rows."""
    lines = read_lines(source, FORMATS["tokens"], encoding)
    first = next(lines, "")
    delimiter = max(",;\t", key=first.count)
    names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
    columns = [name.lower() for name in names]
    if twice := [name for name in columns if columns.count(name) > 1]:
        raise InputError(f"{source.name}: two columns are called {twice[0]!r}")
    text = next((name for name in ("word", "sentence") if name in columns), None)
    if text is None:
        raise InputError(
            f"{source.name}: no column is called sentence or word, only {', '.join(columns)}"
        )

    def rows() -> Iterator[_TableRow]:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            line = reader.line_num + 2
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise TreebankError(f"not a table: {error}", source.name, line) from None
            if cells is None:
                return
            check_characters(Chunk(source.name, line, "\n".join(cells), line), encoding)
            if not any(cells):
                continue
            if len(cells) != len(columns):
                message = f"{len(cells)} cells, but there are {len(columns)} columns"
                raise TreebankError(message, source.name, line)
            named = dict(zip(columns, cells, strict=True))
            yield _TableRow(Chunk(source.name, line, named[text], line), named)

    return names, rows()


def _kept(columns: Sequence[str]) -> dict[str, str]:
    """Return the other columns than the text, in lower case, and their names in the output."""
    own = set(header(0))
    return {
        name.lower(): f"given_{name}" if name in own else name
        for name in columns
        if name.lower() not in ("sentence", "word")
    }


def _sentences(
    columns: Sequence[str], rows: Iterable[_TableRow], path: str
) -> Iterator[tuple[str, list[_TableRow]]]:
    """Yield the name of each sentence, if it has one, and its rows."""
    if "word" not in columns:
        yield from (("", [row]) for row in rows)
        return
    naming = [name for name in _NAMING if name in columns]
    if not naming:
        raise InputError(
            f"{path}: which words are one sentence? Add a column sentence, with the same name or "
            "number in all rows of a sentence"
        )
    for _, group in groupby(rows, key=lambda row: [row.cells[name] for name in naming]):
        sentence = list(group)
        yield sentence[0].cells.get("sentence", ""), sentence


def _stimulus(
    id: str,
    group: list[_TableRow],
    kept: dict[str, str],
    format: str | None,
    splitter: Splitter | None,
) -> Stimulus:
    texts = [row.chunk.text for row in group]
    is_words = "word" in group[0].cells
    if splitter:
        parts = splitter.tokens_of(texts)
    else:
        parts = [FORMATS[format or "tokens"].parse(row.chunk).tokens for row in group]
    for row, tokens in zip(group, parts, strict=True):
        if is_words and not tokens:
            raise row.chunk.error("a row without a word")
    tokens = [token for part in parts for token in part]
    return Stimulus(
        Tree(Node(ROOT, children=list(range(len(tokens)))), tokens, id),
        [{new: row.cells[name] for name, new in kept.items()} for row in group],
        texts if is_words else [],
        [number for number, part in enumerate(parts) for _ in part],
    )
