"""Surface realization: the linker's decisions as text and as edits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from anaphora.language import stop_words
from anaphora.records import Edit, EditKind
from anaphora.rewrite.linking.decoding import Decoded, Insertion, Thresholds, decode
from anaphora.rewrite.linking.detokenization import apply_edits
from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.language_rules import apply_language_rules
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.sequence import TITLE, Layout
from anaphora.rewrite.tokenization import fold

MAX_SPAN_WORDS = 16
_BRACKETS: Final = ("()", "（）", "「」", "『』", "《》", "〈〉", "【】", "«»")


def n_best(
    layout: Layout,
    links: Links,
    heads: Heads,
    phrases: PhraseSet,
    lang: str,
    thresholds: Thresholds,
    count: int = 1,
) -> list[tuple[str, Decoded]]:
    """Up to `count` different rewrites with their decisions, the most probable first."""

    @cache
    def text(first: int, last: int) -> str:
        return " ".join(
            fold(layout.text(number - 1, number - 1)) for number in range(first, last + 1)
        )

    found: dict[str, Decoded] = {}
    allowed = phrases.allowed(lang)
    for one in decode(links, heads, span_ends(layout), text, allowed, thresholds, count):
        decoded = apply_language_rules(one, layout, lang, phrases.numbers)
        rewrite = realize(layout, decoded, phrases, lang)
        if rewrite in found:
            known = found[rewrite]
            decoded = replace(
                known, relative_probability=known.relative_probability + one.relative_probability
            )
        found[rewrite] = decoded
    return list(found.items())


def realize(layout: Layout, decoded: Decoded, phrases: PhraseSet, lang: str) -> str:
    """The question with the edits applied."""
    question = layout.utterances[-1].text
    ranges = [(word.start, word.end) for word in layout.words[layout.context :]]
    function_words = stop_words(lang)
    inserted = {
        one.gap: [text for text, _ in inserted_texts(layout, one, phrases, lang)]
        for one in decoded.insertions
    }
    return apply_edits(
        question,
        ranges,
        set(decoded.deleted),
        inserted,
        lambda word: word.lower() in function_words,
    )


def inserted_texts(
    layout: Layout, insertion: Insertion, phrases: PhraseSet, lang: str
) -> list[tuple[str, int | None]]:
    """The texts of an insertion in order, each with its turn (None: a phrase, or the title)."""
    found: list[tuple[str, int | None]] = []
    function_words = stop_words(lang)
    for slot in range(3):
        phrase = phrases.texts[insertion.phrases[slot]]
        if phrase:
            found.append((phrase, None))
        if slot < len(insertion.spans):
            span = insertion.spans[slot]
            text = layout.text(span.first - 1, span.last - 1)
            word = layout.words[span.first - 1]
            if word.start == 0 and text.split(" ", 1)[0].lower() in function_words:
                text = text[:1].lower() + text[1:]
            found.append((text, layout.utterances[word.utterance].turn))
    return found if lang == "en" else _without_single_brackets(found)


def _without_single_brackets(texts: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """The texts without a bracket at their ends that has no counterpart."""
    for left, right in _BRACKETS:
        whole = "".join(text for text, _ in texts)
        surplus = whole.count(left) - whole.count(right)
        if surplus > 0:
            texts = [(text.removeprefix(left), turn) for text, turn in texts]
        elif surplus < 0:
            texts = [(text.removesuffix(right), turn) for text, turn in texts]
    return [(text, turn) for text, turn in texts if text]


def to_edits(layout: Layout, decoded: Decoded, phrases: PhraseSet, lang: str) -> tuple[Edit, ...]:
    """The decisions as edits: an insertion before deleted words replaces them."""
    words = layout.words[layout.context :]
    question = layout.utterances[-1].text
    deleted = set(decoded.deleted)
    found: list[Edit] = []
    for one in decoded.insertions:
        end = one.gap
        while end in deleted:
            end += 1
        at = words[one.gap].start if one.gap < len(words) else len(question)
        replaced = question[at : words[end - 1].end] if end > one.gap else ""
        deleted -= set(range(one.gap, end))
        for number, (text, turn) in enumerate(inserted_texts(layout, one, phrases, lang)):
            kind: EditKind = "replace" if replaced and number == 0 else "insert"
            found.append(Edit(kind, text, turn, at, replaced if number == 0 else ""))
    for word in sorted(deleted):
        text = question[words[word].start : words[word].end]
        found.append(Edit("delete", text, None, words[word].start))
    return tuple(sorted(found, key=lambda edit: edit.position))


def max_span_ends(layout: Layout) -> list[int]:
    """For each node of the context, the last node that a span from there may have: the end of its
    utterance, at most `MAX_SPAN_WORDS` words."""
    found = [0] * (1 + layout.context)
    last = layout.context
    for number in range(layout.context - 1, -1, -1):
        if number == layout.context - 1 or (
            layout.words[number].utterance != layout.words[number + 1].utterance
        ):
            last = number
        found[number + 1] = min(last, number + MAX_SPAN_WORDS - 1) + 1
    return found


def span_ends(layout: Layout) -> list[int]:
    """`max_span_ends`, in a title "article: section" without spans of both."""
    found = max_span_ends(layout)
    for number, word in enumerate(layout.words[: layout.context]):
        utterance = layout.utterances[word.utterance]
        if utterance.role == TITLE and utterance.text[word.end : word.end + 2] == ": ":
            found[: number + 2] = [min(last, number + 1) for last in found[: number + 2]]
            break
    return found
