"""The reader that writes with a language model, and shows only what its sources support."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from anaphora.crossencoder.model import CrossEncoder
from anaphora.errors import ModelUnavailable
from anaphora.language import identify
from anaphora.models.chat import Finish, LanguageModel, Message, PromptTooLong
from anaphora.protocols import Checker, Reader
from anaphora.read.draft import Draft
from anaphora.read.fallback import NO_ANSWER, as_fallback, honest_quotation, is_hopeless
from anaphora.read.fitting import least_tokens, most_tokens
from anaphora.read.nearest import best_passages
from anaphora.read.output import Output, Written
from anaphora.read.prompts import Request, Variant, schema
from anaphora.read.sources import numbered, section
from anaphora.records import (
    UNKNOWN,
    Answer,
    Checked,
    Cited,
    Hit,
    Query,
    Text,
    Writing,
)

Part: TypeAlias = Checked | Text | Cited

DEFAULT_WINDOW = 4096
"""Tokens of a model whose window nobody states; Ollama's default."""
_MOST_FITTED = 2
"""How often a prompt is fitted again after the model counted more tokens than were estimated."""


@dataclass(frozen=True)
class LLMReader:
    """Has a model write the answer from numbered sentences of the best passages.

    Each sentence is shown after its check: it cites sentences that the model was given, it is in
    the question's language, it may answer the question, and its citations support it. One sentence
    that they do not support is restated once; others are struck. If nothing is left, the extractive
    answer is given, and `Answer.writing` says why. The model is asked at most four times for one
    answer: for the answer, again where it is in another language, again where the prompt did not
    fit, and to restate.

    Args:
        cross_encoder: says whether a sentence has to do with the question.
        extractive: gives the answer where the model does not.
        passages: how many passages the model is shown at most.
        variant: the prompt; see `anaphora.read.prompts`.
        window: tokens of prompt and answer together; 0 to ask the model.
        with_schema: whether the model is asked for JSON by a schema, if it can.
    """

    model: LanguageModel
    checker: Checker
    cross_encoder: CrossEncoder
    extractive: Reader
    passages: int = 5
    variant: Variant = "translated-names"
    window: int = 0
    with_schema: bool = True

    @cached_property
    def known_window(self) -> int:
        """The window that was set or that the model states, else `DEFAULT_WINDOW`."""
        return self.window or self.model.window() or DEFAULT_WINDOW

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        return [
            _folded(self.stream(query, found)) for query, found in zip(queries, hits, strict=True)
        ]

    def stream(self, query: Query, hits: list[Hit]) -> Generator[Part, None, Answer]:
        (quoted,) = self.extractive.read([query], [hits])
        if is_hopeless(quoted):
            quoted = honest_quotation(self.extractive, query, hits)
            writing = Writing(self.model.name, fallback=NO_ANSWER)
            return (yield from _given(self.extractive, query, quoted, writing))
        turn = _Turn(self, query, best_passages(query, hits, self.passages))
        yield from turn.write()
        if not turn.draft.text:
            quoted = honest_quotation(self.extractive, query, hits)
            return (yield from _given(self.extractive, query, quoted, turn.writing(turn.failure())))
        lang = query.lang if query.lang != UNKNOWN else identify(turn.draft.text)
        shown = [one for one in turn.draft.statements if one.fate != "struck"]
        confidence = min(one.support.probability for one in shown if one.support)
        return Answer(
            turn.draft.text,
            lang,
            confidence,
            tuple(turn.draft.citations),
            writing=turn.writing(),
        )


