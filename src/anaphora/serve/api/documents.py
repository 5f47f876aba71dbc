"""Documents: lists, texts, pages, uploads and deletions."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncGenerator
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from anaphora.errors import IndexBusy
from anaphora.index import Index, open_writer
from anaphora.ingest.contents import remove_document
from anaphora.ingest.ledger import origin, owners
from anaphora.ingest.pdf.rendering import MAX_WIDTH
from anaphora.records import Block, Passage
from anaphora.serialization import block_to_dict
from anaphora.serve import forms
from anaphora.serve.indexes import DEFAULT
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import Services, services
from anaphora.serve.sources import CONTEXT, assembled, kind_of_document, no_document, pdf_file
from anaphora.serve.sse import HEARTBEAT, EventStream

router = APIRouter(prefix="/api/v1", responses=forms.EVERY, tags=["documents"])
NOT_FOUND = forms.problems_of(404)
MAY_CHANGE = forms.problems_of(404, 409, 507)
MayRead = Annotated[Client, Depends(require("ask", "search"))]
MayIngest = Annotated[Client, Depends(require("ingest"))]
Shared = Annotated[Services, Depends(services)]
DocId = Annotated[str, Query(min_length=1, max_length=5_000)]
PassageId = Annotated[str, Query(min_length=1, max_length=5_100)]
LOOK: Final = 0.2
"""Seconds after which an event stream looks again whether its job has changed."""
Offset = Annotated[int, Query(ge=0, le=2**40)]

Kind = Literal["html", "markdown", "text", "pdf", "docx", "odt", "epub", "records"]


class DocumentForm(BaseModel):
    doc_id: str
    title: str
    lang: str
    passages: int
    kind: Kind


class DocumentsForm(BaseModel):
    documents: list[DocumentForm]
    next: str | None


class SourceBlockForm(forms.BlockForm):
    place: str


class SectionForm(BaseModel):
    start: int
    path: list[str]


class SourceForm(BaseModel):
    """The text of a document, or the part of it from character `start` on.

    The offsets of blocks and sections are those in the whole text, whose length is `length`.
    `pages` is null where no pages can be shown; `notice` then says why, for a PDF file.
    """

    doc_id: str
    title: str
    lang: str
    kind: Kind
    pages: int | None
    notice: str
    length: int
    start: int
    text: str
    blocks: list[SourceBlockForm]
    sections: list[SectionForm]


class PassageForm(BaseModel):
    passage_id: str
    doc_id: str
    title: str
    lang: str
    section: list[str]
    start: int
    end: int
    text: str
    blocks: list[SourceBlockForm]


class PageBoxesForm(BaseModel):
    page: int
    width: float
    height: float
    boxes: list[tuple[float, float, float, float]]


class BoxesForm(BaseModel):
    pages: list[PageBoxesForm]


class FileForm(BaseModel):
    name: str
    state: Literal["waiting", "reading", "done", "skipped"]
    reason: str
    done: int
    total: int


class JobForm(BaseModel):
    """An upload on its way into an index. `done` of `total` passages have their vectors."""

    id: str
    index: str
    state: Literal["waiting", "reading", "encoding", "done", "failed"]
    reason: str
    done: int
    total: int
    files: list[FileForm]


class JobStartedForm(BaseModel):
    job: str


@router.get("/indexes/{name}/documents", response_model=DocumentsForm, responses=NOT_FOUND)
def list_documents(
    name: str,
    client: MayRead,
    shared: Shared,
    q: Annotated[str, Query(max_length=500)] = "",
    after: Annotated[str, Query(max_length=8_000)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """Lists the documents of an index by their ids; with `q`, those whose title or id holds it."""
    with shared.indexes.opened(name) as index:
        found = index.documents(q, _place(after), limit + 1)
        files = owners(Path(index.location), [one.doc_id for one in found[:limit]])
    listed = [
        {
            "doc_id": one.doc_id,
            "title": one.title,
            "lang": one.lang,
            "passages": one.passages,
            "kind": kind_of_document(files.get(one.doc_id)),
        }
        for one in found[:limit]
    ]
    more = len(found) > limit
    return JSONResponse(
        {"documents": listed, "next": _token(found[limit - 1].doc_id) if more else None}
    )


@router.get("/indexes/{name}/document", response_model=SourceForm, responses=NOT_FOUND)
def read_document(
    name: str,
    doc_id: DocId,
    client: MayRead,
    shared: Shared,
    start: Offset = 0,
    size: Annotated[int | None, Query(ge=1, le=2**40)] = None,
) -> JSONResponse:
    """The text of a document with its structure.

    A citation's quote is `text[passage.start + citation.start : passage.start + citation.end]`.
    With `size`, only the passages that touch that many characters from `start` on are returned.
    """
    with shared.indexes.opened(name) as index:
        document = index.document(doc_id)
        if document is None:
            raise no_document(doc_id)
        passages = index.passages_of(doc_id, start, None if size is None else start + size)
        file = origin(Path(index.location), doc_id)
    first = passages[0].start if start and passages else 0
    part = assembled(passages, first)
    kind = kind_of_document(file.path if file else None)
    pages, notice = None, ""
    if kind == "pdf" and file:
        try:
            pages = shared.pages.count(file)
        except Problem as problem:
            notice = problem.detail
    return JSONResponse(
        {
            "doc_id": document.doc_id,
            "title": document.title,
            "lang": document.lang,
            "kind": kind,
            "pages": pages,
            "notice": notice,
            "length": document.length,
            "start": part.start,
            "text": part.text,
            "blocks": [_block(one) for one in part.blocks],
            "sections": [{"start": one.start, "path": list(one.path)} for one in part.sections],
        }
    )


@router.get("/indexes/{name}/passage", response_model=PassageForm, responses=NOT_FOUND)
def read_passage(name: str, passage_id: PassageId, client: MayRead, shared: Shared) -> JSONResponse:
    """A passage with its place in its document."""
    with shared.indexes.opened(name) as index:
        passage = _passage(index, passage_id)
    return JSONResponse(
        {
            "passage_id": passage.passage_id,
            "doc_id": passage.doc_id,
            "title": passage.title,
            "lang": passage.lang,
            "section": list(passage.section),
            "start": passage.start,
            "end": passage.end,
            "text": passage.text,
            "blocks": [_block(one) for one in passage.blocks],
        }
    )


@router.get(
    "/indexes/{name}/page",
    responses={
        200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}},
        **forms.problems_of(404, 410),
    },
    response_class=Response,
)
def draw_page(
    name: str,
    doc_id: DocId,
    page: Annotated[int, Query(ge=1, le=1_000_000)],
    client: MayRead,
    shared: Shared,
    width: Annotated[int, Query(ge=16, le=MAX_WIDTH)] = 1_000,
) -> Response:
    """A page of a PDF document as an image. 410: the file has changed or vanished since."""
    with shared.indexes.opened(name) as index:
        file = pdf_file(index, doc_id)
    image = shared.pages.image(file, page, width)
    return Response(
        image,
        media_type="image/png",
        headers={
            "Cache-Control": "private, max-age=300",
            "Vary": "Authorization, Cookie",  # not for the next person at this browser
        },
    )


@router.get(
    "/indexes/{name}/boxes",
    response_model=BoxesForm,
    responses=forms.problems_of(404, 410),
)
def find_boxes(
    name: str,
    passage_id: PassageId,
    start: Offset,
    end: Offset,
    client: MayRead,
    shared: Shared,
) -> JSONResponse:
    """Where characters of a passage are on the pages of its PDF document, a box for each line.

    Boxes are left, bottom, right and top in points from the lower left corner of the page as it is
    drawn.
    """
    with shared.indexes.opened(name) as index:
        passage = _passage(index, passage_id)
        file = pdf_file(index, passage.doc_id)
        around = index.passages_of(
            passage.doc_id, max(0, passage.start - CONTEXT), passage.end + CONTEXT
        )
    found = shared.pages.boxes(file, around, passage, start, end)
    return JSONResponse(
        {
            "pages": [
                {
                    "page": one.page,
                    "width": one.width,
                    "height": one.height,
                    "boxes": [list(box) for box in one.boxes],
                }
                for one in found
            ]
        }
    )


@router.delete("/indexes/{name}/document", status_code=204, responses=MAY_CHANGE)
def delete_document(name: str, doc_id: DocId, client: MayIngest, shared: Shared) -> Response:
    """Removes a document from the index.

    The file of an upload is deleted with it; any other file is not touched, and indexing its folder
    adds it again.
    """
    with shared.indexes.opened(name) as index:
        if index.document(doc_id) is None:
            raise no_document(doc_id)
    folder, engine = shared.indexes.folders[name], shared.indexes.configs[DEFAULT].index
    try:
        with open_writer(folder, engine, create=False) as writer:
            path = remove_document(writer, doc_id)
    except IndexBusy as error:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), {"Retry-After": "5"}) from error
    if path is not None:
        shared.uploads.discard(name, path)
    return Response(status_code=204)


@router.post(
    "/indexes/{name}/documents",
    status_code=202,
    response_model=JobStartedForm,
    responses=MAY_CHANGE | forms.problems_of(415),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "files": {
                                "type": "array",
                                "items": {"type": "string", "format": "binary"},
                            },
                            "replace": {"type": "boolean", "default": False},
                        },
                        "required": ["files"],
                    }
                }
            },
        }
    },
)
async def upload_documents(
    name: str, request: Request, client: MayIngest, shared: Shared
) -> JSONResponse:
    """Stores files and adds them to the index; the job tells how far that is.

    A file's kind is found in its content. What cannot be read is skipped, with a reason. A file of
    the name of an earlier upload is kept too, under a new name; with `replace` it takes its place.
    """
    job = await shared.uploads.receive(
        shared.indexes.find(name), client.owner, request.headers, request.stream()
    )
    return JSONResponse({"job": job}, HTTPStatus.ACCEPTED)


@router.get(
    "/jobs/{job}",
    responses={
        200: {
            "description": "The job; for `Accept: text/event-stream`, an event `job` with it "
            "whenever it has changed, until it has ended.",
            "model": JobForm,
            "content": forms.EVENTS,
        },
        **NOT_FOUND,
    },
    response_class=JSONResponse,
)
async def read_job(job: str, request: Request, client: MayIngest, shared: Shared) -> Response:
    """How far an upload is."""
    found = shared.uploads.job(job, client.owner)
    if "text/event-stream" not in request.headers.get("accept", ""):
        return JSONResponse(found.to_dict())

    async def events() -> AsyncGenerator[tuple[str, Any] | None, None]:
        version, quiet = -1, 0
        while True:
            if found.version == version:
                quiet += 1
                if quiet % round(HEARTBEAT / LOOK) == 0:
                    yield None
                await asyncio.sleep(LOOK)
                continue
            version = found.version
            form = found.to_dict()
            yield "job", form
            if form["state"] in ("done", "failed"):
                return

    return EventStream(events())


def _passage(index: Index, passage_id: str) -> Passage:
    found = index.passages([passage_id]).get(passage_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"the index holds no passage {passage_id!r}")
    return found


def _block(block: Block) -> dict[str, Any]:
    return {**block_to_dict(block), "place": block.place}


def _token(doc_id: str) -> str:
    return base64.urlsafe_b64encode(doc_id.encode()).decode().rstrip("=")


def _place(token: str) -> str:
    try:
        padded = token + "=" * (-len(token) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise Problem(
            HTTPStatus.BAD_REQUEST, "'after' is not the 'next' of an earlier list"
        ) from error
