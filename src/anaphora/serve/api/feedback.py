"""Feedback on answers."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field

from anaphora.serve import forms
from anaphora.serve.api.conversations import After, Asker, next_of
from anaphora.serve.forms import Form, Id
from anaphora.serve.services import services
from anaphora.serve.store.feedback import Feedback, Said, Stage, Verdict

router = APIRouter(
    prefix="/api/v1", tags=["feedback"], responses={**forms.EVERY, **forms.problems_of(404, 507)}
)


def stored(request: Request) -> Feedback:
    """The feedback of the server, which needs its conversations."""
    store = services(request).store
    store.kept()
    return store.feedback


Stored = Annotated[Feedback, Depends(stored)]


class Lines(StreamingResponse):
    """JSON lines."""

    media_type = "application/jsonl"


class FeedbackForm(Form):
    """A judgement of an answer; a later one of the same turn replaces it."""

    conversation: Id
    turn: Id
    verdict: Verdict
    stage: Stage | None = None
    expected: str = Field("", max_length=10_000)
    comment: str = Field("", max_length=10_000)


class JudgementForm(BaseModel):
    """A stored judgement. Of somebody else's, conversation, turn and question are null."""

    conversation: str | None
    turn: str | None
    question: str | None
    verdict: Verdict
    stage: Stage | None
    expected: str
    comment: str
    created: float


class JudgementsForm(BaseModel):
    feedback: list[JudgementForm]
    next: str | None


@router.post("/feedback", status_code=HTTPStatus.CREATED, response_model=FeedbackForm)
def give_feedback(body: FeedbackForm, client: Asker, feedback: Stored) -> JSONResponse:
    """Stores what is right or wrong with an answer."""
    said = Said(body.verdict, body.stage, body.expected, body.comment)
    feedback.give(client.owner, body.conversation, body.turn, said)
    return JSONResponse(body.model_dump(), HTTPStatus.CREATED)


@router.delete(
    "/conversations/{conversation}/turns/{turn}/feedback", status_code=HTTPStatus.NO_CONTENT
)
def withdraw_feedback(conversation: str, turn: str, client: Asker, feedback: Stored) -> None:
    """Deletes what was said about an answer."""
    feedback.withdraw(client.owner, conversation, turn)


@router.get("/feedback", response_model=JudgementsForm)
def list_feedback(
    client: Asker,
    feedback: Stored,
    after: After,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """One's own feedback, the newest first. With the scope "admin" also that of others, without
    their conversations."""
    found, following = feedback.listed(client.owner, client.may("admin"), after, limit)
    return JSONResponse({"feedback": found, "next": next_of(following)})


@router.get(
    "/feedback/export",
    responses={200: {"content": {Lines.media_type: {"schema": {"type": "string"}}}}},
    response_class=Lines,
)
def export_feedback(client: Asker, feedback: Stored) -> StreamingResponse:
    """One's own judged questions as JSON lines, which `anaphora eval answers` reads."""
    return Lines(
        (json.dumps(one, ensure_ascii=False) + "\n" for one in feedback.examples(client.owner)),
        headers={"Content-Disposition": 'attachment; filename="feedback.jsonl"'},
    )
