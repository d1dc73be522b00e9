"""The surprisal of the words of many sentences, here or in several processes, and its table.

The table has a row for each word: its surprisal, and the most probable analyses after it.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import count, zip_longest
from math import inf
from typing import Any, NamedTuple, TextIO
from unicodedata import category

from plcfrs.corpus.outcomes import in_chunks
from plcfrs.corpus.sending import Shared
from plcfrs.corpus.workers import TOO_LONG, map_in_order
from plcfrs.forest.surprisal import END, PRECISION, Analysis, PrefixReader, Status, Surprisal
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.text.spelling import in_running_text
from plcfrs.trees.notation import render_discbracket

_NUMBERS = [
    name for name in Surprisal._fields if name not in ("word", "analyses", "known", "status")
]
_PREFIX_COLUMNS = ("log_prefix_probability", "entropy", "derivation_entropy")
_SUMMED = [name for name in _NUMBERS if name not in _PREFIX_COLUMNS]
_ANALYSIS_COLUMNS = ("probability", "open", "awaited", "tree")
DELIMITERS = {"tsv": "\t", "csv": ","}

_READ_ALOUD = "%&#@*/\N{SECTION SIGN}"

Row = dict[str, Any]
"""The cells of one or several words, by the names of their columns."""


def header(analyses: int, kept: Sequence[str] = ()) -> list[str]:
    """Return the names of the columns, including kept columns of the input, and analyses."""
    ranks = range(1, analyses + 1)
    more = [f"{name}_{rank}" for rank in ranks for name in _ANALYSIS_COLUMNS]
    return ["sentence", *kept, "position", "word", "tag", *_NUMBERS, "known", "status", *more]


def rows(sentence: str, tags: Sequence[str] | None, words: Sequence[Surprisal]) -> list[Row]:
    """Return a row for each word of a sentence; its end has no tag."""
    return [
        {"sentence": sentence, "position": position, "tag": tag or None, **word._asdict()}
        for position, (word, tag) in enumerate(zip_longest(words, tags or ()))
    ]


def merged(words: Sequence[Row], texts: Row | None = None) -> Row:
    """Return one row for several successive words.

    Surprisal and reductions are summed; entropies and analyses are those after the last word.
    `texts` are the cells of the other columns; by default, different cells are joined by blanks.

    >>> words = [Surprisal("the", 2.0, status="read"), Surprisal("boat", 3.5, status="read")]
    >>> row = merged(rows("1", None, words))
    >>> row["word"], row["surprisal"], row["position"]
    ('the boat', 5.5, 0)
    """
    first, last = words[0], words[-1]
    row = last | {"position": first["position"]}
    for name in _SUMMED:
        numbers = [word[name] for word in words]
        row[name] = None if None in numbers else sum(numbers)
    row["status"] = next((word["status"] for word in words if word["status"] != "read"), "read")
    if texts is None:
        texts = {name: _joined(words, name) for name in _texts(first)}
        known = [word["known"] for word in words if word["known"] is not None]
        texts["known"] = min(known, default=None)
    return row | texts


def without_punctuation(tokens: Sequence[Row]) -> list[Row]:
    """Return the rows of words; punctuation is merged with the word before, or the first word."""
    groups: list[list[Row]] = []
    words: list[Row] = []
    for row in tokens:
        is_mark = is_punctuation(row["word"])
        if not groups or (not is_mark and not is_punctuation(words[-1]["word"])):
            groups.append([])
            words.append(row)
        groups[-1].append(row)
        if not is_mark:
            words[-1] = row
    return [
        merged(group, {name: word[name] for name in (*_texts(word), "known")})
        for group, word in zip(groups, words, strict=True)
    ]


def _texts(row: Row) -> list[str]:
    """Return the columns of a row that are neither numbers nor about the reading."""
    return [name for name, cell in row.items() if isinstance(cell, str) and name != "status"]


def _joined(words: Sequence[Row], name: str) -> str:
    texts = [str(row[name]) for row in words if row[name] is not None]
    return texts[0] if len({*texts}) == 1 and name not in ("word", "tag") else " ".join(texts)


def is_punctuation(word: str) -> bool:
    """Whether a token is punctuation; signs that are read aloud, such as %, are not.

    >>> [is_punctuation(word) for word in [",", "``", "-LRB-", "--", "%", "U.S."]]
    [True, True, True, True, False, False]
    """
    return all(
        category(sign)[0] == "P" and sign not in _READ_ALOUD for sign in in_running_text(word)
    )


class TableWriter:
    """Writes a table, in one of the formats in `DELIMITERS`; unknown values are NA."""

    def __init__(self, file: TextIO, columns: Sequence[str], kind: str) -> None:
        self._columns = columns
        self._writer = csv.writer(file, delimiter=DELIMITERS[kind], lineterminator="\n")

    def begin(self) -> None:
        """Write the names of the columns."""
        self._writer.writerow(self._columns)

    def write(self, lines: Iterable[Row]) -> None:
        """Write rows."""
        for row in lines:
            named = row | _analysis_cells(row["analyses"])
            self._writer.writerow([_cell(named.get(name)) for name in self._columns])


def render_tables(lines: Sequence[Row], columns: Sequence[str]) -> dict[str, str]:
    """Return a table as text in each format, by the names of the formats."""
    tables = {}
    for kind in DELIMITERS:
        text = StringIO()
        writer = TableWriter(text, columns, kind)
        writer.begin()
        writer.write(lines)
        tables[kind] = text.getvalue()
    return tables


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return "NA" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _analysis_cells(analyses: Iterable[Analysis]) -> dict[str, float | str]:
    row: dict[str, float | str] = {}
    for rank, analysis in enumerate(analyses, start=1):
        tokens = analysis.tree.tokens
        awaited = [
            f"{label}({' '.join(tokens[position].form for position in positions)})"
            for label, positions in analysis.awaited
        ]
        tree = render_discbracket(analysis.tree)
        cells: list[float | str]
        cells = [analysis.probability, " ".join(analysis.open), " ".join(awaited), tree]
        row |= {f"{name}_{rank}": cell for name, cell in zip(_ANALYSIS_COLUMNS, cells, strict=True)}
    return row


# Tokens that a process gets at a time: about a second of work.
_CHUNK = 50

# Sentences with this many first words in common are read one after the other.
_FIRST = 3


class ReadSentence(NamedTuple):
    """A sentence and the surprisal of its words."""

    sentence: Sentence
    words: list[Surprisal]


def surprisal_all(
    model: PrefixReader,
    sentences: Iterable[Input],
    jobs: int = 1,
    max_wall_seconds: float = inf,
    analyses: int = 0,
    *,
    derivation_entropy: bool = False,
    end: bool = False,
    precision: float = PRECISION,
) -> Generator[ReadSentence, None, None]:
    """Yield the surprisal of the words of each sentence, in order, like `PrefixReader.surprisal`.

    A sentence that begins like the one before it, as in an experiment, continues from there. If
    `sentences` is a sequence, those with the same first words are read one after the other.

    With several jobs, a process that takes longer than `max_wall_seconds` for a sentence is ended,
    and the words have the status "out of time". With `end`, the end of a sentence follows its
    words.

    >>> from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
    >>> from plcfrs import GrammarModel
    >>> s, a = Nonterminal("S"), tag("A")
    >>> model = GrammarModel(Grammar({Rule(s, (a,), ((0,),)): 1}, start=s))
    >>> [read.words[0].surprisal for read in surprisal_all(model, [[("a", "A")]])]
    [0.0]
    """
    read = partial(
        _read,
        analyses=analyses,
        derivation_entropy=derivation_entropy,
        end=end,
        precision=precision,
    )
    model.prefixes  # noqa: B018 (once, for all processes)
    order: Iterable[int] = count()
    if isinstance(sentences, Sequence):
        converted = list(map(model.read, sentences))
        order = _beginning_alike(converted)
        sentences = [converted[place] for place in order]
    results: Iterable[ReadSentence]
    if jobs == 1:
        results = (read(model, model.read(sentence)) for sentence in sentences)
    else:
        results = map_in_order(
            partial(_read_function, Shared(model), read),
            in_chunks(map(model.read, sentences), _CHUNK),
            jobs,
            lost=partial(_lost_sentence, end=end),
            seconds=max_wall_seconds,
        )
    yield from _in_order(zip(order, results, strict=False))


def _beginning_alike(sentences: Sequence[Sentence]) -> list[int]:
    """Return the places of sentences, each followed by all others with the same first words.

    >>> _beginning_alike([Sentence.of(text) for text in ("a b c d", "x", "a b c", "x y")])
    [2, 0, 1, 3]
    """
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, sentence in enumerate(sentences):
        groups[tuple(sentence.words[:_FIRST])].append(place)
    return [
        place
        for group in groups.values()
        for place in sorted(group, key=lambda place: sentences[place].words)
    ]


def _in_order(results: Iterable[tuple[int, ReadSentence]]) -> Iterator[ReadSentence]:
    """Yield results in the order of their places, from 0."""
    waiting: dict[int, ReadSentence] = {}
    following = 0
    for place, result in results:
        waiting[place] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _read(model: PrefixReader, sentence: Sentence, **options: Any) -> ReadSentence:  # noqa: ANN401
    return ReadSentence(sentence, model.surprisal(sentence, **options))


def _read_function(
    shared: Shared, read: Callable[[PrefixReader, Sentence], ReadSentence]
) -> Callable[[Sentence], ReadSentence]:
    return partial(read, shared.load())


def _lost_sentence(sentence: Sentence, why: str, *, end: bool) -> ReadSentence:
    status: Status = "out of time" if why == TOO_LONG else "crashed"
    words = sentence.words + [END] * end
    return ReadSentence(sentence, [Surprisal(word, status=status) for word in words])
