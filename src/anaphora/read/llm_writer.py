"""What a language model writes, as it is: for experiments that measure the model itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

from anaphora.models.chat import LanguageModel
from anaphora.read.fitting import most_tokens
from anaphora.read.inputs import not_fitting
from anaphora.read.llm import DEFAULT_WINDOW
from anaphora.read.prompts import Request, Variant
from anaphora.read.sources import section
from anaphora.read.writers import RawAnswer
from anaphora.records import Hit, Query

_MARK = re.compile(r"\s*\[\d{1,4}\]")
_THOUGHT = re.compile(r"(?is).*</think(?:ing)?>")
_NOTHING = re.compile(r"\W*NONE\W*")


@dataclass(frozen=True)
class LLMWriter:
    """Has a language model answer from passages, or without any from what it knows.

    The setting of Chirkova et al. (2024), "Retrieval-augmented generation in multilingual
    settings", section 3. Citation marks are removed from what it writes. Its confidence is always
    1: an endpoint gives no probabilities.

    Args:
        window: tokens of prompt and answer together; 0 to ask the model. The worst passages are
            dropped until the prompt fits.
        parallel: how many requests are under way at once.

    Raises:
        ModelUnavailable: on `write`, the model gave no complete answer.
    """

    model: LanguageModel
    variant: Variant
    window: int = 0
    parallel: int = 1

    @property
    def name(self) -> str:
        return self.model.name

    @cached_property
    def known_window(self) -> int:
        """The window that was set or that the model states, else `DEFAULT_WINDOW`."""
        return self.window or self.model.window() or DEFAULT_WINDOW

    def write(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[RawAnswer]:
        with ThreadPoolExecutor(max(1, self.parallel)) as pool:
            return list(pool.map(self._one, queries, hits))

    def _one(self, query: Query, hits: Sequence[Hit]) -> RawAnswer:
        read = [(hit, found) for hit in hits if (found := section(hit)[0]).sources]
        request = Request(query, tuple(found for _, found in read), self.variant)
        room = self.known_window - self.model.tokens
        while len(request.sections) > 1 and most_tokens(request.messages()) > room:
            request = replace(request, sections=request.sections[:-1])
        kept = tuple(hit for hit, _ in read[: len(request.sections)])
        text = "".join(self.model.stream(request.messages()))
        text = _MARK.sub("", _THOUGHT.sub("", text)).strip()
        dropped = len(read) - len(kept)
        return RawAnswer("" if _NOTHING.fullmatch(text) else text, 1.0, kept, not_fitting(dropped))
