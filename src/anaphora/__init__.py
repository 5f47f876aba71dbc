"""Multilingual conversational search over your own documents.

>>> import anaphora
>>> assistant = anaphora.build("docs")  # doctest: +SKIP
>>> answer = assistant.ask("Which languages are supported?")  # doctest: +SKIP
>>> [citation.quote for citation in answer.citations]  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from anaphora.errors import AnaphoraError, UsageError

if TYPE_CHECKING:
    from anaphora.assistant import Assistant, Chat, build, open
    from anaphora.config import Config
    from anaphora.records import (
        Answer,
        Citation,
        Cited,
        Conversation,
        Done,
        Event,
        Hit,
        Overrides,
        Passage,
        Query,
        Reranked,
        Retrieved,
        Rewrite,
        Rewritten,
        Text,
        Trace,
        Turn,
        Understood,
    )

__version__ = "0.1.0"

__all__ = [
    "AnaphoraError",
    "Answer",
    "Assistant",
    "Chat",
    "Citation",
    "Cited",
    "Config",
    "Conversation",
    "Done",
    "Event",
    "Hit",
    "Overrides",
    "Passage",
    "Query",
    "Reranked",
    "Retrieved",
    "Rewrite",
    "Rewritten",
    "Text",
    "Trace",
    "Turn",
    "Understood",
    "UsageError",
    "build",
    "open",
]

_ASSISTANT = {"Assistant", "Chat", "build", "open"}


def __getattr__(name: str) -> Any:
    """Imports a public name on first use, so that `import anaphora` takes no time."""
    if name not in __all__:
        raise AttributeError(f"module 'anaphora' has no attribute {name!r}")
    module = "assistant" if name in _ASSISTANT else "config" if name == "Config" else "records"
    return getattr(import_module(f"anaphora.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
