"""The extractive answer in place of one that a model should have written."""

from __future__ import annotations

from dataclasses import replace

from anaphora.language import message, sentences
from anaphora.protocols import Reader
from anaphora.read.planted import planted
from anaphora.read.translated import TranslatingReader
from anaphora.records import Answer, Hit, Passage, Query, Writing, is_cross_lingual

NO_ANSWER = "the passages hold no answer"
"""Why no model was asked."""
_FEWEST = 0.3
"""Below this probability that some passage answers, no model is asked."""


def honest_quotation(extractive: Reader, query: Query, hits: list[Hit]) -> Answer:
    """The extractive answer, without the passages that hold instructions to a model, and before any
    translation, which most questions do not need."""
    honest = [hit for hit in hits if not _has_planted(hit.passage)]
    quoting = extractive.reader if isinstance(extractive, TranslatingReader) else extractive
    (answer,) = quoting.read([query], [honest])
    return answer


def _has_planted(passage: Passage) -> bool:
    """Whether a sentence or the heading of a passage is an instruction to a model."""
    text = passage.text
    found = (text[start:end] for start, end in sentences(text, passage.lang))
    return planted(passage.heading) or any(map(planted, found))


def is_hopeless(quoted: Answer) -> bool:
    """Whether the passages so probably hold no answer that no model is asked for one."""
    return quoted.abstained and quoted.confidence < _FEWEST


def as_fallback(extractive: Reader, query: Query, quoted: Answer, writing: Writing) -> Answer:
    """The extractive answer, translated if `extractive` translates. It says so if it is in another
    language than the question."""
    if isinstance(extractive, TranslatingReader):
        quoted = extractive.translated(query, quoted)
    text = quoted.text
    if not quoted.abstained and is_cross_lingual(query.lang, quoted.lang):
        text = f"{message('original', query.lang)}\n\n{text}"
    return replace(quoted, text=text, writing=writing)
