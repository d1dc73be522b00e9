"""How surprising words are, of a sentence or of many, and the most probable structures there."""

from __future__ import annotations

from time import perf_counter
from typing import Literal, cast

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field

from plcfrs.compiling import working_time
from plcfrs.corpus.stimuli import Item, read_items
from plcfrs.corpus.surprisal_table import Row, header, render_tables, rows
from plcfrs.drawing.bars import WordBar, render_bars
from plcfrs.drawing.svg import png_of
from plcfrs.errors import TreebankError
from plcfrs.forest.analyses import Analysis
from plcfrs.forest.surprisal import PrefixReader, Surprisal
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import until_stopped
from plcfrs.web.limits import Limits, RefusedError
from plcfrs.web.requests import (
    SentenceRequest,
    ServerStore,
    check_text,
    checked,
    parsing,
    sentence_of,
    threaded,
)
from plcfrs.web.serializers import Answer, Finite, TreeAnswer, describe_tree
from plcfrs.web.store import NamedModel

# Times the limit of parses: analyses in one answer.
_MOST = 10

_MOST_ROWS = 10  # of a chart
_MOST_BITS = 10_000
_MOST_ITEMS = 2000
_SECONDS = 1.0  # of reading items, before a request is answered

# The first word with such a status as a sentence.
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


class SurprisalRequest(SentenceRequest):
    """A sentence whose words are read one after the other."""

    sentence: str = Field(
        default="1", max_length=1000, description="The identifier of the sentence in the table."
    )
    analyses: int = Field(
        default=0, ge=0, description="Number of most probable analyses after each word."
    )
    at: list[int] | None = Field(
        default=None,
        description="Positions of the words after which analyses are wanted, from 0; by default "
        "all.",
    )
    derivation_entropy: bool = Field(
        default=False,
        description="Whether to compute the entropy of the whole derivation, which takes "
        "several times as long.",
    )


class AwaitedAnswer(Answer):
    """A constituent that goes on after a gap."""

    category: str
    positions: list[int] = Field(description="Of its words so far, from 0.")
    node: int = Field(description="The constituent, as in data-node.")


class AnalysisAnswer(Answer):
    """What is known of the structure of the sentence after a word."""

    probability: float = Field(description="Given the words so far.")
    open: list[str] = Field(
        description="The constituents that continue with the next word, the largest one first."
    )
    awaited: list[AwaitedAnswer] = Field(
        description="The constituents that continue after a gap, the largest one first."
    )
    tree: TreeAnswer = Field(
        description="Of the words so far: all constituents that have some of them, the open ones "
        "marked."
    )


class WordAnswer(Answer):
    """A word, and how surprising it is given the words before it. What is not known is null."""

    word: str
    tag: str = Field(description="The tag that was given; empty if there is none.")
    known: bool | None = Field(description="Whether the lexicon has it; null if tags were read.")
    surprisal: Finite = Field(
        description="-log2 P(word | words before); with given tags, of the tag. In bits, as the "
        "other numbers. Null if it is infinite or unknown: see the status."
    )
    at_least: Finite = Field(description="A proven bound; the surprisal if the status is read.")
    at_most: Finite
    tag_surprisal: Finite = Field(description="The syntactic part: that of the tags of the word.")
    word_surprisal: Finite = Field(description="The lexical part: of the word, given its tags.")
    log_prefix_probability: Finite = Field(
        description="ln of the probability of all sentences that begin with these words."
    )
    entropy: Finite = Field(description="Of the next tag or the end, after the word.")
    entropy_reduction: Finite = Field(description="Reduction of the entropy by the word, or 0.")
    derivation_entropy: Finite = Field(
        description="Of the whole derivation down to the tags, after the word; null unless wanted."
    )
    derivation_entropy_reduction: Finite
    status: str = Field(
        description="read; bounded (improbable constituents were left out, all numbers but the "
        "bounds are estimates); no sentence (of the grammar begins so), unknown word, out of time, "
        "out of memory, out of items."
    )
    analyses: list[AnalysisAnswer] = Field(description="The most probable one first.")


class SurprisalAnswer(BaseModel):
    """How surprising the words of a sentence are."""

    model: str
    message: str = Field(
        description="Which word was not read, or only with bounds, and why; otherwise empty."
    )
    normalised: bool = Field(
        description="Whether the probabilities of the grammar had to be normalised, since its "
        "derivations do not sum to 1."
    )
    seconds: float = Field(description="Wall time, without drawing.")
    words: list[WordAnswer]
    tsv: str = Field(description="The table of plcfrs surprisal.")
    csv: str = Field(description="The same with commas.")


