"""The routes under /v1."""

from __future__ import annotations

import base64
import time
import uuid
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple

import numpy as np
from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, Response

from anaphora.assistant import Assistant
from anaphora.language import identify
from anaphora.pipeline import rerank as reranked
from anaphora.protocols import Encoder, FloatArray
from anaphora.records import Answer, Citation, Done, Hit, Passage, Query, Text
from anaphora.serve.api.ask import source_url
from anaphora.serve.api.stages import any_reranker
from anaphora.serve.forms import EVENTS
from anaphora.serve.indexes import DEFAULT, Indexes
from anaphora.serve.openai import forms
from anaphora.serve.openai.completions import Completion, tokens, url_citations, usage
from anaphora.serve.openai.errors import streamed
from anaphora.serve.openai.messages import conversation
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, identified, require
from anaphora.serve.services import Services, services
from anaphora.serve.sse import HEARTBEAT, EventStream, unnamed
from anaphora.serve.turns import Turn
from anaphora.serve.waiting import result, unless_gone

NAME = "anaphora"
"""The model that stands for the default index and configuration."""
_BATCH = 32
"""Texts that are encoded before a client that has left is noticed."""
_BEGAN = int(time.time())

router = APIRouter(prefix="/v1", responses=forms.ERRORS, tags=["openai"])
MayAsk = Annotated[Client, Depends(require("ask"))]
MaySearch = Annotated[Client, Depends(require("search"))]
Known = Annotated[Client, Depends(identified)]
Shared = Annotated[Services, Depends(services)]


@dataclass(frozen=True, slots=True)
class Model:
    """What a model stands for."""

    name: str
    index: str
    configuration: str


@router.get("/models", response_model=forms.ModelsForm)
async def models(client: Known, shared: Shared) -> JSONResponse:
    """The indexes, and each with each configuration, as models."""
    return JSONResponse({"object": "list", "data": list(map(_described, names(shared.indexes)))})


@router.get("/models/{name}", response_model=forms.ModelForm)
async def model(name: str, client: Known, shared: Shared) -> JSONResponse:
    """One model."""
    return JSONResponse(_described(find_model(shared.indexes, name).name))


@router.post(
    "/chat/completions",
    response_model=forms.CompletionForm,
    responses={200: {"content": EVENTS}},
)
async def chat_completions(
    form: forms.ChatForm, request: Request, client: MayAsk, shared: Shared
) -> Response:
    """Answers the last message from the documents."""
    if form.n not in (None, 1):
        raise Problem(
            HTTPStatus.BAD_REQUEST, "there is one answer to a question: 'n' must be 1", param="n"
        )
    asked = _Chat(form, shared, str(request.base_url))
    turn = shared.turns.submit(client.owner, asked.events)
    if form.stream:
        return EventStream(asked.stream(turn), unnamed)
    return JSONResponse(await unless_gone(request, asked.whole(turn)))


@router.post("/embeddings", response_model=forms.EmbeddingsResultForm)
async def embeddings(
    form: forms.EmbeddingsForm, request: Request, client: MaySearch, shared: Shared
) -> JSONResponse:
    """The vectors of texts, by the encoder of an index."""
    chosen = find_model(shared.indexes, form.model)
    texts = _texts(form)

    def work() -> Iterator[tuple[list[FloatArray], int]]:
        with shared.indexes.use(chosen.index, chosen.configuration) as assistant:
            encoder = _encoder(assistant, chosen.index, form.dimensions)
            encode = encoder.encode_queries if form.is_query else encoder.encode_passages
            for start in range(0, len(texts), _BATCH):
                batch = texts[start : start + _BATCH]
                yield list(encode(batch)), sum(map(tokens, batch))

    async def gathered() -> dict[str, Any]:
        vectors: list[FloatArray] = []
        count = 0
        async for part in shared.turns.submit(client.owner, work).results():
            if isinstance(part, tuple):
                vectors += part[0]
                count += part[1]
        return {
            "object": "list",
            "data": [
                {"object": "embedding", "index": number, "embedding": _vector(form, vector)}
                for number, vector in enumerate(vectors)
            ],
            "model": chosen.name,
            "usage": {"prompt_tokens": count, "total_tokens": count},
        }

    return JSONResponse(await unless_gone(request, gathered()))


@router.post("/rerank", response_model=forms.RankingForm)
async def rerank(
    form: forms.RerankForm, request: Request, client: MaySearch, shared: Shared
) -> JSONResponse:
    """Puts texts into the order in which they answer a query."""
    chosen = find_model(shared.indexes, form.model)
    texts = [one if isinstance(one, str) else one.text for one in form.documents]

    def work() -> dict[str, Any]:
        with shared.indexes.use(chosen.index, chosen.configuration) as assistant:
            hits = _ranked(assistant, form.query, texts)
        count = tokens(form.query) + sum(map(tokens, texts))
        return {
            "id": f"rerank-{uuid.uuid4().hex}",
            "model": chosen.name,
            "results": [
                {
                    "index": int(hit.passage.passage_id),
                    "relevance_score": relevance(hit),
                    **({"document": {"text": hit.passage.text}} if form.return_documents else {}),
                }
                for hit in hits[: form.top_n]
            ],
            "usage": {"prompt_tokens": count, "total_tokens": count},
        }

    return JSONResponse(await result(request, shared.turns, client.owner, work))


