"""The surprisal of the words of sentences, and the most probable analyses after a word."""

from __future__ import annotations

from time import perf_counter
from typing import Literal, cast

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field

from plcfrs.compiling import working_time
from plcfrs.corpus.stimuli import UnsplitStimulus, read_unsplit
from plcfrs.corpus.surprisal_table import Row, header, render_tables, rows
from plcfrs.drawing.bars import WordBar, render_bars
from plcfrs.drawing.svg import png_of
from plcfrs.errors import TreebankError
from plcfrs.forest.surprisal import Analysis, PrefixReader, Surprisal
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import until_stopped
from plcfrs.web import routes
from plcfrs.web.limits import Limits, RefusedError
from plcfrs.web.store import NamedModel

_ANALYSES = 10  # times the limit of parses, in one answer
_MOST_ROWS = 10  # of a chart
_MOST_BITS = 10_000
_MOST_ITEMS = 2000
_SECONDS = 1.0  # of reading items for one answer

# A message about the first word with each status.
_MESSAGES = {
    "read": "",
    "bounded": "From “{word}” on, the limits were nearly reached, so improbable constituents "
    "were left out. Surprisal is an estimate between its bounds.",
    "no sentence": "The grammar has no sentence that continues with “{word}”.",
    "unknown word": "The grammar does not know the word “{word}”: give all words their tags, as in "
    "word/TAG.",
    "out of time": "The time limit was reached at “{word}”.",
    "out of memory": "The memory limit was reached at “{word}”.",
    "out of items": "The limit of items was reached at “{word}”.",
}

api = APIRouter()


class SurprisalRequest(routes.SentenceRequest):
    """A sentence to read word by word."""

    sentence: str = Field(
        default="1", max_length=1000, description="The identifier of the sentence in the table."
    )
    analyses: int = Field(
        default=0,
        ge=0,
        description="Number of analyses to list after each word, the most probable first.",
    )
    at: list[int] | None = Field(
        default=None,
        description="List analyses only after the words at these positions, from 0.",
    )
    derivation_entropy: bool = Field(
        default=False,
        description="Whether to compute the entropy of the whole derivation, which takes several "
        "times as long.",
    )


class AwaitedAnswer(routes.Answer):
    """A constituent that continues after a gap."""

    category: str = Field(description="Its category.")
    positions: list[int] = Field(description="Positions of its words so far, from 0.")
    node: int = Field(description="The constituent, by its data-node in the picture.")


class AnalysisAnswer(routes.Answer):
    """A possible structure of the sentence up to a word."""

    probability: float = Field(description="The probability given the words so far.")
    open: list[str] = Field(
        description="Categories of the constituents that continue with the next word, the "
        "largest first."
    )
    awaited: list[AwaitedAnswer] = Field(
        description="Constituents that continue after a gap, the largest first."
    )
    tree: routes.TreeAnswer = Field(
        description="The tree of the words so far: all constituents with some of these words, the "
        "open ones in red."
    )


class WordAnswer(routes.Answer):
    """A word and its surprisal given the words before it, in bits. Unknown numbers are null."""

    word: str
    tag: str = Field(description="The given tag, or empty.")
    known: bool | None = Field(
        description="Whether the lexicon has the word; null if tags were read."
    )
    surprisal: routes.Finite = Field(
        description="-log2 P(word | words before); with given tags, of the tag. Null if infinite "
        "or unknown: see status."
    )
    at_least: routes.Finite = Field(
        description="A proven lower bound; the surprisal itself if the status is read."
    )
    at_most: routes.Finite = Field(description="A proven upper bound.")
    tag_surprisal: routes.Finite = Field(
        description="The syntactic part: the surprisal of the tag."
    )
    word_surprisal: routes.Finite = Field(
        description="The lexical part: of the word given its tag."
    )
    log_prefix_probability: routes.Finite = Field(
        description="ln of the probability of all sentences that start with the words so far."
    )
    entropy: routes.Finite = Field(
        description="The entropy of the next tag (or the end) after the word."
    )
    entropy_reduction: routes.Finite = Field(
        description="How much the word reduces this entropy; at least 0."
    )
    derivation_entropy: routes.Finite = Field(
        description="The entropy of the whole derivation down to the tags, after the word; null if "
        "not asked for."
    )
    derivation_entropy_reduction: routes.Finite = Field(
        description="How much the word reduces this entropy; at least 0."
    )
    status: str = Field(
        description="read; bounded (improbable constituents were left out: all numbers except the "
        "bounds are estimates); no sentence (no sentence of the grammar starts like this); unknown "
        "word; out of time; out of memory; or out of items."
    )
    analyses: list[AnalysisAnswer] = Field(
        description="The analyses after the word, the most probable first."
    )


