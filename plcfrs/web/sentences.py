"""The sentences of a text that may have several."""

from __future__ import annotations

from io import StringIO

from fastapi import APIRouter
from pydantic import BaseModel, Field

from plcfrs.text.sentences import split_sentences
from plcfrs.web.requests import SentenceRequest, ServerStore, check_text, threaded

api = APIRouter()


class SentencesAnswer(BaseModel):
    """The sentences of a text."""

    sentences: list[str] = Field(
        description="Each as it is in the text. Of words with tags, each line is one."
    )


@api.post("/sentences")
@threaded
def sentences(store: ServerStore, wanted: SentenceRequest) -> SentencesAnswer:
    """Split a text into sentences, which other requests take one by one."""
    check_text(wanted, wanted.text, store.limits)
    lines = [line for line in wanted.text.splitlines(keepends=True) if line.strip()]
    if wanted.tagged:
        return SentencesAnswer(sentences=[line.strip() for line in lines])
    # Where blanks are between words, a line is a sentence, as for plcfrs parse, or has several.
    texts = [wanted.text] if wanted.tokenize else lines
    found = [sentence.text for text in texts for sentence in split_sentences(StringIO(text))]
    return SentencesAnswer(sentences=found)
