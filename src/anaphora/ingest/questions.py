"""Questions and answers that are marked by letters or words, as in lists of frequent questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from anaphora.ingest.content import Element

_LEVEL = 30
"""Lower than any other heading's."""
_FEWEST = 2
_LONGEST = 300  # characters of a question
_ANSWERS: dict[str, str] = {
    "d": "r", "domanda": "risposta",
    "f": "a", "frage": "antwort",
    "h": "đ|t", "hỏi": "đáp|trả lời",
    "k": "v", "kysymys": "vastaus",
    "p": "r", "pregunta": "respuesta", "pergunta": "resposta",
    "q": "a|r", "question": "answer|réponse|response",
    "s": "c", "soru": "cevap|yanıt",
    "в": "о", "вопрос": "ответ",
    "س": "ج", "سؤال": "جواب|الجواب|إجابة", "السؤال": "الجواب|جواب|الإجابة",
    "प्रश्न": "उत्तर",
    "ถาม": "ตอบ", "คำถาม": "คำตอบ",
    "问": "答", "问题": "回答|答案", "問": "答", "問題": "回答|答案", "質問": "回答",
    "질문": "답변|답|대답", "문": "답",
}  # fmt: skip
"""What marks a question, and what then marks its answer, in sixteen languages."""


def _marked(marks: Iterable[str]) -> re.Pattern[str]:
    """Matches a mark with a colon or a number. A letter with a full stop is mostly the initial of a
    name, unless it is Q or A."""
    ends = r"\s?(?:\d{0,3}\s?[:：]|\d{1,3}\s?[.．])|(?<=[QA])[.．]"
    return re.compile(rf"({'|'.join(marks)})(?:{ends})\s*(?=\S)", re.IGNORECASE)


_QUESTION = _marked(_ANSWERS)
_ALONE = re.compile(rf"(?:{'|'.join((*_ANSWERS, *_ANSWERS.values()))})\s?[:：]", re.IGNORECASE)
_ANSWER = {question: _marked([answers]) for question, answers in _ANSWERS.items()}


def with_questions(elements: Iterable[Element]) -> list[Element]:
    """The elements; marked questions before marked answers are headings if there are several.

    >>> lines = ["Q: Is it free?", "A: Yes.", "Q: For ever?", "A: Nobody knows."]
    >>> [(one.text, one.level > 0) for one in with_questions(map(Element, lines))]
    [('Is it free?', True), ('A: Yes.', False), ('For ever?', True), ('A: Nobody knows.', False)]
    """
    lines = [part for element in _joined(elements) for part in _parts(element)]
    questions = [
        (at, match.end())
        for at, (element, following) in enumerate(pairwise(lines))
        if (match := _question(element)) and _ANSWER[match[1].lower()].match(following.text)
    ]
    if len(questions) < _FEWEST:
        return lines
    level = min((lines[at].level for at, _ in questions if lines[at].level), default=_LEVEL)
    for at, start in questions:
        lines[at] = replace(lines[at], text=lines[at].text[start:], level=level)
    return lines


def _joined(elements: Iterable[Element]) -> Iterator[Element]:
    """The elements; a mark that is alone, as in a cell, goes to the paragraph after it."""
    mark: Element | None = None
    for element in elements:
        if mark is not None:
            if element.kind == mark.kind and not element.level:
                element = replace(mark, text=f"{mark.text} {element.text}")
            else:
                yield mark
            mark = None
        if element.kind == "paragraph" and not element.level and _ALONE.fullmatch(element.text):
            mark = element
        else:
            yield element
    if mark is not None:
        yield mark


def _question(element: Element) -> re.Match[str] | None:
    prose = element.kind == "paragraph"
    return _QUESTION.match(element.text) if prose and len(element.text) <= _LONGEST else None


def _parts(element: Element) -> list[Element]:
    """An element, or its question and its answer if these are lines of it."""
    match = _question(element)
    question, line_end, answer = element.text.partition("\n")
    if match and line_end and _ANSWER[match[1].lower()].match(answer):
        return [replace(element, text=question), replace(element, text=answer, tight=True)]
    return [element]
