"""Answers in the language of the question where the documents are in another one."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.errors import ModelUnavailable
from anaphora.language import identify, message
from anaphora.protocols import Reader, Translator
from anaphora.records import UNKNOWN, Answer, Hit, Query, is_cross_lingual

logger = logging.getLogger(__name__)

_CODE = "    "
_PART = re.compile(
    r"(?P<lead>\s*(?:[-*•‣◦]\s+|\(?[\w]{1,3}[.)]\s+)?)(?P<text>.*?)(?P<end>(?:\s*\[\d{1,3}\])*\s*)"
)
"""A line: what stands before an item, the text, and the marks of its citations."""


@dataclass(frozen=True)
class TranslatingReader:
    """Translates answers in another language than the question's.

    The text is translated line by line, without its code, its markers and the marks of its
    citations. The citations are those of the original, and a line before the answer says that it is
    a translation. Where a line cannot be translated, the whole answer stays as it is.
    """

    reader: Reader
    translator: Translator

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        answers = self.reader.read(queries, hits)
        return [
            self.translated(query, answer) for query, answer in zip(queries, answers, strict=True)
        ]

    def translated(self, query: Query, answer: Answer) -> Answer:
        """The answer in the language of the question, where it can be translated into it."""
        if answer.abstained or not is_cross_lingual(query.lang, answer.lang):
            return answer
        text = self._text(answer, query.lang)
        if not text:
            return answer
        said = message("translated", query.lang)
        return replace(answer, text=f"{said}\n\n{text}", lang=query.lang)

    def _text(self, answer: Answer, lang: str) -> str:
        parts: list[tuple[str, str, str]] = []
        for line in answer.text.split("\n"):
            found = _PART.fullmatch(line)
            assert found
            text = found["text"]
            own = line.startswith(_CODE) or not any(map(str.isalpha, text))
            if own or identify(text) == lang != UNKNOWN:
                parts.append((line, "", ""))
            else:
                parts.append((found["lead"], text, found["end"]))
        texts = [text for _, text, _ in parts if text]
        try:
            made = self.translator.translate(texts, answer.lang, lang) if texts else []
        except ModelUnavailable as error:
            logger.warning(f"the answer is not translated: {error}")
            return ""
        if not all(made):
            return ""
        found_texts = iter(made)
        return "\n".join(
            f"{lead}{next(found_texts) if text else ''}{end}" for lead, text, end in parts
        )