class SurprisalAnswer(BaseModel):
    """The surprisal of the words of a sentence."""

    model: str = Field(description="The name of the model.")
    message: str = Field(
        description="Which word was not read, or has only bounds, and why; otherwise empty."
    )
    normalised: bool = Field(
        description="Whether probabilities were normalised because the derivations of the grammar "
        "do not sum to 1."
    )
    seconds: float = Field(description="Wall time of reading, without drawing.")
    words: list[WordAnswer]
    tsv: str = Field(description="The table of plcfrs surprisal.")
    csv: str = Field(description="The same table, separated by commas.")


class ChartRequest(BaseModel):
    """The bars of a few sentences, and the kind of file."""

    rows: list[list[WordBar]] = Field(
        min_length=1, max_length=_MOST_ROWS, description="The bars of the words of each sentence."
    )
    series: str = Field(
        default="", max_length=100, description="The name of the numbers beside the surprisal."
    )
    format: Literal["svg", "png"] = Field(default="svg", description="The kind of file.")


class ItemsRequest(routes.SentenceRequest):
    """Sentences to read: one on each line, or a table with a column sentence or word."""

    first: int = Field(default=0, ge=0, description="Number of sentences that were read already.")


class ItemAnswer(BaseModel):
    """A sentence with its words."""

    sentence: str = Field(description="The name of the sentence in the table, or its number.")
    text: str = Field(description="The sentence.")
    kept: dict[str, str] = Field(
        description="Other columns of the table with the same value for all words."
    )
    words: list[WordAnswer] = Field(description="The words; empty if the sentence cannot be read.")
    message: str = Field(description="Why the sentence was not read to the end; otherwise empty.")


class ItemsAnswer(BaseModel):
    """The sentences read within a second. Ask again for the next ones."""

    total: int = Field(description="Number of sentences in the list.")
    items: list[ItemAnswer]
    tsv: str = Field(description="The table of plcfrs surprisal for these sentences.")
    csv: str = Field(description="The same table, separated by commas.")


@api.post("/surprisal")
@routes.parsing
def surprisal(store: routes.ServerStore, wanted: SurprisalRequest) -> SurprisalAnswer:
    """Compute the surprisal of each word of a sentence."""
    limits, named = store.limits, _reading_model(store, wanted)
    sentence = routes.sentence_of(wanted, named, limits)
    _check_analyses(wanted, len(sentence.tokens), limits)
    return read_words(named, sentence, wanted)


@api.post("/surprisal/items")
@routes.parsing
def items(store: routes.ServerStore, wanted: ItemsRequest) -> ItemsAnswer:
    """Read sentences of a list word by word, from a place in the list, for about a second."""
    limits, named = store.limits, _reading_model(store, wanted)
    routes.check_text(wanted, "", limits)  # tags and tokenization exclude each other
    kept, found = read_unsplit(wanted.text, "the list")
    if not found:
        raise RefusedError(400, "there are no sentences: type one on each line")
    if len(found) > _MOST_ITEMS:
        raise RefusedError(413, f"the list has {len(found)} sentences: the limit is {_MOST_ITEMS}")
    end = perf_counter() + _SECONDS
    answers, lines = [], []
    for item in until_stopped(found[wanted.first :]):
        answer, more = _read_item(named, limits, wanted, item)
        answers.append(answer)
        lines += more
        if perf_counter() > end:
            break
    tables = render_tables(lines, header(0, kept))
    return ItemsAnswer(total=len(found), items=answers, **tables)


@api.post("/surprisal/chart", response_class=Response)
@routes.threaded
def chart(store: routes.ServerStore, wanted: ChartRequest) -> Response:
    """Draw the bars of sentences below each other on the same axis, as a file."""
    bars = [bar for row in wanted.rows for bar in row]
    if len(bars) > _MOST_ROWS * store.limits.max_length:
        raise RefusedError(413, "the chart has too many words")
    if not all(0 <= number <= _MOST_BITS for bar in bars for number in bar.numbers()):
        raise RefusedError(400, f"rows: expected bits from 0 to {_MOST_BITS}")
    svg = render_bars(wanted.rows, wanted.series)
    if wanted.format == "png":
        return Response(png_of(svg), media_type="image/png")
    return Response(svg, media_type="image/svg+xml")