class ChartRequest(BaseModel):
    """The bars of a few sentences, and the kind of file."""

    rows: list[list[WordBar]] = Field(
        min_length=1, max_length=_MOST_ROWS, description="The words of each sentence."
    )
    series: str = Field(default="", max_length=100, description="What is beside the surprisal.")
    format: Literal["svg", "png"] = "svg"


class ItemsRequest(SentenceRequest):
    """Sentences to read: one a line, or a table with a column sentence or word."""

    first: int = Field(default=0, ge=0, description="Number of sentences that are already read.")


class ItemAnswer(BaseModel):
    """A sentence with its words."""

    sentence: str = Field(description="Its name in the table, or its number.")
    text: str
    kept: dict[str, str] = Field(
        description="The other columns of the table, as far as they are the same for all words."
    )
    words: list[WordAnswer] = Field(description="None if it cannot be read.")
    message: str = Field(description="Why it was not read, or not to the end; otherwise empty.")


class ItemsAnswer(BaseModel):
    """The sentences that were read in a second, at least one: ask again for the next ones."""

    total: int
    items: list[ItemAnswer]
    tsv: str = Field(description="The table of plcfrs surprisal, of these sentences.")
    csv: str


@api.post("/surprisal")
@parsing
def surprisal(store: ServerStore, wanted: SurprisalRequest) -> SurprisalAnswer:
    """Say how surprising each word is, given the words before it."""
    limits, named = store.limits, _reading_model(store, wanted)
    sentence = sentence_of(wanted, named, limits)
    _check_analyses(wanted, len(sentence.tokens), limits)
    return read_words(named, sentence, wanted)


@api.post("/surprisal/items")
@parsing
def items(store: ServerStore, wanted: ItemsRequest) -> ItemsAnswer:
    """Read many sentences, word by word: those that follow the first ones."""
    limits, named = store.limits, _reading_model(store, wanted)
    check_text(wanted, "", limits)  # tags are not for running text
    kept, found = read_items(wanted.text, "the list")
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
@threaded
def chart(store: ServerStore, wanted: ChartRequest) -> Response:
    """Draw the bars of sentences as a file, one below the other on the same axis."""
    bars = [bar for row in wanted.rows for bar in row]
    if len(bars) > _MOST_ROWS * store.limits.max_length:
        raise RefusedError(413, "the chart has too many words")
    if not all(0 <= number <= _MOST_BITS for bar in bars for number in bar.numbers()):
        raise RefusedError(400, f"rows: expected bits from 0 to {_MOST_BITS}")
    svg = render_bars(wanted.rows, wanted.series)
    if wanted.format == "png":
        return Response(png_of(svg), media_type="image/png")
    return Response(svg, media_type="image/svg+xml")


def _reading_model(store: ServerStore, wanted: SentenceRequest) -> NamedModel:
    """Return the model, if it can read words one after the other."""
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
    if wanted.analyses * len(set(places)) > _MOST * limits.nbest:
        raise RefusedError(
            400,
            f"analyses: the limit is {_MOST * limits.nbest} in an answer: ask for analyses "
            "after some words only (at)",
        )


def read_words(named: NamedModel, sentence: Sentence, wanted: SurprisalRequest) -> SurprisalAnswer:
    """Read a sentence word by word with a model that has surprisal."""
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
    named: NamedModel, limits: Limits, wanted: ItemsRequest, item: Item
) -> tuple[ItemAnswer, list[Row]]:
    """Return the words of a sentence, and its rows; one that cannot be read has a row as well."""
    kept = {new: item.rows[0].cells[name] for name, new in item.kept.items()}
    answer = ItemAnswer(
        sentence=item.id, text=item.text[: limits.max_characters], kept=kept, words=[], message=""
    )
    try:
        check_text(wanted, item.text, limits)
        splitter = named.model.splitter if wanted.tokenize else None
        stimulus = item.read("tagged" if wanted.tagged else None, splitter)
        sentence = checked(stimulus.tree, limits)
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
    """Return what is said of the first word that could not be read, or else only with bounds."""
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
        tree=describe_tree(analysis.tree, [nodes[i] for i in analysis.open_nodes]),
    )
