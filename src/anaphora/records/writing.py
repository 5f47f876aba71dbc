"""What a model wrote as an answer, and what became of each sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from anaphora.records.citation import Citation
from anaphora.records.support import Support

Fate = Literal["shown", "repaired", "struck"]
Fault = Literal["uncited", "language", "irrelevant", "unsupported", "repeated"]
"""Why a sentence is struck: it cites no sentence that the model was given, it is in another
language than the answer should be, it has nothing to do with the question, its citations do not
support it, or it repeats another one."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence that a model wrote.

    Attributes:
        text: without its citation marks.
        citations: what it cites; of one that is shown, what supports it.
        fate: "repaired" was restated by the model and is shown; "struck" is not shown.
        fault: why it was struck; None where it is shown.
        support: what the check found; None where the sentence was struck before.
    """

    text: str
    citations: tuple[Citation, ...]
    fate: Fate
    fault: Fault | None = None
    support: Support | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """How a written answer came about.

    Attributes:
        model: the name of the model.
        statements: its sentences in their order; a repaired one comes after all others.
        fallback: why the extractive answer is given instead, in one line of English; empty where
            the written one is.
        notes: what else is worth knowing, such as how many passages did not fit the model's window.
        requests: how often the model was asked.
        seconds: the wall-clock time of the checks.
    """

    model: str
    statements: tuple[Statement, ...] = ()
    fallback: str = ""
    notes: tuple[str, ...] = ()
    requests: int = 0
    seconds: float = field(default=0.0, compare=False)