def _reading_model(store: routes.ServerStore, wanted: routes.SentenceRequest) -> NamedModel:
    """Return the model; raise if it cannot read word by word."""
    named = store.model(wanted.model)
    if not named.family.can("surprisal"):
        raise named.without("surprisal is for grammars (plcfrs extract)")
    return named


def _check_analyses(wanted: SurprisalRequest, length: int, limits: Limits) -> None:
    """Raise if a word does not exist, or there would be too many analyses."""
    places = range(length) if wanted.at is None else wanted.at
    for place in places:
        if not 0 <= place < length:
            raise RefusedError(400, f"at: there is no word {place}: expected 0 to {length - 1}")
    if wanted.analyses > limits.nbest:
        raise RefusedError(400, f"analyses: the limit is {limits.nbest} after a word")
    if wanted.analyses * len(set(places)) > _ANALYSES * limits.nbest:
        raise RefusedError(
            400,
            f"analyses: the limit is {_ANALYSES * limits.nbest} in an answer: ask for analyses "
            "only after some words (at)",
        )


def read_words(named: NamedModel, sentence: Sentence, wanted: SurprisalRequest) -> SurprisalAnswer:
    """Read a sentence word by word with a model that can compute surprisal."""
    reader = cast(PrefixReader, named.model)
    start = working_time()
    words = reader.surprisal(
        sentence, wanted.analyses, wanted.at, derivation_entropy=wanted.derivation_entropy
    )
    seconds = working_time() - start
    tags = [token.tag for token in sentence.tokens]
    tables = render_tables(rows(wanted.sentence, tags, words), header(wanted.analyses))
    return SurprisalAnswer(
        model=named.name,
        message=_message_of(words),
        normalised=reader.prefixes.is_changed,
        seconds=seconds,
        words=_describe_words(words, sentence),
        **tables,
    )


def _read_item(
    named: NamedModel, limits: Limits, wanted: ItemsRequest, item: UnsplitStimulus
) -> tuple[ItemAnswer, list[Row]]:
    """Return a sentence with its rows of the table: one row if it cannot be read."""
    kept = {new: item.rows[0].cells[name] for name, new in item.kept.items()}
    answer = ItemAnswer(
        sentence=item.id, text=item.text[: limits.max_characters], kept=kept, words=[], message=""
    )
    try:
        routes.check_text(wanted, item.text, limits)
        splitter = named.model.splitter if wanted.tokenize else None
        stimulus = item.read("tagged" if wanted.tagged else None, splitter)
        sentence = routes.checked_sentence(stimulus.tree, limits)
    except (RefusedError, TreebankError) as error:
        answer.message = str(error)
        (row,) = rows(item.id, None, [Surprisal(answer.text)])
        return answer, [row | kept | {"status": answer.message}]
    words = cast(PrefixReader, named.model).surprisal(sentence)
    fixed = stimulus.fixed()
    answer.kept = {name: cell for name, cell in kept.items() if name in fixed}
    answer.words, answer.message = _describe_words(words, sentence), _message_of(words)
    tags = [token.tag for token in sentence.tokens]
    return answer, stimulus.arranged(rows(item.id, tags, words), fixed)


def _message_of(words: list[Surprisal]) -> str:
    """Return a message about the first word that was not read, or else that has only bounds."""
    left = [word for word in words if word.status != "read"]
    worst = next((word for word in left if word.status != "bounded"), left[0] if left else None)
    return _MESSAGES[worst.status].format(word=worst.word) if worst else ""


def _describe_words(words: list[Surprisal], sentence: Sentence) -> list[WordAnswer]:
    """Return words with their numbers and their analyses."""
    return [
        WordAnswer.of(
            word,
            tag=token.tag,
            analyses=list(map(_describe_analysis, until_stopped(word.analyses))),
        )
        for word, token in zip(words, sentence.tokens, strict=True)
    ]


def _describe_analysis(analysis: Analysis) -> AnalysisAnswer:
    nodes = analysis.tree.nodes()
    awaited = zip(analysis.awaited, analysis.awaited_nodes, strict=True)
    return AnalysisAnswer.of(
        analysis,
        awaited=[AwaitedAnswer.of(each, node=node) for each, node in awaited],
        tree=routes.describe_tree(analysis.tree, [nodes[i] for i in analysis.open_nodes]),
    )
