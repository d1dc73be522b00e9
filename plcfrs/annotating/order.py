"""How doubtful sentences are: found in the background, while nobody waits."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING

from plcfrs.errors import PlcfrsError
from plcfrs.stopping import StoppedError, stoppable

if TYPE_CHECKING:
    from plcfrs.annotating.assistant import Assistant

_PAUSE = 0.5  # seconds after the last request


@dataclass(frozen=True)
class Rating:
    """How much work a sentence is.

    Parameters
    ----------
    model : str
        The parser that says so.
    revision : int
    doubt : float or None
        The expected number of repairs for each word; None if the parser does not say.
    findings : int
        How many findings of checks there are.
    """

    model: str
    revision: int
    doubt: float | None
    findings: int


class Ratings:
    """The ratings of sentences, kept in a file that can be deleted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Rating] = {}
        with suppress(OSError), path.open(encoding="utf-8") as file:
            for line in file:
                with suppress(ValueError, LookupError, TypeError):
                    content = json.loads(line)
                    name = content.pop("id")
                    self._known[name] = Rating(**content)

    def get(self, sentence_id: str, model: str, revision: int) -> Rating | None:
        """Return the rating of a revision by a parser, if it is known."""
        rating = self._known.get(sentence_id)
        is_current = rating and (rating.model, rating.revision) == (model, revision)
        return rating if is_current else None

    def add(self, sentence_id: str, rating: Rating) -> None:
        """Keep a rating; a full disk is no reason to stop."""
        if self._known.get(sentence_id) == rating:
            return
        self._known[sentence_id] = rating
        with suppress(OSError), self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": sentence_id, **asdict(rating)}) + "\n")


def rate_in_background(assistant: Assistant) -> Thread:
    """Rate all sentences, and later the changed ones, while nobody waits."""

    def run() -> None:
        seen = None
        while True:
            if seen != assistant.last_used:
                seen = assistant.last_used
                for sentence_id in assistant.unrated():
                    _rate(assistant, sentence_id)
            sleep(_PAUSE)

    thread = Thread(target=run, daemon=True)  # it ends with the process
    thread.start()
    return thread


def _rate(assistant: Assistant, sentence_id: str) -> None:
    """Rate a sentence, from the beginning again if somebody has waited meanwhile."""

    def check() -> None:
        if assistant.is_wanted:
            raise StoppedError("somebody waits")

    while True:
        while assistant.is_wanted or monotonic() < assistant.last_used + _PAUSE:
            sleep(_PAUSE / 10)
        try:
            with stoppable(check):
                assistant.rate(sentence_id)
        except StoppedError:
            continue
        except PlcfrsError:
            pass  # the sentence is gone
        return
