"""Conversations: what a client asked, and what it was answered."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import services
from anaphora.serve.store import exporting
from anaphora.serve.store.conversations import Conversations

router = APIRouter(prefix="/api/v1", tags=["conversations"])

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


class NewConversation(BaseModel):
    model_config = ConfigDict(extra="forbid")

    index: str = Field("", max_length=200, description="The default index if left out.")
    title: str = Field("", max_length=300)


class Renaming(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, max_length=300)


@router.get("/conversations")
def list_conversations(
    client: Asker,
    conversations: Stored,
    after: After,
    q: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """One's own conversations, the last changed first; with `q`, those that hold all its words."""
    found, following = conversations.listed(client.owner, q, after, limit)
    return {"conversations": found, "next": next_of(following)}


@router.post("/conversations", status_code=HTTPStatus.CREATED)
def create_conversation(
    body: NewConversation, client: Asker, conversations: Stored
) -> dict[str, Any]:
    """An empty conversation; asking without one makes one as well."""
    return conversations.create(client.owner, body.index, body.title.strip())


@router.delete("/conversations")
def delete_conversations(client: Asker, conversations: Stored) -> dict[str, int]:
    """Deletes all of one's own conversations, also from the files of the database."""
    return {"deleted": conversations.delete_all(client.owner)}


@router.get("/conversations/{conversation}")
def get_conversation(
    conversation: str,
    client: Asker,
    conversations: Stored,
    after: After,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
) -> dict[str, Any]:
    """A conversation with its turns, the oldest first."""
    form, following = conversations.get(client.owner, conversation, after or 0, limit)
    return {**_with_url(form), "next": next_of(following)}


@router.patch("/conversations/{conversation}")
def rename_conversation(
    conversation: str, body: Renaming, client: Asker, conversations: Stored
) -> dict[str, Any]:
    return conversations.rename(client.owner, conversation, body.title.strip() or body.title)


@router.delete("/conversations/{conversation}", status_code=HTTPStatus.NO_CONTENT)
def delete_conversation(conversation: str, client: Asker, conversations: Stored) -> None:
    """Deletes a conversation, also from the files of the database."""
    conversations.delete(client.owner, conversation)


@router.get("/conversations/{conversation}/export", response_model=None)
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


@router.post("/conversations/{conversation}/share")
def share_conversation(conversation: str, client: Asker, conversations: Stored) -> dict[str, str]:
    """An address at which signed-in clients of this server read the conversation."""
    return {"url": _url(conversations.share(client.owner, conversation))}


@router.delete("/conversations/{conversation}/share", status_code=HTTPStatus.NO_CONTENT)
def unshare_conversation(conversation: str, client: Asker, conversations: Stored) -> None:
    """Ends the sharing; the address never works again."""
    conversations.unshare(client.owner, conversation)


@router.get("/shared/{share}")
def get_shared(
    share: str,
    client: Asker,
    conversations: Stored,
    after: After,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
) -> dict[str, Any]:
    """A conversation that its owner shares, to read."""
    form, following = conversations.shared(share, after or 0, limit)
    return {**form, "next": next_of(following)}


@router.get("/conversations/{conversation}/turns/{turn}/trace")
def get_trace(conversation: str, turn: str, client: Asker, conversations: Stored) -> JSONResponse:
    """What each stage did in a turn."""
    return JSONResponse(conversations.trace(client.owner, conversation, turn))


def _with_url(form: dict[str, Any]) -> dict[str, Any]:
    return {**form, "shared": _url(form["shared"]) if form["shared"] else None}


def _url(share: str) -> str:
    return f"/s/{share}"


def next_of(following: int | None) -> str | None:
    return None if following is None else str(following)
