"""Conversations: what a client asked, and what it was answered."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field

from anaphora.serve import forms
from anaphora.serve.forms import Form
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import services
from anaphora.serve.store import exporting
from anaphora.serve.store.conversations import Conversations
from anaphora.serve.store.feedback import Stage, Verdict

router = APIRouter(
    prefix="/api/v1",
    tags=["conversations"],
    responses={**forms.EVERY, **forms.problems_of(404, 507)},
)

Asker = Annotated[Client, Depends(require("ask"))]


def stored(request: Request) -> Conversations:
    """The conversations of the server."""
    return services(request).store.kept()


Stored = Annotated[Conversations, Depends(stored)]


def position(after: Annotated[str | None, Query(max_length=30)] = None) -> int | None:
    """The place in a list that `next` of the page before named.

    Raises:
        Problem: 400, it is no such place.
    """
    if after is None:
        return None
    if not after.isascii() or not after.isdigit() or len(after) > 18:
        raise Problem(HTTPStatus.BAD_REQUEST, "'after' must be the 'next' of the page before")
    return int(after)


After = Annotated[int | None, Depends(position)]


class NewConversationForm(Form):
    """A conversation to begin. Without `index` it is about the default one."""

    index: str = Field("", max_length=200)
    title: str = Field("", max_length=300)


class RenamingForm(Form):
    title: str = Field(min_length=1, max_length=300)


class ConversationForm(BaseModel):
    """A conversation in a list. Times are seconds since 1970."""

    id: str
    title: str
    index: str
    created: float
    changed: float
    turns: int


class ConversationsForm(BaseModel):
    conversations: list[ConversationForm]
    next: str | None


class TurnFeedbackForm(BaseModel):
    verdict: Verdict
    stage: Stage | None
    expected: str
    comment: str


class StoredTurnForm(BaseModel):
    """A turn of a conversation, after the turn `parent` or at the beginning."""

    id: str
    parent: str | None
    question: str
    answer: forms.AnswerForm
    created: float
    feedback: TurnFeedbackForm | None


class ExportForm(BaseModel):
    """A conversation with all its turns."""

    id: str
    title: str
    index: str
    created: float
    changed: float
    turns: list[StoredTurnForm]


class SharedConversationForm(ExportForm):
    """A conversation with a page of its turns, the oldest first."""

    next: str | None


class OwnConversationForm(SharedConversationForm):
    """One's own conversation. `shared` is the address at which others read it."""

    shared: str | None


class DeletedForm(BaseModel):
    deleted: int


class ShareForm(BaseModel):
    url: str


@router.get("/conversations", response_model=ConversationsForm)
def list_conversations(
    client: Asker,
    conversations: Stored,
    after: After,
    q: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """One's own conversations, the last changed first; with `q`, those that hold all its words."""
    found, following = conversations.listed(client.owner, q, after, limit)
    return JSONResponse({"conversations": found, "next": next_of(following)})


@router.post("/conversations", status_code=HTTPStatus.CREATED, response_model=ConversationForm)
def create_conversation(
    body: NewConversationForm, client: Asker, conversations: Stored
) -> JSONResponse:
    """An empty conversation; asking without one makes one as well."""
    made = conversations.create(client.owner, body.index, body.title.strip())
    return JSONResponse(made, HTTPStatus.CREATED)


@router.delete("/conversations", response_model=DeletedForm)
def delete_conversations(client: Asker, conversations: Stored) -> JSONResponse:
    """Deletes all of one's own conversations, also from the files of the database."""
    return JSONResponse({"deleted": conversations.delete_all(client.owner)})


@router.get("/conversations/{conversation}", response_model=OwnConversationForm)
def get_conversation(
    conversation: str,
    client: Asker,
    conversations: Stored,
    after: After,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
) -> JSONResponse:
    """A conversation with its turns, the oldest first."""
    form, following = conversations.get(client.owner, conversation, after or 0, limit)
    return JSONResponse({**_with_url(form), "next": next_of(following)})


@router.patch("/conversations/{conversation}", response_model=ConversationForm)
def rename_conversation(
    conversation: str, body: RenamingForm, client: Asker, conversations: Stored
) -> JSONResponse:
    title = body.title.strip() or body.title
    return JSONResponse(conversations.rename(client.owner, conversation, title))


@router.delete("/conversations/{conversation}", status_code=HTTPStatus.NO_CONTENT)
def delete_conversation(conversation: str, client: Asker, conversations: Stored) -> None:
    """Deletes a conversation, also from the files of the database."""
    conversations.delete(client.owner, conversation)


@router.get(
    "/conversations/{conversation}/export",
    responses={
        200: {
            "description": "A file.",
            "model": ExportForm,
            "content": {"text/markdown": {"schema": {"type": "string"}}},
        }
    },
    response_class=JSONResponse,
)
def export_conversation(
    conversation: str,
    client: Asker,
    conversations: Stored,
    format: Literal["json", "markdown"] = "json",
) -> StreamingResponse:
    """A file with the whole conversation."""
    form, _ = conversations.get(client.owner, conversation, limit=1)
    turns = conversations.turns(client.owner, conversation)
    if format == "json":
        parts, media, ending = exporting.as_json(form, turns), "application/json", "json"
    else:
        parts, media, ending = exporting.as_markdown(form, turns), "text/markdown", "md"
    name = quote(f"{form['title'] or 'conversation'}.{ending}", safe="")
    return StreamingResponse(
        parts,
        media_type=f"{media}; charset=utf-8",
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"},
    )


@router.post("/conversations/{conversation}/share", response_model=ShareForm)
def share_conversation(conversation: str, client: Asker, conversations: Stored) -> JSONResponse:
    """An address at which signed-in clients of this server read the conversation."""
    return JSONResponse({"url": _url(conversations.share(client.owner, conversation))})


@router.delete("/conversations/{conversation}/share", status_code=HTTPStatus.NO_CONTENT)
def unshare_conversation(conversation: str, client: Asker, conversations: Stored) -> None:
    """Ends the sharing; the address never works again."""
    conversations.unshare(client.owner, conversation)


@router.get("/shared/{share}", response_model=SharedConversationForm)
def get_shared(
    share: str,
    client: Asker,
    conversations: Stored,
    after: After,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
) -> JSONResponse:
    """A conversation that its owner shares, to read."""
    form, following = conversations.shared(share, after or 0, limit)
    return JSONResponse({**form, "next": next_of(following)})


@router.get("/conversations/{conversation}/turns/{turn}/trace", response_model=dict[str, Any])
def get_trace(conversation: str, turn: str, client: Asker, conversations: Stored) -> JSONResponse:
    """What each stage did in a turn."""
    return JSONResponse(conversations.trace(client.owner, conversation, turn))


def _with_url(form: dict[str, Any]) -> dict[str, Any]:
    return {**form, "shared": _url(form["shared"]) if form["shared"] else None}


def _url(share: str) -> str:
    return f"/s/{share}"


def next_of(following: int | None) -> str | None:
    return None if following is None else str(following)
