"""What a language asks of the edits beyond what the linker decides.

The linker learned most of what it knows from English and Chinese. In other languages it may take
half of a pronoun out, or the preposition with it, or a verb that carries one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from anaphora.language import is_context_dependent, stop_words
from anaphora.language.question_words import question_type
from anaphora.rewrite.linking.decoding import Decoded, Placed, supported
from anaphora.rewrite.linking.possessives import contracted, with_owner
from anaphora.rewrite.linking.sequence import Layout
from anaphora.rewrite.linking.words import Range, fold
from anaphora.rewrite.pronoun_forms import adpositions, is_pronoun

_WHOLE: Final = {
    "fr": re.compile(r"-(?:t-)?(?:ils?|elles?)\b", re.IGNORECASE),
    "th": re.compile("พวกเขา|เขา|มัน|เธอ|ท่าน|แล้ว|นั้น|นั่น|นี้|นี่"),
}
"""What is several words to the linker and one to a reader."""
_STAYING: Final = {"th": re.compile("ของ")}
"""Prepositions that the linker takes out with the pronoun behind them."""
_KEPT: Final = {"ar": "", "ru": "его её ее их ему ей им"}
"""Where the linker often leaves a pronoun and puts its name at the end of the question, and what is
better left, as a name in its place would need another case."""
_AGREEING: Final = {
    "en": ("he him his", "she her hers", "they them their theirs", "it its"),
    "fr": ("il", "elle", "ils", "elles"),
    "ru": ("он его ему нём ним него", "она её ее ей ней неё нее", "они их им них ними"),
}
"""Pronouns that may mean the same one: two of different groups do not."""
_MEASURED: Final = frozenset({"en", "ja", "th", "zh"})
"""Where words of any kind go: people's rewrites taught it, or a word is a character."""


def settled(decoded: Decoded, layout: Layout, lang: str, number: Mapping[str, int]) -> Decoded:
    """The edits as the language has them.

    Args:
        number: of each text of the closed set.
    """
    if not decoded.placed:
        return decoded
    question = layout.utterances[-1].text
    words = [(word.start, word.end) for word in layout.words[layout.context :]]
    texts = [question[start:end] for start, end in words]
    placed = _agreeing(_asking_once(decoded.placed, layout, lang), texts, layout, lang)
    deleted = supported(set(decoded.deleted), placed)
    if lang in _WHOLE:
        for first, last in _spans(_WHOLE[lang], question, words):
            placed, deleted = _whole(placed, deleted, first, last)
    if lang in _STAYING:
        for first, last in _spans(_STAYING[lang], question, words):
            placed, deleted = _stayed(placed, deleted, first, last)
    if lang in _KEPT:
        placed, deleted = _moved(placed, deleted, texts, lang)
    placed, deleted = with_owner(placed, deleted, layout, lang, number)
    if lang not in _MEASURED and stop_words(lang):
        deleted = _empty(deleted, placed, texts, lang, layout)
    placed = [_with_adposition(one, deleted, texts, lang, number) for one in placed]
    placed = [contracted(one, layout, lang, number) for one in placed]
    if lang == "en":
        placed = [_with_the(one, deleted, layout) for one in placed]
    return replace(decoded, placed=tuple(placed), deleted=tuple(sorted(deleted)))


def _asking_once(placed: Sequence[Placed], layout: Layout, lang: str) -> list[Placed]:
    """Without what begins as an earlier question did, where this one asks for something itself:
    "And for students?" goes on with it, "And how do I repair it?" does not."""
    question = layout.utterances[-1].text
    if question_type(question, lang) == "other":
        return list(placed)
    words = [question[word.start : word.end] for word in layout.words[layout.context :]]

    def asks(one: Placed) -> bool:
        if one.gap < len(words) and is_pronoun(words[one.gap], lang):
            return False
        for span in one.spans:
            word = layout.words[span.first - 1]
            begins = not any(map(str.isalnum, layout.utterances[word.utterance].text[: word.start]))
            text = layout.text(span.first - 1, span.last - 1)
            if begins and question_type(text, lang) != "other":
                return True
        return False

    return [one for one in placed if not asks(one)]


