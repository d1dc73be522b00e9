"""The project that a server serves: its sentences, and what a person does to them."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from plcfrs.annotating import Assistant, SentenceView
from plcfrs.annotating.training import untouched
from plcfrs.project.journal import NotSavedError
from plcfrs.project.project import ChangedMeanwhileError
from plcfrs.web import routes
from plcfrs.web.limits import RefusedError
from plcfrs.web.store import NamedTreebank, Store

_CHECKING = 20  # times as long as a search may the checks of all trees take

api = APIRouter(prefix="/project")

SentenceName = Annotated[str, Query(description="The identifier of the sentence.")]
PartName = Annotated[str, Query(description="The name of the part.")]


class ListedSentence(BaseModel):
    """A sentence in the list."""

    id: str
    document: str
    text: str = Field(description="Its beginning.")
    status: str = Field(description="Empty, later or accepted.")
    note: str
    revision: int = Field(description="The number of actions so far.")
    has_tree: bool = Field(description="Whether anything has been done to it.")
    doubt: float | None = Field(
        description="Expected repairs for each word; null if it has not been parsed yet."
    )
    findings: int | None = Field(
        description="How many findings of checks there are; null if not known yet."
    )
    acted: int = Field(
        description="The number of the last action of the person on it; 0 without any."
    )


class ProgressAnswer(BaseModel):
    """How far the person is."""

    accepted: int
    later: int
    untouched: float | None = Field(
        description="The share of the accepted sentences that are as they were proposed; null "
        "without any."
    )


class ProjectAnswer(BaseModel):
    """A project, with all its sentences."""

    name: str
    person: str
    parser: str = Field(description="The model that proposes trees, or empty.")
    labels: dict[str, list[str]] = Field(
        description="The categories, functions, tags and null-elements that trees may have, or "
        "that are known."
    )
    treebank: str = Field(description="The name under which its trees can be searched.")
    documents: list[str]
    sentences: list[ListedSentence]
    progress: ProgressAnswer


class DoubtAnswer(BaseModel):
    """A constituent that is probably wrong."""

    part: str
    probability: float


class ChoiceAnswer(routes.Answer):
    """What a part can become."""

    text: str
    probability: float
    is_current: bool


class MenuAnswer(routes.Answer):
    """A label that a part can get."""

    label: str
    probability: float


class FindingAnswer(routes.Answer):
    """What a check finds."""

    kind: str
    message: str
    score: float = Field(description="From 0 to 1: the higher, the more probable is an error.")
    parts: list[str]


class CheckAnswer(FindingAnswer):
    """What a check finds in one of the sentences."""

    sentence: str
    words: str


class SentenceAnswer(routes.Answer):
    """What a person sees of a sentence."""

    id: str
    document: str
    revision: int
    status: str = Field(description="Empty, later or accepted.")
    note: str
    tree: routes.TreeAnswer
    names: dict[str, list[str]] = Field(
        description="The names of nodes, in the order of data-node in the picture, and of tokens."
    )
    is_proposal: bool = Field(description="Whether nothing has been done yet.")
    without_parse: bool = Field(description="Whether it is shown without a parse.")
    by_hand: bool = Field(description="Whether the parser does not change it any more.")
    doubt: float | None = Field(description="Expected repairs for each word; null if not known.")
    kept: list[str] = Field(description="The parts that the parser does not change.")
    doubts: list[DoubtAnswer] = Field(description="Improbable parts, in the order of the text.")
    choices: dict[str, list[ChoiceAnswer]] = Field(description="What doubtful parts can become.")
    cost: float | None = Field(
        description="How much less the tree scores than without the decisions of the person; null "
        "if not known."
    )
    findings: list[FindingAnswer]
    chosen: list[str] = Field(description="Parts that the operation has made or moved.")
    can_undo: bool
    can_redo: bool


class ActRequest(BaseModel):
    """What to do to a sentence."""

    id: str
    revision: int = Field(description="The revision that the person has seen.")
    operation: dict[str, Any] = Field(
        description='What to do, such as {"do": "attach", "parts": ["t3"], "mother": "n1"}.'
    )
    seconds: float | None = Field(default=None, description="How long the person needed.")


class ActAnswer(BaseModel):
    """The sentences that have changed."""

    sentences: list[SentenceAnswer]
    ids: list[str] | None = Field(
        description="All sentences in order, if there are others than before; otherwise null."
    )


async def _assistant_of(request: Request) -> Assistant:
    assistant: Assistant | None = request.app.state.assistant
    if assistant is None:
        raise RefusedError(404, "no project is served: start plcfrs annotate FOLDER")
    return assistant


ServedAssistant = Annotated[Assistant, Depends(_assistant_of)]


def name_of(assistant: Assistant) -> str:
    """Return the name of the project, which is also that of its treebank."""
    return assistant.project.folder.resolve().name


def serve_treebank(store: Store, assistant: Assistant) -> None:
    """Let the page search the trees of the person as they are now."""
    name = name_of(assistant)
    store.treebanks[name] = NamedTreebank(name, assistant.project.trees, store.limits)


@api.get("")
@routes.threaded
def project(assistant: ServedAssistant) -> ProjectAnswer:
    """List the sentences of the project."""
    project = assistant.project
    sentences = [_listed(assistant, header) for header in project.headers()]
    accepted = [each for each in sentences if each.status == "accepted"]
    as_proposed, proposed = untouched(project.actions(), project.settings.without_parse)
    return ProjectAnswer(
        name=name_of(assistant),
        person=project.person,
        parser=project.settings.parser,
        labels=assistant.labels(),
        treebank=name_of(assistant),
        documents=list(dict.fromkeys(each.document for each in sentences)),
        sentences=sentences,
        progress=ProgressAnswer(
            accepted=len(accepted),
            later=sum(each.status == "later" for each in sentences),
            untouched=as_proposed / proposed if proposed else None,
        ),
    )


@api.get("/sentence")
@routes.parsing
def sentence(assistant: ServedAssistant, id: SentenceName) -> SentenceAnswer:
    """Show a sentence with its tree, or with the tree that the parser proposes."""
    return _describe(assistant.view(id))


@api.get("/choices")
@routes.parsing
def choices(
    assistant: ServedAssistant,
    id: SentenceName,
    part: PartName,
) -> list[ChoiceAnswer]:
    """Say what a part of the tree can become, the most probable first."""
    return [ChoiceAnswer.of(each) for each in assistant.choices(id, part)]


@api.get("/menu")
@routes.threaded
def menu(
    assistant: ServedAssistant,
    id: SentenceName,
    part: PartName,
    kind: Annotated[
        Literal["category", "function", "tag", "null"],
        Query(description="The kind of labels."),
    ],
) -> list[MenuAnswer]:
    """List the labels that a part can get, the most probable first."""
    return [MenuAnswer.of(each) for each in assistant.menu(id, part, kind)]


@api.post("/act")
@routes.parsing
def act(store: routes.ServerStore, assistant: ServedAssistant, wanted: ActRequest) -> ActAnswer:
    """Do something to a sentence: the parser fills in the rest, and everything is saved."""
    before = assistant.project.ids()
    try:
        views = assistant.act(
            wanted.id, wanted.operation, revision=wanted.revision, seconds=wanted.seconds
        )
    except ChangedMeanwhileError as error:
        raise RefusedError(409, str(error)) from None
    except NotSavedError as error:
        raise RefusedError(507, str(error)) from None
    serve_treebank(store, assistant)
    after = assistant.project.ids()
    return ActAnswer(sentences=list(map(_describe, views)), ids=after if after != before else None)


@api.get("/checks")
@partial(routes.threaded, times=_CHECKING)
def checks(assistant: ServedAssistant) -> list[CheckAnswer]:
    """Check all trees of the person: the most probable errors come first."""
    return [CheckAnswer.of(finding, parts=parts) for finding, parts in assistant.checks()]


def _listed(assistant: Assistant, header: dict[str, Any]) -> ListedSentence:
    rating = assistant.rating(header["id"], header["revision"])
    doubt, findings = (rating.doubt, rating.findings) if rating else (None, None)
    return ListedSentence(**header, doubt=doubt, findings=findings)


def _describe(view: SentenceView) -> SentenceAnswer:
    return SentenceAnswer.of(
        view,
        tree=routes.describe_tree(view.tree, gaps=True),
        doubts=[DoubtAnswer(part=name, probability=chance) for name, chance in view.doubts],
        findings=[FindingAnswer.of(finding, parts=parts) for finding, parts in view.findings],
    )
