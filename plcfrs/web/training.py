"""Training a parser of the served project, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from threading import Lock
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from plcfrs.annotating import Assistant
from plcfrs.annotating.training import state_of_training, trained_parser
from plcfrs.parsing import load_model
from plcfrs.project.document import state_of
from plcfrs.web import routes
from plcfrs.web.limits import RefusedError
from plcfrs.web.projects import ServedAssistant

api = APIRouter(prefix="/project")


class StepAnswer(BaseModel):
    """What a training has learned from, and how good its parser is."""

    time: str
    family: str = Field(description="The family of the parser.")
    trees: int = Field(description="The number of trees that it learned from.")
    held_out: int = Field(description="The number of trees that it was tried on.")
    f1_before: float | None = Field(description="Labelled F1 of the parser before it.")
    f1: float | None = Field(description="Labelled F1 of the new parser.")
    functions_before: float | None
    functions: float | None
    untouched: float | None = Field(
        description="The percentage of proposals that were accepted as they were."
    )
    seconds: int
    is_taken: bool = Field(description="Whether the new parser proposes trees from then on.")


class TrainingAnswer(BaseModel):
    """The training of a parser."""

    running: bool
    stage: str = Field(description="What it does, or its result, or why it failed.")
    done: int = Field(description="The number of steps of this stage that are done.")
    total: int = Field(description="The number of steps of this stage.")
    curve: list[StepAnswer] = Field(description="All trainings so far, the first one first.")


class ProjectTraining:
    """The process that trains, and the parser that the assistant has."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._path = trained_parser(assistant.project.folder)
        self._loaded = state_of(self._path)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def start(self) -> TrainingAnswer:
        """Start a training; raise a RefusedError if one runs already."""
        with self._lock:
            if self._answer().running:
                raise RefusedError(409, "a training runs already: wait for its end")
            nothing = subprocess.DEVNULL
            command = [sys.executable, "-m", "plcfrs", "annotate", "train"]
            self._process = subprocess.Popen(
                [*command, str(self._assistant.project.folder)],
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
            )
            return self._answer()

    def state(self) -> TrainingAnswer:
        """Say what a training does; give the assistant the parser that it has trained."""
        with self._lock:
            answer = self._answer()
            if (state := state_of(self._path)) != self._loaded and not answer.running:
                self._assistant.use(load_model(self._path))
                self._loaded = state
            return answer

    def _answer(self) -> TrainingAnswer:
        is_starting = self._process is not None and self._process.poll() is None
        state = state_of_training(self._assistant.project.folder)
        return TrainingAnswer.model_validate(state | {"running": state["running"] or is_starting})


async def _training_of(request: Request, assistant: ServedAssistant) -> ProjectTraining:
    state = request.app.state
    if not hasattr(state, "training"):
        state.training = ProjectTraining(assistant)
    training: ProjectTraining = state.training
    return training


ServedTraining = Annotated[ProjectTraining, Depends(_training_of)]


@api.post("/train")
@routes.threaded
def train(training: ServedTraining) -> TrainingAnswer:
    """Train a parser on the accepted trees of the project, in a process of its own."""
    return training.start()


@api.get("/training")
@routes.parsing
def training(training: ServedTraining) -> TrainingAnswer:
    """Say what the training does; after it, a better parser proposes trees."""
    return training.state()