def _agreeing(
    placed: Sequence[Placed], texts: Sequence[str], layout: Layout, lang: str
) -> list[Placed]:
    """Without the less probable one of two equal names for pronouns that cannot mean the same:
    "Did she know him?"."""
    groups = {
        word: number
        for number, group in enumerate(_AGREEING.get(lang, ()))
        for word in group.split()
    }
    kept: list[Placed] = []
    meant: dict[str, int] = {}
    for one in sorted(placed, key=lambda one: -one.chance):
        group = groups.get(texts[one.gap].lower()) if one.gap < len(texts) else None
        if group is not None and one.spans:
            span = one.spans[0]
            if meant.setdefault(fold(layout.text(span.first - 1, span.last - 1)), group) != group:
                continue
        kept.append(one)
    return sorted(kept, key=lambda one: one.gap)


def _spans(pattern: re.Pattern[str], text: str, words: list[Range]) -> Iterator[Range]:
    """The first and the last word of each match."""
    for match in pattern.finditer(text):
        inside = [
            number
            for number, (start, end) in enumerate(words)
            if match.start() <= start and end <= match.end()
        ]
        if inside:
            yield inside[0], inside[-1]


def _whole(
    placed: list[Placed], deleted: set[int], first: int, last: int
) -> tuple[list[Placed], set[int]]:
    """With all of the words first..last gone where one of them is, and nothing put between."""
    own = set(range(first, last + 1))
    if not own & deleted:
        return placed, deleted
    best: dict[int, Placed] = {}
    for one in placed:
        gap = first if one.gap in own else one.gap
        if gap not in best or one.chance > best[gap].chance:
            best[gap] = replace(one, gap=gap)
    return [best[gap] for gap in sorted(best)], deleted | own


def _stayed(
    placed: list[Placed], deleted: set[int], first: int, last: int
) -> tuple[list[Placed], set[int]]:
    """With the words first..last, and what was put before them behind them."""
    own = set(range(first, last + 1))
    if not own <= deleted:
        return placed, deleted
    moved = [replace(one, gap=last + 1) if one.gap in own else one for one in placed]
    return moved, deleted - own


def _moved(
    placed: list[Placed], deleted: set[int], texts: list[str], lang: str
) -> tuple[list[Placed], set[int]]:
    """With the only name in the place of the only pronoun, where it was put at the end."""
    pronouns = [number for number, text in enumerate(texts) if is_pronoun(text, lang)]
    if deleted or len(placed) != 1 or len(pronouns) != 1 or not placed[0].spans:
        return placed, deleted
    if texts[pronouns[0]].lower() in _KEPT[lang].split():
        return placed, deleted
    if any(char.isalnum() for text in texts[placed[0].gap :] for char in text):
        return placed, deleted
    return [replace(placed[0], gap=pronouns[0], phrases=(0, 0, 0))], {pronouns[0]}


def _empty(
    deleted: set[int], placed: list[Placed], texts: list[str], lang: str, layout: Layout
) -> set[int]:
    """Without the runs of words that all say something that nothing put in says again."""
    said = {
        fold(layout.text(number, number))
        for one in placed
        for span in one.spans
        for number in range(span.first - 1, span.last)
    }
    kept: set[int] = set()
    run: list[int] = []
    for number in [*range(len(texts)), None]:
        if number is not None and number in deleted:
            run.append(number)
            continue
        if any(_says_nothing(texts[one], lang) or fold(texts[one]) in said for one in run):
            kept.update(run)
        run = []
    return kept


def _says_nothing(word: str, lang: str) -> bool:
    return (
        not any(char.isalnum() for char in word)
        or word.lower() in stop_words(lang)
        or is_context_dependent(word, lang)
        or is_pronoun(word, lang)
    )


def _with_the(one: Placed, deleted: set[int], layout: Layout) -> Placed:
    """With the article that the talk has before a name, where it comes for a pronoun."""
    if not one.spans or one.gap not in deleted or one.phrases[0]:
        return one
    span = one.spans[0]
    word = span.first - 1
    if not word or layout.words[word - 1].utterance != layout.words[word].utterance:
        return one
    named = layout.text(word, word)[0].isupper()
    if not named or layout.text(word - 1, word - 1).lower() != "the":
        return one
    return replace(one, spans=(replace(span, first=span.first - 1), *one.spans[1:]))


def _with_adposition(
    one: Placed, deleted: set[int], texts: list[str], lang: str, number: Mapping[str, int]
) -> Placed:
    """With what the one pronoun that the spans replace says beside standing for them: Hindi
    "उसमें" is "in it"."""
    alone = one.gap in deleted and not {one.gap - 1, one.gap + 1} & deleted
    # In English the linker has learned its own phrases.
    if not one.spans or not alone or lang == "en":
        return one
    before, after = adpositions(texts[one.gap], lang)
    first, between, last = one.phrases
    return replace(
        one,
        phrases=(number[before] if before else first, between, number[after] if after else last),
    )
