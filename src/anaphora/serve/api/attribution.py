"""The cause of one wrong answer."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from anaphora.language import language_code
from anaphora.records import Conversation, Turn
from anaphora.serve import forms
from anaphora.serve.attribution import attribute
from anaphora.serve.forms import Form, History, Ids, Language, Name, Question
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import Services, services
from anaphora.serve.waiting import result

router = APIRouter(prefix="/api/v1", responses=forms.EVERY, tags=["ask"])


class AttributionRequestForm(Form):
    """A question that was answered wrongly.

    `expected` is a right answer, empty where the documents hold none; `rewrite` the question as one
    would ask it without the conversation; `relevant` names passages that hold the answer.
    """

    question: Question
    history: History = ()
    lang: Language | None = None
    index: Name | None = None
    configuration: Name | None = None
    expected: Annotated[str, Field(max_length=forms.QUESTION)] = ""
    rewrite: Annotated[str, Field(max_length=forms.QUESTION)] = ""
    relevant: Ids = ()


class PhrasingForm(BaseModel):
    question: str
    answer: str
    abstained: bool | None
    score: float | None
    ranking: list[str]


class AttributionForm(BaseModel):
    """The form "Attribution" of docs/json.md."""

    cause: str | None
    success: str
    right: bool
    search_failed: bool | None
    relevant: list[str]
    phrasings: dict[str, PhrasingForm]


@router.post("/attribution", response_model=AttributionForm, responses=forms.problems_of(404, 500))
async def attribution(
    form: AttributionRequestForm,
    request: Request,
    client: Annotated[Client, Depends(require("ask"))],
    shared: Annotated[Services, Depends(services)],
) -> JSONResponse:
    """Names the stage to blame: the turn runs again with one stage after another repaired."""
    history = [Turn(one.role, one.text) for one in form.history]
    lang = None if form.lang is None else language_code(form.lang)
    conversation = Conversation((*history, Turn("user", form.question, lang)))

    def work() -> dict[str, Any]:
        with shared.indexes.use(form.index, form.configuration) as assistant:
            assert assistant.index
            known = assistant.index.passages(form.relevant)
            for id in form.relevant:
                if id not in known:
                    raise Problem(HTTPStatus.NOT_FOUND, f"there is no passage {id!r} in the index")
            return attribute(
                assistant,
                conversation,
                form.expected.strip(),
                form.rewrite.strip(),
                form.relevant,
            )

    return JSONResponse(await result(request, shared.turns, client.owner, work))
