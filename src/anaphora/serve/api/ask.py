"""Asking: one JSON answer, or the events of the turn as they come."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterator
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from anaphora import serialization
from anaphora.language import language_code
from anaphora.records import (
    Answer,
    Checked,
    Citation,
    Cited,
    Done,
    Event,
    Overrides,
    Reranked,
    Retrieved,
    Rewritten,
    Text,
    Turn,
    Understood,
)
from anaphora.serve import forms
from anaphora.serve.forms import Form, History, Id, Ids, Language, Name, Question
from anaphora.serve.problems import Problem, problem_of
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import Services, services
from anaphora.serve.sse import HEARTBEAT, EventStream
from anaphora.serve.store.conversations import NotFound
from anaphora.serve.store.conversations import Place as Standing
from anaphora.serve.turns import Queued
from anaphora.serve.turns import Turn as Place
from anaphora.serve.waiting import unless_gone

router = APIRouter(prefix="/api/v1", responses=forms.EVERY, tags=["ask"])


class AskForm(Form):
    """A question, and what it is asked of.

    `history` and `conversation` exclude each other. `parent` names the turn of the conversation
    after which the question stands: without it the newest, with null the beginning.
    """

    question: Question
    history: History | None = None
    conversation: Id | None = None
    parent: Id | None = None
    index: Name | None = None
    configuration: Name | None = None
    lang: Language | None = None
    as_asked: bool = False
    pinned: Ids = ()
    excluded: Ids = ()
    trace: bool = False
    store: bool = True


@router.post(
    "/ask",
    responses={
        200: {
            "description": "The answer; for `Accept: text/event-stream`, the events of the turn.",
            "model": forms.AnswerForm,
            "content": forms.EVENTS,
        },
        **forms.problems_of(404, 507),
    },
    response_class=JSONResponse,
)
async def ask(
    form: AskForm,
    request: Request,
    client: Annotated[Client, Depends(require("ask"))],
    shared: Annotated[Services, Depends(services)],
) -> Response:
    """Answers a question with its sources."""
    asked = await run_in_threadpool(_Asked, form, client, shared)
    place = shared.turns.submit(client.owner, asked.events)
    if "text/event-stream" in request.headers.get("accept", ""):
        return EventStream(asked.stream(place))
    return JSONResponse(await unless_gone(request, asked.answer(place)))


class _Asked:
    """One question on its way."""

    def __init__(self, form: AskForm, client: Client, shared: Services) -> None:
        if form.history is not None and form.conversation is not None:
            raise Problem(
                HTTPStatus.BAD_REQUEST,
                "'history' and 'conversation' exclude each other: send the turns or name them",
            )
        if form.parent is not None and form.conversation is None:
            raise Problem(HTTPStatus.BAD_REQUEST, "'parent' needs the 'conversation' that it is of")
        self.form = form
        self.client = client
        self.shared = shared
        self.stored: tuple[str, str] | None = None
        self.standing: Standing | None = None
        if form.conversation is not None:
            newest = "parent" not in form.model_fields_set
            self.standing = shared.store.kept().place(
                client.owner, form.conversation, form.parent, newest
            )
        begun_with = self.standing.index if self.standing else ""
        self.index = shared.indexes.find(form.index or begun_with or None)
        self.configuration = shared.indexes.find_configuration(form.configuration)
        self.lang = None if form.lang is None else language_code(form.lang)
        self.history = [
            Turn(one.role, one.text, None if one.lang is None else language_code(one.lang))
            for one in form.history or ()
        ]
        if self.standing:
            self.history = list(self.standing.history)
        self.overrides = Overrides(form.as_asked, form.pinned, form.excluded)

    def events(self) -> Iterator[Event]:
        """The work, in a thread of its own."""
        with self.shared.indexes.use(self.index, self.configuration) as assistant:
            for event in assistant.stream(
                self.form.question, self.history, self.lang, self.overrides
            ):
                if isinstance(event, Done):
                    self.keep(event.answer)
                yield event

    def keep(self, answer: Answer) -> None:
        """Counts the turn, and stores it before anybody learns that it is done, unless the client
        has the history or wants nothing stored."""
        assert answer.trace
        self.shared.answered(answer)
        kept = self.shared.store.conversations
        if kept is None or not self.form.store or self.form.history is not None:
            return
        form = self.done(answer)
        form = {name: form[name] for name in form if name not in ("conversation", "turn", "trace")}
        trace = serialization.trace_to_dict(answer.trace)
        # A conversation that has been deleted meanwhile stays deleted.
        with contextlib.suppress(NotFound):
            self.stored = kept.keep(self.client.owner, self.standing, self.index, form, trace)

    async def answer(self, place: Place[Event]) -> dict[str, Any]:
        # To the end of the turn: leaving it earlier would cancel it.
        found = [event async for event in place.results() if isinstance(event, Done)]
        return self.done(found[-1].answer)

    async def stream(self, place: Place[Event]) -> AsyncGenerator[tuple[str, Any] | None, None]:
        """The events as clients get them; the last is `done` or `error`."""
        results = place.results(HEARTBEAT)
        try:
            async for event in results:
                if event is None:
                    yield None
                elif isinstance(event, Queued):
                    yield "queued", {"ahead": event.ahead}
                else:
                    yield self.form_of(event)
        except Exception as error:
            yield "error", problem_of(error).to_dict()
        finally:
            place.cancel()

    def form_of(self, event: Event) -> tuple[str, dict[str, Any]]:
        """The name and the data of an event."""
        match event:
            case Understood(understanding):
                return "understood", {"lang": understanding.lang, "intent": understanding.intent}
            case Rewritten(rewrite):
                form = serialization.rewrite_to_dict("", rewrite)
                del form["id"]
                return "rewrite", form
            case Retrieved(hits):
                return "hits", {"stage": "retrieve", "hits": _hits(hits)}
            case Reranked(hits):
                return "hits", {"stage": "rerank", "hits": _hits(hits)}
            case Checked(statement):
                return "checked", serialization.statement_to_dict(statement)
            case Text(text):
                return "delta", {"text": text}
            case Cited(number, citation):
                return "citation", {"number": number, **self.citation(citation)}
            case Done(answer):
                return "done", self.done(answer)

    def done(self, answer: Answer) -> dict[str, Any]:
        """The whole answer."""
        assert answer.trace
        form = serialization.answer_to_dict(self.form.question, answer)
        form["citations"] = [self.citation(one) for one in answer.citations]
        form["other_sections"] = [
            serialization.section_to_dict(one) | self._address(one) for one in answer.other_sections
        ]
        form |= {
            "index": self.index,
            "configuration": self.configuration,
            "conversation": self.stored[0] if self.stored else None,
            "turn": self.stored[1] if self.stored else None,
        }
        if self.form.trace:
            form["trace"] = serialization.trace_to_dict(answer.trace)
        return form

    def citation(self, citation: Citation) -> dict[str, Any]:
        return serialization.citation_to_dict(citation) | self._address(citation)

    def _address(self, citation: Citation) -> dict[str, str]:
        url = source_url(self.index, citation.passage_id, citation.start, citation.end)
        return {"url": url}


def source_url(index: str, passage_id: str, start: int, end: int) -> str:
    """The address of the source viewer at a quote."""
    values = {"index": index, "passage": passage_id, "start": start, "end": end}
    return f"/source?{urlencode(values)}"


def _hits(hits: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [serialization.hit_to_dict(hit) for hit in hits]
