"""The requests, as official clients send them. Parameters that do not apply here are ignored, as by
other servers of this API."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, Field, StringConstraints

from anaphora.serve.forms import PASSAGES, QUESTION, TEXT, TURNS

INPUTS = 1024
"""Texts of one request for embeddings."""

Model: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=400),
    Field(
        description="'anaphora' for the default, the name of an index, or the names of an index "
        "and a configuration as 'index:configuration'."
    ),
]
_Text: TypeAlias = Annotated[str, StringConstraints(max_length=TEXT)]


class Part(BaseModel):
    type: str
    text: _Text = ""


class Message(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: _Text | Annotated[list[Part], Field(max_length=1000)] | None = None
    annotations: list[dict[str, Any]] | None = None


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatForm(BaseModel):
    """A request for a chat completion."""

    model: Model = "anaphora"
    messages: Annotated[list[Message], Field(min_length=1, max_length=TURNS + 1)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: int | None = 1


class EmbeddingsForm(BaseModel):
    """A request for embeddings."""

    model: Model = "anaphora"
    input: (
        _Text
        | Annotated[list[_Text], Field(min_length=1, max_length=INPUTS)]
        | Annotated[list[int], Field(min_length=1, max_length=100_000)]
        | Annotated[list[list[int]], Field(min_length=1, max_length=INPUTS)]
    )
    encoding_format: Literal["float", "base64"] | None = "float"
    dimensions: int | None = None
    input_type: Annotated[
        Literal["query", "passage", "document", "search_query", "search_document"] | None,
        Field(
            description="Whether the texts are questions or passages, which the encoder marks "
            "differently; 'passage' if it is left out."
        ),
    ] = None

    @property
    def is_query(self) -> bool:
        return self.input_type in ("query", "search_query")


class Document(BaseModel):
    text: _Text


class RerankForm(BaseModel):
    """A request for a ranking, as Jina's and Cohere's clients send it."""

    model: Model = "anaphora"
    query: Annotated[str, StringConstraints(min_length=1, max_length=QUESTION, pattern=r"\S")]
    documents: Annotated[list[_Text | Document], Field(min_length=1, max_length=PASSAGES)]
    top_n: Annotated[int, Field(ge=1)] | None = None
    return_documents: bool | None = False


class ModelForm(BaseModel):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ModelsForm(BaseModel):
    object: Literal["list"]
    data: list[ModelForm]


class UrlCitation(BaseModel):
    start_index: int
    end_index: int
    title: str
    url: str


class AnnotationForm(BaseModel):
    type: Literal["url_citation"]
    url_citation: UrlCitation


class AnswerMessage(BaseModel):
    role: Literal["assistant"]
    content: str
    refusal: None
    annotations: list[AnnotationForm]


class ChoiceForm(BaseModel):
    index: int
    message: AnswerMessage
    logprobs: None
    finish_reason: Literal["stop"]


class UsageForm(BaseModel):
    """Tokens of Anaphora's own tokenizer."""

    prompt_tokens: int
    total_tokens: int


class ChatUsageForm(UsageForm):
    completion_tokens: int


class CompletionForm(BaseModel):
    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChoiceForm]
    usage: ChatUsageForm


class EmbeddingForm(BaseModel):
    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class EmbeddingsResultForm(BaseModel):
    object: Literal["list"]
    data: list[EmbeddingForm]
    model: str
    usage: UsageForm


class RankedForm(BaseModel):
    index: int
    relevance_score: float
    document: Document | None = None


class RankingForm(BaseModel):
    id: str
    model: str
    results: list[RankedForm]
    usage: UsageForm


class ErrorDetail(BaseModel):
    message: str
    type: str
    param: str | None
    code: str | None


class ErrorForm(BaseModel):
    """An error in the form of the OpenAI API."""

    error: ErrorDetail


ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorForm} for status in (400, 401, 403, 404, 413, 429, 503)
}
"""The `responses` of every route."""
