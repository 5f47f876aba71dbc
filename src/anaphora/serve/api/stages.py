"""Searching, the other stages by themselves, and the indexes that can be asked."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import JSONResponse

from anaphora import registry
from anaphora.assistant import Assistant
from anaphora.language import identify, language_code
from anaphora.pipeline import rerank as reranked
from anaphora.pipeline import rewrite_all
from anaphora.protocols import Reranker
from anaphora.records import Answer, Conversation, Hit, Passage, Query, Turn
from anaphora.rerank.settings import for_given_passages
from anaphora.serialization import (
    courtesy_to_dict,
    ranking_to_dict,
    reading_to_dict,
    rewrite_to_dict,
    search_to_dict,
)
from anaphora.serve import forms
from anaphora.serve.forms import Form, History, Id, Language, Name, Question
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import Services, services
from anaphora.serve.waiting import result

router = APIRouter(prefix="/api/v1", responses=forms.EVERY, tags=["stages"])
MaySearch = Annotated[Client, Depends(require("search"))]
Shared = Annotated[Services, Depends(services)]
NOT_FOUND = forms.problems_of(404)


class SearchForm(Form):
    """A query."""

    query: Question
    k: Annotated[int, Field(ge=1, le=100)] = 10
    lang: Language | None = None
    index: Name | None = None
    configuration: Name | None = None


class RewriteRequestForm(Form):
    """A conversation whose last turn, the question, is made self-contained."""

    question: Question
    history: History = ()
    lang: Language | None = None
    index: Name | None = None
    configuration: Name | None = None


class PassageForm(Form):
    """A passage of a request. Without `lang` its language is identified."""

    id: Id = Field(alias="_id")
    title: Annotated[str, Field(max_length=2_000)] = ""
    text: Annotated[str, Field(max_length=forms.TEXT)]
    lang: Language | None = None


class CandidatesForm(Form):
    """A question with passages."""

    question: Question
    passages: Annotated[tuple[PassageForm, ...], Field(max_length=forms.PASSAGES)]
    lang: Language | None = None
    configuration: Name | None = None


@router.get("/indexes", response_model=forms.IndexesForm)
async def indexes(client: MaySearch, shared: Shared) -> JSONResponse:
    """The indexes, the default first, and the configurations that questions may name."""
    found = await asyncio.to_thread(
        lambda: [shared.indexes.status(one) for one in shared.indexes.names]
    )
    return JSONResponse(
        {
            "indexes": [asdict(status) for status in found],
            "configurations": list(shared.indexes.configs),
        }
    )


@router.post("/search", response_model=forms.SearchResultForm, responses=NOT_FOUND)
async def search(
    form: SearchForm, request: Request, client: MaySearch, shared: Shared
) -> JSONResponse:
    """Searches without answering."""
    lang = _language(form.lang)

    def work() -> dict[str, Any]:
        with shared.indexes.use(form.index, form.configuration) as assistant:
            conversation = Conversation((Turn("user", form.query, lang),))
            (understanding,) = assistant.understander.understand([conversation])
            query = Query(form.query, understanding.lang)
            hits = assistant.retriever.retrieve([query], form.k)[0]
        return search_to_dict(form.query, understanding.lang, hits)

    return JSONResponse(await result(request, shared.turns, client.owner, work))


@router.post("/rewrite", response_model=forms.RewriteForm, responses=NOT_FOUND)
async def rewrite(
    form: RewriteRequestForm, request: Request, client: MaySearch, shared: Shared
) -> JSONResponse:
    """Makes a follow-up question self-contained."""
    history = [Turn(one.role, one.text, _language(one.lang)) for one in form.history]
    conversation = Conversation((*history, Turn("user", form.question, _language(form.lang))))

    def work() -> dict[str, Any]:
        with shared.indexes.use(form.index, form.configuration) as assistant:
            ((understanding, found),) = rewrite_all(
                assistant.understander, assistant.rewriter, [conversation]
            )
        return rewrite_to_dict("", found) if found else courtesy_to_dict(understanding)

    return JSONResponse(await result(request, shared.turns, client.owner, work))


@router.post("/rerank", response_model=forms.RankingForm, responses=NOT_FOUND)
async def rerank(
    form: CandidatesForm, request: Request, client: MaySearch, shared: Shared
) -> JSONResponse:
    """Puts passages into the order in which they answer a question."""
    query, hits = _candidates(form)

    def work() -> dict[str, Any]:
        with shared.indexes.use(None, form.configuration) as assistant:
            (ranked,), _ = reranked(any_reranker(assistant), [query], [hits], len(hits))
        return ranking_to_dict("", ranked)

    return JSONResponse(await result(request, shared.turns, client.owner, work))


@router.post("/read", response_model=forms.ReadingForm, responses=NOT_FOUND)
async def read(
    form: CandidatesForm, request: Request, client: MaySearch, shared: Shared
) -> JSONResponse:
    """Answers a question from passages."""
    query, hits = _candidates(form)

    def work() -> dict[str, Any]:
        with shared.indexes.use(None, form.configuration) as assistant:
            return reading_to_dict("", _answer(assistant, query, hits))

    return JSONResponse(await result(request, shared.turns, client.owner, work))


def _answer(assistant: Assistant, query: Query, hits: list[Hit]) -> Answer:
    conversation = Conversation((Turn("user", query.text, query.lang),))
    (understanding,) = assistant.understander.understand([conversation])
    if understanding.intent != "question":
        return Answer(understanding.reply, query.lang, 1.0)
    if len(hits) > getattr(assistant.config.read, "passages", len(hits)):
        (hits,), _ = reranked(any_reranker(assistant), [query], [hits], len(hits))
    (answer,) = assistant.pipeline.reader.read([query], [hits])
    return answer


def any_reranker(assistant: Assistant) -> Reranker:
    """The configured reranker or the default one, for any number of passages."""
    chosen = for_given_passages(assistant.config.rerank)
    reranker: Reranker = registry.build(chosen, assistant)
    return reranker


def _candidates(form: CandidatesForm) -> tuple[Query, list[Hit]]:
    if len({one.id for one in form.passages}) < len(form.passages):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "two passages have the same '_id'")
    passages = [
        Passage(
            one.id,
            one.id,
            one.title,
            one.text,
            _language(one.lang) or identify(one.text),
            end=len(one.text),
        )
        for one in form.passages
    ]
    lang = _language(form.lang) or identify(form.question)
    return (
        Query(form.question, lang),
        [Hit(one, 1 / rank, rank) for rank, one in enumerate(passages, 1)],
    )


def _language(code: str | None) -> str | None:
    return None if code is None else language_code(code)