def names(indexes: Indexes) -> list[str]:
    """The names of all models, the default first.

    An index of the default's name that is not the default is `anaphora:default`.
    """
    found = [NAME]
    for index in indexes.names:
        hidden = index == NAME != indexes.default
        found.append(f"{index}:{DEFAULT}" if hidden else index)
        found += [f"{index}:{one}" for one in indexes.configs if one != DEFAULT]
    return list(dict.fromkeys(found))


def find_model(indexes: Indexes, name: str) -> Model:
    """What a model stands for.

    Raises:
        Problem: 404, there is no such model.
    """
    index, colon, configuration = name, "", DEFAULT
    if name == NAME:
        index = indexes.default
    elif name not in indexes.folders:
        index, colon, configuration = name.rpartition(":")
        if not colon:
            index, configuration = name, DEFAULT
    if index == NAME and index not in indexes.folders:
        index = indexes.default
    if index not in indexes.folders or configuration not in indexes.configs:
        raise Problem(
            HTTPStatus.NOT_FOUND,
            f"there is no model {name!r}; there are {', '.join(names(indexes))}",
            param="model",
        )
    return Model(name, index, configuration)


def _described(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": _BEGAN, "owned_by": "anaphora"}


class _Written(NamedTuple):
    """The end of a completion."""

    answer: Answer
    usage: dict[str, int]


class _Chat:
    """One completion on its way."""

    def __init__(self, form: forms.ChatForm, shared: Services, base: str) -> None:
        self.chosen = find_model(shared.indexes, form.model)
        self.question, self.history = conversation(form.messages)
        self.completion = Completion(form.model)
        self._with_usage = bool(form.stream_options and form.stream_options.include_usage)
        self._shared = shared
        self._base = base.rstrip("/")

    def events(self) -> Iterator[str | _Written]:
        """The parts of the text and the end, in a thread of their own."""
        with self._shared.indexes.use(self.chosen.index, self.chosen.configuration) as assistant:
            for event in assistant.stream(self.question, self.history):
                if isinstance(event, Text):
                    yield event.text
                elif isinstance(event, Done):
                    self._shared.answered(event.answer)
                    counts = usage(self.history, self.question, event.answer.text)
                    yield _Written(event.answer, counts)

    async def whole(self, turn: Turn[str | _Written]) -> dict[str, Any]:
        async for event in turn.results():
            if isinstance(event, _Written):
                return self.completion.whole(
                    event.answer.text, url_citations(event.answer, self._url), event.usage
                )
        raise AssertionError("an answer ends")

    async def stream(self, turn: Turn[str | _Written]) -> AsyncGenerator[Any, None]:
        """The chunks; the last one is `[DONE]` or an error."""
        try:
            yield self.completion.chunk({"role": "assistant", "content": ""})
            async for event in turn.results(HEARTBEAT):
                if event is None:
                    yield None
                elif isinstance(event, str):
                    yield self.completion.chunk({"content": event})
                elif isinstance(event, _Written):
                    cited = url_citations(event.answer, self._url)
                    if cited:
                        yield self.completion.chunk({"annotations": cited})
                    yield self.completion.chunk({}, "stop")
                    if self._with_usage:
                        yield self.completion.usage_chunk(event.usage)
            yield "[DONE]"
        except Exception as error:
            yield streamed(error)
        finally:
            turn.cancel()

    def _url(self, citation: Citation) -> str:
        place = source_url(self.chosen.index, citation.passage_id, citation.start, citation.end)
        return self._base + place


def _texts(form: forms.EmbeddingsForm) -> list[str]:
    """The texts of a request.

    Raises:
        Problem: 400, they are token ids of another model, or one is empty.
    """
    given = [form.input] if isinstance(form.input, str) else form.input
    texts = [one for one in given if isinstance(one, str)]
    if len(texts) < len(given):
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            "the input is a list of token ids, which belong to another model; send texts "
            "(in LangChain: check_embedding_ctx_length=False)",
            param="input",
        )
    if not all(text.strip() for text in texts):
        raise Problem(HTTPStatus.BAD_REQUEST, "a text of the input is empty", param="input")
    return texts


def _encoder(assistant: Assistant, index: str, dimensions: int | None) -> Encoder:
    encoder = assistant.encoder
    if encoder is None:
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            f"the index {index!r} has no vectors, and so no encoder; choose another model",
            param="model",
        )
    if dimensions not in (None, encoder.dimensions):
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            f"the vectors of {encoder.name!r} have {encoder.dimensions} dimensions and cannot be "
            "shortened; leave 'dimensions' out",
            param="dimensions",
        )
    return encoder


def _vector(form: forms.EmbeddingsForm, vector: FloatArray) -> list[float] | str:
    if form.encoding_format == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    values: list[float] = vector.astype(np.float32).tolist()
    return values


def _ranked(assistant: Assistant, text: str, texts: Sequence[str]) -> list[Hit]:
    passages = [
        Passage(str(number), str(number), "", one, identify(one), end=len(one))
        for number, one in enumerate(texts)
    ]
    hits = [Hit(one, 1 / rank, rank) for rank, one in enumerate(passages, 1)]
    query = Query(text, identify(text))
    (found,), _ = reranked(any_reranker(assistant), [query], [hits], len(hits))
    return found


def relevance(hit: Hit) -> float:
    """The score of a reranker, which is in log-odds, from 0 to 1; 0 for a text without a score."""
    if not hit.sources:
        return 0.0
    return float(1 / (1 + np.exp(-np.clip(hit.score, -50, 50))))
