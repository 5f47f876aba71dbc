"""The arguments and results of the tools. Agents see their JSON schemas."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST = 20_000
"""Characters of a question."""

_Index = Annotated[
    str | None,
    Field(description="The name of the index to use; leave it out for the first one."),
]
_Lang = Annotated[
    str | None,
    Field(description="The language of the question, such as 'vi'; leave it out to identify it."),
]


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    index: _Index = None


class SearchArguments(Arguments):
    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST,
            description="What to look for, in any language: a question or keywords.",
        ),
    ]
    k: Annotated[int, Field(ge=1, le=50, description="How many passages to return.")] = 8
    lang: _Lang = None


class TurnForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Literal["user", "assistant"]
    text: Annotated[str, Field(max_length=100_000)]


class AskArguments(Arguments):
    question: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST,
            description="The question, in any language. With a history it may be a follow-up, "
            "such as 'And in 2023?'.",
        ),
    ]
    history: Annotated[
        list[TurnForm],
        Field(
            max_length=200,
            description="The turns before the question, oldest first. The server remembers "
            "nothing between calls.",
        ),
    ] = []
    lang: _Lang = None


class PassageArguments(Arguments):
    passage_id: Annotated[
        str, Field(min_length=1, description="The passage_id of a hit or a citation.")
    ]


class Found(BaseModel):
    """One passage of a search."""

    rank: int
    score: float
    passage_id: str
    doc_id: str
    title: str
    lang: str
    text: str
    uri: Annotated[str, Field(description="The resource of the whole document.")]


class SearchResult(BaseModel):
    index: str
    query: str
    lang: Annotated[str, Field(description="The language of the query.")]
    hits: Annotated[list[Found], Field(description="The passages found, best first.")]


class Cited(BaseModel):
    """A quotation, word for word as in its source."""

    number: Annotated[int, Field(description="The answer marks this citation as [number].")]
    passage_id: str
    doc_id: str
    title: Annotated[str, Field(description="The document's title and the section's headings.")]
    quote: str
    place: Annotated[
        str,
        Field(
            description="Where the quote stands in the document: an anchor, 'page=3' of a PDF, "
            "'L12' of a text file; may be empty."
        ),
    ]
    start: Annotated[int, Field(description="Start of the quote in the passage's text.")]
    end: Annotated[int, Field(description="Its end.")]
    uri: Annotated[str, Field(description="The resource of the whole document.")]


class AskResult(BaseModel):
    index: str
    question: str
    rewrite: Annotated[
        str, Field(description="The question as it was searched, made self-contained.")
    ]
    lang: Annotated[str, Field(description="The language of the question.")]
    intent: str
    answer: Annotated[
        str, Field(description="The answer; [1], [2], … name the citations it is grounded in.")
    ]
    answer_lang: str
    confidence: Annotated[float, Field(description="The probability that it answers, 0 to 1.")]
    abstained: Annotated[
        bool,
        Field(
            description="True where the documents hold no answer: the citations are then only of "
            "the nearest sections."
        ),
    ]
    second_reading: Annotated[
        str, Field(description="Another reading of the question that other passages answer, or ''.")
    ]
    citations: list[Cited]


class PassageResult(BaseModel):
    index: str
    passage_id: str
    doc_id: str
    title: str
    section: Annotated[list[str], Field(description="The headings above the passage.")]
    lang: str
    text: str
    start: Annotated[int, Field(description="Start of the passage in the document's text.")]
    end: Annotated[int, Field(description="Its end.")]
    before: Annotated[str | None, Field(description="The id of the passage before it.")]
    after: Annotated[str | None, Field(description="The id of the passage after it.")]
    uri: Annotated[str, Field(description="The resource of the whole document.")]
