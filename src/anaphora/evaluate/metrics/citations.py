"""Whether the statements of an answer are supported by what they cite.

Gao et al. (2023), "Enabling Large Language Models to Generate Text with Citations", section 4:
citation recall and citation precision. The entailment model is any `anaphora.protocols.Checker`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Final

from anaphora.language import listed_languages, message, sentences, tokenize
from anaphora.language.messages import Message
from anaphora.read.rendering import rendered
from anaphora.records import Answer, Citation, Claim

if TYPE_CHECKING:
    from anaphora.protocols import Checker

_MESSAGES: Final[tuple[Message, ...]] = ("unsure", "also", "translated", "original")
"""Those that stand between the statements of an answer."""
_MARK = re.compile(r"\s?\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Grounding:
    """How well an answer's citations support it.

    Attributes:
        recall: the fraction of its statements that their citations, taken together, support.
        precision: the fraction of its citations that their statement needs; None without citations.
        unsupported: the fraction of its statements that nothing the answer cites supports.
    """

    recall: float
    precision: float | None
    unsupported: float


def statements(text: str, lang: str) -> list[tuple[str, tuple[int, ...]]]:
    """The sentences of an answer without their marks, each with the numbers that it cites.

    A mark after a full stop belongs to the sentence before it.

    >>> statements("It is free [1]. Sign up [2][3]. Then log in.[1]", "en")
    [('It is free.', (1,)), ('Sign up.', (2, 3)), ('Then log in.', (1,))]
    """
    found: list[tuple[str, tuple[int, ...]]] = []
    for start, end in sentences(text, lang):
        sentence = text[start:end]
        numbers = tuple(dict.fromkeys(int(one) for one in _MARK.findall(sentence)))
        plain = " ".join(_MARK.sub("", sentence).split())
        if any(map(str.isalnum, plain)):
            found.append((plain, numbers))
        elif found and numbers:
            before, cited = found[-1]
            found[-1] = before, tuple(dict.fromkeys((*cited, *numbers)))
    return found


def grounding(answer: Answer, checker: Checker, question: str = "") -> Grounding | None:
    """The grounding of one answer; None for an abstention, or where it states nothing.

    A statement without a mark has no citations, unless it is part of a quotation: then the mark at
    the end of the quotation is its own. A quotation is in its source word for word, as it is there
    or as it is shown: with the headers of rows and the names of blocks. It is supported without
    asking the checker. A citation is not needed if it alone does not support its statement, and the
    others of the statement do; none is needed by a statement that all together do not support
    (section 4 of the paper). What Anaphora says between extracts is no statement.
    """
    if answer.abstained:
        return None
    quotes = list(map(_shown, answer.citations))
    stated = [
        (text, [quotes[n - 1] for n in cited if 0 < n <= len(quotes)])
        for text, cited in _quoted(statements(_stated(answer), answer.lang), quotes)
    ]
    if not stated:
        return None

    def supported(claims: Sequence[tuple[str, Sequence[str]]]) -> list[bool]:
        doubtful = [
            bool(evidence) and not any(_repeats(text, one) for one in evidence)
            for text, evidence in claims
        ]
        asked = [
            Claim(text, tuple(evidence), question)
            for (text, evidence), unclear in zip(claims, doubtful, strict=True)
            if unclear
        ]
        outcomes = iter(checker.check(asked) if asked else ())
        return [
            next(outcomes).supported if unclear else bool(evidence)
            for (_, evidence), unclear in zip(claims, doubtful, strict=True)
        ]

    together = supported(stated)
    anywhere = supported([(text, quotes) for text, _ in stated])
    several = [
        (at, number)
        for at, (_, evidence) in enumerate(stated)
        for number in range(len(evidence))
        if together[at] and len(evidence) > 1
    ]
    alone = supported([(stated[at][0], stated[at][1][n : n + 1]) for at, n in several])
    rest = supported(
        [(stated[at][0], [q for i, q in enumerate(stated[at][1]) if i != n]) for at, n in several]
    )
    needed = {
        place: one or not others for place, one, others in zip(several, alone, rest, strict=True)
    }
    precise = [
        together[at] and needed.get((at, number), True)
        for at, (_, evidence) in enumerate(stated)
        for number in range(len(evidence))
    ]
    return Grounding(
        fmean(together),
        fmean(precise) if precise else None,
        fmean(not (one or other) for one, other in zip(together, anywhere, strict=True)),
    )


def _stated(answer: Answer) -> str:
    """The text without the headings of extracts, and without the lines that introduce further ones,
    or say that the answer is doubtful or translated."""
    return "\n\n".join(
        one
        for one in answer.text.split("\n\n")
        if _MARK.search(one)
        or not (one.startswith(_said()) or any(c.has_heading(one) for c in answer.citations))
    )


@lru_cache(maxsize=1)
def _said() -> tuple[str, ...]:
    return tuple({message(name, lang) for name in _MESSAGES for lang in listed_languages()})


def _shown(citation: Citation) -> str:
    """What a citation quotes, and what an extract shows of it where that is something else."""
    quote, shown = citation.quote, rendered(citation.quote, citation.blocks)
    return quote if tokenize(shown) == tokenize(quote) else f"{quote}\n{shown}"


def _repeats(text: str, source: str) -> bool:
    """Whether a text is in another one word for word."""
    own, every = tokenize(text), tokenize(source)
    starts = range(len(every) - len(own) + 1)
    return bool(own) and any(every[at : at + len(own)] == own for at in starts)


def _quoted(
    stated: Sequence[tuple[str, tuple[int, ...]]], quotes: Sequence[str]
) -> list[tuple[str, tuple[int, ...]]]:
    """The statements; one without a mark that is in the quotation that the next mark ends has that
    mark."""
    found: list[tuple[str, tuple[int, ...]]] = []
    following: tuple[int, ...] = ()
    for text, cited in reversed(stated):
        following = cited or following
        inside = (n for n in following if 0 < n <= len(quotes) and _repeats(text, quotes[n - 1]))
        found.append((text, cited or tuple(inside)))
    return found[::-1]
