"""The first passages as the answer: the baseline that a reader has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.language import not_in_documents, sentences, tokenize
from anaphora.read.extracts import shown_blocks
from anaphora.read.rendering import rendered
from anaphora.records import Answer, Citation, Hit, Passage, Query


@dataclass(frozen=True)
class PassageReader:
    """Shows the first hits, in whole sentences up to a number of words.

    It is the baseline of Ferreira et al. (2021), "Open-Domain Conversational Search Assistant with
    Transformers", section 4.3: the first three passages, cut at the length of the answers that are
    compared with it. It abstains only where nothing was found, and its confidence is always 1.

    Args:
        passages: how many hits are shown.
        words: how many words they have together at most; the first sentence is shown in any case.
            In languages without spaces it is the number of tokens. 0 for no limit.
    """

    passages: int = 3
    words: int = 0

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        return [self._answer(query, found) for query, found in zip(queries, hits, strict=True)]

    def _answer(self, query: Query, hits: Sequence[Hit]) -> Answer:
        left = self.words or None
        shown: list[Citation] = []
        for hit in hits[: self.passages]:
            end, used = _fitting(hit.passage, left, begun=bool(shown))
            if end:
                shown.append(_citation(hit.passage, end))
            if left is not None:
                left -= used
                if end < len(hit.passage.text.rstrip()):
                    break
        if not shown:
            return Answer(not_in_documents(query.lang), query.lang, 0.0, abstained=True)
        text = "\n\n".join(
            f"{rendered(one.quote, one.blocks)} [{number}]" for number, one in enumerate(shown, 1)
        )
        return Answer(text, hits[0].passage.lang, 1.0, tuple(shown))


def _fitting(passage: Passage, words: int | None, begun: bool) -> tuple[int, int]:
    """The end of the last sentence that fits, and the words up to it; the first sentence of an
    answer always fits."""
    end = used = 0
    for start, stop in sentences(passage.text, passage.lang):
        count = len(tokenize(passage.text[start:stop]))
        if words is not None and used + count > words and (end or begun):
            break
        end, used = stop, used + count
    return end, used


def _citation(passage: Passage, end: int) -> Citation:
    start = len(passage.text) - len(passage.text.lstrip())
    return Citation(
        passage.passage_id,
        passage.doc_id,
        passage.heading,
        passage.text[start:end],
        start,
        end,
        blocks=shown_blocks(passage, start, end),
    )
