"""The surprisal of the words of many sentences, here or in several processes, and its table.

The table has a row for each word: its surprisal, and the most probable analyses after it.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from io import StringIO
from math import inf
from typing import NamedTuple

from plcfrs.corpus.parsing import in_chunks
from plcfrs.corpus.sharing import Shared
from plcfrs.corpus.workers import TOO_LONG, map_in_order
from plcfrs.parsing.analyses import Analysis
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.parsing.surprisal import PrefixReader, Status, Surprisal
from plcfrs.trees.notation import render_discbracket

_NUMBERS = (
    "surprisal",
    "at_least",
    "at_most",
    "tag_surprisal",
    "word_surprisal",
    "log_prefix_probability",
    "entropy",
    "entropy_reduction",
    "derivation_entropy",
    "derivation_entropy_reduction",
)
COLUMNS = ("sentence", "position", "word", "tag", *_NUMBERS, "status")
ANALYSIS_COLUMNS = ("probability", "open", "awaited", "tree")
DELIMITERS = {"tsv": "\t", "csv": ","}


def header(analyses: int) -> list[str]:
    """Return the names of the columns, with those of some analyses after each word."""
    ranks = range(1, analyses + 1)
    return [*COLUMNS, *(f"{name}_{rank}" for rank in ranks for name in ANALYSIS_COLUMNS)]


def rows(
    sentence: str, tags: Sequence[str] | None, words: Sequence[Surprisal], analyses: int
) -> Iterator[list[str]]:
    """Yield a row for each word of a sentence; unknown values are NA."""
    for position, word in enumerate(words):
        tag = tags[position] if tags else ""
        more = [cell for each in word.analyses for cell in _analysis_cells(each)]
        absent = ["NA"] * (len(ANALYSIS_COLUMNS) * analyses - len(more))
        numbers = [_number_cell(getattr(word, name)) for name in _NUMBERS]
        start = (sentence, str(position), word.word, tag or "NA")
        yield [*start, *numbers, word.status, *more, *absent]


def render_table(lines: Iterable[Sequence[str]], kind: str) -> str:
    """Return a table as text, of one of the kinds in `DELIMITERS`."""
    text = StringIO()
    csv.writer(text, delimiter=DELIMITERS[kind], lineterminator="\n").writerows(lines)
    return text.getvalue()


def _number_cell(number: float | None) -> str:
    return "NA" if number is None else f"{number:.6g}"


def _analysis_cells(analysis: Analysis) -> list[str]:
    tokens = analysis.tree.tokens
    awaited = [
        f"{category}({' '.join(tokens[position].form for position in positions)})"
        for category, positions in analysis.awaited
    ]
    return [
        _number_cell(analysis.probability),
        " ".join(analysis.open),
        " ".join(awaited),
        render_discbracket(analysis.tree),
    ]


# Tokens that a process gets at a time: about a second of work.
_CHUNK = 50


class Read(NamedTuple):
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
) -> Generator[Read, None, None]:
    """Yield the surprisal of the words of each sentence, in order, like `GrammarModel.surprisal`.

    With several jobs, a process that takes longer than `max_wall_seconds` for a sentence is ended,
    and its words have the status "out of time".

    >>> from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
    >>> from plcfrs import GrammarModel
    >>> s, a = Nonterminal("S"), tag("A")
    >>> model = GrammarModel(Grammar({Rule(s, (a,), ((0,),)): 1}, start=s))
    >>> [read.words[0].surprisal for read in surprisal_all(model, [[("a", "A")]])]
    [0.0]
    """
    read = partial(_read, analyses=analyses, derivation_entropy=derivation_entropy)
    model.prefixes  # noqa: B018 (once, for all processes)
    if jobs == 1:
        for sentence in map(Sentence.of, sentences):
            yield read(model, sentence)
    else:
        yield from map_in_order(
            partial(_read_function, Shared(model), read),
            in_chunks(sentences, _CHUNK),
            jobs,
            lost=_lost_sentence,
            seconds=max_wall_seconds,
        )


def _read(
    model: PrefixReader, sentence: Sentence, analyses: int, *, derivation_entropy: bool
) -> Read:
    words = model.surprisal(sentence, analyses, derivation_entropy=derivation_entropy)
    return Read(sentence, words)


def _read_function(
    shared: Shared, read: Callable[[PrefixReader, Sentence], Read]
) -> Callable[[Sentence], Read]:
    return partial(read, shared.load())


def _lost_sentence(item: Sentence, why: str) -> Read:
    status: Status = "out of time" if why == TOO_LONG else "crashed"
    return Read(item, [Surprisal(word, status=status) for word in item.words])
