"""What a linker decided, as text and as edits that can be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from anaphora.language import stop_words
from anaphora.records import Edit, EditKind
from anaphora.rewrite.linking.decoding import Decoded, Placed, Thresholds, decode
from anaphora.rewrite.linking.grammar import settled
from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.possessives import FUNCTION_WORDS
from anaphora.rewrite.linking.sequence import Layout
from anaphora.rewrite.linking.wording import render
from anaphora.rewrite.linking.words import fold
from anaphora.rewrite.pronoun_forms import all_adpositions

LONGEST_SPAN = 16
_PAIRS: Final = ("()", "（）", "「」", "『』", "《》", "〈〉", "【】", "«»")


class Closed:
    """The closed set: phrases by number (0 is none), and which of them each language has; behind
    them the function words that stand beside a name in the place of a pronoun."""

    def __init__(self, known: Sequence[str], languages: Mapping[str, Sequence[str]]) -> None:
        self.texts = ("", *known, *sorted((all_adpositions() | FUNCTION_WORDS) - set(known)))
        self.numbers = {text: number for number, text in enumerate(self.texts)}
        self._none = np.zeros(1 + len(known), bool)
        self._none[0] = True
        self._allowed: dict[str, npt.NDArray[np.bool_]] = {}
        for lang, phrases in languages.items():
            allowed = self._none.copy()
            allowed[[self.numbers[text] for text in phrases]] = True
            self._allowed[lang] = allowed

    def allowed(self, lang: str) -> npt.NDArray[np.bool_]:
        """Which phrases may be put into a question of a language: none in an unknown one."""
        return self._allowed.get(lang, self._none)


def n_best(
    layout: Layout,
    links: Links,
    heads: Heads,
    closed: Closed,
    lang: str,
    thresholds: Thresholds,
    count: int = 1,
) -> list[tuple[str, Decoded]]:
    """Up to `count` different rewrites, the most probable first, and what was decided in each."""

    @cache
    def text(first: int, last: int) -> str:
        return " ".join(
            fold(layout.text(number - 1, number - 1)) for number in range(first, last + 1)
        )

    found: dict[str, Decoded] = {}
    allowed = closed.allowed(lang)
    for one in decode(links, heads, reaches(layout), text, allowed, thresholds, count):
        decoded = settled(one, layout, lang, closed.numbers)
        made = worded(layout, decoded, closed, lang)
        if made in found:
            found[made] = replace(found[made], share=found[made].share + decoded.share)
        else:
            found[made] = decoded
    return list(found.items())


def worded(layout: Layout, decoded: Decoded, closed: Closed, lang: str) -> str:
    """The question with the edits made."""
    question = layout.utterances[-1].text
    ranges = [(word.start, word.end) for word in layout.words[layout.context :]]
    empty = stop_words(lang)
    inserted = {
        one.gap: [text for text, _ in pieces(layout, one, closed, lang)] for one in decoded.placed
    }
    return render(
        question, ranges, set(decoded.deleted), inserted, lambda word: word.lower() in empty
    )


def pieces(
    layout: Layout, placed: Placed, closed: Closed, lang: str
) -> list[tuple[str, int | None]]:
    """The texts that one place gets, in order, each with the turn that it comes from."""
    found: list[tuple[str, int | None]] = []
    empty = stop_words(lang)
    for slot in range(3):
        phrase = closed.texts[placed.phrases[slot]]
        if phrase:
            found.append((phrase, None))
        if slot < len(placed.spans):
            span = placed.spans[slot]
            text = layout.text(span.first - 1, span.last - 1)
            word = layout.words[span.first - 1]
            head = text.split(" ", 1)[0]
            if word.start == 0 and head.lower() in empty:
                text = text[:1].lower() + text[1:]
            found.append((text, layout.utterances[word.utterance].turn))
    return found if lang == "en" else _paired(found)


def _paired(texts: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """The texts without the brackets at their ends of which the other half was not taken."""
    for left, right in _PAIRS:
        whole = "".join(text for text, _ in texts)
        more = whole.count(left) - whole.count(right)
        if more > 0:
            texts = [(text.removeprefix(left), turn) for text, turn in texts]
        elif more < 0:
            texts = [(text.removesuffix(right), turn) for text, turn in texts]
    return [(text, turn) for text, turn in texts if text]


def edits(layout: Layout, decoded: Decoded, closed: Closed, lang: str) -> tuple[Edit, ...]:
    """The same as edits: what stands in for deleted words replaces them."""
    words = layout.words[layout.context :]
    question = layout.utterances[-1].text
    gone = set(decoded.deleted)
    found: list[Edit] = []
    for one in decoded.placed:
        end = one.gap
        while end in gone:
            end += 1
        at = words[one.gap].start if one.gap < len(words) else len(question)
        replaced = question[at : words[end - 1].end] if end > one.gap else ""
        gone -= set(range(one.gap, end))
        parts = pieces(layout, one, closed, lang)
        for number, (text, turn) in enumerate(parts):
            kind: EditKind = "replace" if replaced and number == 0 else "insert"
            found.append(Edit(kind, text, turn, at, replaced if number == 0 else ""))
    for word in sorted(gone):
        text = question[words[word].start : words[word].end]
        found.append(Edit("delete", text, None, words[word].start))
    return tuple(sorted(found, key=lambda edit: edit.position))


def reaches(layout: Layout) -> list[int]:
    """The last node that a span which starts at each node of the context may have."""
    found = [0] * (1 + layout.context)
    last = layout.context
    for number in range(layout.context - 1, -1, -1):
        if number == layout.context - 1 or (
            layout.words[number].utterance != layout.words[number + 1].utterance
        ):
            last = number
        found[number + 1] = min(last, number + LONGEST_SPAN - 1) + 1
    return found
