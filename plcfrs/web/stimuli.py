"""The surprisal of many sentences: of a list, or of a table of stimuli."""

from __future__ import annotations

from time import perf_counter
from typing import cast

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from plcfrs.chart.budget import until_stopped
from plcfrs.corpus.stimuli import Item, read_items
from plcfrs.corpus.surprisal_table import Row, header, render_table, rows
from plcfrs.errors import TreebankError
from plcfrs.parsing.surprisal import PrefixReader, Surprisal
from plcfrs.web.limits import Limits, RefusedError
from plcfrs.web.requests import SentenceRequest, check_text, checked, in_thread, store_of
from plcfrs.web.store import NamedModel
from plcfrs.web.surprisal import WordAnswer, describe_word, message_of, reading_model

_SECONDS = 1.0  # of reading, before a request is answered
_MOST = 2000  # items

api = APIRouter()


class ItemsRequest(SentenceRequest):
    """Sentences to read: one a line, or a table with a column sentence or word."""

    first: int = Field(default=0, ge=0, description="How many of them are read already.")


class ItemAnswer(BaseModel):
    """A sentence with its words."""

    sentence: str = Field(description="Its name in the table, or its number.")
    text: str
    kept: dict[str, str] = Field(
        description="The other columns of the table, as far as they are the same for all words."
    )
    words: list[WordAnswer] = Field(description="None if it cannot be read.")
    message: str = Field(description="Why it was not read, or not to the end; else empty.")


class ItemsAnswer(BaseModel):
    """The sentences that were read in a second, at least one: ask again for the next ones."""

    total: int
    items: list[ItemAnswer]
    tsv: str = Field(description="The table of plcfrs surprisal, of these sentences.")
    csv: str


@api.post("/surprisal/items")
async def items(request: Request, wanted: ItemsRequest) -> ItemsAnswer:
    """Read many sentences, word by word: those that follow the first ones."""
    store = store_of(request)
    named = reading_model(store, wanted.model)
    check_text(wanted, "", store.limits)  # tags are not for running text
    return await in_thread(request, _read_items, named, store.limits, wanted)


def _read_items(named: NamedModel, limits: Limits, wanted: ItemsRequest) -> ItemsAnswer:
    kept, found = read_items(wanted.text, "the list")
    if not found:
        raise RefusedError(400, "there are no sentences: type one a line")
    if len(found) > _MOST:
        raise RefusedError(413, f"the list has {len(found)} sentences: the limit is {_MOST}")
    end = perf_counter() + _SECONDS
    answers, lines = [], []
    for item in until_stopped(found[wanted.first :]):
        answer, more = _read_item(named, limits, wanted, item)
        answers.append(answer)
        lines += more
        if perf_counter() > end:
            break
    tsv, csv = (render_table(lines, header(0, kept), kind) for kind in ("tsv", "csv"))
    return ItemsAnswer(total=len(found), items=answers, tsv=tsv, csv=csv)


def _read_item(
    named: NamedModel, limits: Limits, wanted: ItemsRequest, item: Item
) -> tuple[ItemAnswer, list[Row]]:
    """Return the words of a sentence, and its rows; one that cannot be read has a row as well."""
    kept = {new: item.rows[0].cells[name] for name, new in item.kept.items()}
    splitter = named.model.splitter if wanted.tokenize else None
    text = item.text[: limits.max_characters]
    try:
        check_text(wanted, item.text, limits)
        stimulus = item.read("tagged" if wanted.tagged else None, splitter)
        sentence = checked(stimulus.tree, limits)
    except (RefusedError, TreebankError) as error:
        why = str(error)
        (row,) = rows(item.id, None, [Surprisal(text)])
        refused = ItemAnswer(sentence=item.id, text=text, kept=kept, words=[], message=why)
        return refused, [row | kept | {"status": why}]
    words = cast(PrefixReader, named.model).surprisal(sentence)
    tags = [token.tag for token in sentence.tokens]
    fixed = stimulus.fixed()
    answer = ItemAnswer(
        sentence=item.id,
        text=text,
        kept={name: cell for name, cell in kept.items() if name in fixed},
        words=[describe_word(word, tag) for word, tag in zip(words, tags, strict=True)],
        message=message_of(words),
    )
    return answer, stimulus.arranged(rows(item.id, tags, words), fixed)