class _Turn:
    """The requests for one answer."""

    def __init__(self, reader: LLMReader, query: Query, hits: Sequence[Hit]) -> None:
        self._reader = reader
        self._query = query
        self._deadline = time.monotonic() + reader.model.timeout
        self._requests = 0
        self._notes: list[str] = []
        self._error = ""
        self._finish: Finish | None = None
        self._nothing = False
        self._tools = False
        found = [section(hit) for hit in hits]
        self._left_out = sum(count for _, count in found)
        self._sections = tuple(one for one, _ in found if one.sources)
        self.draft = Draft(
            query,
            reader.checker,
            numbered(self._sections),
            reader.cross_encoder,
            suspected=self._left_out > 0,
        )

    def write(self) -> Iterator[Part]:
        """Asks for the answer, and again where it is in another language."""
        if self._left_out:
            self._notes.append(f"{_counted(self._left_out, 'sentence')} of instructions to a model")
        try:
            yield from self._answer(strict=False)
            if not self.draft.text and self._faults().get("language"):
                yield from self._answer(strict=True)
            if self.draft.failed:
                yield from self._repair()
        except ModelUnavailable as error:
            self._error = str(error)
            yield from self.draft.end()

    def writing(self, fallback: str = "") -> Writing:
        notes = [*self._notes, self._error] if self._error and not fallback else self._notes
        return Writing(
            self._reader.model.name,
            tuple(self.draft.statements),
            fallback,
            tuple(notes),
            self._requests,
            self.draft.seconds,
        )

    def failure(self) -> str:
        """Why nothing is shown."""
        model = self._reader.model.name
        faults = self._faults()
        if self._error:
            return self._error
        if not self._sections:
            return "no passage has a sentence that a model may be shown"
        if not faults and self._nothing:
            return f"the model {model} found no answer in the passages"
        if not faults and _OVERFULL in self._notes:
            return f"the model {model} wrote no sentence, without an end"
        if not faults and self._finish and not self._finish.complete:
            limit = self._reader.model.tokens
            return f"the model {model} wrote no whole sentence within {limit} tokens"
        if not faults:
            said = "asked for tools" if self._tools else "gave an empty answer"
            return f"the model {model} {said}"
        return f"the model {model} {_FAULTS[faults.most_common(1)[0][0]]}"

    def _faults(self) -> Counter[str]:
        return Counter(one.fault for one in self.draft.statements if one.fault)

    def _answer(self, strict: bool) -> Iterator[Part]:
        window = self._reader.known_window
        for attempt in range(_MOST_FITTED + 1):
            request = self._fitted(window, strict)
            if request is None:
                return
            messages = request.messages()
            try:
                yield from self._asked(messages, strict)
            except PromptTooLong as error:
                if attempt == _MOST_FITTED or not request.sections:
                    raise
                # By a fifth less than was estimated, where the window stays unknown.
                window = min(error.window or window, int(0.8 * window))
                continue
            read = self._finish.prompt_tokens if self._finish else None
            least = least_tokens(messages)
            if read is None or read >= least:
                return
            self._notes.append(f"the model read {read} tokens of a prompt of at least {least}")
            if self.draft.text or attempt == _MOST_FITTED:
                return
            window = read + self._reader.model.tokens

    def _fitted(self, window: int, strict: bool) -> Request | None:
        """The request with as many of the best passages as fit; None where there is no passage."""
        room = window - self._reader.model.tokens
        request = Request(self._query, self._sections, self._reader.variant, strict=strict)
        while request.sections and most_tokens(request.messages()) > room:
            if len(request.sections) == 1 and request.history:
                request = replace(request, history=False)
            else:
                request = replace(request, sections=request.sections[:-1])
        if not self._sections:
            return None
        dropped = len(self._sections) - len(request.sections)
        if dropped:
            self._note_dropped(dropped, window)
        if not request.sections:
            raise PromptTooLong(
                f"no passage fits into the window of {window} tokens of the model "
                f"{self._reader.model.name}",
                window,
            )
        self._sections = request.sections
        self.draft.sources = numbered(request.sections)
        return request

    def _note_dropped(self, dropped: int, window: int) -> None:
        self._notes.append(
            f"the worst {_counted(dropped, 'passage')} of {len(self._sections)} did not fit into "
            f"the window of {window} tokens"
        )

    def _asked(self, messages: Sequence[Message], strict: bool) -> Iterator[Part]:
        """Asks once. What is in another language ends the first attempt."""
        draft = self.draft
        sentences = self._completion(messages, self._reader.with_schema)
        for written in sentences:
            yield from draft.add(written)
            if not strict and not draft.text and self._faults()["language"]:
                sentences.close()
                break
        yield from draft.end()

    def _completion(
        self, messages: Sequence[Message], with_schema: bool
    ) -> Generator[Written, None, None]:
        """The sentences of one completion."""
        self._requests += 1
        self._finish = None
        output = Output(self._query.lang)
        form = schema(len(self.draft.sources)) if with_schema else None
        left = self._deadline - time.monotonic()
        parts = self._reader.model.stream(messages, form, left)
        try:
            while not output.full:
                try:
                    part = next(parts)
                except StopIteration as end:
                    self._finish = end.value
                    break
                yield from output.add(part)
        finally:
            parts.close()
        yield from output.end(self._finish is not None and self._finish.complete)
        if output.full:
            self._notes.append(_OVERFULL)
        self._nothing = self._nothing or output.nothing
        self._tools = self._tools or bool(self._finish and self._finish.tool_calls)

    def _repair(self) -> Iterator[Part]:
        """Has the first sentence that failed restated from its sources."""
        assert self.draft.failed
        sentence, sources = self.draft.failed
        request = Request(self._query, (), self._reader.variant)
        sentences = self._completion(request.restating(sentence, sources), with_schema=False)
        restated = next(sentences, None)
        sentences.close()
        if restated:
            yield from self.draft.add_repaired(restated, sources)


_OVERFULL = "the rest of the model's output was not read: it is too long or repeats itself"
_FAULTS = {
    "uncited": "cited none of the sentences that it was given",
    "language": "answered in another language",
    "irrelevant": "wrote nothing that answers the question",
    "unsupported": "wrote nothing that its sources support",
    "repeated": "repeated itself",
}


def _given(
    extractive: Reader, query: Query, quoted: Answer, writing: Writing
) -> Generator[Part, None, Answer]:
    answer = as_fallback(extractive, query, quoted, writing)
    yield Text(answer.text)
    for number, citation in enumerate(answer.citations, 1):
        yield Cited(number, citation)
    return answer


def _folded(parts: Generator[Part, None, Answer]) -> Answer:
    while True:
        try:
            next(parts)
        except StopIteration as end:
            answer: Answer = end.value
            return answer


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
