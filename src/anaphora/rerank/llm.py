"""Reranking by a large language model that is shown the passages together and names their order
(Sun et al., "Is ChatGPT Good at Search?", EMNLP 2023, §3.2: permutations over a sliding window)."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from anaphora.errors import ModelUnavailable
from anaphora.models.chat import Message
from anaphora.models.endpoint import ChatModel
from anaphora.records import Passage, Query
from anaphora.rerank.scoring import Candidates, Score

logger = logging.getLogger(__name__)

_WINDOW, _STEP = 20, 10
"""How many passages are ordered at once, and how far the next window lies before: the paper's."""
_PASSAGE, _QUESTION = 800, 1000
"""Characters at most of each."""
_FAILURES = 4
"""After as many failures the rest of a batch does not wait for the endpoint."""

_TASK = (
    "Rank the passages by how well they answer the question, the best one first. The question and "
    "the passages may be in any language. Answer with the numbers of all passages in their order "
    "and nothing else, such as [2] > [3] > [1]."
)


@dataclass(frozen=True, slots=True)
class LLMScorer:
    """Has a model behind an endpoint put the passages in order: 1 for the first, falling to 0.

    Passages that the model does not name stand behind the others, in their old order. Where the
    endpoint fails, gives no answer in time or names no order, there are no scores.

    Args:
        model: the endpoint; its time-out is that of a question, however many windows it takes.
        parallel: how many questions are under way at once.
    """

    model: ChatModel
    parallel: int = 4
    name: str = "llm"

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        failures: list[str] = []

        def one(pair: Candidates) -> list[Score] | None:
            if len(failures) >= _FAILURES:
                return None
            try:
                return self._scores(*pair)
            except ModelUnavailable as error:
                failures.append(str(error))
                return None

        pool = ThreadPoolExecutor(max(1, min(self.parallel, len(candidates))))
        try:
            found = list(pool.map(one, candidates))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        if failures:
            left = sum(scores is None for scores in found)
            logger.warning(
                f"{failures[0]}; the hits of {left} of {len(candidates)} questions were left in "
                "their order"
            )
        return found

    def _scores(self, query: Query, passages: Sequence[Passage]) -> list[Score]:
        deadline = time.monotonic() + self.model.timeout
        model = self.model
        order = list(range(len(passages)))
        end = len(order)
        # From the last window to the first, so that a good passage can rise all the way.
        while end:
            start = max(0, end - _WINDOW)
            window = order[start:end]
            answer = model.complete(_messages(query, [passages[at] for at in window]))
            order[start:end] = [window[place] for place in self._order(answer, len(window))]
            end = end - _STEP if start else 0
            model = replace(model, timeout=max(0.1, round(deadline - time.monotonic(), 1)))
        scores = [0.0] * len(order)
        for place, at in enumerate(order):
            scores[at] = 1 - place / max(1, len(order) - 1)
        return list(map(Score, scores))

    def _order(self, answer: str, count: int) -> list[int]:
        """Places among `count` passages in the order that an answer names.

        Raises:
            ModelUnavailable: it names none.
        """
        said = re.split(r"(?i)</think(?:ing)?>", answer)[-1]
        numbers = re.findall(r"\[(\d{1,4})\]", said) or re.findall(r"\d{1,4}", said)
        named = [int(number) - 1 for number in numbers if 1 <= int(number) <= count]
        if not named:
            raise ModelUnavailable(f"the model {self.model.model} named no order of the passages")
        return list(dict.fromkeys([*named, *range(count)]))


def _messages(query: Query, passages: Sequence[Passage]) -> list[Message]:
    lines = [f"[{number}] {_line(one)}" for number, one in enumerate(passages, 1)]
    question = " ".join(query.text[: 4 * _QUESTION].split())[:_QUESTION]
    return [Message("user", "\n".join([_TASK, "", f"Question: {question}", "", *lines]))]


def _line(passage: Passage) -> str:
    heading = f"{passage.heading}: " if passage.heading else ""
    return f"{heading}{' '.join(passage.text[: 4 * _PASSAGE].split())}"[:_PASSAGE]
