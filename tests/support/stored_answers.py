"""Answers as the service stores them."""

from __future__ import annotations

from typing import Any


def answer(
    question: str, text: str = "An answer [1].", quote: str = "", lang: str = "en"
) -> dict[str, Any]:
    """The form of `ask --json`, with one citation if there is a quote."""
    citation = {
        "passage_id": "pump.md#0",
        "doc_id": "pump.md",
        "title": "Pump",
        "quote": quote,
        "span": "",
        "start": 7,
        "end": 7 + len(quote),
        "place": "L3",
        "blocks": [],
    }
    return {
        "question": question,
        "rewrite": question,
        "lang": lang,
        "intent": "question",
        "answer": text,
        "span": "",
        "answer_lang": lang,
        "confidence": 0.9,
        "abstained": False,
        "second_reading": "",
        "citations": [citation] if quote else [],
        "writing": None,
        "hits": [],
        "cut": None,
        "timings": {},
    }
