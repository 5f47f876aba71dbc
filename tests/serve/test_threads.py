"""Many threads that share models, indexes and caches get what one thread gets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from support.corpus import FIRST_QUESTIONS, FOLLOW_UPS
from support.serving import QUESTIONS

from anaphora.config import Config
from anaphora.records import Turn
from anaphora.serialization import answer_to_dict
from anaphora.serve.indexes import DEFAULT, Indexes

LANGUAGES = ("ar", "de", "en", "ja", "th", "vi", "zh")


def tasks() -> list[tuple[str, tuple[Turn, ...]]]:
    """Questions and follow-ups in several languages."""
    first: list[tuple[str, tuple[Turn, ...]]] = [(one, ()) for one in QUESTIONS.values()]
    follow_ups = [
        (FOLLOW_UPS[lang][0], (Turn("user", FIRST_QUESTIONS[lang]), Turn("assistant", "1923.")))
        for lang in LANGUAGES
    ]
    return first + follow_ups


def asked(indexes: Indexes, question: str, history: tuple[Turn, ...]) -> dict[str, Any]:
    with indexes.use() as assistant:
        form = answer_to_dict(question, assistant.ask(question, history))
    del form["timings"]
    return form


def test_eight_threads_get_the_answers_of_one(shared_index: Path) -> None:
    folders, configs = {"harbour": shared_index}, {DEFAULT: Config()}
    alone, together = Indexes(folders, configs), Indexes(folders, configs)
    expected = [asked(alone, *one) for one in tasks()]
    with ThreadPoolExecutor(8) as pool:
        # Each twice at a time, and the first ones while the parts are being built.
        found = list(pool.map(lambda one: asked(together, *one), [*tasks(), *tasks()]))
    assert found == expected * 2
    alone.close()
    together.close()
