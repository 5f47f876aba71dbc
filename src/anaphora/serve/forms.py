"""The JSON forms of requests and responses, as the OpenAPI document describes them.

The forms of responses document what `anaphora.serialization` makes (docs/json.md); responses are
not built from them. A form that others share is here, one of a single route is beside the route.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from anaphora.serve.problems import MEDIA_TYPE

PROBLEM = "Problem"
"""The name of the schema of `ProblemForm` in the OpenAPI document."""
EVENTS = {"text/event-stream": {"schema": {"type": "object", "required": ["data"]}}}
"""The `content` of a response of server-sent events; the schema is that of each event."""
QUESTION = 20_000
"""Characters of a question, a query, or a turn before it that was asked."""
TEXT = 200_000
"""Characters of an answer in a history, or of a passage."""
TURNS = 1_000
"""Turns of a history that is sent with a question."""
PASSAGES = 200
"""Passages of a question for reranking or reading."""

Question = Annotated[
    str, StringConstraints(min_length=1, max_length=QUESTION, pattern=r"\S"), Field()
]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Language = Annotated[str, StringConstraints(min_length=1, max_length=35)]


class Form(BaseModel):
    """A request: a field that is not known is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProblemForm(BaseModel):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


class TurnForm(Form):
    """A turn before the question."""

    role: Literal["user", "assistant"]
    text: Annotated[str, StringConstraints(max_length=TEXT)]
    lang: Language | None = None


Ids = Annotated[tuple[Id, ...], Field(max_length=100)]
History = Annotated[tuple[TurnForm, ...], Field(max_length=TURNS)]


class BlockForm(BaseModel):
    kind: str
    start: int
    end: int
    depth: int
    marker: str
    header: list[str]


class CitationForm(BaseModel):
    passage_id: str
    doc_id: str
    title: str
    quote: str
    span: str
    start: int
    end: int
    place: str
    blocks: list[BlockForm]


class LinkedCitationForm(CitationForm):
    """A citation with the address of the source viewer at the quote."""

    url: str


class SectionForm(BaseModel):
    """A passage of a section that is not quoted, with its address in the source viewer."""

    passage_id: str
    doc_id: str
    title: str
    start: int
    end: int
    place: str
    url: str


class HitForm(BaseModel):
    rank: int
    score: float
    passage_id: str
    doc_id: str
    title: str
    lang: str
    text: str
    sources: dict[str, float]


class AnswerForm(BaseModel):
    """What `anaphora ask --json` prints, and where the turn is stored."""

    question: str
    rewrite: str
    lang: str
    intent: Literal["question", "greeting", "thanks", "farewell"]
    answer: str
    span: str
    answer_lang: str
    confidence: float
    abstained: bool
    second_reading: str
    unmentioned: list[str] = []
    citations: list[LinkedCitationForm]
    other_sections: list[SectionForm] = []
    writing: dict[str, Any] | None
    hits: list[HitForm]
    adapted: bool = False
    cut: str | None
    timings: dict[str, float]
    index: str
    configuration: str
    conversation: str | None
    turn: str | None
    trace: dict[str, Any] | None = None


class EditForm(BaseModel):
    kind: Literal["insert", "replace", "delete"]
    text: str
    source_turn: int | None
    position: int
    replaced: str


class RewriteForm(BaseModel):
    id: str
    rewrite: str
    lang: str
    confidence: float
    decision: Literal["rewrite", "leave", "new topic", "no retrieval"] | None
    reason: str
    edits: list[EditForm]
    variants: list[str]


class SearchResultForm(BaseModel):
    query: str
    lang: str
    hits: list[HitForm]


class RankedForm(BaseModel):
    id: str = Field(alias="_id")
    score: float


class RankingForm(BaseModel):
    id: str
    ranking: list[RankedForm]


class ReadingForm(BaseModel):
    id: str
    span: str
    answer: str
    lang: str
    confidence: float
    abstained: bool
    citations: list[CitationForm]
    writing: dict[str, Any] | None


class IndexForm(BaseModel):
    name: str
    documents: int
    passages: int
    languages: list[str]
    encoder: str
    without_vectors: int
    state: Literal["ready", "updating", "damaged"]
    detail: str


class IndexesForm(BaseModel):
    indexes: list[IndexForm]
    configurations: list[str]


def problems_of(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: what each of these statuses carries."""
    schema = {"$ref": f"#/components/schemas/{PROBLEM}"}
    response = {
        "description": "A problem: one sentence says what is wrong.",
        "content": {MEDIA_TYPE: {"schema": schema}},
    }
    return dict.fromkeys(statuses, response)


EVERY = problems_of(400, 401, 403, 413, 422, 429, 503)
"""What any route may answer besides 404."""
